// The figures of the chosen rule set, and how it differs from another one.

function drawHead() {
  const made = state.figures;
  const edited = isEdited();
  $("h-chosen").textContent = state.chosen === 0 && !edited ? "The optimum" : `Rule set ${state.chosen + 1}`;
  if (state.chosen === 0 && edited) $("h-chosen").textContent = "The optimum, changed";
  $("edited").hidden = !edited;
  $("undo").disabled = !state.past.length;
  $("reset").disabled = !edited;
  $("distance").replaceChildren(...distanceWords(made, edited));
  drawGauge(made.excess);
  $("text").textContent = rulesText(state.patterns);
  $("jump").textContent = `${$("h-chosen").textContent}${edited ? " (edited)" : ""}: see it`;
}

function distanceWords(made, edited) {
  const { objective, proved } = data.proof;
  const best = proved ? `the proved optimum ${small(objective)}` : `the best that is known, ${small(objective)}`;
  const value = make("b", {}, `L = ${small(made.L)}`);
  if (made.excess > 5e-10) {
    const relative = objective > 0 ? `${percent(made.excess / objective)}, ` : "";
    const { total, weighted } = parts.training;
    const rows = Number((made.excess * total).toFixed(1)) || 0.1;
    const wrong = weighted ? `a weight of ${amount(rows)} that is wrong` : `${several(rows, "wrong row")}`;
    return [value, `, ${small(made.excess)} above ${best} (${relative}as much as ${wrong}).`];
  }
  if (made.excess < -5e-10) {
    return [value, `, ${small(-made.excess)} below ${best}: it is not among the rule sets that were searched `
      + `(${data.proof.statement}).`];
  }
  return [value, edited || state.chosen ? `, as good as ${best}.` : `: ${proved ? "proved to be the best" : "the best known"}.`];
}

function drawGauge(excess) {
  const slack = data.proof.within || Math.max(...data.excess) || data.proof.objective || 1;
  const most = Math.max(slack * 1.4, excess * 1.05, 1e-9);
  $("gauge-slack").style.width = `${(100 * slack) / most}%`;
  $("gauge-here").style.left = `${(100 * Math.max(0, excess)) / most}%`;
}

const FIGURES = [
  ["errors", "Wrong", amount],
  ["error", "Error rate", percent],
  ["sensitivity", "Sensitivity", percent],
  ["specificity", "Specificity", percent],
  ["ppv", "Positive predictive value", percent],
  ["flagged", "Predicted positive", percent],
  ["sensitivity_gap", `Sensitivity gap by ${data.groups}`, percent],
  ["flagged_gap", `Gap in predictions by ${data.groups}`, percent],
];

function differenceText(mine, its, shown) {
  const far = mine - its;
  if (!Number.isFinite(far) || Math.abs(far) < 1e-9) return Number.isFinite(far) ? "same" : "–";
  const sign = far > 0 ? "+" : "−";
  return shown === percent ? `${sign}${(100 * Math.abs(far)).toFixed(1)} points` : sign + shown(Math.abs(far));
}

function figureRow(label, mine, its, shown) {
  return make("tr", {}, make("th", { scope: "row" }, label), make("td", { class: "n" }, shown(mine)),
    make("td", { class: "n" }, shown(its)), make("td", { class: "n" }, differenceText(mine, its, shown)));
}

function drawFigures() {
  const [made, other] = [state.figures, compared()];
  const its = figuresOf(other.patterns, other.listed);
  const head = ["", "This set", capital(other.name), "Difference"];
  const groups = Object.entries(parts).map(([name, part]) => {
    const rows = part.weighted ? `weight ${amount(part.total)}` : several(part.count, "row");
    const title = `${name === "training" ? "Training" : "Test"} rows (${rows})`;
    return make("tbody", {}, make("tr", {}, make("th", { scope: "rowgroup", colspan: 4, class: "group" }, title)),
      FIGURES.filter(([key]) => key in made[name]).map(([key, label, shown]) => figureRow(label, made[name][key], its[name][key], shown)));
  });
  const size = [["L", "L", small], ["literals", "Conditions", String], ["patterns", "Patterns", String],
    ["attributes", "Attributes", String]];
  $("figures").replaceChildren(
    make("thead", {}, make("tr", {}, head.map((words, k) => make("th", { scope: "col", class: k ? "n" : "" }, words)))),
    make("tbody", {}, size.map(([key, label, shown]) => figureRow(label, made[key], its[key], shown))), ...groups);
}

// -- side by side ----------------------------------------------------------------------------------

function rulesBlock(title, patterns, others) {
  const there = new Set(others.map(keyOf));
  const items = patterns.map((pattern) => make("li", { class: there.has(keyOf(pattern)) ? "same" : "differs" },
    patternText(pattern)));
  return make("div", {}, make("h3", {}, title),
    items.length ? make("ul", { class: "plain" }, items) : make("p", {}, "No pattern."));
}

function drawBeside() {
  const other = compared();
  const same = sameRules(state.patterns, other.patterns);
  $("beside").replaceChildren(...(same
    ? [make("p", {}, `This is ${other.name}.`)]
    : [make("div", { class: "pairs" }, rulesBlock("This set", state.patterns, other.patterns),
      rulesBlock(capital(other.name), other.patterns, state.patterns))]));
}

// -- rows that change sides ------------------------------------------------------------------------

/** For each attribute that either rule set uses: what its codes are called by the cuts that these have. */
function coarse(patterns) {
  const cuts = new Map();
  for (const literal of patterns.flat()) {
    const at = cuts.get(literal[ON]) || new Set();
    if (literal[KIND] === "range") for (const k of literal.slice(2)) if (k >= 0) at.add(k);
    cuts.set(literal[ON], at);
  }
  return [...cuts].sort((one, other) => one[0] - other[0]).map(([a, at]) => {
    const of = attributes[a];
    const sorted = [...at].sort((one, other) => one - other);
    const texts = Array.from(wantedCodes(["missing", a]), (_, code) => groupOf(of, sorted, code));
    const names = [...new Set(texts)];
    return { a, names, group: Uint16Array.from(texts, (text) => names.indexOf(text)) };
  });
}

function groupOf(of, cuts, code) {
  if (code === 0) return "missing";
  if (!of.cuts.length) return of.names[code - 1] ? of.names[code - 1].text : "another";
  const passed = cuts.filter((k) => code >= k + 2).length;
  const [from, to] = [of.cuts[cuts[passed - 1]], of.cuts[cuts[passed]]];
  const words = [];
  if (from) words.push(`${from.above ? ">" : "≥"} ${from.text}`);
  if (to) words.push(`${to.above ? "≤" : "<"} ${to.text}`);
  return words.join(", ") || "any";
}

function changedGroups(part, mine, its, columns) {
  const groups = new Map();
  eachRow(differing(mine, its), (i) => {
    const now = (mine[i >>> 5] >>> (i & 31)) & 1;
    let key = now;
    for (const { a, names, group } of columns) key = key * names.length + group[part.codes[a][i]];
    let found = groups.get(key);
    if (!found) {
      const cells = columns.map(({ a, names, group }) => names[group[part.codes[a][i]]]);
      groups.set(key, (found = { now, cells, yes: 0, no: 0 }));
    }
    found.yes += part.positive[i];
    found.no += part.negative[i];
  });
  return [...groups.values()].sort((one, other) => other.yes + other.no - one.yes - one.no);
}

function drawChanges() {
  const other = compared();
  const part = parts.training;
  if (!editable) {
    const known = state.against === "optimum" ? `${amount(part.changed[state.chosen])} of ${amount(part.total)} `
      + "training rows are predicted otherwise than by the optimum." : "";
    $("changed").textContent = `${known} Which ones is not in this page.`.trim();
    $("changes").replaceChildren();
    return;
  }
  const [mine, its] = [state.patterns, other.patterns].map((patterns) => bitsOfRules(part, patterns));
  const columns = coarse([...state.patterns, ...other.patterns]);
  const groups = changedGroups(part, mine, its, columns);
  const total = groups.reduce((sum, one) => sum + one.yes + one.no, 0);
  $("changed").textContent = total ? `${amount(total)} of ${amount(part.total)} training rows are predicted otherwise `
    + `than by ${other.name}.` : `Every training row is predicted as by ${other.name}.`;
  drawChangeTable(groups, columns);
}

function drawChangeTable(groups, columns) {
  if (!groups.length) { $("changes").replaceChildren(); return; }
  const most = 40;
  const head = make("tr", {}, make("th", { scope: "col" }, "Now"),
    make("th", { scope: "col", class: "n" }, "Positives"), make("th", { scope: "col", class: "n" }, "Negatives"),
    columns.map(({ a }) => make("th", { scope: "col" }, attributes[a].name)));
  const rows = groups.slice(0, most).map((one) => make("tr", {},
    make("td", { class: one.now ? "to-yes" : "to-no" }, one.now ? data.positive.text : data.negative.text),
    make("td", { class: "n" }, amount(one.yes)), make("td", { class: "n" }, amount(one.no)),
    one.cells.map((cell) => make("td", {}, cell))));
  const left = groups.length - most;
  const note = left > 0 ? [make("caption", {}, `The ${most} largest of ${groups.length} kinds of rows`)] : [];
  $("changes").replaceChildren(...note, make("thead", {}, head), make("tbody", {}, rows));
}

function drawAgainst() {
  const options = [["optimum", "the optimum"]];
  if (state.pinned) options.push(["pinned", state.pinned.name]);
  fill($("against"), options, state.against);
}

function startPanel() {
  const later = soon(drawChanges, 60);
  watch("figures", () => { drawHead(); drawLimits(); drawFigures(); drawBeside(); later(); });
  $("against").addEventListener("change", (event) => { state.against = event.target.value; tell("figures"); });
  // On a small screen the chosen rule set is below the list: a link to it, while it is out of sight.
  new IntersectionObserver((seen) => { $("jump").hidden = seen.some((one) => one.isIntersecting); }).observe($("chosen"));
  $("pin").addEventListener("click", () => {
    const name = `${$("h-chosen").textContent.toLowerCase()}${isEdited() ? " (edited)" : ""}`;
    Object.assign(state, { pinned: { name, patterns: copyOf(state.patterns), listed: listedAs() }, against: "pinned" });
    drawAgainst();
    drawKey();
    tell("figures");
    say(`Others are compared with ${name} now.`);
  });
  drawAgainst();
}
