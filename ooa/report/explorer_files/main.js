// What the page says of itself, and its beginning.

function drawAbout() {
  const { proof } = data;
  const lines = [`${capital(proof.headline)}.`];
  lines.push(proof.proved
    ? `The first is proved to be the best, with L = ${small(proof.objective)}.`
    : `The first is the best that is known; no other is below ${small(proof.bound)}.`);
  lines.push(`${percent(proof.ambiguous)} of the training rows are predicted otherwise by one of these rule sets than by `
    + "the first.");
  if (bound.length) {
    const lost = bound.filter((one) => !one.form && !one.sums).map((one) => one.words);
    lines.push(`All listed rule sets meet: ${bound.map((one) => one.words).join(", ")}. `
      + (editable ? `Those that are changed here are counted again${lost.length ? `, but for ${lost.join(", ")}` : ""}.` : ""));
  }
  const embedded = Object.entries(parts).map(([name, part]) => (part.coded
    ? `${several(part.distinct, "distinct coded row")} of the ${name} data with their counts`
    : `how many ${name} rows each rule set and pattern covers`));
  const privacy = editable
    ? "Numbers are there only as intervals between cuts, rare values of columns with many values only as “another”; there "
      + "are no names or numbers of rows, and no order."
    : "No row is in it.";
  $("about").replaceChildren(...lines.map((words) => make("p", {}, words)),
    make("p", {}, make("b", {}, "In this page: "), `the rule sets and their figures; ${embedded.join("; ")}. ${privacy} `
      + "Nothing is loaded, and nothing leaves this page unless you copy or download it."));
  const weighed = parts.training.weighted ? " Rows are weighted: counts are of weight." : "";
  $("lead").textContent = `${several(data.sets.length, "rule set")} that ${data.sets.length === 1 ? "is" : "are"} `
    + `nearly as good as the best, learned from ${several(parts.training.count, "row")}: choose one, or change it. The best has the `
    + `least L: the share of wrong rows plus ${data.C1} for every condition and ${data.C2} for every pattern.${weighed}${proof.complete ? "" : ` ${reach()}`}`;
  $("foot").textContent = `Made by ooa ${data.ooa}. This page loads nothing and sends nothing.`;
}

/** Up to where the list has everything, where it does not have all that was asked for. */
function reach() {
  const { known } = data.proof;
  if (!known) return "There may be others that are as good.";
  return `Not all are listed: none is missing that is less than ${smallDown(known)} above the best, further away there may be others.`;
}

watchers.figures.unshift(() => { state.figures = figuresOf(state.patterns, listedAs()); });
startPlot();
startChoosing();
startEditor();
startPanel();
startKeeping();
drawAbout();
if (window.matchMedia("(max-width: 40rem)").matches) for (const id of ["by-figure", "by-attribute"]) $(id).open = false;
choose(0);
sift();
window.ooa = { data, state, choose, edit, undo, figuresOf, limitsOf, rulesText, rulesJson, modelText, setOf, parts, plot };
