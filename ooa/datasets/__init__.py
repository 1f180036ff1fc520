"""Data sets by name: exact enumerations, seeded synthetic tables, and the UCI sets of the paper.

The UCI sets are read from the folder named by the environment variable ``OOA_DATA`` (one CSV per set, last
column ``target``), or else downloaded once from OpenML by scikit-learn, which caches them.
"""

from .catalogue import Dataset, apnea_survey, list_datasets, load_dataset, monks, planted_dnf, tic_tac_toe

__all__ = ["Dataset", "apnea_survey", "list_datasets", "load_dataset", "monks", "planted_dnf", "tic_tac_toe"]
