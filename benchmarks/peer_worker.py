"""Fits one other library, in an interpreter of its own that need not have ooa: started by `peering.py`.

    python peer_worker.py --probe          # which peers can be imported here, with versions, as JSON
    python peer_worker.py FOLDER           # fit what FOLDER/job.json says; the answer as JSON

`peer_models.py` says in which form the rules come back.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from importlib import import_module, metadata
from pathlib import Path

import numpy as np
from peer_models import FITTERS, Data

#: Peer: (module to import, distribution, what its model is)
PEERS = {
    "BRCG": ("aix360.algorithms.rbm", "aix360", "rule set"),
    "BRS": ("imodels", "imodels", "rule set"),
    "RIPPER": ("wittgenstein", "wittgenstein", "rule set"),
    "RUG": ("ruleopt", "ruleopt", "weighted rules"),
    "SkopeRules": ("imodels", "imodels", "rule set"),
    "RuleFit": ("imodels", "imodels", "weighted rules"),
    "SLIPPER": ("imodels", "imodels", "weighted rules"),
    "CN2": ("Orange.classification.rules", "Orange3", "voting rules"),
    "STreeD": ("pystreed", "pystreed", "tree"),
    "fair STreeD": ("pystreed", "pystreed", "tree"),
    "DL8.5": ("pydl85", "pydl8.5", "tree"),
    "GOSDT": ("gosdt", "gosdt", "tree"),
}


def probe():
    """Which peers can be imported here."""
    found = {}
    for name, (module, distribution, _) in PEERS.items():
        try:
            import_module(module)
            found[name] = metadata.version(distribution)
        except Exception as error:  # whatever a broken package raises
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
    return found


def run(folder):
    """Fit a job: choose among settings by the given folds if there are several, then learn from all."""
    import pandas as pd

    job = json.loads((folder / "job.json").read_text())
    arrays = np.load(folder / "arrays.npz")
    text = {column["name"]: str for column in job["columns"] if column["kind"] == "categorical"}
    parts = {}
    for part in ("train", "test"):
        raw = pd.read_csv(folder / f"{part}.csv", dtype=text, keep_default_na=False)
        parts[part] = Data(arrays[f"literals_{part}"], job["single"], raw, arrays[f"numbers_{part}"])
    train, y = parts["train"], arrays["y_train"]
    fitter, grid = FITTERS[job["peer"]], job.get("grid") or [{}]
    import_module(PEERS[job["peer"]][0])  # not timed
    now = time.process_time if job["processor"] else time.perf_counter
    began = now()
    scores = []
    for params in grid if len(grid) > 1 else []:
        right = []
        for fold in sorted(set(arrays["inner"].tolist())):
            inside, outside = np.flatnonzero(arrays["inner"] != fold), np.flatnonzero(arrays["inner"] == fold)
            model = fitter(job, params)
            model.fit(train.take(inside), y[inside])
            right.append(np.mean(model.predict(train.take(outside)) == y[outside]))
        scores.append(float(np.mean(right)))
    params = grid[int(np.argmax(scores))] if scores else grid[0]
    tuned = now()
    model = fitter(job, params)
    model.fit(train, y)
    seconds = now() - tuned
    answer = {
        "seconds": seconds,
        "tuning seconds": tuned - began,
        "params": params,
        "kind": PEERS[job["peer"]][2],
        "version": metadata.version(PEERS[job["peer"]][1]),
        "train": np.asarray(model.predict(parts["train"])).astype(int).tolist(),
        "test": np.asarray(model.predict(parts["test"])).astype(int).tolist()
        if len(parts["test"].raw)
        else [],
    }
    if hasattr(model, "rules") and getattr(model, "describes", 1):
        answer["rules"] = model.rules()
    else:
        answer["patterns"], answer["literals"] = model.size()
    return answer


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    shown = os.dup(1)
    os.dup2(2, 1)  # whatever the libraries print goes elsewhere
    result = probe() if sys.argv[1] == "--probe" else run(Path(sys.argv[1]))
    sys.stdout.flush()
    os.write(shown, ("\n" + json.dumps(result) + "\n").encode())
