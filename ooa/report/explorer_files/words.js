// Elements and numbers in words.

const $ = (id) => document.getElementById(id);

/** An element: `make("b", {class: "x", onclick: f}, "text", other)`; texts are never markup. */
function make(name, given = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...content.flat().filter((one) => one !== null && one !== undefined));
  return element;
}

const plain = (value, digits = 4) => Number(value.toFixed(digits)).toLocaleString("en", {
  maximumFractionDigits: digits,
});
const percent = (value) => (Number.isNaN(value) ? "–" : `${(100 * value).toFixed(1)} %`);
const amount = (value) => value.toLocaleString("en", { maximumFractionDigits: 2 });
const small = (value) => (Math.abs(value) < 5e-7 ? "0" : value.toFixed(Math.abs(value) < 0.001 ? 6 : 4));

/** The same, never more than it is. */
const smallDown = (value) => small(Math.floor(value * (value < 0.001 ? 1e6 : 1e4)) / (value < 0.001 ? 1e6 : 1e4));

function shownAs(measure, value) {
  if (Number.isNaN(value)) return "–";
  if (measure.percent) return percent(value);
  return measure.whole ? String(value) : small(value);
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);
/** An amount of rows of a kind, by what they weigh. */
const weighing = (value, one) => `${amount(value)} ${one}${value === 1 ? "" : "s"}`;
const several = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

/** Call once, soon after the last of many calls. */
function soon(call, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, milliseconds);
  };
}

/** Call once before the next picture is shown, however often it is asked for. */
function onFrame(call) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; call(); });
  };
}

function say(words) {
  $("said").textContent = words;
}

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, label]) => make("option", { value }, label)));
  select.value = chosen;
}
