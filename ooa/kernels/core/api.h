// What is seen of the library from outside: functions of C.
#pragma once

#if defined(_WIN32)
#define OOA_API extern "C" __declspec(dllexport)
#else
#define OOA_API extern "C" __attribute__((visibility("default")))
#endif
