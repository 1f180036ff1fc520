// The rule sets as points: any two of their figures.

const plot = { places: [], room: { left: 68, right: 14, top: 12, bottom: 40 } };

function niceTicks(low, high, whole) {
  if (!(high > low)) return [low];
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  if (whole) step = Math.max(1, Math.round(step));
  const ticks = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step) ticks.push(at);
  return ticks;
}

function axisOf(measure, extra) {
  const values = [...measure.values, extra].filter(Number.isFinite);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const least = measure.whole ? 0.25 : 0; // for those that stand aside
  const room = Math.max((high - low || (measure.whole ? 1 : Math.abs(high) || 0.01)) * 0.06, least);
  const axis = { low: low - room, high: high + room, measure };
  axis.ticks = niceTicks(low, high, measure.whole);
  return axis;
}

function tickText(measure, value, ticks) {
  if (measure.whole) return String(Math.round(value));
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : Math.abs(value) || 1;
  if (measure.percent) return `${(100 * value).toFixed(step < 0.01 ? 1 : 0)} %`;
  return value.toFixed(Math.max(0, Math.min(6, Math.ceil(-Math.log10(step)))));
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function valueOfEdited(key) {
  const made = state.figures;
  if (!made) return NaN;
  if (key in made) return made[key];
  const [part, name] = key.split(".");
  const value = made[part] ? made[part][name] : undefined;
  return value === undefined ? NaN : value;
}

function drawPlot() {
  const canvas = $("plot");
  const box = canvas.getBoundingClientRect();
  if (!box.width) return;
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(box.width * scale);
  canvas.height = Math.round(box.height * scale);
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  const edited = isEdited();
  const [mx, my] = [measureOf(state.x), measureOf(state.y)];
  const [x, y] = [mx, my].map((one) => axisOf(one, edited ? valueOfEdited(one.key) : NaN));
  const { left, right, top, bottom } = plot.room;
  const across = (value) => left + ((value - x.low) / (x.high - x.low)) * (box.width - left - right);
  const up = (value) => box.height - bottom - ((value - y.low) / (y.high - y.low)) * (box.height - top - bottom);
  drawAxes(pen, box, x, y, across, up);
  plot.places = data.sets.map((_, k) => [across(mx.values[k] + aside(mx, k)), up(my.values[k] + aside(my, k))]);
  drawPoints(pen, edited ? [across(valueOfEdited(mx.key)), up(valueOfEdited(my.key))] : null);
  canvas.setAttribute("aria-label", `${several(state.shown.length, "rule set")} as points: ${mx.label} across, `
    + `${my.label} up. Arrow keys go through them; the list below says the same in words.`);
}

/** Points at whole numbers stand a little aside, so that they do not hide one another; the optimum does not. */
function aside(measure, k) {
  return measure.whole ? (((k * 0.618034 + 0.5) % 1) - 0.5) * 0.36 : 0;
}

function drawAxes(pen, box, x, y, across, up) {
  const { left, right, top, bottom } = plot.room;
  pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  pen.lineWidth = 1;
  pen.strokeStyle = colour("--line");
  pen.fillStyle = colour("--soft");
  pen.textAlign = "center";
  for (const tick of x.ticks) {
    const at = across(tick);
    pen.beginPath(); pen.moveTo(at, top); pen.lineTo(at, box.height - bottom); pen.stroke();
    pen.fillText(tickText(x.measure, tick, x.ticks), at, box.height - bottom + 16);
  }
  pen.textAlign = "right";
  for (const tick of y.ticks) {
    const at = up(tick);
    pen.beginPath(); pen.moveTo(left, at); pen.lineTo(box.width - right, at); pen.stroke();
    pen.fillText(tickText(y.measure, tick, y.ticks), left - 7, at + 4);
  }
  pen.fillStyle = colour("--ink");
  pen.textAlign = "center";
  pen.fillText(x.measure.label, (left + box.width - right) / 2, box.height - 6);
  pen.save();
  pen.translate(12, (top + box.height - bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(y.measure.label, 0, 0);
  pen.restore();
}

function drawPoints(pen, edited) {
  const shown = new Set(state.shown);
  const dot = (place, size) => { pen.beginPath(); pen.arc(place[0], place[1], size, 0, 2 * Math.PI); };
  const good = (place) => Number.isFinite(place[0]) && Number.isFinite(place[1]);
  pen.fillStyle = colour("--line");
  plot.places.forEach((place, k) => { if (!shown.has(k) && good(place)) { dot(place, 2.5); pen.fill(); } });
  pen.fillStyle = colour("--good");
  pen.globalAlpha = state.shown.length > 400 ? 0.45 : 0.75;
  for (const k of state.shown) if (good(plot.places[k])) { dot(plot.places[k], 4); pen.fill(); }
  pen.globalAlpha = 1;
  const marks = [[plot.places[0], "--ok", 7]];
  if (state.pinned && state.pinned.listed >= 0) marks.push([plot.places[state.pinned.listed], "--warn", 7]);
  pen.lineWidth = 2.5;
  for (const [place, name, size] of marks) {
    if (!good(place)) continue;
    pen.strokeStyle = colour(name); dot(place, size); pen.stroke();
  }
  const here = edited || plot.places[state.chosen];
  if (!good(here)) return;
  pen.fillStyle = colour("--bad");
  pen.strokeStyle = colour("--card");
  pen.lineWidth = 1.5;
  dot(here, 6); pen.fill(); pen.stroke();
}

/** What the points mean, of those that can be there. */
function drawKey() {
  const pinned = state.pinned && state.pinned.listed >= 0;
  $("key").replaceChildren(...[
    ["good", "listed"], ["ok ring", "the optimum"], ...(pinned ? [["warn ring", "compared with"]] : []), ["bad", "chosen"],
    ["line", "filtered out"],
  ].map(([name, words]) => make("li", {}, make("span", { class: `dot ${name}` }), words)));
}

/** The nearest point that is shown, within a finger's breadth. */
function pointAt(event) {
  const box = $("plot").getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let [best, least] = [-1, 24 ** 2];
  for (const k of state.shown) {
    const far = (plot.places[k][0] - x) ** 2 + (plot.places[k][1] - y) ** 2;
    if (far < least) [best, least] = [k, far];
  }
  return best;
}

function startPlot() {
  const options = measures.map((one) => [one.key, one.label]);
  for (const axis of ["x", "y"]) {
    fill($(`${axis}-axis`), options, state[axis]);
    $(`${axis}-axis`).addEventListener("change", (event) => { state[axis] = event.target.value; drawPlot(); });
  }
  const canvas = $("plot");
  canvas.addEventListener("click", (event) => { const k = pointAt(event); if (k >= 0) choose(k); });
  canvas.addEventListener("mousemove", (event) => {
    const k = pointAt(event);
    canvas.style.cursor = k >= 0 ? "pointer" : "default";
    canvas.title = k >= 0 ? `Rule set ${k + 1}: ${setOf(k).map(patternText).join(" OR ")}` : "";
  });
  canvas.addEventListener("keydown", stepByKey);
  drawKey();
  watch("list", drawPlot);
  watch("figures", onFrame(drawPlot));
  window.addEventListener("resize", drawPlot);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawPlot);
}
