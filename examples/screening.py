"""For clinicians: a screening rule that must not miss more than two of a hundred, and who it is wrong about.

The data are real and come with scikit-learn: 569 breast lumps, of which a few cells were drawn with a needle
and measured, and what each lump turned out to be. The question is which women to send on for a biopsy. A rule
for that has to be read, checked and signed by people, and the two kinds of error do not weigh the same: a
false alarm costs a biopsy, a missed tumour may cost a life.

    python examples/screening.py [report.html]
"""

from __future__ import annotations

import sys

import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import ooa
from ooa.constraints import min_sensitivity

#: What is measured of the largest cells of a sample; the names in the data set are longer.
MEASURED = {
    "worst radius": "radius",
    "worst texture": "texture",
    "worst smoothness": "smoothness",
    "worst concave points": "concave_points",
}
FLOOR = 0.98


def main() -> None:
    """Learn a rule without and with the floor, and look at somebody about whom they differ."""
    data = load_breast_cancer(as_frame=True)
    X = data.data[list(MEASURED)].rename(columns=MEASURED)
    y = data.target.map({0: "malignant", 1: "benign"}).rename("lump")
    X, X_new, y, y_new = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=0)
    print(f"{len(y)} women to learn from, {(y == 'malignant').sum()} of them with a malignant lump;")
    print(f"{len(y_new)} others, whom the rules never saw, to see what they are worth\n")

    plain = learn(X, y, [])
    show("As few errors as possible, whichever they are", plain, X, y, X_new, y_new)

    careful = learn(X, y, [min_sensitivity(FLOOR)])
    show(f"At most {100 * (1 - FLOOR):.0f} of 100 tumours missed", careful, X, y, X_new, y_new)

    missed = (plain.predict(X_new) == "benign") & (y_new == "malignant")
    found = missed & (careful.predict(X_new) == "malignant")
    woman = X_new[found].iloc[0]
    print(
        f"{found.sum()} of the {missed.sum()} new tumours that the first rule misses are found by the second."
    )
    print("One of them:", ", ".join(f"{name} {value:g}" for name, value in woman.items()))
    print(f"\nfirst rule: {plain.rules_.explain(woman)}")
    print(f"\nsecond rule: {careful.rules_.explain(woman)}\n")

    page = sys.argv[1] if len(sys.argv) > 1 else "screening.html"
    careful.report(page, X_new, y_new, title="Which lumps need a biopsy?")
    print(f"A report on the new women, to read in a browser and to print: {page}")


def learn(X: pd.DataFrame, y: pd.Series, constraints: list[object]) -> ooa.OOAxClassifier:
    """Round numbers, as a card on the wall would have them; at most two conditions together."""
    model = ooa.OOAxClassifier(
        C1=0.005,
        C2=0.005,
        positive="malignant",
        thresholds="round",
        max_length=2,
        constraints=constraints,
    )
    return model.fit(X, y)


def show(
    title: str,
    model: ooa.OOAxClassifier,
    X: pd.DataFrame,
    y: pd.Series,
    X_new: pd.DataFrame,
    y_new: pd.Series,
) -> None:
    """Print a rule, what is proved about it, and what it does on both sets of women."""
    print(f"== {title} ==\n{model.rules_}")
    proof = model.certificate_
    print("proved best" if proof.proved else f"gap {proof.gap:.1%}", "among", proof.statement)
    rows = {"learned from": rates(model, X, y), "new": rates(model, X_new, y_new)}
    print(pd.DataFrame(rows).T.to_string(), end="\n\n")


def rates(model: ooa.OOAxClassifier, X: pd.DataFrame, y: pd.Series) -> dict[str, str]:
    """How many tumours are found, how many others are sent home, how many alarms are right."""
    said, ill = model.predict(X) == "malignant", y == "malignant"
    shares = {
        "tumours found": (said & ill, ill),
        "others sent home": (~said & ~ill, ~ill),
        "alarms that are right": (said & ill, said),
    }
    return {name: f"{part.sum()} of {whole.sum()}" for name, (part, whole) in shares.items()}


if __name__ == "__main__":
    main()
