"""The UCI sets of the paper and four larger ones: names, kinds, counts and codes as UCI documents them."""

from __future__ import annotations

from .uci import UciSet


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_HEART = _words(
    "age sex chest_pain_type resting_bp serum_cholesterol fasting_blood_sugar_gt_120 resting_ecg "
    "max_heart_rate exercise_angina oldpeak st_slope major_vessels thal"
)
_HEART_NUMERIC = frozenset(_words("age resting_bp serum_cholesterol max_heart_rate oldpeak major_vessels"))
_HEART_CODES = {
    "sex": "0=female 1=male",
    "chest_pain_type": "1=typical_angina 2=atypical_angina 3=non_anginal_pain 4=asymptomatic",
    "fasting_blood_sugar_gt_120": "0=no 1=yes",
    "resting_ecg": "0=normal 1=st_t_abnormality 2=lv_hypertrophy",
    "exercise_angina": "0=no 1=yes",
    "st_slope": "1=upsloping 2=flat 3=downsloping",
    "thal": "3=normal 6=fixed_defect 7=reversible_defect",
}

_SURFACE = "f=fibrous g=grooves k=silky s=smooth y=scaly"
_COLOUR = (
    "b=buff c=cinnamon e=red g=gray h=chocolate k=black n=brown o=orange p=pink r=green u=purple w=white "
    "y=yellow"
)
_MUSHROOM_CODES = {
    "cap_shape": "b=bell c=conical f=flat k=knobbed s=sunken x=convex",
    "cap_surface": _SURFACE,
    "cap_color": _COLOUR,
    "bruises": "t=yes f=no",
    "odor": "a=almond c=creosote f=foul l=anise m=musty n=none p=pungent s=spicy y=fishy",
    "gill_attachment": "a=attached d=descending f=free n=notched",
    "gill_spacing": "c=close d=distant w=crowded",
    "gill_size": "b=broad n=narrow",
    "gill_color": _COLOUR,
    "stalk_shape": "e=enlarging t=tapering",
    "stalk_root": "b=bulbous c=club e=equal r=rooted u=cup z=rhizomorphs",
    "stalk_surface_above_ring": _SURFACE,
    "stalk_surface_below_ring": _SURFACE,
    "stalk_color_above_ring": _COLOUR,
    "stalk_color_below_ring": _COLOUR,
    "veil_type": "p=partial u=universal",
    "veil_color": _COLOUR,
    "ring_number": "n=none o=one t=two",
    "ring_type": "c=cobwebby e=evanescent f=flaring l=large n=none p=pendant s=sheathing z=zone",
    "spore_print_color": _COLOUR,
    "population": "a=abundant c=clustered n=numerous s=scattered v=several y=solitary",
    "habitat": "d=woods g=grasses l=leaves m=meadows p=paths u=urban w=waste",
}

_BUPA = _words("mcv alkphos sgpt sgot gammagt drinks")
_TRANSFUSION = _words("recency_months frequency_times monetary_cc_blood time_months")
_BANKNOTE = _words("variance skewness curtosis entropy")
_DIABETES = _words("pregnancies plasma_glucose diastolic_bp triceps_skin insulin bmi pedigree age")
_MAGIC = _words("fLength fWidth fSize fConc fConc1 fAsym fM3Long fM3Trans fAlpha fDist")

UCI_SETS = (
    UciSet(
        name="blogger",
        description="Is a blogger professional? 28 rows contradict others: 8 errors at least.",
        target="professional",
        rows=100,
        positives=68,
        columns=_words("degree caprice topic lmt lpss"),
        numeric=frozenset(),
        openml_id=1463,
        openml_columns=_words("V1 V2 V3 V4 V5"),
        openml_positive=("2", "yes"),
    ),
    UciSet(
        name="votes",
        description="Party of a US representative from 16 votes of 1984; 'neither' is neither yea nor nay.",
        target="republican",
        rows=435,
        positives=168,
        incomplete_rows=203,
        missing_value="neither",
        columns=_words(
            "handicapped_infants water_project_cost_sharing adoption_of_the_budget_resolution "
            "physician_fee_freeze el_salvador_aid religious_groups_in_schools anti_satellite_test_ban "
            "aid_to_nicaraguan_contras mx_missile immigration synfuels_corporation_cutback "
            "education_spending superfund_right_to_sue crime "
            "duty_free_exports export_administration_act_south_africa"
        ),
        numeric=frozenset(),
        openml_id=56,
        openml_positive=("republican",),
    ),
    UciSet(
        name="bupa",
        description="Blood tests and drinks of 345 men; what the selector field 2 means is disputed.",
        target="selector_2",
        rows=345,
        positives=200,
        columns=_BUPA,
        numeric=frozenset(_BUPA),
        openml_id=8,
        openml_target="selector",
        openml_positive=("2",),
    ),
    UciSet(
        name="transfusion",
        description="Did a blood donor give in March 2007? monetary is 250 x frequency; 51 errors at least.",
        target="donated",
        rows=748,
        positives=178,
        columns=_TRANSFUSION,
        numeric=frozenset(_TRANSFUSION),
        openml_id=1464,
        openml_columns=_words("V1 V2 V3 V4"),
        openml_positive=("2",),
    ),
    UciSet(
        name="banknote",
        description="Is a banknote forged? Four wavelet features of its image.",
        target="forged",
        rows=1372,
        positives=610,
        columns=_BANKNOTE,
        numeric=frozenset(_BANKNOTE),
        openml_id=1462,
        openml_columns=_words("V1 V2 V3 V4"),
        openml_positive=("2",),
    ),
    UciSet(
        name="indian-diabetes",
        description="Diabetes among Pima women; zeros in five columns (glucose to bmi) are really missing.",
        target="diabetes",
        rows=768,
        positives=268,
        columns=_DIABETES,
        numeric=frozenset(_DIABETES),
        openml_id=37,
        openml_columns=_words("preg plas pres skin insu mass pedi age"),
        openml_positive=("tested_positive",),
    ),
    UciSet(
        name="heart",
        description="Heart disease, the Statlog version of the Cleveland data without incomplete rows.",
        target="heart_disease",
        rows=270,
        positives=120,
        columns=_HEART,
        numeric=_HEART_NUMERIC,
        openml_id=53,
        openml_columns=_words(
            "age sex chest resting_blood_pressure serum_cholestoral fasting_blood_sugar "
            "resting_electrocardiographic_results maximum_heart_rate_achieved exercise_induced_angina "
            "oldpeak slope number_of_major_vessels thal"
        ),
        openml_positive=("present",),
        codes=_HEART_CODES,
    ),
    UciSet(
        name="heart_cleveland",
        description="Heart disease (any narrowing above 50 %) among all 303 Cleveland patients.",
        target="heart_disease",
        rows=303,
        positives=139,
        incomplete_rows=6,
        columns=_HEART,
        numeric=_HEART_NUMERIC,
        openml_id=194,  # the one that keeps UCI's label: 0 (healthy) to 4
        openml_columns=_words("age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal"),
        openml_positive=("1", "2", "3", "4"),
        codes=_HEART_CODES,
    ),
    UciSet(
        name="mushroom",
        description="Is a mushroom poisonous? veil_type is constant, stalk_root often missing.",
        target="poisonous",
        rows=8124,
        positives=3916,
        incomplete_rows=2480,
        columns=tuple(_MUSHROOM_CODES),
        numeric=frozenset(),
        openml_id=24,
        openml_positive=("p",),
        codes=_MUSHROOM_CODES,
    ),
    UciSet(
        name="adult",
        description="Does a person of the 1994 US census earn more than 50,000 dollars a year?",
        target="income_gt_50k",
        rows=48842,
        positives=11687,
        incomplete_rows=3620,
        columns=_words(
            "age workclass fnlwgt education education_num marital_status occupation relationship race sex "
            "capital_gain capital_loss hours_per_week native_country"
        ),
        numeric=frozenset(_words("age fnlwgt education_num capital_gain capital_loss hours_per_week")),
        openml_id=1590,
        openml_positive=(">50K",),
    ),
    UciSet(
        name="magic-gamma",
        description="Is a shower image of the MAGIC telescope a gamma ray (or hadronic background)?",
        target="gamma",
        rows=19020,
        positives=12332,
        columns=_MAGIC,
        numeric=frozenset(_MAGIC),
        openml_id=1120,
        openml_positive=("g",),
    ),
)
