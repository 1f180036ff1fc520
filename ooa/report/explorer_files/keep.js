// The chosen rule set for elsewhere: as text that RuleSet.parse reads, and as a model file for `ooa predict`.

function modelText() {
  const made = state.figures;
  const edited = isEdited();
  const { broken, unknown } = limitsOf(state.patterns, listedAs());
  const explored = {
    objective: made.L, above_optimum: made.excess, optimum: data.proof.objective, edited,
    listed: edited ? null : state.chosen + 1, limits_not_met: broken, limits_not_checked: unknown,
  };
  const members = [
    '"format": "ooa.model"', '"version": 1', `"ooa": ${JSON.stringify(data.ooa)}`,
    `"text": ${JSON.stringify(rulesText(state.patterns))}`, `"rules": ${rulesJson(state.patterns)}`,
    `"explored": ${JSON.stringify(explored)}`,
  ];
  if (data.schema) members.push(`"schema": ${data.schema}`);
  return `{${members.join(",\n ")}}\n`;
}

async function copyText() {
  const text = rulesText(state.patterns);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyBySelection(text)) { say("This browser does not let pages copy: the text stands at the end of the page."); return; }
  }
  say("Copied: RuleSet.parse reads it.");
}

function copyBySelection(text) {
  const area = make("textarea", { "aria-hidden": "true", class: "away" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  $("copy").focus();
  return done;
}

function downloadModel() {
  const link = make("a", { download: "model.json" });
  link.href = URL.createObjectURL(new Blob([modelText()], { type: "application/json" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say("model.json: use it with  ooa predict model.json new.csv");
}

function startKeeping() {
  $("copy").addEventListener("click", copyText);
  $("download").addEventListener("click", downloadModel);
}
