// What rule sets do on rows: counted anew for any that is made here, as Python counted it for the listed ones.

/** The rows of one kind, "training" or "test", with the sets of rows that conditions hold for. */
function readRows(part) {
  const coded = part.coded;
  const total = part.positives + part.negatives;
  if (!coded) return { ...part, total };
  return {
    ...part,
    total,
    codes: coded.codes.map((text, a) => numbersOf(text, coded.bits[a])),
    positive: numbersOf(coded.positive, 64),
    negative: numbersOf(coded.negative, 64),
    distinct: coded.count,
    known: new Map(),
  };
}

const parts = Object.fromEntries(Object.entries(data.rows).map(([name, part]) => [name, readRows(part)]));
const editable = Boolean(data.rows.training.coded);

function bitsOfLiteral(part, literal) {
  const key = literal.join();
  let bits = part.known.get(key);
  if (!bits) {
    bits = bitsWhere(part.codes[literal[ON]], wantedCodes(literal));
    if (part.known.size > 500) part.known.clear();
    part.known.set(key, bits);
  }
  return bits;
}

function bitsOfPattern(part, pattern) {
  const bits = Int32Array.from(bitsOfLiteral(part, pattern[0]));
  for (const literal of pattern.slice(1)) intersect(bits, bitsOfLiteral(part, literal));
  return bits;
}

function bitsOfRules(part, patterns) {
  const bits = noBits(part.distinct);
  for (const pattern of patterns) unite(bits, bitsOfPattern(part, pattern));
  return bits;
}

const share = (some, all) => (all > 0 ? some / all : NaN);

/** The figures that follow from what is found and from false alarms. */
function figuresFrom(part, found, alarms) {
  const errors = part.positives - found + alarms;
  return {
    found,
    alarms,
    errors,
    error: share(errors, part.total),
    sensitivity: share(found, part.positives),
    specificity: share(part.negatives - alarms, part.negatives),
    ppv: share(found, found + alarms),
    flagged: share(found + alarms, part.total),
  };
}

// -- gaps between groups ---------------------------------------------------------------------------

const GAPS = ["flagged_gap", "sensitivity_gap"];
const grouping = attributes.findIndex((of) => of.name === data.groups);

/** How far groups are apart in what is predicted of all, and of the positives among them. */
function gapsOf(part, bits) {
  const many = attributes[grouping].names.length;
  const sums = Array.from({ length: many + 1 }, () => ({ yes: 0, no: 0, found: 0, alarms: 0 }));
  const codes = part.codes[grouping];
  for (let i = 0; i < codes.length; i += 1) {
    if (codes[i] > many) return { flagged_gap: NaN, sensitivity_gap: NaN }; // some groups are not told apart
    const sum = sums[codes[i]];
    sum.yes += part.positive[i];
    sum.no += part.negative[i];
    if ((bits[i >>> 5] >>> (i & 31)) & 1) {
      sum.found += part.positive[i];
      sum.alarms += part.negative[i];
    }
  }
  const known = sums.slice(1); // a missing value is no group
  const gap = (shares) => (shares.length ? Math.max(...shares) - Math.min(...shares) : 0);
  return {
    flagged_gap: gap(known.filter((one) => one.yes + one.no > 0)
      .map((one) => (one.found + one.alarms) / (one.yes + one.no))),
    sensitivity_gap: gap(known.filter((one) => one.yes > 0).map((one) => one.found / one.yes)),
  };
}

// -- of any rule set -------------------------------------------------------------------------------

function count(part, patterns) {
  const bits = bitsOfRules(part, patterns);
  const made = figuresFrom(part, weightOf(bits, part.positive), weightOf(bits, part.negative));
  return part.flagged_gap ? { ...made, ...gapsOf(part, bits) } : made;
}

/** Those of a listed one, as Python counted them. */
function listedFigures(part, k) {
  const made = figuresFrom(part, part.found[k], part.alarms[k]);
  for (const gap of GAPS) if (part[gap]) made[gap] = part[gap][k];
  return made;
}

/** All figures of a rule set: by its number where it is listed, else counted. */
function figuresOf(given, listed = -1) {
  const patterns = distinctPatterns(given);
  const made = { literals: literalsOf(patterns), patterns: patterns.length, attributes: usedBy(patterns).size };
  for (const [name, part] of Object.entries(parts)) {
    made[name] = listed >= 0 ? listedFigures(part, listed) : count(part, patterns);
  }
  made.L = made.training.error + data.C1 * made.literals + data.C2 * made.patterns;
  made.excess = listed >= 0 ? data.excess[listed] : made.L - data.proof.objective;
  return made;
}

/** What a listed rule set can be seen, sorted and filtered by. */
const measures = [
  { key: "excess", label: "L above the optimum", get: (k) => data.excess[k], digits: 4 },
  { key: "literals", label: "conditions", get: (k) => literalsOf(setOf(k)), whole: true },
  { key: "patterns", label: "patterns", get: (k) => data.sets[k].length, whole: true },
  { key: "attributes", label: "attributes", get: (k) => usedBy(setOf(k)).size, whole: true },
  ...Object.entries(parts).flatMap(([name, part]) => {
    const of = (key) => (k) => figuresFrom(part, part.found[k], part.alarms[k])[key];
    const where = name === "training" ? "" : ", test";
    return [
      { key: `${name}.error`, label: `errors${where}`, get: of("error"), percent: true },
      { key: `${name}.sensitivity`, label: `sensitivity${where}`, get: of("sensitivity"), percent: true },
      { key: `${name}.specificity`, label: `specificity${where}`, get: of("specificity"), percent: true },
      { key: `${name}.ppv`, label: `positive predictive value${where}`, get: of("ppv"), percent: true },
      { key: `${name}.flagged`, label: `predicted positive${where}`, get: of("flagged"), percent: true },
      { key: `${name}.changed`, label: `rows changed${where}`, get: (k) => part.changed[k] / part.total,
        percent: true },
      ...GAPS.filter((gap) => part[gap]).map((gap) => (
        { key: `${name}.${gap}`, label: `${gap.replace("_", " ")} by ${data.groups}${where}`,
          get: (k) => part[gap][k], percent: true })),
    ];
  }),
];
for (const one of measures) one.values = data.sets.map((_, k) => one.get(k));
const measureOf = (key) => measures.find((one) => one.key === key);
