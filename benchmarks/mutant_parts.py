"""More mutants: the exact search in parts, as on a cluster; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

PARTS = ("tests/search/test_parts.py",)

CLUSTER = [
    *changed(
        "ooa/search/parts.py",
        PARTS,
        (
            "parts: those of other parts never follow",
            "[Part(names, half), ",
            "[Part(names[:half], half), ",
        ),
        (
            "parts: one that is handed back is forgotten",
            "first = 0 if done else int(np.sum(left < part.first))",
            "first = 0 if done else int(np.sum(left < part.first)) - 1",
        ),
        (
            "parts: what is kept by one of them alone",
            "            kept = names[here]\n",
            "            kept = names[here][:first]\n",
        ),
    ),
    *changed(
        "ooa/kernels/core/set_search.h",
        PARTS,
        (
            "parts: the last first pattern",
            "std::min(still_first(), batch_size())",
            "std::min(still_first() - (first_ != kHuge), batch_size())",
        ),
    ),
]
