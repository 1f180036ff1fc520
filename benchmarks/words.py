"""What a stranger to the results has to be told: the words of the page, and how to read what is on it."""

from __future__ import annotations

#: Words, and what they mean.
GLOSSARY = {
    "rule set": (
        "What is learned: IF one of a few patterns holds THEN yes, ELSE no. A pattern is a few conditions, "
        "called literals, that must hold together."
    ),
    "L": (
        "What is minimised: the share of the rows that are predicted wrongly, plus a price C for every "
        "literal and for every pattern. Less is better. The rule set without any pattern has the share of "
        "the positives."
    ),
    "C": "The price: with C = 0.01 a pattern of two conditions must save errors on 3 % of the rows to pay.",
    "K": "The most patterns that a rule set may have; none: as many as pay.",
    "proved, gap": (
        "Proved: no rule set made of the patterns in question has a smaller L. Otherwise the gap says how "
        "far the L that was found may be above the smallest one, in percent of it."
    ),
    "OOAx, OOA": (
        "The two methods of this library, ooa. OOAx mines patterns and selects among them; OOA forms the "
        "patterns inside one mixed-integer program."
    ),
    "solver, ILP": (
        "An ILP is an integer linear program; a solver (HiGHS, SCIP, CBC) is software that finds its best "
        "solution."
    ),
    "mean s (shifted by 1 s)": (
        "The shifted geometric mean of seconds: of s + 1, less 1 in the end. No single tiny or huge time "
        "decides it."
    ),
    "s, MB": "Seconds by the clock on the wall; megabytes of memory at the peak.",
}
#: How to read a table or a picture of a study, by words of its title.
NOTES: dict[str, dict[str, str]] = {
    "proofs": {
        "Performance profile": (
            "Higher is better. At 1 on the horizontal axis stands the share of the instances on which a "
            "method is the fastest to prove its rule set best; at 10 the share that it proves in at most ten "
            "times the time of the fastest. A line that ends low left many instances without a proof."
        ),
        "In all": (
            "Proved: on how many instances it was proved that no better rule set exists. Means are shifted "
            "geometric ones, in which a run without a proof counts as its time limit."
        ),
        "Per instance": (
            "One line for each data set, price C and most patterns K. L is the value of the best rule set "
            "found, proof s the seconds until it was proved best, or the gap that was left at the limit (100 "
            "%: there was neither a rule set better than the empty one nor a bound); final L at s is when "
            "that rule set was found, MB the most memory used."
        ),
        "Where ooa is behind": (
            "Every instance and instant at which one of the two programs had a rule set with a smaller L, a "
            "smaller gap, or its proof sooner."
        ),
        "Slow starts": (
            "The instances on which the first second was not enough for a rule set within 2 % of the best "
            "one that any method found."
        ),
    },
    "paper": {
        "Table 2": (
            "Mean and, in brackets, standard deviation of the accuracy over the folds; beside each method "
            "what the paper says of it. OOAx and OOA are the two methods of this library."
        ),
        "ooa against": (
            "Reached: within one of the paper's standard deviations of its mean, or better. Between splits: "
            "how much the mean moves when the folds are drawn anew (in brackets, how often they were)."
        ),
        "Size of the models": (
            "What a person has to read: conditions (literals) and patterns of rule sets, nodes of trees, "
            "coefficients of a linear model."
        ),
        "OOAx over one kind": (
            "Accuracy with cuts of one kind, how much its mean moves if folds are drawn anew, and literals. "
            "Auto is the default, deciles what the default was; the gain is that of auto, fold by fold."
        ),
        "Table 1": (
            "On 1,922 rows of generated answers to 112 questions. The paper's figures are of its own survey, "
            "so only the order of the methods can be compared."
        ),
    },
    "peers": {
        "L at": (
            "The value of the rule set that each method learned from all rows; the smallest of a line is the "
            "best. An empty cell: no result in time, or an error, listed below."
        ),
        "A peer has": "The places where OOAx is not the best.",
        "Matching": (
            "The places where the peer had ended before our fit had a rule set as good as the peer's."
        ),
        "Accuracy": (
            "Mean(standard deviation) of the accuracy on new rows at the price where it is highest, then "
            "patterns/literals and seconds of the fit on all rows. A cell without accuracy was not "
            "cross-validated."
        ),
        "No result": "What the peer said.",
    },
    "solvers": {
        "performance profile": (
            "Higher is better. At 1 on the horizontal axis stands the share of the models that a solver is "
            "the fastest to prove optimal, at 10 the share that it proves in at most ten times the time of "
            "the fastest."
        ),
        "Gap over time": (
            "Lower is better: how far the best rule set known may still be above the best there is, in "
            "percent of its value. A line that reaches the bottom is a proof."
        ),
        "in all": (
            "Refused: the licence does not allow a model of that size. Nothing found: no rule set at the "
            "limit. First, best: seconds until the first and the best rule set. Means are shifted geometric "
            "ones; what did not happen counts as the limit."
        ),
        "Each model": (
            "Status: optimal is a proof. Bound: no rule set has a smaller L; gap %: how far L is above it. "
            "First s, best s: when the first and the best rule set were found. Nodes: of the search tree."
        ),
    },
    "layers": {
        "nonzeros": (
            "Time ratio: how many times as long as the solver's own fastest call on ready-made arrays takes. "
            "Memory ratio: the same for the memory that is needed on top of the data."
        ),
    },
    "scaling": {
        "Seconds of a fit": (
            "Both axes are logarithmic. To the end: until the proof, or the limit. To the final rule set: "
            "until the rule set was found that came out in the end."
        ),
        "Each size": (
            "Planted found: whether the rule set is the one that made the labels. Gap %: how far L may be "
            "above the best there is; 0 is a proof, and the last column says among which rule sets."
        ),
    },
    "cuts": {
        "L on the training rows": "The value of the rule set learned from all rows; less is better.",
        "Accuracy": "Mean and, in brackets, standard deviation of the share of new rows predicted right.",
        "Cuts per numeric column": "How many cuts a design makes in a column of numbers, on average.",
        "Seconds of the fit": "Of the processor, on all rows.",
        "Against": "On how many sets a design is better or worse than the former default, and by how much.",
    },
    "wide": {
        "L": "The value of the rule set, and after how many seconds of the processor it was known.",
        "How it ended": "What was proved at the limit, if anything.",
    },
    "choosing": {
        "Each set": (
            "Seconds of the processor and by the clock in all, the price chosen, the mean accuracy on rows "
            "held out at it, and the mean L of all folds and prices on the rows learned from. Times the CPU: "
            "the grid search against OOAxClassifierCV."
        ),
    },
    "listing": {
        "Each set": (
            "Rule sets within a share of the optimum, seconds of the processor, and the share of the optimum "
            "up to which nothing is missing: what was asked for, if the list is complete."
        ),
    },
    "waiting": {
        "Each set": (
            "L with the default cuts and with those that labels alone ask for, seconds of the processor, and "
            "the longest time in which nothing new was on the screen."
        ),
    },
}


def note(study: str, title: str) -> str:
    """How to read a table or a picture; empty if there is nothing to say."""
    return next((text for words, text in NOTES.get(study, {}).items() if words in title), "")
