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

function count(part, patterns) {
  const bits = bitsOfRules(part, patterns);
  return figuresFrom(part, weightOf(bits, part.positive), weightOf(bits, part.negative));
}

/** All figures of a rule set: by its number where it is listed, else counted. */
function figuresOf(given, listed = -1) {
  const patterns = distinctPatterns(given);
  const made = { literals: literalsOf(patterns), patterns: patterns.length, attributes: usedBy(patterns).size };
  for (const [name, part] of Object.entries(parts)) {
    made[name] = listed >= 0
      ? figuresFrom(part, part.found[listed], part.alarms[listed])
      : count(part, patterns);
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
      ...["flagged_gap", "sensitivity_gap"].filter((gap) => part[gap]).map((gap) => (
        { key: `${name}.${gap}`, label: `${gap.replace("_", " ")} by ${data.groups}${where}`,
          get: (k) => part[gap][k], percent: true })),
    ];
  }),
];
for (const one of measures) one.values = data.sets.map((_, k) => one.get(k));
const measureOf = (key) => measures.find((one) => one.key === key);
