/** Draws the branch graph's rows and edges, with keyboard navigation. */
import { elementAt } from '../../../core/format/values/lookups';
import type { BranchRow } from '../../shared/protocol';
import { h, svg } from '../ui/dom';
import { icon } from '../ui/icons';
import { entryMenuContext } from '../shell/entryMenu';
import { layOutGraph, type RowLayout } from './graphLayout';
import { ago, timeElement } from '../ui/timeElement';

/** The number of lane colors, which repeat. */
const COLOURS = 5;

interface BranchGraphOptions {
  readonly go: (row: BranchRow) => void;
  /** Called when the pointer or the focus comes to a row, and with `undefined` when it leaves. */
  readonly rest: (row: BranchRow | undefined) => void;
}

/** Redraws the graph. A focused row keeps the focus. */
export function drawBranchGraph(graph: HTMLElement, rows: readonly BranchRow[], options: BranchGraphOptions): void {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && graph.contains(active) ? active.dataset['row'] : undefined;
  const { rows: layouts, height } = layOutGraph(rows);
  graph.style.height = `${String(height)}px`;
  const items = rows.map((row, index) => drawRow(row, elementAt(layouts, index), options));
  graph.replaceChildren(drawLines(rows, layouts, height), ...items);
  const at = items.findIndex((item) => item.dataset['row'] === focused);
  const current = rows.findIndex((row) => row.isCurrent);
  const first = items[at >= 0 ? at : Math.max(0, current)];
  if (first) first.tabIndex = 0;
  if (at >= 0) first?.focus({ preventScroll: true });
  graph.onkeydown = (event) => moveFocus(event, rows, items);
}

/** Returns the row of the entry that the view shows. */
export function currentRow(graph: HTMLElement): HTMLElement | null {
  return graph.querySelector<HTMLElement>('.branch-row.is-current');
}

/** Returns the accessible name: the row's name, and on tips its summary and age. */
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
      'data-vscode-context': row.kind === 'more' ? undefined : entryMenuContext(row.id, { isLabeled: row.label !== undefined }),
      'data-row': `${row.kind === 'more' ? 'more ' : ''}${row.id}`,
      onclick: go,
      onpointerenter: () => options.rest(row),
      onpointerleave: () => options.rest(undefined),
      onfocus: () => options.rest(row),
      onblur: () => options.rest(undefined),
    },
    h(
      'span',
      { class: 'branch-text', dir: 'auto' },
      ...(row.filesHere === undefined ? [] : [h('span', { class: 'files-here' }, icon('file'), row.filesHere), ' ']),
      ...(row.label === undefined ? [] : [h('span', { class: 'label', dir: 'auto' }, row.label), ' ']),
      row.text,
    ),
    ...(row.summary === undefined ? [] : [' ', h('span', { class: 'branch-summary' }, row.summary, ...(time ? [' · ', time] : []))]),
  );
  // Positions are set as style properties, because the content security policy blocks style attributes.
  Object.assign(item.style, { top: `${String(top)}px`, height: `${String(height)}px`, paddingInlineStart: `${String(x + 13)}px` });
  item.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    go();
  });
  return item;
}

/** Handles arrow keys: up and down by row, left to the parent row, right to the first child, Home and End. */
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
  ArrowLeft: (at, rows) => elementAt(rows, at).parentRow ?? at,
  ArrowRight: (at, rows) => {
    const below = rows.findIndex((row) => row.parentRow === at);
    return below < 0 ? at : below;
  },
  Home: () => 0,
  End: (_, rows) => rows.length - 1,
};

function drawLines(rows: readonly BranchRow[], layouts: readonly RowLayout[], height: number): SVGSVGElement {
  const edges = rows.flatMap((row, index) => {
    const { edge, stem } = elementAt(layouts, index);
    if (edge === undefined || row.parentRow === undefined) return [];
    const above = elementAt(rows, row.parentRow);
    const stems =
      row.isOnCurrentPath && stem !== undefined ? [svg('path', { class: `edge ${laneClass(above)} is-on-current-path`, d: stem })] : [];
    return [
      ...stems,
      svg('path', {
        class: `edge ${laneClass(row)}${row.isOnCurrentPath ? ' is-on-current-path' : ''}${row.kind === 'more' ? ' is-more' : ''}`,
        d: edge,
      }),
    ];
  });
  const nodes = rows.map((row, index) => drawNode(row, elementAt(layouts, index)));
  const counts = rows.flatMap((row, index) => {
    const { x, countY } = elementAt(layouts, index);
    return row.messagesBetween === 0 || row.parentRow === undefined
      ? []
      : [svg('text', { class: 'edge-count', x: x + 7, y: countY + 1 }, String(row.messagesBetween))];
  });
  // Draws the edges of the current path above the others.
  edges.sort((a, b) => Number(a.classList.contains('is-on-current-path')) - Number(b.classList.contains('is-on-current-path')));
  return svg(
    'svg',
    { class: 'branches-lines', width: '100%', height, 'aria-hidden': 'true', focusable: 'false' },
    ...edges,
    ...counts,
    ...nodes,
  );
}

const laneClass = (row: BranchRow): string =>
  row.kind === 'more' ? 'lane-more' : row.isActive && row.lane === 0 ? 'lane-active' : `lane-${String(row.lane % COLOURS)}`;

/**
 * Draws a node: a dot for a fork, a ring for a tip, a disc for the leaf, a rounded square for a compaction, a diamond
 * for a label.
 */
function drawNode(row: BranchRow, { x, y }: RowLayout): SVGElement {
  const shape = ((): SVGElement => {
    switch (row.kind) {
      case 'leaf':
        return svg('circle', { cx: x, cy: y, r: 5 });
      case 'tip':
        return svg('circle', { cx: x, cy: y, r: 4 });
      case 'compaction':
        return svg('rect', { x: x - 4.5, y: y - 3.5, width: 9, height: 7, rx: 1.5 });
      case 'label':
        return svg('path', { d: `M${String(x)} ${String(y - 5)}l5 5-5 5-5-5z` });
      case 'more':
        return svg('g', {}, ...[-4, 0, 4].map((dx) => svg('circle', { cx: x + dx, cy: y, r: 1.2 })));
      default:
        return svg('circle', { cx: x, cy: y, r: 3.5 });
    }
  })();
  shape.setAttribute('class', `node is-${row.kind} ${laneClass(row)}`);
  return row.isCurrent ? svg('g', {}, shape, svg('circle', { class: 'current-ring', cx: x, cy: y, r: 8 })) : shape;
}
