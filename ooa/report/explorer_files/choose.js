// The filters and the sorted list.

const PAGE = 100;
let listed = PAGE;

function stepByKey(event) {
  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
  const ends = { Home: 0, End: state.shown.length - 1 };
  if (!(event.key in steps) && !(event.key in ends)) return;
  event.preventDefault();
  goTo(event.key in ends ? ends[event.key] : state.shown.indexOf(state.chosen) + steps[event.key]);
}

/** Choose the rule set at a place of the list. */
function goTo(place) {
  if (!state.shown.length) return;
  const at = Math.max(0, Math.min(state.shown.length - 1, place));
  if (at >= listed) { listed = at + PAGE; drawList(); }
  choose(state.shown[at]);
  const item = $(`set-${state.shown[at]}`);
  if (item) item.scrollIntoView({ block: "nearest" });
}

const ofBest = new Set(setOf(0).map(keyOf));

/** One of the list; patterns that the optimum does not have stand out. */
function itemOf(k) {
  const by = measureOf(state.sort);
  const made = figuresOf(setOf(k), k);
  const head = [
    make("b", {}, `${k + 1}`),
    make("span", {}, k ? (made.excess > 0 ? `+${small(made.excess)}` : "ties") : "optimum"),
    make("span", {}, `${several(made.patterns, "pattern")}, ${several(made.literals, "condition")}`),
    make("span", {}, `${amount(made.training.errors)} wrong (${percent(made.training.error)})`),
  ];
  if (!["excess", "literals", "patterns", "training.error"].includes(by.key)) {
    head.push(make("span", { class: "by" }, `${by.label} ${shownAs(by, by.values[k])}`));
  }
  const words = setOf(k).flatMap((pattern, place) => [
    place ? " OR " : null, k && !ofBest.has(keyOf(pattern)) ? make("b", {}, patternText(pattern)) : patternText(pattern),
  ]);
  return make("li", { id: `set-${k}`, role: "option", "data-set": k }, make("div", { class: "head" }, head),
    make("div", { class: "rules" }, words.length ? words : "FALSE"));
}

function drawList() {
  const some = state.shown.slice(0, listed);
  $("list").replaceChildren(...(some.length ? some.map(itemOf) : [
    make("li", { class: "none" }, "No rule set meets all filters."),
  ]));
  const left = state.shown.length - some.length;
  $("more").hidden = left <= 0;
  $("more").textContent = `Show ${Math.min(PAGE, left)} more of ${left.toLocaleString("en")}`;
  $("count").textContent = state.shown.length === data.sets.length
    ? several(data.sets.length, "set")
    : `${state.shown.length.toLocaleString("en")} of ${several(data.sets.length, "set")}`;
  markChosen();
}

function markChosen() {
  for (const item of $("list").querySelectorAll('[aria-selected="true"]')) item.removeAttribute("aria-selected");
  const item = $(`set-${state.chosen}`);
  if (item) item.setAttribute("aria-selected", "true");
  $("list").setAttribute("aria-activedescendant", item ? item.id : "");
}

// -- filters ---------------------------------------------------------------------------------------

function limitRow(one) {
  const measure = measureOf(one.key);
  const values = [...new Set(measure.values.filter(Number.isFinite))].sort((a, b) => a - b);
  if (values.length < 2) return null;
  const out = make("output", { for: `limit-${one.key}` });
  const free = one.most ? values.length - 1 : 0;
  const input = make("input", {
    type: "range", id: `limit-${one.key}`, min: 0, max: values.length - 1, step: 1, value: free,
  });
  const show = () => {
    const at = Number(input.value);
    out.textContent = at === free ? "any" : shownAs(measure, values[at]);
    input.setAttribute("aria-valuetext", out.textContent);
  };
  input.addEventListener("input", () => {
    const at = Number(input.value);
    if (at === free) state.limits.delete(one.key);
    else state.limits.set(one.key, values[at]);
    show();
    listed = PAGE;
    sift();
  });
  input.addEventListener("cleared", () => { input.value = free; show(); });
  show();
  return make("label", { for: input.id }, make("span", {}, one.label), out, input);
}

function lossText(one) {
  if (one.without === null) return one.without_at_least > 0 ? `over ${small(one.without_at_least)}` : "unknown";
  return one.without_at_least >= one.without - 1e-12 ? small(one.without) : `at most ${small(one.without)}`;
}

function attributeRow(one) {
  const a = attributes.findIndex((of) => of.name === one.attribute);
  const buttons = [[true, "with"], [false, "without"]].map(([must, words]) => make("button", {
    type: "button", class: "small", "aria-pressed": "false", "data-attribute": a, "data-must": String(must),
    "aria-label": `Only sets ${words} ${one.attribute}`,
    onclick: () => {
      if (state.uses.get(a) === must) state.uses.delete(a);
      else state.uses.set(a, must);
      listed = PAGE;
      markUses();
      sift();
    },
  }, words));
  const bar = make("span", { class: "bar", style: `--share: ${one.share}` });
  return make("tr", {}, make("th", { scope: "row" }, one.attribute),
    make("td", { class: "share" }, bar, ` ${(100 * one.share).toFixed(0)} %`),
    make("td", { class: "n" }, lossText(one)), make("td", { class: "pair" }, buttons));
}

function markUses() {
  for (const button of $("attributes").querySelectorAll("button")) {
    const must = state.uses.get(Number(button.dataset.attribute));
    button.setAttribute("aria-pressed", String(String(must) === button.dataset.must));
  }
}

function clearFilters() {
  state.uses.clear();
  state.limits.clear();
  state.oneOfEach = $("one-of-each").checked = false;
  for (const input of $("limits").querySelectorAll("input")) input.dispatchEvent(new Event("cleared"));
  markUses();
  sift();
}

function startChoosing() {
  $("limits").replaceChildren(...limits.map(limitRow).filter(Boolean));
  $("attributes").tBodies[0].replaceChildren(...data.reliance.filter((one) => one.sets > 0).map(attributeRow));
  const kinds = new Set(data.rows.training.alike).size;
  $("one-of-each").closest("label").hidden = kinds === data.sets.length;
  $("one-of-each-words").textContent = "Of those that predict the same for every training row, only the best "
    + `(${kinds.toLocaleString("en")} of ${data.sets.length.toLocaleString("en")})`;
  $("one-of-each").addEventListener("change", (event) => {
    state.oneOfEach = event.target.checked;
    listed = PAGE;
    sift();
  });
  $("clear").addEventListener("click", clearFilters);
  fill($("sort"), measures.map((one) => [one.key, one.label]), state.sort);
  $("sort").addEventListener("change", (event) => { state.sort = event.target.value; sift(); });
  $("more").addEventListener("click", () => { listed += PAGE; drawList(); });
  $("list").addEventListener("keydown", stepByKey);
  $("list").addEventListener("click", (event) => {
    const item = event.target.closest("[data-set]");
    if (item) choose(Number(item.dataset.set));
  });
  $("previous").addEventListener("click", () => goTo(state.shown.indexOf(state.chosen) - 1));
  $("next").addEventListener("click", () => goTo(state.shown.indexOf(state.chosen) + 1));
  watch("list", drawList);
  watch("rules", markChosen);
}
