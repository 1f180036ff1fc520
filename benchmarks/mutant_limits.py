"""More mutants: constraints read as sums, and the search within their limits; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

CORE = "ooa/kernels/core/"
WITHIN = ("tests/search/test_limited.py", "-k", "not local_search")
REACH = ("tests/search/test_reachable.py",)
LOCAL = ("tests/search/test_limited.py", "-k", "limits[0] or local_search_neither or what_patterns_add")
READ = ("tests/formulations/test_counted.py",)
CHECKED = ("tests/formulations/test_checking.py",)
FIT = ("tests/learning/test_constrained.py",)

LIMITS = [
    *changed(
        f"{CORE}sums.h",
        WITHIN,
        (
            "sums: patterns by themselves forgotten",
            "add(own_[m * patterns_.count + z], 1, result);",
            "add(own_[m * patterns_.count + z], 0, result);",
        ),
        ("sums: rows that are covered count again", "popcount(rows[w] & ~covered[w])", "popcount(rows[w])"),
        ("keeping: one pattern fewer", "beside = largest(left - 1)", "beside = largest(left - 2)"),
        (
            "keeping: what the chosen can come down to",
            "if (-largest(left) > room) return false;",
            "if (-largest(left - 1) > room) return false;",
        ),
        (
            "keeping: at the limit",
            "if (-largest(left) > room) return false;",
            "if (-largest(left) >= room) return false;",
        ),
        ("keeping: patterns at the limit", "minus - beside > room) fits_", "minus - beside >= room) fits_"),
        (
            "keeping: what a pattern takes off forgotten",
            "changes_[i].plus - changes_[i].minus - beside",
            "changes_[i].plus - beside",
        ),
        ("keeping: those that take off least", "minus_.end(), std::greater<Int>());", "minus_.end());"),
    ),
    *changed(
        f"{CORE}limited.h",
        WITHIN,
        (
            "first patterns: one positive more",
            "return one.positive <= pay[one.name];",
            "return one.positive <= pay[one.name] + 1;",
        ),
        (
            "followers: one positive more",
            "if (saves <= pay_[other.name]) continue;",
            "if (saves <= pay_[other.name] + 1) continue;",
        ),
        ("target: one higher", "worth_ + scale_ - constant_ - 1;", "worth_ + scale_ - constant_;"),
        ("target: constant forgotten", "worth_ + scale_ - constant_ - 1;", "worth_ + scale_ - 1;"),
        (
            "narrowed for too much",
            "needed = target() - level.gain;",
            "needed = target() - level.gain + 1;",
        ),
        ("narrowed by multipliers for too much", "left, needed, good, bad,", "left, needed + 1, good, bad,"),
        (
            "narrowed: one pattern fewer",
            "const Int left = most_ - depth, needed",
            "const Int left = std::max<Int>(1, most_ - depth - 1), needed",
        ),
        ("narrowed: patterns have to pay", "needed, level.free, false);", "needed, level.free, true);"),
        (
            "narrowed again: from the place before",
            "        level.list.resize(from);\n",
            "        level.list.resize(std::max<Int>(0, from - 1));\n",
        ),
        (
            "followed for too much",
            "if (next.free - other.price - harm <= needed) continue;",
            "if (next.free - other.price - harm <= needed + 1) continue;",
        ),
        (
            "followed: prices twice",
            "next.free = at.free - one.positive;",
            "next.free = at.free - one.positive - one.price;",
        ),
        (
            "noted: below the limit alone",
            "if (amount[m] > sums_->limit[m])",
            "if (amount[m] >= sums_->limit[m])",
        ),
        (
            "noted: beyond the limit",
            "if (amount[m] > sums_->limit[m])",
            "if (amount[m] > sums_->limit[m] + 1)",
        ),
        ("noted: prices of sums forgotten", "worth += price_[m] * amount[m];", "worth += 0 * price_[m];"),
        (
            "amounts: what is taken off forgotten",
            "amounts_[depth][m] + change.plus - change.minus;",
            "amounts_[depth][m] + change.plus;",
        ),
        (
            "covered: what was before forgotten",
            "after[w] = before[w] | rows[w];",
            "after[w] = (void(before), rows[w]);",
        ),
    ),
    *changed(
        "ooa/search/limited.py",
        WITHIN,
        ("rows that gain nothing forgotten", "(value > 0, value <= 0)", "(value > 0, value < 0)"),
        (
            "constant: forgotten",
            "self._constant = int(penalised.penalty @ counted.limit)",
            "self._constant = 0",
        ),
        ("known: in steps of the scale", "self._begun(self._penalised.scale * known)", "self._begun(known)"),
        ("weights of any size", "max_patterns > MOST_UNITS:", "max_patterns > 1e99:"),
        ("layout: whatever it takes", "bool(words <= MOST_TIMES", "bool(True or words <= MOST_TIMES"),
        (
            "must add: patterns that take off",
            "if (counted.on_patterns < 0).any() or (plain",
            "if (plain",
        ),
        ("must add: negatives by prices alone", " or (plain[value <= 0] > 0).any()", ""),
        ("must add: negatives that take off", " or (falls & (value <= 0)).any():", ":"),
        ("must add: positives that take off", "if falls.any() or (plain", "if (plain"),
        (
            "must add: positives with prices",
            "if falls.any() or (plain[value > 0] != value[value > 0]).any():",
            "if falls.any():",
        ),
        (
            "must add: prices of sums",
            "penalised.price - penalised.penalty @ counted.on_patterns",
            "penalised.price + 0 * counted.limit.sum()",
        ),
        ("dominance: whatever patterns count", "if not _follow_price(", "if False and not _follow_price("),
        ("dominance: what sums gain is lost", " + never * (counted.on_rows < 0).any(axis=0)", ""),
        ("dominance: what sums lose is gained", " + never * (counted.on_rows > 0).any(axis=0)", ""),
        ("dominance: equally dear ones", "((counts > 0) & (step > 0))", "(counts > 0)"),
        (
            "dominance: dropped where it stopped",
            "np.concatenate([order[search.kept()], order[done:]])",
            "order[search.kept()]",
        ),
    ),
    *changed(
        "ooa/search/constrained.py",
        LOCAL,
        ("found: whatever the limits", "            and self._meets(seen.amounts)\n", ""),
        ("found: any number of patterns", "len(picked) <= self._most\n", "True\n"),
        ("found: the last, not the best", "(self.best is None or gain > self.best)", "True"),
        ("exchange: one that is there", "gain[np.isin(among, kept)] = -np.inf", "pass"),
        ("added: what is covered already", "side.rows & ~side.laid_out(cover)", "side.rows"),
        (
            "added: what is covered already, by the core",
            "covered = up.laid_out(cover), ",
            "covered = 0 * cover, ",
        ),
    ),
    *changed(
        "ooa/formulations/counted.py",
        READ,
        ("sides: upper ones alone", "((1.0, rows.upper), (-1.0, -rows.lower))", "((1.0, rows.upper),)"),
        (
            "asked for: what patterns add is a flag too",
            "np.minimum(on_patterns[:, own], 0)",
            "on_patterns[:, own]",
        ),
        ("asked for: taken off twice", "on_patterns = np.maximum(on_patterns, 0)", "pass"),
        (
            "asked for: a flag that others raise",
            "np.arange(self.n_candidates) == own[:, None]",
            "np.arange(self.n_candidates) <= own[:, None]",
        ),
        ("single: limits below nothing", "(size == 1) & (limit >= 0)", "(size == 1)"),
        ("single: of rows", "about = column < n_candidates", "about = column < matrix.shape[1]"),
        (
            "single: at the limit",
            "column[value > limit[one] + _slack",
            "column[value >= limit[one] + 0 * _slack",
        ),
        (
            "always met: what nothing can meet",
            "(size == 0) & (limit >= -_slack(limit, tolerance))",
            "size == 0",
        ),
        ("by itself: whatever makes up for it", "if (value >= 0).all():", "if True:"),
        ("by itself: at the limit", "value[own] > most]] = False", "value[own] >= limit[i]]] = False"),
        ("needed: rows forgotten", "bool((~own).any()) or most < 0", "most < 0"),
        ("needed: what nothing can meet", "or most < 0 or bool(", "or bool("),
        ("needed: the first pattern allowed", "bool(allowed[column[own]].any())", "False"),
        ("rounded: coefficients up", "[math.floor(v / step) for", "[math.ceil(v / step) for"),
        ("rounded: limit down", "math.ceil(limit / step), False", "math.floor(limit / step) - 1, False"),
        ("rounded: said to be exact", "math.ceil(limit / step), False", "math.ceil(limit / step), True"),
        ("tolerance: of a whole step", "min(slack, step / 2)", "slack + step"),
        ("tolerance: none", "Fraction(side) + min(slack, step / 2)", "Fraction(side) - min(slack, step / 2)"),
        ("always met: one less", "if most < highest:", "if most < highest - 1:"),
        ("never met: at the lowest", "max(most, lowest - 1)", "max(most, lowest)"),
        (
            "flags: of what is there anyhow",
            " or parts.as_expression().constant.any()",
            "",
        ),
        ("sums: any number of them", "<= MOST_SUMS - len(sums) else None", "<= 10**9 else None"),
        ("covers: of any size", "> MOST_COVERS:", "> 10**99:"),
        ("allowed: by the last constraint", "        allowed &= alone\n", "        allowed = alone\n"),
    ),
    *changed(
        "ooa/formulations/checking.py",
        CHECKED,
        ("sides: lower ones forgotten", "((rows.lower - activity, rows.lower), (", "(("),
        (
            "sides: upper ones forgotten",
            ", (activity - rows.upper, rows.upper)):",
            ",):",
        ),
        ("whole numbers: relative", "        if rounded:\n", "        if True:\n"),
        ("fractions: absolute", "        if rounded:\n", "        if False:\n"),
        (
            "patterns: rows of one rule set",
            "return None if words.asked_for_patterns else rows",
            "return rows",
        ),
        ("refused: not noted", "        self.asked_for_patterns = True\n", ""),
        (
            "errors: of the other class",
            "np.where(self.label, row, self._n + row)",
            "np.where(self.label, self._n + row, row)",
        ),
        ("predictions: of what is missed", "return row, self._n + row\n", "return self._n + row, row\n"),
        (
            "alone: the number of patterns counts",
            "replace(task, max_patterns=None, constraints",
            "replace(task, constraints",
        ),
        (
            "alone: the others count",
            "constraints=(constraint,))\n    formulation",
            "constraints=(*task.constraints, constraint))\n    formulation",
        ),
    ),
    *changed(
        "ooa/learning/valuation.py",
        FIT,
        (
            "aim: one less",
            "(self.everything - cost + 1) - self.constant - 1",
            "(self.everything - cost) - self.constant - 1",
        ),
        ("aim: one more", "- self.constant - 1\n", "- self.constant\n"),
        (
            "cost: rounded up",
            "(gain + self.constant) // self.scale",
            "(gain + self.constant - 1) // self.scale",
        ),
        ("constant: forgotten", "int(penalised.penalty @ counted.limit),", "0,"),
        (
            "prices: of patterns that take off",
            "np.where((counted.on_patterns < 0).any(axis=1), 0.0, penalty)",
            "1.0 * penalty",
        ),
        ("prices: of patterns forgotten", "scale * price + whole @ counted.on_patterns", "scale * price"),
        ("prices: of rows forgotten", "scale * value - whole @ counted.on_rows", "scale * value"),
        ("prices: of any size", "len(worth) * most <= MOST_UNITS:", "len(worth) * most <= 1e99:"),
        ("prices: fine whatever it costs", "if scale > FINE and max", "if scale > FINEST[0] and max"),
        ("most: more than is known", "        most=most,\n", "        most=most + 1000 * penalised.scale,\n"),
    ),
    *changed(
        "ooa/search/constrained.py",
        ("tests/search/test_limited.py", "-k", "seen_is_worth"),
        ("most: limits taken back", "- int(penalty @ one.amounts) for one", "for one"),
        ("most: of any number of patterns", "if len(chosen) <= self._most)", ")"),
        ("most: of another scale", "max((scale * one.gain", "max((one.gain"),
    ),
    *changed(
        "ooa/search/branch_and_bound.py",
        ("tests/search/test_branch_and_bound.py", "-k", "hopeless"),
        (
            "hopeless: what pays a little",
            "pays = self._positive > self._price\n",
            "pays = self._positive > self._price + 1\n",
        ),
        ("hopeless: what is just above", "- self._price > known)", "- self._price > known + 1)"),
    ),
    *changed(
        "ooa/learning/constrained.py",
        FIT,
        (
            "filters: constraints that could not be read",
            "if len(counted.limit) or counted.left:",
            "if len(counted.limit):",
        ),
        ("filters: constraints with sums", "if len(counted.limit) or counted.left:", "if counted.left:"),
        ("filters: of the last constraint", "allowed &= counted.allowed", "allowed = counted.allowed"),
        (
            "freely: the best known is the bound",
            "    _keep_free(fit, free, proof)\n    return proof.bound\n",
            "    _keep_free(fit, free, proof)\n    return fit.best.upper\n",
        ),
    ),
    *changed(
        "ooa/learning/within_limits.py",
        FIT,
        (
            "limits: bound one step better",
            "math.ceil(bound * fit.problem.total / self.step)",
            "math.ceil(bound * fit.problem.total / self.step) + 1",
        ),
        (
            "limits: one step less",
            "self._sets.run(self._everything - most,",
            "self._sets.run(self._everything - most + 1,",
        ),
        (
            "limits: others are told",
            "self._kept[list(self._sets.choice)].tolist()",
            "list(self._sets.choice)",
        ),
        (
            "limits: one pattern fewer",
            "fit.problem.most_patterns(fit.best.upper) or 1,\n            highest",
            "max(1, (fit.problem.most_patterns(fit.best.upper) or 1) - 1),\n            highest",
        ),
        (
            "limits: whatever the layout",
            "possible = LimitedSets.possible(search.counted, penalised.value)",
            "possible = True",
        ),
    ),
    *changed(
        "ooa/search/reachable.py",
        REACH,
        ("reach: one pattern fewer", "largest[:most].sum()", "largest[: most - 1].sum()"),
        ("reach: beside one fewer", "largest[: most - 1].sum()", "largest[: max(0, most - 2)].sum()"),
        ("reach: rows alone", "0).sum() + own", "0).sum()"),
        ("reach: one step less", "> limit:", ">= limit:"),
        ("reach: kept to one step less", "<= limit", "< limit"),
    ),
]
