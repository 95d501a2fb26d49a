/** The frame of the page about usage: its style, its script, and the choice of the days. The host sends the rest as HTML. */
import * as vscode from 'vscode';
import { escapeHtml, htmlFrame, policyHash, USAGE_RANGES, type UsageRangeName } from '../../core/index';

const { t } = vscode.l10n;

const STYLE = `body{padding:0 20px 20px;color:var(--vscode-editor-foreground);background:var(--vscode-editor-background);font:var(--vscode-font-size)/1.5 var(--vscode-font-family)}
table{width:100%;max-width:75em;border-collapse:collapse;font-variant-numeric:tabular-nums}
table:has(th:nth-child(8)){max-width:100em}
th,td{padding:3px 12px;border-bottom:1px solid var(--vscode-contrastBorder,color-mix(in srgb,currentColor 15%,transparent));text-align:end;white-space:nowrap}
thead th{white-space:normal;word-break:keep-all;vertical-align:bottom;width:5em}
thead th:has(svg){white-space:nowrap}
th:first-child{text-align:start;white-space:normal;overflow-wrap:anywhere;min-width:18em;width:auto}
tbody th{font-weight:inherit}
[data-type]{cursor:pointer}
tr[data-type]:hover{background:var(--vscode-list-hoverBackground)}
button{font:inherit;color:var(--vscode-textLink-foreground);background:none;border:0;padding:0;cursor:pointer;text-decoration:underline}
:focus-visible{outline:1px solid var(--vscode-focusBorder);outline-offset:2px}
h2:focus{outline:none}
select,input{font:inherit;color:var(--vscode-settings-dropdownForeground);background:var(--vscode-settings-dropdownBackground);border:1px solid var(--vscode-settings-dropdownBorder,currentColor);padding:2px 4px;color-scheme:light dark}
.vscode-dark input,.vscode-high-contrast:not(.vscode-high-contrast-light) input{color-scheme:dark}
.vscode-light input,.vscode-high-contrast-light input{color-scheme:light}
.range,.legend{display:flex;flex-wrap:wrap;gap:4px 16px}
.wide{overflow-x:auto}
svg{vertical-align:middle;fill:var(--vscode-charts-blue,currentColor);stroke:var(--vscode-contrastBorder,none)}
svg .before{fill:none;stroke:currentColor}
.days{max-width:640px;margin:8px 0;font-size:.85em}
.days svg{display:block;width:100%;stroke:none}
.days div{display:flex;justify-content:space-between}
.tight,.plain{th,td{padding:3px 8px}th:first-child{min-width:10em}}
.plain{.wide svg,.legend{display:none}}
.narrow{
table,tbody{display:block}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tbody tr{display:grid;grid:auto-flow dense/repeat(auto-fill,minmax(min(13em,100%),1fr));gap:0 16px;padding:4px 0;border-bottom:1px solid var(--vscode-contrastBorder,color-mix(in srgb,currentColor 15%,transparent))}
tbody th,td{padding:0;border:0}
tbody th{grid-column:1/-1;min-width:0;font-weight:bold}
td{display:flex;flex-wrap:wrap;align-items:center;column-gap:6px;justify-content:end}
td::before{content:attr(data-column) / '';margin-inline-end:auto;color:var(--vscode-descriptionForeground)}
td:has(svg){grid-column:1/-1}
}`;

/**
 * Sends choices, and shows the HTML that comes back, in which all text is escaped; the policy lets no script in it run. Going into
 * something moves the focus to its heading, and going back to where it was.
 */
const SCRIPT = `const editor = acquireVsCodeApi();
const main = document.querySelector('main');
const [range, from, to] = document.querySelectorAll('.range > label > *');
const left = [];
const targets = () => [...main.querySelectorAll('button')];
// Takes the first form in which all tables fit: with room, with less of it, without bars, or with the numbers of a row below its name.
// The first forms are shorter, which would move a page that was scrolled.
const fit = () => {
  const top = scrollY;
  ['', 'tight', 'plain', 'narrow'].some((form) => {
    main.className = form;
    return [...main.querySelectorAll('.wide')].every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
  });
  scrollTo(0, top);
};
addEventListener('resize', fit);
const sendRange = () => editor.postMessage({ type: 'range', name: range.value, from: from.value, to: to.value });
range.onchange = sendRange;
from.onchange = to.onchange = () => { range.value = 'custom'; sendRange(); };
main.onclick = ({ target }) => {
  const at = target.closest('[data-type]');
  if (!at || getSelection().toString() !== '') return;
  const { type } = at.dataset;
  if (type === 'group' || type === 'session') left.push(targets().indexOf(at.querySelector('button')));
  editor.postMessage({ ...at.dataset });
};
addEventListener('message', ({ data }) => {
  const place = targets().indexOf(document.activeElement);
  main.innerHTML = data.html;
  fit();
  [range.value, from.value, to.value] = [data.name, data.from, data.to];
  if (data.step === 'into') main.querySelector('h2')?.focus();
  else targets()[data.step === 'back' ? left.pop() : place]?.focus({ preventScroll: data.step === undefined });
});
editor.postMessage({ type: 'ready' });`;

const POLICY = `default-src 'none'; style-src ${policyHash(STYLE)}; script-src ${policyHash(SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** The content of the page, and the choice of its days. */
export interface UsageContent {
  readonly html: string;
  readonly name: UsageRangeName;
  /** Days; empty if the range is open. */
  readonly from: string;
  readonly to: string;
  /** Set if the page goes into something, or back. */
  readonly step?: 'into' | 'back';
}

export const rangeName = (name: UsageRangeName): string => RANGES[name]();

const RANGES: Readonly<Record<UsageRangeName, () => string>> = {
  today: () => t('Today'),
  week: () => t('This Week'),
  month: () => t('This Month'),
  lastMonth: () => t('Last Month'),
  '30days': () => t('Last 30 Days'),
  all: () => t('All Days'),
  custom: () => t('These Dates'),
};

export function usageFrame(title: string): string {
  const options = USAGE_RANGES.map((name) => `<option value="${name}">${escapeHtml(rangeName(name))}</option>`).join('');
  const date = (label: string): string => `<label>${escapeHtml(label)} <input type="date"></label>`;
  const head = htmlFrame({ title, language: vscode.env.language, policy: POLICY, elements: [`<style>${STYLE}</style>`] });
  return `${head}<body>
<header>
<h1>${escapeHtml(title)}</h1>
<div class="range"><label>${escapeHtml(t('Days'))} <select>${options}</select></label> ${date(t('From'))} ${date(t('To'))}</div>
</header>
<main></main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
