"""The plan of a fit by OOA; what a plan is, `ooa.learning.plan` says."""

from __future__ import annotations

from ooa.candidates.generate import MOST_SETS

from .plan import Plan, Step, Turn
from .settings import OOASettings

__all__ = ["decomposes", "plan_ooa"]


def plan_ooa(
    literals: int,
    settings: OOASettings,
    allows_removal: bool = True,
    boxes: bool = False,
    constrained: bool = False,
) -> Plan:
    """The turns of OOA.

    Parameters
    ----------
    literals : how many there are with all ranges between observed values and all categories, or all sets of
        them where one literal may name several
    settings : what was asked for
    allows_removal : whether the constraints allow it; where one may need patterns that cover no positive,
        those mined are not all there are
    boxes : whether families of boxes can be searched; see `ooa.learning.boxes`
    constrained : whether there are constraints

    Examples
    --------
    >>> print(plan_ooa(900, OOASettings(time_limit=60)))
    1. OOAx over all patterns: at most 30 s, 900 literals: its optimum is OOA's if all patterns can be mined
    2. OOAx over fewer cuts, up to length 3: at most 30 s, in what is left of that time: a start for the MIP
    3. the MIP that forms patterns: for what OOAx leaves open
    >>> for turn in plan_ooa(2**20, OOASettings(time_limit=60), boxes=True).turns[:2]:
    ...     print(turn.step.value, turn.seconds, turn.why, sep="; ")
    OOAx over fewer cuts, up to length 3; 9.0; more than 4,000 literals are too many for all patterns: a start
    families of boxes; None; the best single boxes, then bounds over all patterns, up to the proof
    >>> print(plan_ooa(2**20, OOASettings(max_patterns=1), boxes=True))
    1. families of boxes: the best single one, up to the proof: sooner than OOAx has a start
    2. the MIP that forms patterns: for what boxes leave open
    """
    alone, boxes = boxes and constrained, boxes and not constrained
    forming = Turn(Step.MIP, None, f"for what {'boxes leave' if boxes else 'OOAx leaves'} open")
    policy, limit = settings.policy, settings.seconds
    seconds = policy.ooax_seconds if limit is None else policy.ooax_share * limit
    most = policy.all_literals if settings.single_category else min(policy.all_literals, MOST_SETS)
    turns, why = [], "a start" if boxes else "a start for the MIP"
    listed = decomposes(settings, allows_removal) and literals <= most
    if boxes and settings.max_patterns == 1 and not listed:
        single = "the best single one, up to the proof: sooner than OOAx has a start"
        return Plan((Turn(Step.BOXES, None, single), forming))
    if listed:
        all_there_are = f"{literals:,} literals: its optimum is OOA's if all patterns can be mined"
        turns.append(Turn(Step.OOAX_ALL, seconds, all_there_are))
        why = f"in what is left of that time: {why}"
    elif decomposes(settings, allows_removal):
        why = f"more than {most:,} literals are too many for all patterns: {why}"
    if boxes and not turns:
        seconds = policy.coarse_seconds if limit is None else policy.coarse_share * limit
    turns.append(Turn(Step.OOAX_COARSE, seconds, why))
    if boxes:
        what = "the best single boxes, then bounds over all patterns, up to the proof"
        turns.append(Turn(Step.BOXES, None, what))
    if alone:
        some = policy.free_boxes_seconds if limit is None else policy.free_boxes_share * limit
        what = "what they find without the constraints is the answer if it meets them"
        turns.append(Turn(Step.BOXES, some, what))
        what = "with prices on what constraints say of predictions, if they do: bounds beside them"
        turns.append(Turn(Step.BOXES, None, what))
    return Plan((*turns, forming))


def decomposes(settings: OOASettings, allows_removal: bool) -> bool:
    """Whether a proof of OOAx over all patterns that are mined would be one for OOA."""
    return settings.decompose and allows_removal and settings.every_cut
