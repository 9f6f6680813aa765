"""The look of the page and what makes its tables sort: no file beside it, no network."""

STYLE = """
:root { color-scheme: light dark; --page: #fdfdfc; --text: #1d2124; --faint: #6a7178;
  --line: #dcdfe2; --head: #f2f3f4; --strong: #0072b2; --other: #d55e00; --right: #009e73; }
@media (prefers-color-scheme: dark) { :root { --page: #16191c; --text: #e4e6e8; --faint: #98a0a8;
  --line: #343a40; --head: #1f2428; --strong: #56b4e9; --other: #e69f00; --right: #2fbf95; } }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 76rem; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; font-weight: 600; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; font-weight: 600; margin: 2.6rem 0 .6rem; }
h3 { font-size: 1rem; font-weight: 600; margin: 1.4rem 0 .4rem; }
p { max-width: 46rem; } .about, .note, .contents { color: var(--faint); font-size: .87rem; }
.about span { margin-right: 1.4rem; overflow-wrap: anywhere; }
.contents a { margin-right: 1.1rem; white-space: nowrap; } a { color: var(--strong); }
.wide { overflow-x: auto; max-height: 40rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .87rem; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap; }
th { position: sticky; top: 0; background: var(--head); font-weight: 600; cursor: pointer; }
th[aria-sort=ascending]::after { content: " \\2191"; }
th[aria-sort=descending]::after { content: " \\2193"; }
td.number, th.number { text-align: right; } tbody tr:hover { background: var(--head); }
summary { cursor: pointer; } summary h2 { display: inline-block; margin-bottom: .2rem; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--text); }
svg text.faint { fill: var(--faint); } svg text.inverse { fill: var(--page); }
.grid { stroke: var(--line); }
.range { stroke: var(--strong); stroke-width: 2; } .dot, .bar { fill: var(--strong); }
.line { fill: none; stroke: var(--strong); stroke-width: 2; }
.line.token { stroke: var(--other); } .dot.token { fill: var(--other); }
svg text.strict { fill: var(--strong); } svg text.token { fill: var(--other); }
.cell { stroke: var(--line); } .cell.right { fill: var(--right); }
.cell.wrong { fill: var(--other); }
@media print { :root { --page: #fff; --text: #000; --faint: #444; --line: #bbb; --head: #fff;
  --strong: #0072b2; --other: #d55e00; --right: #009e73; } body { padding: 0; max-width: none;
  font-size: 10pt; } .wide { overflow: visible; max-height: none; } .contents { display: none; }
  h2, h3, summary { break-after: avoid; } tr, svg { break-inside: avoid; } table { font-size: 8pt; }
  th { position: static; } th, td { padding: .1rem .35rem; white-space: normal; } }
"""

SCRIPT = """
for (const head of document.querySelectorAll("th")) {
  head.tabIndex = 0;
  const sort = () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const place = head.cellIndex, number = head.classList.contains("number");
    const body = head.closest("table").tBodies[0];
    const value = row => {
      const cell = row.cells[place];
      if (!number) return cell.textContent;
      return cell.dataset.value === undefined ? -Infinity : Number(cell.dataset.value);
    };
    const order = (a, b) => number ? value(a) - value(b) : value(a).localeCompare(value(b));
    body.append(...[...body.rows].sort((a, b) => up ? order(a, b) : order(b, a)));
  };
  head.addEventListener("click", sort);
  head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
}
const folds = [...document.querySelectorAll("details")];
let folded = [];
addEventListener("beforeprint", () => {
  folded = folds.filter(fold => !fold.open);
  folded.forEach(fold => { fold.open = true; });
});
addEventListener("afterprint", () => folded.forEach(fold => { fold.open = false; }));
"""
