// Rule sets: lists of patterns, which are lists of conditions such as ["range", attribute, low, high].
// Low and high are places of cuts, or of levels; -1 is none. How rows are coded, Python's `coding` says.

const data = JSON.parse(document.getElementById("data").textContent);
const attributes = data.attributes;
const [KIND, ON, LOW, HIGH] = [0, 1, 2, 3];

/** Whether a condition holds, for every code that its attribute can have. */
function wantedCodes(literal) {
  const of = attributes[literal[ON]];
  const most = of.cuts.length + of.names.length + 2;
  const wanted = new Uint8Array(Math.max(most + 1, 2));
  for (let code = 0; code < wanted.length; code += 1) wanted[code] = holds(literal, code, of) ? 1 : 0;
  return wanted;
}

function holds(literal, code, of) {
  if (literal[KIND] === "missing") return code === 0;
  if (code === 0) return false;
  switch (literal[KIND]) {
    case "range": // code - 1 cuts are passed
      return code >= literal[LOW] + 2 - (literal[LOW] < 0) && (literal[HIGH] < 0 || code <= literal[HIGH] + 1);
    case "levels":
      return code - 1 >= literal[LOW] && code - 1 <= (literal[HIGH] < 0 ? of.names.length - 1 : literal[HIGH]);
    case "not":
      return code - 1 !== literal[LOW];
    default: // "equal" and "in"
      return literal.indexOf(code - 1, 2) >= 0;
  }
}

// -- as text, as RuleSet.parse reads it, and as JSON, as a model file has it -----------------------

function literalText(literal) {
  const of = attributes[literal[ON]];
  const [low, high] = [literal[LOW], literal[HIGH]];
  switch (literal[KIND]) {
    case "missing": return `${of.text} IS MISSING`;
    case "equal": return `${of.text} = ${of.names[low].text}`;
    case "not": return `${of.text} ≠ ${of.names[low].text}`;
    case "in": return `${of.text} ∈ {${literal.slice(2).map((k) => of.names[k].text).join(", ")}}`;
    case "levels":
      if (low < 0) return `${of.text} ≤ ${of.names[high].text}`;
      if (high < 0) return `${of.text} ≥ ${of.names[low].text}`;
      return `${of.names[low].text} ≤ ${of.text} ≤ ${of.names[high].text}`;
    default: {
      const [from, to] = [of.cuts[low], of.cuts[high]];
      if (low < 0) return `${of.text} ${to.above ? "≤" : "<"} ${to.text}`;
      if (high < 0) return `${of.text} ${from.above ? ">" : "≥"} ${from.text}`;
      return `${from.text} ${from.above ? "<" : "≤"} ${of.text} ${to.above ? "≤" : "<"} ${to.text}`;
    }
  }
}

function patternText(pattern) {
  return pattern.map(literalText).join(" AND ");
}

function levelsText(patterns) {
  const ranged = new Set(patterns.flat().filter((one) => one[KIND] === "levels").map((one) => one[ON]));
  const orders = [...ranged].sort((a, b) => a - b).map((a) => {
    return `${attributes[a].text}: ${attributes[a].names.map((one) => one.text).join(" < ")}`;
  });
  return orders.length ? `\nWITH ${orders.join(", ")}` : "";
}

function rulesText(patterns) {
  const texts = patterns.map((pattern) => `(${patternText(pattern)})`);
  const condition = texts.length ? texts.join("\n  OR ") : "FALSE";
  const [target, yes, no] = [data.target.text, data.positive.text, data.negative.text];
  return `IF   ${condition}\nTHEN predict ${target} = ${yes}\nELSE predict ${target} = ${no}${levelsText(patterns)}`;
}

function literalJson(literal) {
  const of = attributes[literal[ON]];
  const name = (k) => (k < 0 ? "null" : of.names[k].json);
  const cut = (k) => (k < 0 ? "null" : of.cuts[k].json);
  const members = { attribute: of.json };
  const [low, high] = [literal[LOW], literal[HIGH]];
  switch (literal[KIND]) {
    case "missing": break;
    case "equal": case "not": members.value = name(low); break;
    case "in": members.values = `[${literal.slice(2).map(name).join(", ")}]`; break;
    case "levels":
      members.levels = `[${of.names.map((one) => one.json).join(", ")}]`;
      Object.assign(members, { low: name(low), high: name(high) });
      break;
    default:
      Object.assign(members, { low: cut(low), high: cut(high) });
      members.low_closed = String(low < 0 || !of.cuts[low].above);
      members.high_closed = String(high < 0 || of.cuts[high].above);
      members.time = String(of.kind === "time");
  }
  const called = { equal: "equal", not: "not_equal", in: "one_of" }[literal[KIND]] || literal[KIND];
  const parts = Object.entries(members).map(([key, value]) => `"${key}": ${value}`);
  return `{"kind": "${called}", ${parts.join(", ")}}`;
}

function rulesJson(patterns) {
  const written = patterns.map((pattern) => `{"literals": [${pattern.map(literalJson).join(", ")}]}`);
  return `{"format": "ooa.rules", "version": 1, "target": ${data.target.json}, "positive": ${data.positive.json},`
    + ` "negative": ${data.negative.json}, "patterns": [${written.join(", ")}]}`;
}

// -- made, compared and changed --------------------------------------------------------------------

const setOf = (k) => data.sets[k].map((one) => data.patterns[one]);
const keyOf = (pattern) => JSON.stringify([...pattern].sort((a, b) => a[ON] - b[ON]));
const copyOf = (patterns) => patterns.map((pattern) => pattern.map((literal) => [...literal]));
const sameRules = (one, other) => {
  const [mine, its] = [one, other].map((patterns) => patterns.map(keyOf).sort().join());
  return mine === its;
};
/** Every pattern once: said twice it is still one. */
const distinctPatterns = (patterns) => [...new Map(patterns.map((one) => [keyOf(one), one])).values()];
const literalsOf = (patterns) => patterns.reduce((sum, pattern) => sum + pattern.length, 0);
const usedBy = (patterns) => new Set(patterns.flat().map((literal) => literal[ON]));

/** A first condition on an attribute. */
function someLiteral(a) {
  const of = attributes[a];
  if (of.kind === "categorical") return ["equal", a, 0];
  if (of.kind === "ordered") return ["levels", a, Math.min(1, of.names.length - 1), -1];
  if (of.lows.length) return ["range", a, of.lows[of.lows.length >> 1], -1];
  return ["range", a, -1, of.highs[of.highs.length >> 1]];
}

/** The places that a side of a condition between bounds can have. */
function placesOf(literal, side) {
  const of = attributes[literal[ON]];
  if (literal[KIND] === "levels") return of.names.map((_, k) => k);
  return side === LOW ? of.lows : of.highs;
}

/** From which sides a condition is bounded: "low", "high" or "both". */
const sidesOf = (literal) => (literal[HIGH] < 0 ? "low" : literal[LOW] < 0 ? "high" : "both");

/** A condition bounded from other sides: turned round where it is, or with as wide a bound as there is beside its own. */
function withSides(literal, sides) {
  const [lows, highs] = [LOW, HIGH].map((side) => placesOf(literal, side));
  const [low, high] = [literal[LOW], literal[HIGH]];
  const [first, last] = [lows[0], highs[highs.length - 1]];
  const parts = {
    low: [low >= 0 ? low : lows.findLast((k) => k < high) ?? first, -1],
    high: [-1, high >= 0 ? high : highs.find((k) => k > low) ?? last],
    both: [low >= 0 ? low : first, high >= 0 ? high : last],
  };
  return [literal[KIND], literal[ON], ...parts[sides]];
}

/** Attributes that a condition can be on. */
const usable = attributes.map((of, a) => a).filter((a) => attributes[a].names.length + attributes[a].cuts.length);
