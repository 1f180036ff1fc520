"""`ooa fit`: learn a rule set, show it with its certificate, save it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.clock import Deadline
from ooa.data.suspicions import Suspicion, inspect_table
from ooa.errors import FormatError, OptionError
from ooa.keeping import write_text
from ooa.learning.by_settings import explain_fit, learn
from ooa.learning.empty_result import RARE
from ooa.learning.settings import FitSettings, OOAxSettings
from ooa.learning.verdict import Learned
from ooa.rules.confusion import Confusion
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .asked import settings_asked_for
from .modelfile import model_dict, read_model
from .output import aside, following, json_text, note, refuse_unwritable, say, say_json
from .problem import Problem, read_problem
from .reporting import keep_report
from .scoring import confusion_on, figures, figures_table, pattern_counts, pattern_table
from .unseen import Unseen, compared_with, show_unseen, unseen_values
from .wording import Typed, TypedAdvice

if TYPE_CHECKING:
    from ooa.theory.bounds_report import BoundsReport

__all__ = ["Result", "counted_on", "learn_and_show", "odd_columns", "run"]

#: The share of the rows that the positive label has to be for its description to be a surprise.
MOST = 0.8
#: The share of rare positives below which too few are found to be of use.
FOUND = 0.25
#: Odd columns that are named; `--json` has them all.
NAMED = 10
#: The share of the time limit, beside it, in which they are looked for.
LOOKING = 0.1


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    refuse_unwritable(arguments, "save", "report")
    problem = read_problem(arguments)
    log = aside if arguments.verbose else None
    wanted = settings_asked_for(arguments, problem, start=_start(arguments.start), log=log)
    if arguments.explain_plan:
        return _explain_plan(arguments, problem, wanted)
    if not arguments.json and not arguments.quiet:
        say(f"{problem.summary()}\n")  # before the waiting begins
    merged = problem.compressed is not None  # then values are of zones, and nothing odd can be seen
    suspicions = () if merged else odd_columns(problem, wanted, arguments.quiet)
    bounds = _bounds(problem, wanted) if arguments.explain_bounds else None
    if bounds is not None and not arguments.json:
        say(f"{bounds}\n")
    learned = learn_and_show(problem, wanted, quiet=arguments.quiet)
    result = Result(problem, learned, _explanation(problem, learned, wanted))
    document = result.document(_settings(arguments)) | {"suspicions": [asdict(one) for one in suspicions]}
    if bounds is not None:
        document["bounds"] = bounds.to_dict()
    failure = _keep(arguments, result, document)
    if arguments.json:
        say_json(document)
    elif failure is not None or not (arguments.quiet and arguments.save):
        say(result)
        if arguments.save is not None and failure is None:
            say(f"\nsaved in {arguments.save}; next: ooa predict {arguments.save} new.csv")
    show_unseen(result.unseen)
    for words in result.remarks(arguments):
        note(words)
    if failure is not None:
        raise failure
    if learned.certificate.termination is Termination.INTERRUPTED:
        return 130
    return 0 if learned.certificate.feasible else 3


def _keep(arguments: argparse.Namespace, result: Result, document: dict[str, Any]) -> Exception | None:
    """Write the files that were asked for; why one could not be written is said once the rules are shown."""
    failure: Exception | None = None
    try:
        if arguments.save is not None:
            write_text(arguments.save, json_text(document))
    except (OSError, MemoryError) as error:
        failure = error
    try:
        if arguments.report is not None:
            told, short = _settings(arguments), arguments.short
            keep_report(result.problem, result.learned, arguments.report, told, short=short)
    except (OSError, MemoryError) as error:
        failure = failure or error
    return failure


@dataclass(frozen=True)
class Result:
    """What was learned, and how good it is.

    Attributes
    ----------
    problem, learned : from what, and what
    explanation : why it tells no rows apart, if that is so
    """

    problem: Problem
    learned: Learned
    explanation: str | None

    @property
    def patterns(self) -> list[dict[str, Any]]:
        """What each pattern does on the rows learned from."""
        table = self.problem.table
        return pattern_counts(self.learned.rules, table, table.y, table.weight, table.copies)

    def document(self, settings: dict[str, Any]) -> dict[str, Any]:
        """The model for its file and for machines."""
        counted = counted_on(self.problem, self.learned.rules)
        return model_dict(
            self.learned.rules,
            self.learned.certificate,
            schema=self.problem.schema(compared_with(self.learned.rules)),
            settings=settings,
            patterns=self.patterns,
            training=figures(counted["training"]),
            test=figures(counted["test"]) if "test" in counted else None,
            explanation=self.explanation,
        )

    @property
    def unseen(self) -> list[Unseen]:
        """What stands in the test rows and not in those learned from."""
        test = self.problem.test
        return [] if test is None else unseen_values(self.learned.rules, test, self.problem.values)

    def remarks(self, asked: argparse.Namespace) -> Iterator[str]:
        """What somebody who sees the result should know."""
        table, termination = self.problem.table, self.learned.certificate.termination
        (negative, positive), share = table.labels, self.problem.n_positives / self.problem.n_rows
        if self.explanation is not None:
            yield self.explanation
            return
        if share > MOST and asked.positive is None and not self.problem.against_rest:
            yield (
                f"{100 * share:.0f} % of the rows are {positive!r}, and the rules describe them; to describe "
                f"the others: {Typed().predict(negative)}"
            )
        found = counted_on(self.problem, self.learned.rules)["training"].sensitivity or 0.0
        if found < FOUND and share < RARE:
            yield (
                f"only {100 * found:.0f} % of the rows labelled {positive!r} are found: "
                f"{Typed().heavier(positive)}, and {Typed().sensitive(0.8)}"
            )
        if termination is Termination.STALLED:
            yield (
                "neither a better rule set nor a proof was in sight, and so the fit ended; "
                f"{Typed().option('time_limit', 300)} would go on"
            )
        elif termination is Termination.TIME_LIMIT and asked.time_limit == "auto":
            more = Typed().option("time_limit", 300)
            yield f"the time that --time-limit auto allows is over; {more} would go on"

    def __str__(self) -> str:
        patterns = self.patterns
        parts = [
            self.learned.rules,
            *([pattern_table(patterns)] if patterns else []),
            figures_table(counted_on(self.problem, self.learned.rules)),
            self.learned.certificate.text(Typed()),
        ]
        return "\n\n".join(map(str, parts))


def _explain_plan(arguments: argparse.Namespace, problem: Problem, wanted: FitSettings) -> int:
    """Print what a fit would do, and do none of it."""
    from ooa.learning.by_settings import explain_plan

    plan = explain_plan(problem.table, wanted)
    if arguments.json:
        say_json({"plan": plan.splitlines()})
    else:
        say(f"{problem.summary()}\n\n{plan}")
    return 0


def _bounds(problem: Problem, wanted: FitSettings) -> BoundsReport:
    """What the theorems say, by the start if there is one."""
    from ooa.theory.bounds_report import bounds_report

    if problem.constraints:
        note("the bounds are those without constraints, which may need patterns that they exclude")
    length = wanted.max_length if isinstance(wanted, OOAxSettings) else None
    return bounds_report(problem.table, wanted.C1, wanted.C2, max_length=length, known=wanted.start)


def learn_and_show(problem: Problem, wanted: FitSettings, *, quiet: bool) -> Learned:
    """Learn from a problem what is wanted, and show how it goes."""
    with following(quiet) as progress:
        learned = learn(problem.table, replace(wanted, progress=progress))
    if problem.compressed is None:
        return learned
    from ooa.estimators.from_source import certified  # brings scikit-learn with it

    told = certified(learned.certificate, problem.compressed, learned.rules, wanted)
    return replace(learned, certificate=told)


def counted_on(problem: Problem, rules: RuleSet) -> dict[str, Confusion]:
    """What is right and wrong, in rows: of those learned from, and of those to test on if there are any."""
    table = problem.table
    each = None if table.copies is None else table.copies.astype(np.float64)
    found = {"training": Confusion.of(np.asarray(rules.covers(table).any(axis=1)), table.y, each)}
    if problem.test is not None:
        found["test"] = confusion_on(rules, problem.test)
    return found


def odd_columns(problem: Problem, wanted: FitSettings, quiet: bool = False) -> tuple[Suspicion, ...]:
    """Find the columns that should be looked at in a part of the time limit, and name them."""
    deadline = Deadline.after(None if wanted.seconds is None else LOOKING * wanted.seconds, wanted.clock)
    found = inspect_table(problem.table, problem.settled, deadline)
    if not quiet:
        _show_suspicions(found)
        if deadline.passed():
            note("for lack of time not all columns were looked at for what is odd about them")
    return found


def _show_suspicions(found: Sequence[Suspicion]) -> None:
    """Name the columns that should be looked at, with what can be done."""
    for suspicion in found[:NAMED]:
        note(TypedAdvice().sentence(suspicion))
    if len(found) > NAMED:
        note(f"there are {len(found) - NAMED:,} more such columns; --json has them all")


def _start(place: str | None) -> RuleSet | None:
    """The rule set to start from."""
    if place is None:
        return None
    try:
        return read_model(place).rules
    except FormatError as error:
        raise OptionError(f"--start: {error}") from None


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was asked for, to be able to ask for it again."""
    left_out = {"run", "debug", "json", "quiet", "verbose", "save", "report", "data"}
    left_out |= {"explain_bounds", "explain_plan", "ids", "short"}
    return {name: value for name, value in sorted(vars(arguments).items()) if name not in left_out}


def _explanation(problem: Problem, learned: Learned, wanted: FitSettings) -> str | None:
    """Say why the rule set tells no rows apart, if that is so, and what would change it."""
    rules, table = learned.rules, problem.table
    why = explain_fit(learned, rules.covers(table), table, wanted)
    return None if why is None else why.sentence(Typed(problem.against_rest))
