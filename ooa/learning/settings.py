"""The settings of a fit: every option and its default, in one place and for everyone.

The estimators, `learn_ooax`, `learn_ooa`, `enumerate_optimal`, `path` and the command line all make one of
these and hand it on; whatever they call an option, its default is the one written here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ooa.checks import did_you_mean, instance, listed_items
from ooa.clock import CLOCK, Clock, Patience
from ooa.errors import OptionError

from .policy import POLICY, Policy
from .setting_checks import CHECKS

if TYPE_CHECKING:
    from ooa.candidates.screening import Score
    from ooa.candidates.thresholds import Thresholds
    from ooa.formulations.base import ConstraintLike
    from ooa.formulations.ooax_layout import Form
    from ooa.rules.pattern import Pattern
    from ooa.rules.ruleset import RuleSet
    from ooa.solving.backend import Backend

__all__ = [
    "INTERACTIVE_TIME_LIMIT",
    "METHODS",
    "TECHNIQUES",
    "FitSettings",
    "OOASettings",
    "OOAxSettings",
    "Selection",
    "takes",
]

#: The limit of a fit where a person waits: the default of the estimators and of the command line. It ends
#: when neither a better rule set nor the proof is in sight. The functions that take a `Table` have no limit
#: unless they are given one.
INTERACTIVE_TIME_LIMIT: Literal["auto"] = "auto"
#: What a study can switch off, one by one, to see what it brings; none of it changes the optimum.
TECHNIQUES = {
    "incumbent": "the local search that comes first",
    "replacement": "of that, the search for the best single pattern where not all patterns can be listed",
    "bounds": "Theorem 1 with the value of the best rule set known in place of N+/N",
    "dominance": "dropping patterns that another one can stand in for",
    "multipliers": "bounds of the exact search by multipliers",
    "separation": "a linear program with pair cuts: rows of the two classes that few patterns separate",
}

Selection = Literal["auto", "search", "ilp"]
AnySettings = TypeVar("AnySettings", bound="FitSettings")


@dataclass(frozen=True, kw_only=True)
class FitSettings:
    """What both ways of learning can be told.

    Attributes
    ----------
    C1, C2 : price of a literal and of a pattern, as shares of the rows; taken as the decimals they look like
    max_patterns : most patterns in the rule set, or None
    thresholds, max_thresholds : where numeric attributes are cut; see `ooa.candidate_literals`
    missing : whether "is missing" is a literal of every attribute with missing values
    start : a rule set to start from
    constraints : what the rule set must meet; see `ooa.constraints`
    backend : name of a solver, or a `Backend`
    time_limit : seconds for everything; what is known by then is returned. "auto" for a minute at most, and
        less where neither a better rule set nor the proof is in sight; None for no limit
    relative_gap, seed, log, options : see `ooa.SolveParams`
    threads : of the solver and of the exact search; None for one of the solver and as many of the search,
        whose answer does not depend on it, as the process may use (one in a joblib worker)
    deterministic : whether the exact search gives the same answer on any number of threads; without, they
        share what they find at once, and among several best rule sets it may be any that is found
    max_memory : megabytes that conditions, patterns and the search among them may take, beside the table;
        None for half of what is free when the fit begins. What does not fit is left out, the best kept
    progress : show a live line; None shows it after three seconds, on a terminal or in a notebook only
    confirm : whether what a solver claims is confirmed by another one before it counts as proved; None does
        so where the solver is known to err, as CBC is. The exact search needs no confirmation
    policy : who runs when, and for how long; see `ooa.learning.policy`
    clock : what time it is; another one than the machine's is for tests
    """

    C1: Any = 0.002
    C2: Any = 0.002
    max_patterns: int | None = 5
    thresholds: Thresholds = "auto"
    max_thresholds: int = 15
    missing: bool = False
    start: RuleSet | None = None
    constraints: Iterable[ConstraintLike] = ()
    backend: str | Backend = "highs"
    time_limit: float | Literal["auto"] | None = None
    relative_gap: float = 0.0
    threads: int | None = None
    deterministic: bool = True
    max_memory: int | None = None
    seed: int = 0
    log: Any = None
    progress: bool | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    confirm: bool | None = None
    policy: Policy = POLICY
    clock: Clock = CLOCK

    def __post_init__(self) -> None:
        for one in fields(self):
            if one.name in CHECKS:
                self._set(one.name, CHECKS[one.name](getattr(self, one.name), one.name))

    @property
    def seconds(self) -> float | None:
        """The time limit as a number, or None."""
        return self.policy.auto_seconds if isinstance(self.time_limit, str) else self.time_limit

    def within(self: AnySettings, seconds: float | None) -> AnySettings:
        """The settings of a fit that is one of several: so many seconds, or less where it would have less."""
        if not isinstance(self.time_limit, str) or seconds is None:
            return replace(self, time_limit=seconds)
        return replace(self, policy=replace(self.policy, auto_seconds=seconds))

    def timekeeping(self) -> tuple[Clock, Patience | None]:
        """The clock of one fit, and what ends it before its limit where that is not the user's own."""
        if not isinstance(self.time_limit, str):
            return self.clock, None
        return self.clock, Patience(self.policy.patience_seconds, self.policy.patience_share, self.clock)

    def language(self) -> dict[str, Any]:
        """The arguments of `ooa.candidate_literals`: what patterns are made of."""
        return self._chosen("thresholds", "max_thresholds", "missing")

    def _chosen(self, *names: str) -> dict[str, Any]:
        return {name: getattr(self, name) for name in names}

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def common(self) -> dict[str, Any]:
        """What both ways of learning can be told, by name."""
        return {field.name: getattr(self, field.name) for field in fields(FitSettings)}

    @classmethod
    def of(
        cls: type[AnySettings], settings: AnySettings | None, options: Mapping[str, Any], caller: str
    ) -> AnySettings:
        """Settings, or the default ones, with some options changed; an unknown option is an error."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise OptionError(f"{caller} has no option {name!r}; {did_you_mean(name, known)}")
        if settings is None:
            return cls(**options)
        instance(settings, "settings", cls, f"None or {cls.__name__}")
        return replace(settings, **options) if options else settings


@dataclass(frozen=True, kw_only=True)
class OOAxSettings(FitSettings):
    """What `ooa.learn_ooax` can be told.

    Attributes
    ----------
    max_length : most literals in a pattern, or None
    min_support : least weight of the positives a pattern covers (below 1: as a share of all positives);
        None for what Theorem 2 says, which loses nothing
    max_candidates : most candidates handed to the ILP, the best by `score`; None for all at once, "auto" for
        the best 2,000 first and more as long as there is time. The exact search takes them all
    gamma : price of a literal in the default score, information gain
    ranges, negations, sets : see `ooa.candidate_literals`
    patterns : further candidates of the user's own
    score : `score(positive, negative, length)` in place of information gain
    keep : which patterns are allowed at all
    engine : "bitset", or one of pyfim's "fpgrowth", "eclat", "apriori"
    max_mined : most patterns held in memory
    selection : how the candidates are chosen from: "search" goes through their sets on bitsets and needs no
        solver (no constraints, at most 200 patterns), "ilp" solves the selection ILP, "auto"
        does one after the other until there is a proof
    form : the ILP's: "aggregated" as in the paper, "disaggregated" (stronger, more rows), or "auto": the
        former; if one is named, `selection="auto"` means the ILP
    without : techniques to do without, for studies of what they bring: some of "incumbent",
        "replacement", "bounds", "dominance", "multipliers" and "separation"; see `TECHNIQUES`

    Examples
    --------
    >>> OOAxSettings(selection="ilp", without="bounds").without
    frozenset({'bounds'})
    >>> OOAxSettings(form="aggregated").selection
    'ilp'
    >>> [name for name, chosen in OOAxSettings(ranges=True).language().items() if chosen is True]
    ['ranges']
    """

    max_length: int | None = 3
    min_support: float | None = None
    max_candidates: int | Literal["auto"] | None = "auto"
    gamma: float = 0.0
    ranges: bool = False
    negations: bool = False
    sets: int = 1
    patterns: Iterable[Pattern] = ()
    score: Score | None = None
    keep: Callable[[Pattern], bool] | None = None
    engine: str = "bitset"
    max_mined: int = 1_000_000
    selection: Selection = "auto"
    form: Form = "auto"
    without: Iterable[str] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form != "auto" and self.selection == "search":
            words = "is about the ILP, which selection='search' does without"
            raise OptionError(words, option="form", value=self.form)
        if self.form != "auto":
            self._set("selection", "ilp")
        named = [self.without] if isinstance(self.without, str) else self.without
        chosen = frozenset(listed_items(named, "without", str, "techniques"))
        for name in sorted(chosen - TECHNIQUES.keys()):
            raise OptionError(f"without must name some of {', '.join(TECHNIQUES)}, not {name!r}")
        self._set("without", chosen)

    @property
    def first_candidates(self) -> int | None:
        """How many candidates the ILP gets at first, at most; None for all."""
        if isinstance(self.max_candidates, str):
            return self.policy.first_candidates
        return self.max_candidates

    def language(self) -> dict[str, Any]:
        """The arguments of `ooa.candidate_literals`: what patterns are made of."""
        return super().language() | self._chosen("ranges", "negations", "sets")


@dataclass(frozen=True, kw_only=True)
class OOASettings(FitSettings):
    """What `ooa.learn_ooa` can be told.

    Attributes
    ----------
    thresholds, max_thresholds : where numeric attributes may be cut; by default between any two values
    formulation : "compact", or "paper" for the paper's own (larger) one; they have the same optimum
    single_category : whether a categorical literal names one category; else `x in {a, b}` is one literal
    decompose : whether a proof may come from elsewhere than the MIP: from OOAx over all patterns, or from
        families of boxes
    """

    thresholds: Thresholds = "distinct"
    formulation: Literal["compact", "paper"] = "compact"
    single_category: bool = True
    decompose: bool = True

    @property
    def every_cut(self) -> bool:
        """Whether numeric attributes may be cut between any two values."""
        return isinstance(self.thresholds, str) and self.thresholds == "distinct"

    def language(self) -> dict[str, Any]:
        """The arguments of `ooa.candidate_literals` for what is looked at before the MIP.

        The MIP itself may cut between any two values; a look at the table makes do with fewer cuts.
        """
        coarse = "auto" if self.thresholds == "distinct" else self.thresholds
        return super().language() | {"thresholds": coarse}


#: The two ways of learning, by name, and what each can be told.
METHODS: dict[str, type[FitSettings]] = {"ooax": OOAxSettings, "ooa": OOASettings}

Learner = TypeVar("Learner", bound=Callable[..., Any])


def takes(*kinds: type[FitSettings], but: Collection[str] = ()) -> Callable[[Learner], Learner]:
    """Give a function that takes `**options` the signature that these settings imply.

    So `help`, notebooks and tests see every option with its default, which is written in one place.

    Parameters
    ----------
    *kinds : the settings whose fields are options; what several have is as in the first of them
    but : fields that are no options of this function
    """

    def signed(function: Learner) -> Learner:
        given = inspect.signature(function).parameters.values()
        own = [p for p in given if p.kind is not inspect.Parameter.VAR_KEYWORD]  # a field may be called so
        left_out = {parameter.name for parameter in own} | set(but)
        found: dict[str, Any] = {}
        for f in (f for kind in kinds for f in fields(kind) if f.name not in left_out):
            found.setdefault(f.name, f)
        options = [
            inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=_default(f), annotation=f.type)
            for f in found.values()
        ]
        function.__signature__ = inspect.Signature(own + options)  # type: ignore[attr-defined]
        return function

    return signed


def _default(f: Any) -> Any:
    return f.default if f.default is not MISSING else f.default_factory()
