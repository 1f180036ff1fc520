"""The style sheet of the report: light and dark, screen, phone and paper."""

from __future__ import annotations

__all__ = ["STYLE"]

STYLE = """
:root {
  color-scheme: light dark;
  --page: #f4f6f8; --card: #ffffff; --ink: #18202b; --soft: #525d6b; --line: #d5dbe3; --track: #e8ecf1;
  --accent: #0a5a9c; --good: #1c6fb0; --good-soft: #93c1e6; --bad: #b94e06; --bad-soft: #efb380;
  --ok: #136c3f; --ok-back: #e0f3e8; --warn: #7d4a00; --warn-back: #fdf0d9;
  --broken: #9b1c1c; --broken-back: #fde7e7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10141a; --card: #1a2029; --ink: #e7ecf2; --soft: #aab5c3; --line: #343e4b; --track: #2a323d;
    --accent: #85c1f5; --good: #57a5e6; --good-soft: #2d5f8a; --bad: #ee944a; --bad-soft: #85502a;
    --ok: #86dcae; --ok-back: #14362a; --warn: #f5c97b; --warn-back: #3c2d10;
    --broken: #ffaaaa; --broken-back: #451d1d;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header, main, footer, nav { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.25rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .35rem; letter-spacing: -.015em; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 0 0 .75rem; }
h3 { font-size: 1.02rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 .75rem; max-width: 46rem; }
.lead, .soft { color: var(--soft); }
.lead { font-size: 1.06rem; }
a { color: var(--accent); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .4rem .8rem; z-index: 1; }
nav ul {
  list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem;
  padding: .6rem 0; margin: 1rem 0 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line);
}
nav a { text-decoration: none; font-size: .94rem; display: inline-block; padding: .15rem 0; }
nav a:hover { text-decoration: underline; }
section, .tiles > div { background: var(--card); border: 1px solid var(--line); border-radius: .7rem; }
section { padding: 1.4rem 1.5rem 1.2rem; margin: 1.25rem 0; }
section > :last-child { margin-bottom: 0; }
.tiles { display: grid; grid-template-columns: repeat(3, 1fr); gap: .8rem; margin: 1.25rem 0; }
.tiles > div { padding: .85rem 1rem; display: flex; flex-direction: column; }
.tiles > :last-child { grid-column: span 2; }
.tiles dt { font-size: .88rem; color: var(--soft); }
.tiles dd { margin: 0; }
.tiles .big { font-size: 1.55rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; }
.tiles .more { font-size: .88rem; color: var(--soft); }
.tiles .proved { background: var(--ok-back); } .tiles .proved .big { color: var(--ok); }
.tiles .open { background: var(--warn-back); } .tiles .open .big { color: var(--warn); }
.tiles .broken { background: var(--broken-back); } .tiles .broken .big { color: var(--broken); }
.tiles .proved dt, .tiles .open dt, .tiles .broken dt,
.tiles .proved .more, .tiles .open .more, .tiles .broken .more { color: var(--ink); }
.rules { list-style: none; margin: .6rem 0; padding: 0; }
.rules > li {
  display: grid; grid-template-columns: 2.1rem 1fr; gap: .7rem; align-items: start;
  padding: .6rem 0; border-top: 1px solid var(--line);
}
.rules > li:last-child { border-bottom: 1px solid var(--line); }
.number {
  display: inline-block; min-width: 1.75rem; height: 1.75rem; border-radius: 1rem; text-align: center;
  line-height: 1.75rem; font-size: .9rem; font-weight: 650; background: var(--accent); color: var(--card);
  padding: 0 .3rem; justify-self: start;
}
.and { color: var(--soft); font-size: .9rem; padding: 0 .2rem; }
.say { font-weight: 650; }
.otherwise { margin-top: .8rem; }
pre {
  background: var(--page); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem;
  font-size: .86rem; line-height: 1.5; white-space: pre-wrap; margin: .5rem 0 0;
}
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.note { border-left: 4px solid var(--warn); background: var(--warn-back); padding: .6rem .9rem; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .9rem; padding: 0 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .38rem .6rem; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; font-size: .86rem; overflow-wrap: break-word; }
tbody th { font-weight: 600; }
.n { text-align: right; white-space: nowrap; }
thead .n { white-space: normal; vertical-align: bottom; }
.scroll {
  overflow: auto; margin: 0 0 .75rem; overflow-wrap: break-word;
  background: linear-gradient(to right, var(--card), transparent) 0 0 / 2rem 100% local,
    linear-gradient(to left, var(--card), transparent) 100% 0 / 2rem 100% local,
    linear-gradient(to right, var(--line), transparent) 0 0 / .6rem 100% scroll,
    linear-gradient(to left, var(--line), transparent) 100% 0 / .6rem 100% scroll;
  background-repeat: no-repeat;
}
.over { text-align: center; border-left: 1rem solid transparent; }
.paired tr > :nth-child(even) { padding-left: 1.6rem; }
.rates small { display: block; color: var(--soft); }
.tall { max-height: 34rem; }
.tall thead th { position: sticky; top: 0; background: var(--card); }
.facts th { width: 38%; color: var(--soft); font-weight: 500; }
figure { margin: 0; break-inside: avoid; }
.bar-figure { margin-bottom: .75rem; }
svg { display: block; overflow: visible; }
svg text { fill: var(--ink); font-size: .82rem; }
svg .strong { font-weight: 650; font-size: .88rem; }
svg.bar { width: 100%; height: 1.35rem; border-radius: .25rem; overflow: hidden; }
svg.line { width: 100%; height: 74px; margin: .4rem 0 1rem; }
svg.chart { width: 100%; height: 250px; }
.chart-figure { padding: 2.2rem 1.4rem 3.6rem 3.6rem; }
.track { fill: var(--track); }
.found { fill: var(--good); } .found-too { fill: var(--good-soft); }
.alarms { fill: var(--bad); } .alarms-too { fill: var(--bad-soft); }
.missed { fill: var(--bad-soft); } .spared { fill: var(--good-soft); }
.excluded { fill: var(--good-soft); } .unknown { fill: var(--bad-soft); }
.score { stroke: var(--ink); stroke-width: 3px; }
.grid { stroke: var(--line); stroke-width: 1px; }
svg .name { fill: var(--soft); }
.curve { stroke-width: 2.5px; stroke-linecap: round; }
.curve.incumbent { stroke: var(--bad); } .dot.incumbent { fill: var(--bad); }
.curve.bound { stroke: var(--good); stroke-dasharray: 7 5; } .dot.bound { fill: var(--good); }
.dot { stroke: var(--card); stroke-width: 1.5px; }
.dot.path { fill: var(--good); } .dot.held-out { fill: var(--good-soft); } .dot.here { fill: var(--bad); }
.key { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; padding: 0; }
.key { margin: .6rem 0 .9rem; font-size: .9rem; }
.key svg { display: inline-block; width: .95rem; height: .95rem; margin-right: .4rem; }
.key svg { vertical-align: -.12rem; }
.deeds { list-style: none; padding: 0; margin: 0; }
.deeds > li { padding: .75rem 0; border-top: 1px solid var(--line); }
.deeds .head { display: flex; gap: .6rem; align-items: baseline; margin: 0 0 .35rem; max-width: none; }
.deeds .head .number { flex: none; }
.deeds .bar-figure { margin: 0; }
.deeds .does + .bar-figure { margin-top: .8rem; }
.deeds .does { margin: .35rem 0 0; font-size: .93rem; color: var(--soft); max-width: none; }
.deeds b { color: var(--ink); }
.matrices { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem 1.4rem; }
.matrix td { text-align: right; --tint: var(--good-soft); background: var(--card); }
.matrix td.wrong { --tint: var(--bad-soft); }
.matrix td { background: color-mix(in srgb, var(--tint) calc(var(--share) * 85%), var(--card)); }
.matrices.lone { grid-template-columns: minmax(0, 40rem); font-size: 1.05rem; }
.matrices.pairs { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.matrix small { color: var(--ink); font-size: .82em; display: block; }
footer { color: var(--soft); font-size: .88rem; padding-bottom: 2.5rem; }
.short section { padding: .9rem 1.2rem .8rem; margin: .9rem 0; }
.short th, .short td { padding: .2rem .6rem; }
.short .rules > li { padding: .3rem 0; }
.short .matrices { margin-bottom: .75rem; }
.short .rates small { display: inline; margin-left: .5rem; }
@media screen and (max-width: 46rem) {
  header, main, footer, nav { padding-left: .8rem; padding-right: .8rem; }
  header { padding-top: 1.3rem; }
  h1 { font-size: 1.5rem; }
  section { padding: 1.1rem .95rem .9rem; border-radius: .5rem; }
  .tiles { grid-template-columns: repeat(2, 1fr); gap: .6rem; }
  .tiles .big { font-size: 1.25rem; }
  .matrices.pairs { grid-template-columns: minmax(0, 1fr); }
  .rules > li { gap: .4rem; }
  th, td { padding: .35rem .4rem; }
  .facts th { width: 45%; }
  .stack thead { display: none; }
  .stack tr, .stack td, .stack tbody th { display: block; }
  .stack tr { border-bottom: 1px solid var(--line); padding: .45rem 0; }
  .stack td, .stack tbody th { border: 0; padding: .1rem 0; }
  .rates .n { text-align: left; }
  .rates small { display: inline; margin-left: .5rem; }
  .stack [data-name]::before { content: attr(data-name); color: var(--soft); font-weight: 400; }
}
@media print {
  :root {
    color-scheme: light;
    --page: #ffffff; --card: #ffffff; --ink: #000000; --soft: #3d4650; --line: #b9c1cb; --track: #e8ecf1;
    --accent: #0a4a80; --good: #1c6fb0; --good-soft: #93c1e6; --bad: #b94e06; --bad-soft: #efb380;
    --ok: #0e5a34; --ok-back: #e9f6ee; --warn: #6b4000; --warn-back: #fdf3e0;
    --broken: #8a1616; --broken-back: #fdecec;
  }
  @page { margin: 16mm 14mm; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  html { font-size: 9pt; }
  header, main, footer, nav { max-width: none; padding-left: 0; padding-right: 0; }
  header { padding-top: 0; }
  nav, .skip { display: none; }
  section { border: 0; border-radius: 0; padding: .6rem 0 0; margin: .9rem 0; }
  section { border-top: 1px solid var(--line); }
  h2, h3, caption, h2 + p { break-after: avoid; }
  tr, .rules > li, .deeds > li, .matrices > div, svg, .tiles > div { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll, .tall { max-height: none; overflow: visible; overflow-wrap: anywhere; background: none; }
}
@media print {
  @page short { margin: 12mm 14mm; }
  .short { page: short; font-size: 8pt; line-height: 1.4; }
  .short header h1 { font-size: 14pt; }
  .short .lead { font-size: 8.5pt; margin: 0; }
  .short .tiles { grid-template-columns: repeat(5, 1fr); gap: 2mm; margin: 2mm 0; }
  .short .tiles > div { padding: 1.5mm 2mm; }
  .short .tiles > :last-child { grid-column: auto; }
  .short .tiles .big { font-size: 11pt; }
  .short .tiles dt, .short .tiles .more, .short table { font-size: 7.5pt; }
  .short section { padding: 1.5mm 0 0; margin: 2mm 0 0; }
  .short h2 { font-size: 10.5pt; margin-bottom: 1mm; }
  .short p { margin-bottom: 1mm; max-width: none; }
  .short .rules > li { padding: .7mm 0; }
  .short .number { min-width: 4.2mm; height: 4.2mm; line-height: 4.2mm; font-size: 7.5pt; }
  .short th, .short td { padding: .45mm 2mm; }
  .short caption { font-size: 7.5pt; padding: 0; }
  .short .scroll, .short .matrices { margin-bottom: 1.5mm; }
  .short .otherwise { margin-top: 1mm; }
  .short footer { padding: 0; font-size: 7pt; }
}
@media (prefers-contrast: more) { :root { --soft: var(--ink); --line: currentColor; } }
""".strip()
