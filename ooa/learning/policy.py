"""The policy of a fit: every share, limit and threshold that decides who runs when, with its reason.

None of these numbers changes what is proved; they decide how soon, and whether in time. They were found by
the studies in `benchmarks/`, on tables of 100 to a million rows. A fit is handed another policy with
`learn_ooax(table, policy=replace(POLICY, few=0))`; `ooa.learning.plan` makes a plan of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["POLICY", "Policy"]


@dataclass(frozen=True)
class Policy:
    """Who runs when in a fit, and for how long.

    Examples
    --------
    >>> from dataclasses import replace
    >>> replace(POLICY, few=0).few
    0
    """

    # -- a limit that is not the user's own ("auto") ----------------------------------------------

    #: Seconds at most ...
    auto_seconds: float = 60.0
    #: ... and how long without a better rule set, or the proof in sight: so many seconds, ...
    patience_seconds: float = 5.0
    #: ... or this share of the time that the last news took, if that is longer.
    patience_share: float = 0.5

    # -- what comes first ------------------------------------------------------------------------

    #: Share of the time by which rows are ordered, equal ones merged, and all conditions made.
    ordering_share: float = 0.3
    merging_share: float = 0.4
    literals_share: float = 0.6
    #: Words of coverage per second left that conditions may have, 64 rows each: so many are laid out by class
    #: several times over. The best of them are looked at where there are more, ...
    literal_words_per_second: int = 1_000_000
    #: ... (so many words of them are weighed between two looks at the clock), ...
    weighed_words: int = 1_000_000
    #: ... and of patterns that one search may have; but no fewer than this, however short the time.
    pattern_words_per_second: int = 4_000_000
    least_looked_at: int = 20
    #: Seconds that something may take which is done although time is over.
    moment: float = 0.05

    # -- memory ----------------------------------------------------------------------------------

    #: Share of the memory that is free which a fit takes, unless it is told how much.
    free_share: float = 0.5
    #: Of what a fit takes, the share for conditions, of which there are a few copies, ...
    literals_memory: float = 0.25
    literal_copies: int = 4
    #: ... for what mined patterns cover, ...
    mined_memory: float = 0.4
    #: ... and for what all cover that the search gets, which are a few more.
    patterns_memory: float = 0.5
    nonzero_bytes: int = 100  #: (that making an ILP and solving it takes for each nonzero, about)

    # -- mining ----------------------------------------------------------------------------------

    #: Share of the time limit for mining: what comes after needs more than half.
    mining_share: float = 0.4
    #: Where all patterns or none are wanted, mining ends after this share of its time, if at its pace less
    #: than that share of it would be done at the end.
    telling_share: float = 0.15
    hopeless_share: float = 0.5
    #: Patterns per second of the time limit that can be looked after once they are mined ...
    mined_per_second: int = 50_000
    #: ... on few rows; on so many distinct rows each of them costs twice the time.
    rows_at_double_cost: int = 4_096
    #: Patterns that are mined however short the time.
    least_mined: int = 1_000
    #: Words of coverage per second that mining goes through where it joins patterns to longer ones.
    joined_words_per_second: int = 100_000_000
    #: From so many literals on, on many and on few rows, mining takes long enough for an early look.
    many_literals: tuple[int, int] = (40, 60)
    #: That look is at patterns up to this length, ...
    early_length: int = 2
    #: ... and at longer ones, up to that, as long as there cannot be more of them than so many.
    longest_look: int = 6
    early_patterns: int = 30_000
    #: Where there can be more patterns than this, smaller languages come first: they have a good rule set
    #: long before all patterns of a larger one are mined, ...
    many_patterns: int = 50_000
    #: ... each within this share of the time that the next larger one has, ...
    smaller_share: float = 0.7
    #: ... or that, if it has fewer cuts than by default; or so many seconds where time is not limited.
    labels_share: float = 0.2
    labels_seconds: float = 10.0

    #: Rounds over them: words of rows that a turn in the first goes through, and share of the time for rounds
    #: before anything is mined.
    round_work: int = 5 * 10**7
    rounds_share: float = 0.6

    # -- good rule sets --------------------------------------------------------------------------

    #: Share of the time limit for local search before anything is screened.
    search_share: float = 0.1
    #: Up to so many candidates a greedy start is enough for an ILP. Up to so many left by screening (of that
    #: many), it has the first turn where another solver, or an option or log of one, was asked for.
    few: int = 400
    some: int = 1_000
    #: Beyond so many candidates the exact search does not start without any rule set.
    greedy_above: int = 1_000
    #: Candidates that a greedy start takes in: next to no time.
    greedy_width: int = 1_000
    #: Local search looks at no more candidates than this, the best by information gain and by net gain, and
    #: at no fewer than that where a short time would allow fewer.
    search_width: int = 20_000
    least_search_width: int = 1_000
    left_widths: tuple[int, ...] = (8_000, 20_000)  #: (of more that screening leaves: so many, then so many)
    #: Words of coverage that one local search goes through: seconds, but the same on every machine.
    search_work: int = 10**8
    #: And for what more patterns than the limit allows would bring; ...
    binding_work: int = 10**7
    #: ... from this share of L on, estimators warn of it.
    telling_gain: float = 0.05
    #: Optimal replacement, where mining had to leave patterns out or local search sees only some of them:
    #: share of the time left for a turn of it, ...
    replace_share: float = 0.3
    #: ... which ends if it was in vain for so many seconds, and for as long as the last success took, ...
    replace_idle: float = 1.0
    look_idle: float = 0.1  #: (this where all patterns are listed, or may be: the proof may be near)
    #: ... or after so many kicks in a row that failed; ...
    replace_rounds: int = 200
    #: ... words of rows it goes through where time is not limited; ...
    replace_work: int = 10**10
    #: ... and of the patterns it meets, the best so many become candidates, ...
    collected: int = 2_000
    #: ... for the choice among which, and what was mined, this share of the time left is enough.
    choice_share: float = 0.5
    #: A bound over all patterns where mining had to leave some out, by generating them: share of the time
    #: left, and rounds, and seconds at most, where there is no limit; it begins with so many patterns that
    #: replacement has met.
    generation_share: float = 0.5
    generation_rounds: int = 40
    generation_seconds: float = 60.0
    generated_from: int = 300
    #: Share of the time left for listing all patterns that a better rule set can have, once the gap is small.
    within_gap_share: float = 0.2
    #: Kicks in a row that may fail, among all candidates ...
    most_rounds: int = 30
    #: ... and among the shorter ones, or where there are so few that the proof takes less time.
    fewer_rounds: int = 8
    #: How much a negative counts against a positive where constraints have to be met.
    harshness: tuple[float, ...] = (1.0, 0.3, 3.0, 0.1, 10.0, 0.02, 1e6)

    # -- who has a turn at the proof -------------------------------------------------------------

    #: Up to so many candidates, and with so many seconds left, the exact search waits for no good rule set.
    quick: int = 20_000
    least_seconds: float = 2.0
    #: Share of the time left for the first turn, ...
    first_turn: float = 0.5
    long_turn: float = 1.0  #: (where the ILP would get only some of the candidates, and so prove less)
    #: Share for the exact search beside constraints that it cannot count, or not all of.
    relaxed_turn: float = 0.7
    #: Before anything else, a search without the constraints: what it finds is the answer if it meets them.
    #: It has this share of the time, and no more than so many seconds.
    free_first_share: float = 0.1
    free_first_seconds: float = 2.0
    #: Whether any rule set meets the constraints, where none is known: this share, and so many seconds.
    meeting_share: float = 0.4
    meeting_seconds: float = 30.0
    #: Of the time for a local search beside constraints, the share for one that ignores them; of that for a
    #: proof, the share for finding prices for them, and for what these prove; and how many prices are tried.
    ignoring_share: float = 0.4
    prices_share: float = 0.2
    priced_share: float = 0.5
    price_rounds: int = 24
    #: ... before a first attempt at the proof; and seconds within limits, before one by prices and after.
    first_price_rounds: int = 3
    limited_attempt_seconds: tuple[float, float] = (1.0, 3.0)
    #: Seconds of the first and second turn where time is not limited.
    turn_seconds: float = 60.0
    second_turn_seconds: float = 600.0
    #: Beyond so many nonzeros solvers no longer keep to a time limit; the search then goes on alone.
    most_nonzeros: int = 2_000_000
    #: So many per second left are too many for any solver to be loaded with and stopped in time.
    most_nonzeros_per_second: int = 200_000
    #: So many of them a solver goes through in a second without a look at the clock, in its presolve: its
    #: limit is as much sooner, but it has half of the time in any case.
    unstopped_nonzeros_per_second: int = 400_000
    #: So many nonzeros per second are what solvers are given in any case, ...
    nonzeros_per_second: int = 30_000
    #: ... but no fewer candidates than this, however short the time.
    least_candidates: int = 50
    #: The ILP gets the best so many candidates at first, where nobody limits them, ...
    first_candidates: int = 2_000
    #: ... and so many times as many whenever it has settled these and there is time; so has mining cut short.
    growth: int = 4
    #: Share of the ILP's time for one more local search, among just its candidates.
    ilp_search_share: float = 0.1

    # -- the exact search ------------------------------------------------------------------------

    #: Rule sets of more patterns than this are left to the ILP: the search is exponential in their number.
    most_searched_patterns: int = 200
    #: Beyond so many words of coverage per second left, laying them out takes too long, here and for the ILP.
    words_per_second: int = 2_000_000
    #: ... and beyond so many, laying out rows and patterns for a linear program over pairs of rows.
    unpacked_words_per_second: int = 1_000_000
    #: Words per second left up to which bounds by multipliers are used: nobody stops a look with them.
    multiplied_words_per_second: int = 1_000_000
    #: Share of the time for dominance.
    dominance_share: float = 0.1
    #: Share of the time left, and seconds at most, for an attempt at the whole proof (listing sets), ...
    attempt_share: float = 0.2
    attempt_seconds: float = 2.0
    early_attempt_seconds: float = 1.0  #: (before the linear program)
    brief_attempt_seconds: float = 0.2  #: (before the last search for a good rule set to start from)
    #: ... and where that one takes long, once more if coarse gaps up to this one could be excluded.
    first_attempt_seconds: float = 1.0
    attempt_gap: float = 0.3
    #: Up to so many patterns, and pairs of rows that they tell apart, that program comes at once.
    few_separated: tuple[int, int] = (3_000, 60_000)
    #: Seconds for coarse gaps before the linear program, so that there is a bound early.
    rough_seconds: float = 1.0
    #: Share of the time left for the linear program over pairs of rows: its first turns make all that
    #: follows faster, so where there is little time it has more of it, up to so many seconds.
    separation_share: float = 0.25
    short_share: float = 0.5
    separation_seconds: float = 10.0
    #: Gaps that are proved one after the other, each faster than the next.
    rungs: tuple[float, ...] = (0.6, 0.5, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.06, 0.03)
    #: The time that gaps take grows by exp(32) per unit of gap, or as between the last two, within limits
    steepness: float = 32.0
    least_steepness: float = 24.0
    most_steepness: float = 80.0
    #: (what took less than this is not one of the two); below so many seconds nothing can be told.
    timed_seconds: float = 0.1
    telling_seconds: float = 0.3
    #: The next gap takes about so many times as long as the last, so that a wrong guess is still in reach ...
    most_growth: float = 4.0
    #: ... (less where there is no time for that, but more than this: one that fails leaves a bound too), ...
    least_growth: float = 1.5
    #: ... but for the last one, at the end of which is the proof.
    last_growth: float = 8.0
    #: Share of the time left that the next gap may take, and that the last one may.
    next_share: float = 0.6
    last_share: float = 0.9

    # -- OOA -------------------------------------------------------------------------------------

    #: Share of the time limit, and seconds without one, that OOAx may take before the MIP, ...
    ooax_share: float = 0.5
    ooax_seconds: float = 60.0
    #: ... or where it is to bring no more than a start for boxes.
    coarse_share: float = 0.15
    coarse_seconds: float = 10.0
    #: Share of the time left, and seconds without a limit, for boxes: the MIP gets the rest, ...
    boxes_share: float = 0.9
    boxes_seconds: float = 60.0
    #: ... and without the constraints, where there are some: their bound holds beside them.
    free_boxes_share: float = 0.3
    free_boxes_seconds: float = 20.0
    priced_boxes_share: float = 0.6  #: (and then of what is left, with prices for the constraints)
    #: ... of that for better rule sets by the best single boxes, ...
    box_start_share: float = 0.15
    box_start_rounds: int = 8  #: (also from what the program chooses after so many, four times as many, ...)
    two_boxes_share: float = 0.2  #: (for families of at most two, where these are all, before the program)
    #: ... for generated boxes: first (again if families do better), before the largest, if smaller fail, ...
    box_generation: tuple[float, float, float] = (0.15, 0.5, 0.9)
    box_generation_rounds: int = 150  #: (where there is no limit)
    #: ... for each smaller number of boxes, as what these gain at most bounds what more of them can add.
    fewer_boxes_share: float = 0.3
    single_box_share: float = 0.3  #: ... and before all that for the best single box.
    #: Gaps that are proved one after the other, ...
    box_rungs: tuple[float, ...] = (*(k / 20 for k in range(16, 1, -1)), 0.06, 0.03)
    box_growth: float = 4.0  #: ... left out where one takes about so many times as long as the last; ...
    #: ... the time they take grows by a factor of exp(14) per unit of gap, about, ...
    box_steepness: float = 14.0
    #: ... and the whole proof is tried once it seems to take no more than this share of the time left.
    box_risk: float = 0.4
    #: Where there is no time for the next of them, a step of at least this is worth a try.
    box_step: float = 0.01
    #: Rule sets of more patterns than this are left to the MIP: the search is exponential in their number.
    most_boxes: int = 8
    #: Cells of the table per second left, at most, that boxes are begun with: their rows are laid out without
    #: a look at the clock. A column costs as much as so many cells beside its own ...
    box_cells_per_second: int = 500_000
    box_column_cells: int = 200
    box_cell_bytes: int = 40  #: ... and each cell takes so many bytes.
    #: Nonzeros per second left, at most, that the MIP may have: beyond, no solver would keep to the time.
    mip_per_second: int = 100_000
    #: Up to so many literals (all ranges between observed values, all categories) OOAx tries all patterns ...
    all_literals: int = 4_000
    #: ... as long as there are no more than so many; beyond, a coarser OOAx provides the start.
    all_patterns: int = 200_000

    # -- several answers, and none ---------------------------------------------------------------

    #: Shares of the time limit of an enumeration: for the optimum, and for mining what its sets are made of.
    optimum_share: float = 0.4
    pool_share: float = 0.3
    #: Rule sets are listed up to this share of the distance asked for, or so far, then so many times as far;
    #: so many times again where that took no more than so many times as long as what came before it.
    first_distance: float = 0.125
    least_distance: float = 0.001
    distance_growth: int = 2
    listed_per_second: float = 2000.0  #: (made and counted at the end of it)
    #: Points of a path without a grid at most: with five patterns of three literals there are fewer anyway.
    path_points: int = 100
    stock_share: float = 0.1  #: Share of the time of a path for mining once for all its fits.
    #: Choosing a price by cross-validation: the lowest that is tried, ...
    least_price: float = 0.0005
    #: ... and shares of the time for the path over all rows, and of what is left then for the folds.
    whole_path_share: float = 0.3
    folds_share: float = 0.7
    fold_patience: float = 0.3  #: (in a fold, seconds without a better rule set, or the proof in sight)
    #: Seconds, and share of the time limit at most, for the reason why no pattern pays; of which so much ...
    explaining_seconds: float = 5.0
    explaining_share: float = 0.1
    explaining_beyond: float = 0.1  #: ... may come on top of the limit.

    def one_of_many(self) -> Policy:
        """The policy of a fit that is one of many over the same rows, each started from the others.

        The exact search has the first turn. Nor does it wait for a good rule set to start from, as that is
        there, and where time is short it has more of it for its first attempts.
        """
        many = 1 << 62
        sooner = replace(self, least_seconds=0.0, attempt_share=0.5, dominance_share=0.2)
        return replace(sooner, few=0, some=0, quick=many, greedy_above=many)

    def in_a_fold(self) -> Policy:
        """The policy of a fit to be tried on other rows: nobody asks for a proof; it ends sooner."""
        return replace(self.one_of_many(), binding_work=0, patience_seconds=self.fold_patience)

    def for_a_start(self) -> Policy:
        """The policy of a fit over a smaller language: a bound over all its patterns would be no use."""
        return replace(self, generation_share=0.0, binding_work=0)

    def time_to_explain(self, time_limit: float | None, spent: float = 0.0) -> float:
        """Seconds for the reason why no pattern pays, after a fit of this limit that took so long."""
        if time_limit is None:
            return self.explaining_seconds
        most = min(self.explaining_seconds, self.explaining_share * time_limit)
        return min(most, max(time_limit - spent, 0.0) + self.explaining_beyond)


#: What a fit does unless it is handed another one.
POLICY = Policy()
