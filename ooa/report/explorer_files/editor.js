// The chosen rule set, with what it takes to change it.

/** Change one condition while a slider moves: everything follows but the editor, which stays as it is. */
function moveLiteral(p, l, literal) {
  const patterns = copyOf(state.patterns);
  patterns[p][l] = literal;
  edit(patterns, { rebuild: false, keep: false });
}

function replaceLiteral(p, l, literal) {
  const patterns = copyOf(state.patterns);
  patterns[p][l] = literal;
  edit(patterns);
}

function dropLiteral(p, l) {
  const patterns = copyOf(state.patterns);
  patterns[p].splice(l, 1);
  edit(patterns.filter((pattern) => pattern.length));
}

function dropPattern(p) {
  edit(copyOf(state.patterns).filter((_, k) => k !== p));
}

function addLiteral(p, a) {
  const patterns = copyOf(state.patterns);
  patterns[p].push(someLiteral(a));
  patterns[p].sort((one, other) => (attributes[one[ON]].name < attributes[other[ON]].name ? -1 : 1));
  edit(patterns);
}

function addPattern(pattern) {
  edit([...copyOf(state.patterns), pattern.map((literal) => [...literal])]);
}

// -- one condition ---------------------------------------------------------------------------------

/** A slider over the places that one side of a condition can have. */
function slider(p, l, side, said) {
  const literal = state.patterns[p][l];
  const of = attributes[literal[ON]];
  const places = placesOf(literal, side);
  const at = Math.max(0, places.indexOf(literal[side]));
  const words = side === LOW ? "lower" : "upper";
  const input = make("input", {
    type: "range", min: 0, max: places.length - 1, step: 1, value: at, "data-place": `${p},${l},${side}`,
    "aria-label": `The ${words} bound of ${of.name}`, "aria-valuetext": literalText(literal),
  });
  let begun = false;
  input.addEventListener("input", () => {
    if (!begun) remember();
    begun = true;
    const moved = [...state.patterns[p][l]];
    moved[side] = places[Number(input.value)];
    const text = literalText(moved);
    said.textContent = text;
    input.setAttribute("aria-valuetext", text);
    moveLiteral(p, l, moved);
  });
  input.addEventListener("change", () => { begun = false; });
  return input;
}

/** From which sides the condition is bounded; nothing to choose where the other side has no place. */
function sidesPicker(p, l) {
  const literal = state.patterns[p][l];
  const [lows, highs] = [LOW, HIGH].map((side) => placesOf(literal, side).length > 0);
  const options = [["low", "at least"], ["high", "at most"], ["both", "between"]];
  if (!lows || !highs) return null;
  const select = make("select", {
    class: "sides", "aria-label": `Which bounds ${attributes[literal[ON]].name} has`, "data-place": `${p},${l},sides`,
  });
  fill(select, options, sidesOf(literal));
  select.addEventListener("change", () => replaceLiteral(p, l, withSides(state.patterns[p][l], select.value)));
  return select;
}

function valuePicker(p, l) {
  const literal = state.patterns[p][l];
  const of = attributes[literal[ON]];
  const options = [];
  of.names.forEach((name, k) => {
    options.push([`equal ${k}`, `= ${name.text}`], [`not ${k}`, `≠ ${name.text}`]);
  });
  if (literal[KIND] === "in") options.unshift(["in", literalText(literal).slice(of.text.length + 1)]);
  if (literal[KIND] === "missing") options.unshift(["missing", "is missing"]);
  const select = make("select", { "aria-label": `The condition on ${of.name}`, "data-place": `${p},${l}` });
  fill(select, options, ["in", "missing"].includes(literal[KIND]) ? literal[KIND] : `${literal[KIND]} ${literal[LOW]}`);
  select.addEventListener("change", () => {
    const [kind, k] = select.value.split(" ");
    if (k !== undefined) replaceLiteral(p, l, [kind, literal[ON], Number(k)]);
  });
  return select;
}

function literalRow(p, l) {
  const literal = state.patterns[p][l];
  const of = attributes[literal[ON]];
  const said = make("span", { class: "says" }, literalText(literal));
  if (!editable) return make("li", {}, said);
  const tools = [];
  const bounded = ["range", "levels"].includes(literal[KIND]);
  if (bounded) tools.push(sidesPicker(p, l));
  if (bounded && literal[LOW] >= 0) tools.push(slider(p, l, LOW, said));
  if (bounded && literal[HIGH] >= 0) tools.push(slider(p, l, HIGH, said));
  if (!bounded && of.names.length) tools.push(valuePicker(p, l));
  const drop = make("button", {
    type: "button", class: "drop", "aria-label": `Drop the condition ${literalText(literal)}`, title: "Drop",
    "data-drop": `${p},${l}`, "data-place": `drop ${p},${l}`, onclick: () => dropLiteral(p, l),
  }, "×");
  return make("li", {}, said, make("span", { class: "tools" }, tools), drop);
}

// -- one pattern, and all of them ------------------------------------------------------------------

function attributePicker(place, words, used, then) {
  const free = usable.filter((a) => !used.has(a));
  const select = make("select", { class: "add", "aria-label": words, "data-place": place });
  fill(select, [["", words], ...free.map((a) => [a, attributes[a].name])], "");
  select.addEventListener("change", () => { if (select.value !== "") then(Number(select.value)); });
  return select;
}

function patternCard(pattern, p) {
  const does = make("p", { class: "does", "data-does": p });
  const card = make("li", { class: "pattern" },
    make("div", { class: "bar-line" }, make("span", { class: "number" }, p ? "or" : "if"),
      editable ? make("button", {
        type: "button", class: "small", "data-drop-pattern": p, "data-place": `drop ${p}`, onclick: () => dropPattern(p),
        "aria-label": `Drop the pattern ${patternText(pattern)}`,
      }, "Drop pattern") : null),
    make("ul", { class: "literals" }, pattern.map((_, l) => literalRow(p, l))), does);
  if (editable) {
    const picker = attributePicker(`add ${p}`, "Add a condition on …", usedBy([pattern]), (a) => addLiteral(p, a));
    card.append(make("div", { class: "adding" }, picker));
  }
  return card;
}

function patternPicker() {
  const here = new Set(state.patterns.map(keyOf));
  const often = new Map();
  for (const one of data.sets) for (const k of one) often.set(k, (often.get(k) || 0) + 1);
  const known = [...often.keys()].filter((k) => !here.has(keyOf(data.patterns[k])));
  known.sort((one, other) => often.get(other) - often.get(one));
  const select = make("select", {
    id: "add-pattern", "aria-label": "Add a pattern of the listed sets", "data-place": "known",
  });
  const options = known.slice(0, 200).map((k) => [k, `${patternText(data.patterns[k])} (in ${often.get(k)})`]);
  fill(select, [["", "Add a pattern of the listed sets …"], ...options], "");
  select.addEventListener("change", () => {
    if (select.value !== "") addPattern(data.patterns[Number(select.value)]);
  });
  return select;
}

function drawEditor() {
  const body = [make("ul", { class: "patterns" }, state.patterns.map(patternCard))];
  if (!state.patterns.length) body.unshift(make("p", {}, "No pattern: the negative label is predicted everywhere."));
  const [target, yes, no] = [data.target.text, data.positive.text, data.negative.text];
  body.push(make("p", { class: "then" }, "then ", make("b", {}, `${target} = ${yes}`), ", else ",
    make("b", {}, `${target} = ${no}`)));
  if (editable) {
    const fresh = attributePicker("new", "Add a pattern on …", new Set(), (a) => addPattern([someLiteral(a)]));
    fresh.id = "new-pattern";
    body.push(make("div", { class: "adding" }, patternPicker(), fresh));
  } else {
    body.push(make("p", { class: "soft" }, "The editor is off: this page was made without rows (rows=False), so that "
      + "only what the listed rule sets and their patterns cover is in it."));
  }
  const place = document.activeElement && document.activeElement.dataset.place;
  $("editor").replaceChildren(...body);
  // Whoever works with the keys goes on where they were, or, if that is gone, at the beginning.
  if (place) ($("editor").querySelector(`[data-place="${place}"]`) || $("editor")).focus();
}

/** What every pattern covers, and what only it covers. */
function sayDeeds() {
  for (const line of $("editor").querySelectorAll("[data-does]")) {
    const pattern = state.patterns[Number(line.dataset.does)];
    if (pattern) line.textContent = deedsOf(pattern, state.patterns);
  }
}

function deedsOf(pattern, patterns) {
  const part = parts.training;
  if (!editable) {
    const k = data.patterns.findIndex((one) => keyOf(one) === keyOf(pattern));
    return `covers ${weighing(part.pattern_found[k], "positive")} and ${weighing(part.pattern_alarms[k], "negative")}`;
  }
  const bits = bitsOfPattern(part, pattern);
  const others = bitsOfRules(part, patterns.filter((one) => one !== pattern));
  const alone = bits.map((word, w) => word & ~others[w]);
  const [yes, no] = [part.positive, part.negative].map((weights) => weightOf(bits, weights));
  const [only, wrong] = [part.positive, part.negative].map((weights) => weightOf(alone, weights));
  return `covers ${weighing(yes, "positive")} and ${weighing(no, "negative")}; ${amount(only)} and ${amount(wrong)} `
    + "that no other pattern covers";
}

function startEditor() {
  for (const id of ["undo", "reset"]) $(id).hidden = !editable;
  $("undo").addEventListener("click", undo);
  $("reset").addEventListener("click", () => edit(setOf(state.chosen)));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("textarea, input:not([type=range])");
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing) { event.preventDefault(); undo(); }
  });
  watch("rules", drawEditor);
  watch("figures", sayDeeds);
}
