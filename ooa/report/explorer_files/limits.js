// The limits that the fit was bound to, for any rule set that is made here. What they are, Python's `limits` says.

const bound = data.limits.map((one) => ({
  ...one,
  sums: one.sums && one.sums.map(({ weight, most }) => ({ weight: numbersOf(weight, 64), most })),
}));

const tolerated = (most) => most + 1e-9 * Math.max(1, Math.abs(most));

/** Whether a form names an attribute, whatever it is called: every object has a "constructor". */
const weighs = (form, a) => Object.hasOwn(form.attributes, attributes[a].name);

/** What some attributes and conditions weigh. */
function formWeight(form, used, conditions) {
  let sum = form.literal * conditions;
  for (const a of used) sum += weighs(form, a) ? form.attributes[attributes[a].name] : 0;
  return sum;
}

/** Whether a condition bounds an attribute of the form from the side that it is about. */
function bounds(form, literal) {
  if (!weighs(form, literal[ON]) || literal[KIND] === "missing") return false;
  if (!["range", "levels"].includes(literal[KIND])) return true; // values one by one, or all but one
  return literal[form.over === "below" ? LOW : HIGH] >= 0;
}

function meetsForm(form, patterns) {
  const each = patterns.map((pattern) => formWeight(form, usedBy([pattern]), pattern.length));
  const most = tolerated(form.most);
  if (form.over === "below" || form.over === "above") return !patterns.flat().some((literal) => bounds(form, literal));
  if (form.over === "set") return formWeight(form, usedBy(patterns), 0) <= most;
  if (form.over === "each") return each.every((weight) => weight <= most);
  return each.reduce((sum, weight) => sum + weight, 0) <= most;
}

/** Which limits a rule set does not meet, and which cannot be counted here. Those listed meet all. */
function limitsOf(given, listed = -1) {
  const made = { broken: [], unknown: [] };
  if (listed >= 0) return made;
  const patterns = distinctPatterns(given);
  const covered = editable && bound.some((one) => one.sums) ? bitsOfRules(parts.training, patterns) : null;
  for (const { name, form, sums } of bound) {
    if (form ? meetsForm(form, patterns) : sums && sums.every((one) => weightOf(covered, one.weight) <= one.most)) continue;
    made[form || sums ? "broken" : "unknown"].push(name);
  }
  return made;
}

const wordsFor = (names) => names.map((name) => bound.find((one) => one.name === name).words).join(", ");

function limitWords({ broken, unknown }) {
  const words = [];
  if (broken.length) words.push(`Does not meet: ${wordsFor(broken)}.`);
  else if (!unknown.length) words.push(bound.length === 1 ? `Meets: ${bound[0].words}.` : `Meets all ${bound.length} limits.`);
  else if (unknown.length < bound.length) words.push("Meets all limits that can be counted here.");
  if (unknown.length) words.push(`Not checked on this page: ${wordsFor(unknown)}.`);
  return words.join(" ");
}

function drawLimits() {
  const place = $("limits-met");
  place.hidden = !bound.length;
  if (!bound.length) return;
  const found = limitsOf(state.patterns, listedAs());
  place.textContent = limitWords(found);
  place.className = found.broken.length ? "broken" : found.unknown.length ? "unknown" : "met";
}
