/** Draws the rows and lines of the picture, and walks them by keys. */
import type { BranchRow } from '../../shared/protocol';
import { h } from '../ui/dom';
import { entryMenuContext } from '../shell/entryMenu';
import { layOutGraph, type RowLayout } from './graphLayout';
import { ago, timeElement } from '../ui/timeElement';

/** Colours of lanes, which come again. */
const COLOURS = 5;
const SVG = 'http://www.w3.org/2000/svg';

export interface BranchGraphOptions {
  readonly go: (row: BranchRow) => void;
}

/** Draws anew; who stood on a row stays on it. */
export function drawBranchGraph(graph: HTMLElement, rows: readonly BranchRow[], options: BranchGraphOptions): void {
  const focused = graph.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset['row'] : undefined;
  const { rows: layouts, height } = layOutGraph(rows);
  graph.style.height = `${String(height)}px`;
  const items = rows.map((row, index) => drawRow(row, layouts[index]!, options));
  graph.replaceChildren(drawLines(rows, layouts, height), ...items);
  const at = items.findIndex((item) => item.dataset['row'] === focused);
  const current = rows.findIndex((row) => row.isCurrent);
  const first = items[at >= 0 ? at : Math.max(0, current)];
  if (first) first.tabIndex = 0;
  if (at >= 0) first?.focus({ preventScroll: true });
  graph.onkeydown = (event) => moveFocus(event, rows, items);
}

/** The row that the view stands at. */
export function currentRow(graph: HTMLElement): HTMLElement | null {
  return graph.querySelector<HTMLElement>('.branch-row.is-current');
}

/** What a row is, and all that stands in it: who speaks to the page says what they see. */
function nameOf({ name, summary }: BranchRow, age: string | null | undefined): string {
  return summary === undefined ? name : `${name} ${age ? `${summary} · ${age}` : summary}`;
}

function drawRow(row: BranchRow, { top, height, x }: RowLayout, options: BranchGraphOptions): HTMLElement {
  const time = timeElement(row.time);
  const details = [row.details, ...(time ? [ago(row.time, Date.now())] : [])].filter((line) => line !== '').join('\n');
  const go = (): void => options.go(row);
  const item = h(
    'div',
    {
      class: `branch-row is-${row.kind}${row.isCurrent ? ' is-current' : ''}${row.isActive ? ' is-active' : ''}`,
      role: 'treeitem',
      tabindex: -1,
      title: details,
      'aria-label': nameOf(row, time?.textContent),
      'aria-description': details.replaceAll('\n', ', '),
      'aria-level': row.lane + 1,
      'aria-current': row.isCurrent ? 'location' : undefined,
      'aria-expanded': row.kind === 'more' ? 'false' : undefined,
      'data-vscode-context': row.kind === 'more' ? undefined : entryMenuContext(row.id, { hasText: false, isLabeled: row.label !== undefined }),
      'data-row': `${row.kind === 'more' ? 'more ' : ''}${row.id}`,
      onclick: go,
    },
    h('span', { class: 'branch-text', dir: 'auto' }, ...(row.label === undefined ? [] : [h('span', { class: 'label', dir: 'auto' }, row.label), ' ']), row.text),
    ...(row.summary === undefined ? [] : [' ', h('span', { class: 'branch-summary' }, row.summary, ...(time ? [' · ', time] : []))]),
  );
  // Places come as properties: the page's policy allows no style in attributes.
  Object.assign(item.style, { top: `${String(top)}px`, height: `${String(height)}px`, paddingInlineStart: `${String(x + 13)}px` });
  item.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    go();
  });
  return item;
}

/** Up and down by rows, left to where a row comes from, right to what comes from it, home and end. */
function moveFocus(event: KeyboardEvent, rows: readonly BranchRow[], items: readonly HTMLElement[]): void {
  const at = items.findIndex((item) => item === document.activeElement);
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = STEPS[event.key]?.(at, rows);
  if (to === undefined) return;
  event.preventDefault();
  const next = items[to];
  if (!next || to === at) return;
  for (const item of items) item.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

const STEPS: Readonly<Record<string, (at: number, rows: readonly BranchRow[]) => number | undefined>> = {
  ArrowDown: (at, rows) => Math.min(at + 1, rows.length - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  ArrowLeft: (at, rows) => rows[at]!.parentRow ?? at,
  ArrowRight: (at, rows) => {
    const below = rows.findIndex((row) => row.parentRow === at);
    return below < 0 ? at : below;
  },
  Home: () => 0,
  End: (_, rows) => rows.length - 1,
};

function drawLines(rows: readonly BranchRow[], layouts: readonly RowLayout[], height: number): SVGSVGElement {
  const edges = rows.flatMap((row, index) => {
    const { edge, stem } = layouts[index]!;
    if (edge === undefined) return [];
    const above = rows[row.parentRow!]!;
    const stems = row.isOnCurrentPath && stem !== undefined ? [svgElement('path', { class: `edge ${laneClass(above)} is-on-current-path`, d: stem })] : [];
    return [...stems, svgElement('path', { class: `edge ${laneClass(row)}${row.isOnCurrentPath ? ' is-on-current-path' : ''}${row.kind === 'more' ? ' is-more' : ''}`, d: edge })];
  });
  const nodes = rows.map((row, index) => drawNode(row, layouts[index]!));
  const counts = rows.flatMap((row, index) => {
    const { x, countY } = layouts[index]!;
    return row.messagesBetween === 0 || row.parentRow === undefined ? [] : [svgElement('text', { class: 'edge-count', x: x + 7, y: countY + 1 }, String(row.messagesBetween))];
  });
  // What is on the way lies above the rest.
  edges.sort((a, b) => Number(a.classList.contains('is-on-current-path')) - Number(b.classList.contains('is-on-current-path')));
  return svgElement('svg', { class: 'branches-lines', width: '100%', height, 'aria-hidden': 'true', focusable: 'false' }, ...edges, ...counts, ...nodes);
}

const laneClass = (row: BranchRow): string => row.kind === 'more' ? 'lane-more' : (row.isActive && row.lane === 0 ? 'lane-active' : `lane-${String(row.lane % COLOURS)}`);

/** A dot for a fork, a ring for a tip, a disc for the leaf, a square for a compaction, a tag's diamond for a label. */
function drawNode(row: BranchRow, { x, y }: RowLayout): SVGElement {
  const shape = ((): SVGElement => {
    switch (row.kind) {
      case 'leaf':
        return svgElement('circle', { cx: x, cy: y, r: 5 });
      case 'tip':
        return svgElement('circle', { cx: x, cy: y, r: 4 });
      case 'compaction':
        return svgElement('rect', { x: x - 4.5, y: y - 3.5, width: 9, height: 7, rx: 1.5 });
      case 'label':
        return svgElement('path', { d: `M${String(x)} ${String(y - 5)}l5 5-5 5-5-5z` });
      case 'more':
        return svgElement('g', {}, ...[-4, 0, 4].map((dx) => svgElement('circle', { cx: x + dx, cy: y, r: 1.2 })));
      default:
        return svgElement('circle', { cx: x, cy: y, r: 3.5 });
    }
  })();
  shape.setAttribute('class', `node is-${row.kind} ${laneClass(row)}`);
  return row.isCurrent ? svgElement('g', {}, shape, svgElement('circle', { class: 'current-ring', cx: x, cy: y, r: 8 })) : shape;
}

function svgElement<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Readonly<Record<string, string | number>>, ...children: readonly (Node | string)[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
