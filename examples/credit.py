"""For lenders and whoever supervises them: a credit rule, how unequal it is, and what equality would cost.

The borrowers are made up, with a seed, so that the mechanism can be seen: the young repay as often as the
older, but have shorter records, so that a rule which rewards a long record turns more of them down. Leaving
their age out of the rule does not help: the record stands in for it. A limit on the gap does, and the
certificate says what it costs at least, not only what one attempt at it happened to cost.

    python examples/credit.py
"""

from __future__ import annotations

import numpy as np
import pandas as pd

import ooa
from ooa.constraints import equal_opportunity

#: How likely a record is short, middling or long, for careful people and others of each group.
RECORD = {
    ("older", True): (0.05, 0.20, 0.75),
    ("older", False): (0.20, 0.50, 0.30),
    ("young", True): (0.45, 0.45, 0.10),
    ("young", False): (0.65, 0.30, 0.05),
}
LATE = {True: (0.75, 0.20, 0.05), False: (0.30, 0.40, 0.30)}
SAVINGS = {True: (0.15, 0.45, 0.40), False: (0.55, 0.35, 0.10)}


def applicants(n: int = 1500, seed: int = 0) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """A table of past borrowers, whether they repaid, and to which group they belong."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["older", "young"], n, p=[0.6, 0.4])
    careful = rng.random(n) < 0.6  # what nobody can see; it does not depend on age
    X = pd.DataFrame(
        {
            "record": [
                rng.choice(["short", "middling", "long"], p=RECORD[one]) for one in zip(group, careful)
            ],
            "late_payments": [rng.choice(["never", "once", "often"], p=LATE[one]) for one in careful],
            "savings": [rng.choice(["little", "some", "much"], p=SAVINGS[one]) for one in careful],
            "instalment": rng.choice(["small", "middling", "large"], n),
        }
    )
    repaid = rng.random(n) < np.where(careful, 0.95, 0.25)
    return X, pd.Series(np.where(repaid, "yes", "no"), name="repaid"), pd.Series(group)


def main() -> None:
    """Learn a rule for every limit, show the first and the last, and compare them all."""
    X, y, group = applicants()
    print(f"{len(y)} past borrowers; {repaid_text(y, group)}\n")
    lines = []
    for limit in (None, 0.05, 0.02):
        # The group is no column of the table: no rule can ask for it, and the limit holds all the same.
        constraints = [] if limit is None else [equal_opportunity(group, limit)]
        model = ooa.OOAxClassifier(
            C1=0.003, C2=0.003, positive="yes", max_length=2, constraints=constraints, time_limit=300
        )
        model.fit(X, y)
        lines.append(outcome(model, X, y, group, limit))
        if limit in (None, 0.02):
            print("== No limit ==" if limit is None else f"== At most {limit:.0%} between the groups ==")
            print(model.rules_, end="\n\n")
    table = pd.DataFrame(lines).set_index("gap allowed")
    print("Of those who would repay, the share of each group that gets the credit, and what that costs:\n")
    print(table.to_string())
    first, last = table.iloc[0], table.iloc[-1]
    print(
        f"\nA gap of {last['gap']} instead of {first['gap']} costs {last['errors'] - first['errors']}",
        end=" ",
    )
    print(f"more wrong decisions in {len(y)}. L counts")
    print("errors and the length of the rule; where that is proved, no rule of this form has a smaller one.")


def outcome(
    model: ooa.OOAxClassifier, X: pd.DataFrame, y: pd.Series, group: pd.Series, limit: float | None
) -> dict[str, object]:
    """What a rule does to the two groups, and what it is worth."""
    granted = pd.Series(model.predict(X) == "yes", index=y.index)
    shares = granted[y == "yes"].groupby(group).mean()
    proof = model.certificate_
    return {
        "gap allowed": "any" if limit is None else f"{limit:.0%}",
        "young": f"{shares['young']:.1%}",
        "older": f"{shares['older']:.1%}",
        "gap": f"{abs(shares['young'] - shares['older']):.1%}",
        "errors": int(proof.errors),
        "literals": proof.literals,
        "L": f"{float(proof.objective):.4f}",
        "proved": "yes" if proof.proved else f"gap {proof.gap:.0%}",
    }


def repaid_text(y: pd.Series, group: pd.Series) -> str:
    """How many of each group repaid."""
    shares = (y == "yes").groupby(group).mean()
    return " and ".join(f"{share:.0%} of the {name}" for name, share in shares.items()) + " repaid"


if __name__ == "__main__":
    main()
