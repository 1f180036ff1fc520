"""A file as strangers have them: IDs, decimal commas, days first, many categories, marks, rare positives."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np

#: How it is written.
WRITTEN = ("--sep", ";", "--encoding", "cp1252", "--decimal", ",", "--dates", "day-first", "--na", "?,k.A.")
#: What else must be said of it to learn something sensible.
SAID = ("--target", "Wiederaufnahme", "--positive", "ja", "--drop", "Fall-ID,Abrechnung,Land,Diagnose")
N = 600


def write_ugly(place: Path, seed: int = 7, rows: int = N) -> None:
    """Write the file; some 8 % are positive, mostly those over 75 with a high CRP or in geriatrics."""
    rng = np.random.default_rng(seed)
    age, crp, dose = rng.integers(18, 95, rows), rng.gamma(1.5, 12, rows), rng.gamma(2, 1.2, rows)
    ward = rng.choice(["Kardiologie", "Chirurgie", "Innere", "Geriatrie"], rows, p=[0.3, 0.3, 0.25, 0.15])
    grade = rng.choice(["leicht", "mittel", "schwer"], rows)
    risk = -6 + 2.5 * (age >= 75) + 2.5 * ((age >= 75) & (crp >= 20)) + 2.5 * (ward == "Geriatrie")
    risk += 2 * (grade != "leicht")
    positive = rng.random(rows) < 1 / (1 + np.exp(-risk))
    spelled = np.where(rng.random(rows) < 0.02, "kardiologie", ward)
    spelled[rng.choice(rows, 3, replace=False)] = "Chirugie"
    codes = [f"{letter}{number:02d}" for letter in "ABCDEFGHIJ" for number in range(20)]
    lines = [
        "Fall-ID;Alter;Geschlecht;Station;Diagnose;PLZ;Aufnahme;CRP;Dosis;Schweregrad;Land;Abrechnung;"
        "Wiederaufnahme"
    ]
    for i in range(rows):
        day = datetime.date(2023, 1, 1) + datetime.timedelta(int(rng.integers(0, 700)))
        cells = [
            f"F{100000 + 3 * i}",
            "?" if rng.random() < 0.03 else str(age[i]),
            str(rng.choice(["männlich", "weiblich"])),
            spelled[i],
            str(rng.choice(codes)),
            f"{rng.choice([1067, 4109, 80331]):05d}",
            day.strftime("%d.%m.%Y"),
            "k.A." if rng.random() < 0.05 else f"{crp[i]:.1f}".replace(".", ","),
            f"{dose[i]:.2f}".replace(".", ","),
            "" if rng.random() < 0.04 else grade[i],
            "DE",
            "W" if positive[i] else "N",
            "ja" if positive[i] else "nein",
        ]
        lines.append(";".join(cells))
    place.write_bytes(("\r\n".join(lines) + "\r\n").encode("cp1252"))
