"""Optimal trees of other libraries behind the face of `peer_models.py`: their rules are paths to leaves."""

from __future__ import annotations

import time

import numpy as np


class Tree:
    """A tree over literals; a subclass fits it and says how to walk it."""

    def __init__(self, job, params):
        self.job, self.params = job, params

    def matrix(self, data):
        """Its input: literals without complements."""
        self.single = data.single
        return np.ascontiguousarray(data.literals[:, data.single])

    def predict(self, data):
        """Labels."""
        return np.asarray(self.model.predict(self.matrix(data))).astype(int)

    def rules(self):
        """Paths to the leaves that predict 1."""
        found = []

        def walk(node, path):
            leaf, feature, if_true, if_false = self.parts(node)
            if feature is None:
                if leaf == 1:
                    found.append(path)
                return
            literal = None if self.single[feature] is None else int(self.single[feature])
            walk(if_true, [*path, [literal, True]])
            walk(if_false, [*path, [literal, False]])

        walk(self.root(), [])
        return found


class STreeD(Tree):
    """Optimal trees with a price per split."""

    def fit(self, data, y):
        """Learn."""
        from pystreed import STreeDClassifier

        wanted = limit = float(self.job["limit"])
        spent, ended = 0.0, False
        while (
            not ended
        ):  # its limit is of the clock: anew with a longer one until it had the processor so long
            began, used = time.perf_counter(), time.process_time()
            self.model = STreeDClassifier(
                "cost-complex-accuracy",
                max_depth=self.params.get("depth", 5),
                cost_complexity=float(self.job["C1"]) + float(self.job["C2"]),
                time_limit=limit,
            )
            self.model.fit(self.matrix(data).astype(int), y.astype(int))
            spent = time.process_time() - used
            ended = not self.job["processor"] or spent >= wanted or time.perf_counter() - began < limit
            limit *= min(8.0, 1.1 * wanted / max(spent, 1e-9))

    def matrix(self, data):
        """Whole numbers."""
        return super().matrix(data).astype(int)

    def root(self):
        """Top of the tree."""
        return self.model.get_tree() if hasattr(self.model, "get_tree") else self.model.tree_

    def parts(self, node):
        """Leaf's label, or feature and the two children."""
        if node.is_leaf_node():
            return int(node.label), None, None, None
        return None, node.feature, node.right_child, node.left_child


class FairSTreeD(STreeD):
    """Optimal trees of so many splits among those that keep demographic parity of two groups.

    Whether a row belongs to the second group is the first column of its input.
    """

    def fit(self, data, y):
        """Learn."""
        from pystreed import STreeDGroupFairnessClassifier

        self.model = STreeDGroupFairnessClassifier(
            discrimination_limit=float(self.params["parity"]),
            max_depth=min(4, int(self.params["splits"])),
            max_num_nodes=int(self.params["splits"]),
            time_limit=float(self.job["limit"]),
        )
        self.model.fit(self.matrix(data), y.astype(int))

    def matrix(self, data):
        """Whole numbers, the group first."""
        column = data.raw[self.params["group"][0]]
        _, operator, value = self.params["group"]
        second = column > value if operator == ">" else column == value
        return np.column_stack([second.to_numpy().astype(int), super().matrix(data)])

    def rules(self):
        """Paths to the leaves that predict 1; where they ask for the group, in its own words."""
        name, operator, value = self.params["group"]
        opposite = {">": "<=", "==": "!="}[operator]
        self.single = [None, *self.single]
        return [
            [
                [name, operator if holds else opposite, value] if literal is None else [literal, holds]
                for literal, holds in path
            ]
            for path in super().rules()
        ]


class DL85(Tree):
    """Optimal trees of a depth."""

    def fit(self, data, y):
        """Learn."""
        from pydl85 import DL85Classifier

        depth = self.params.get("depth", 5)
        self.model = DL85Classifier(max_depth=depth, time_limit=int(self.job["limit"]))
        self.model.fit(self.matrix(data).astype(int), y.astype(int))

    def root(self):
        """Top of the tree."""
        return self.model.tree_

    def parts(self, node):
        """Leaf's label, or feature and the two children."""
        if "value" in node:
            return int(node["value"]), None, None, None
        return None, node["feat"], node["left"], node["right"]


class GOSDT(Tree):
    """Optimal sparse trees with a price per leaf."""

    def fit(self, data, y):
        """Learn."""
        from gosdt import GOSDTClassifier

        price = float(self.job["C1"]) + float(self.job["C2"])
        self.model = GOSDTClassifier(regularization=price, time_limit=int(self.job["limit"]))
        self.model.fit(self.matrix(data).astype(bool), y.astype(int))

    def matrix(self, data):
        """True and false."""
        return super().matrix(data).astype(bool)

    def root(self):
        """Top of the tree."""
        return self.model.trees_[0].tree

    def parts(self, node):
        """Leaf's label, or feature and the two children."""
        if hasattr(node, "prediction"):
            return int(node.prediction), None, None, None
        return None, node.feature, node.left_child, node.right_child
