"""Seeded random tables: a survey shaped like the paper's sleep-apnea study, and planted rule sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ooa.errors import OptionError
from ooa.rules.literal import Equal, Literal, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

_CATEGORIES = "abcd"
_TRIES = 100
_AGES = (30, 40, 50, 60, 70)
_BMIS = (25, 30, 35, 40)
_ANSWERS = {
    "symptom": (
        "snoring gasping choking stops_breathing dry_mouth morning_headache unrefreshing_sleep "
        "night_sweats restless_legs leg_cramps teeth_grinding nightmares sleep_talking sleepwalking "
        "heartburn cough nasal_congestion frequent_urination poor_memory poor_concentration irritability "
        "low_mood anxiety daytime_tiredness"
    ),
    "reason": (
        "snoring told_stops_breathing sleepiness tiredness cannot_fall_asleep cannot_stay_asleep "
        "wakes_too_early restless_legs odd_behaviour_asleep shift_work referred_by_doctor before_surgery "
        "drowsy_driving mask_check partner_asked work_requirement"
    ),
    "has": (
        "hypertension diabetes high_cholesterol coronary_disease heart_failure irregular_heartbeat stroke "
        "asthma copd allergies reflux thyroid_disease kidney_disease depression anxiety_disorder "
        "attention_disorder chronic_pain fibromyalgia arthritis migraine epilepsy anaemia deviated_septum "
        "large_tonsils"
    ),
    "takes": (
        "sleeping_pills antidepressant opioid stimulant blood_pressure_drug statin insulin inhaler "
        "antihistamine melatonin beta_blocker proton_pump_inhibitor"
    ),
    "habit": (
        "smokes drinks_alcohol_daily drinks_coffee_late naps exercises works_nights sleeps_under_6_hours "
        "sleeps_over_9_hours reads_in_bed television_in_bed wakes_at_night falls_back_asleep_easily "
        "sleeps_alone irregular_bedtime"
    ),
    "dozes": (
        "reading watching_television in_a_meeting as_passenger lying_down talking after_lunch in_traffic"
    ),
    "family": "snoring sleep_apnea insomnia restless_legs",
}


def survey_answers(n: int, rng: np.random.Generator) -> tuple[pd.DataFrame, NDArray[np.bool_]]:
    """`n` patients' 112 yes/no answers, and who has apnea: about 80 % of it follows the paper's rule."""
    age = np.clip(rng.normal(50, 16, n), 18, 92)
    bmi = np.clip(np.exp(rng.normal(3.25, 0.22, n)), 16, 65)
    male = rng.random(n) < 0.55
    snorer = rng.random(n) < _share(-1.5 + 0.5 * male + 0.07 * (bmi - 26))
    tired = rng.normal(0, 1, n)  # moves the sleepiness answers together, with no bearing on apnea

    answers = {f"age_{limit}_or_more": age >= limit for limit in _AGES}
    answers |= {f"bmi_{limit}_or_more": bmi >= limit for limit in _BMIS}
    answers["male"] = male
    for group, names in _ANSWERS.items():
        for name in names.split():
            level = rng.uniform(-2.2, 0.4) + 0.6 * tired * (group in ("dozes", "symptom"))
            answers[f"{group}_{name}"] = rng.random(n) < _share(level)
    answers["symptom_snoring"] = np.where(snorer, rng.random(n) < 0.8, rng.random(n) < 0.05)
    answers["reason_snoring"] = np.where(snorer, rng.random(n) < 0.6, rng.random(n) < 0.03)
    answers["has_hypertension"] = rng.random(n) < _share(-2.6 + 0.04 * (age - 40) + 0.05 * (bmi - 26))
    answers["takes_blood_pressure_drug"] = np.where(
        answers["has_hypertension"], rng.random(n) < 0.7, rng.random(n) < 0.04
    )

    signs = answers["symptom_snoring"] | answers["reason_snoring"] | answers["has_hypertension"]
    rule = (answers["age_30_or_more"] & signs) | answers["bmi_25_or_more"]
    risk = np.where(rule, 0.81 + 0.04 * np.tanh((age - 50) / 15), 0.22)
    return pd.DataFrame(answers), rng.random(n) < risk


def _share(level: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1.0 / (1.0 + np.exp(-level))


def planted_table(
    n: int, n_attributes: int, n_patterns: int, length: int, kinds: Sequence[str], rng: np.random.Generator
) -> tuple[pd.DataFrame, RuleSet]:
    """A random table and a random rule set whose patterns each cover rows that no other pattern covers."""
    X = pd.DataFrame({f"x{j}": _values(kinds[j % len(kinds)], n, rng) for j in range(n_attributes)})
    for _ in range(_TRIES):
        patterns = [_pattern(X, length, rng) for _ in range(n_patterns)]
        rules = RuleSet(patterns, target="planted")
        covers = rules.covers(X)
        share = covers.any(axis=1).mean()
        alone = (covers & (covers.sum(axis=1, keepdims=True) == 1)).any(axis=0)
        if len(rules) == n_patterns and alone.all() and 0.02 <= share <= 0.98:
            return X, rules
    raise OptionError(
        f"No {n_patterns} patterns of length {length} leave both classes in {n} rows of {n_attributes} "
        "attributes: ask for more rows, fewer patterns or another length."
    )


def _values(kind: str, n: int, rng: np.random.Generator) -> object:
    if kind == "binary":
        return rng.random(n) < 0.5
    if kind == "categorical":
        return pd.Categorical(rng.choice(list(_CATEGORIES), n), categories=list(_CATEGORIES))
    if kind == "numeric":
        return rng.integers(0, 100, n).astype(np.float64)
    raise OptionError(f"kinds holds {kind!r}: each must be 'binary', 'categorical' or 'numeric'.")


def _pattern(X: pd.DataFrame, length: int, rng: np.random.Generator) -> Pattern:
    """A random pattern that covers a row drawn at random, so that no length is hopeless."""
    row = int(rng.integers(len(X)))
    names = rng.choice(list(X.columns), length, replace=False)
    return Pattern([_literal(str(name), X[name].iloc[row], rng) for name in names])


def _literal(name: str, value: object, rng: np.random.Generator) -> Literal:
    if isinstance(value, float):
        low = value - int(rng.integers(41))
        if rng.random() < 0.5:
            return Range(name, low, low + 40)
        return Range(name, None, value + 20) if value < 50 else Range(name, value - 20, None)
    return Equal(name, value if isinstance(value, str) else bool(value))
