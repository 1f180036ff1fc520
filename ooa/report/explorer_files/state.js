// What is chosen, edited, compared and filtered; whoever shows it is told when it changes.

const state = {
  chosen: 0,
  patterns: setOf(0),
  past: [],
  pinned: null,
  against: "optimum",
  x: "literals",
  y: "training.error",
  sort: "excess",
  uses: new Map(), // attribute -> true: must use it, false: must not
  limits: new Map(), // measure -> the least, or the most
  oneOfEach: false, // of those that predict the same for every training row, the first alone
  shown: [],
};
const watchers = { list: [], rules: [], figures: [] };

function watch(what, call) {
  watchers[what].push(call);
}

function tell(...what) {
  for (const one of what) for (const call of watchers[one]) call();
}

const isEdited = () => !sameRules(state.patterns, setOf(state.chosen));

/** The number of the listed rule set that the chosen one is; -1 if it is none. */
const listedAs = () => (isEdited() ? -1 : state.chosen);

function choose(k) {
  Object.assign(state, { chosen: k, patterns: setOf(k), past: [] });
  tell("rules", "figures");
}

/** Keep what there is, for "undo", before it is changed. */
function remember() {
  state.past.push(copyOf(state.patterns));
}

function edit(patterns, { rebuild = true, keep = true } = {}) {
  if (keep) remember();
  state.patterns = patterns;
  tell(...(rebuild ? ["rules", "figures"] : ["figures"]));
}

function undo() {
  if (!state.past.length) return;
  state.patterns = state.past.pop();
  tell("rules", "figures");
}

function compared() {
  if (state.against === "pinned" && state.pinned) return state.pinned;
  return { name: "the optimum", patterns: setOf(0), listed: 0 };
}

const usedByListed = data.sets.map((_, k) => usedBy(setOf(k)));

function passes(k) {
  const used = usedByListed[k];
  for (const [a, must] of state.uses) if (used.has(a) !== must) return false;
  for (const [key, limit] of state.limits) {
    const one = limitOf(key);
    const value = measureOf(key).values[k];
    if (one.most ? value > limit + 1e-12 : !(value >= limit - 1e-12)) return false;
  }
  return true;
}

function sift() {
  const by = measureOf(state.sort);
  const sign = /sensitivity$|specificity$|ppv$/.test(by.key) ? -1 : 1; // the better first
  const order = data.sets.map((_, k) => k).filter(passes);
  const at = (k) => (Number.isNaN(by.values[k]) ? Infinity : sign * by.values[k]);
  const { alike } = data.rows.training;
  const seen = new Set();
  const first = (k) => !seen.has(alike[k]) && Boolean(seen.add(alike[k]));
  state.shown = (state.oneOfEach ? order.filter(first) : order).sort((one, other) => at(one) - at(other) || one - other);
  tell("list");
}

/** Limits that the list can be filtered by. */
const limits = [
  { key: "literals", label: "Conditions at most", most: true },
  { key: "patterns", label: "Patterns at most", most: true },
  { key: "attributes", label: "Attributes at most", most: true },
  { key: "training.sensitivity", label: "Sensitivity at least" },
  { key: "training.specificity", label: "Specificity at least" },
  { key: "excess", label: "L above the optimum at most", most: true },
  { key: "training.sensitivity_gap", label: "Sensitivity gap at most", most: true },
  { key: "training.flagged_gap", label: "Gap in predictions at most", most: true },
].filter((one) => measureOf(one.key));
const limitOf = (key) => limits.find((one) => one.key === key);
