// What this library was built from, and which of its kind the processor can run.
//
// The processor is asked by its own instructions: compilers differ in what they offer for it.
#include <cstdint>

#include "api.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if !defined(OOA_SOURCES)
#error "ooa/kernels/core_build.py compiles this, and says from which sources"
#endif

// A digest of the sources. What was built from others is not loaded: core_build.py looks for it in the file.
OOA_API const char* ooa_sources() { return OOA_SOURCES; }

namespace {

#if defined(__x86_64__)

struct Registers {
    unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(unsigned leaf) {
    Registers r;
    __get_cpuid_count(leaf, 0, &r.a, &r.b, &r.c, &r.d);
    return r;
}

// The registers that the operating system saves for every thread: bit 1 XMM, 2 YMM, 5 to 7 ZMM.
unsigned saved_registers() {
    unsigned low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

bool all(unsigned word, unsigned bits) { return (word & bits) == bits; }

int level() {
    constexpr unsigned popcnt = 1u << 23, osxsave = 1u << 27;              // leaf 1, ECX
    constexpr unsigned avx2 = 1u << 5, bmi2 = 1u << 8;                     // leaf 7, EBX
    constexpr unsigned f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31;
    constexpr unsigned vpopcntdq = 1u << 14;                               // leaf 7, ECX
    if (!all(cpuid(1).c, popcnt | osxsave) || !all(saved_registers(), 0x06)) return 0;
    const Registers seven = cpuid(7);
    if (!all(seven.b, avx2 | bmi2)) return 0;
    const bool wide = all(seven.b, f | dq | bw | vl) && all(seven.c, vpopcntdq);
    return wide && all(saved_registers(), 0xe6) ? 2 : 1;
}

#else

int level() { return 0; }

#endif

}  // namespace

// The best of the levels which this processor has: 0 baseline, 1 AVX2, 2 AVX-512 with VPOPCNTDQ.
OOA_API std::int64_t ooa_level() { return level(); }
