/**
 * The picture of the session's branches beside the text: a graph in SVG, and over it its rows, which can be
 * walked by keys as a tree. In a narrow panel it is a button until somebody opens it.
 */
import type { BranchGraph } from '../../shared/protocol';
import { h, formatNumber } from '../ui/dom';
import { icon } from '../ui/icons';
import type { PagePart } from '../shell/pagePart';
import { drawBranchGraph, currentRow } from './branchGraphView';
import type { PageContext } from '../shell/pageContext';
import { refreshTimes } from '../ui/timeElement';

const NARROW = '(max-width: 720px)';
const KEY = 'branches';

export function branchesPart(room: PageContext): PagePart {
  const { strings, state: kept, send } = room;
  const narrow = window.matchMedia(NARROW);
  const before = restoreState(kept.restored(KEY));
  const open = { wide: before.wide, narrow: before.narrow };
  let unfolded = new Set(before.unfolded);
  const last = kept.restored('path');
  let path = typeof last === 'string' ? last : '';
  /** The row that the view stands at. */
  let here: string | undefined;
  kept.register(KEY, () => ({ ...open, unfolded: [...unfolded] }));

  const count = h('span', { class: 'branches-count' });
  const toggle = h('button', { class: 'branches-toggle', type: 'button', 'aria-controls': 'branches-tree' }, icon('branch'), h('span', { class: 'branches-title' }, strings.branches), count, icon('chevron'));
  const graph = h('div', { class: 'branches-graph', id: 'branches-tree', role: 'tree', 'aria-label': strings.branches });
  const body = h('div', { class: 'branches-body' }, graph);
  const element = h('nav', { class: 'branches', 'aria-label': strings.branches, hidden: true }, toggle, body);

  const isOpen = (): boolean => (narrow.matches ? open.narrow : open.wide);
  const set = (shown: boolean): void => {
    if (narrow.matches) open.narrow = shown;
    else open.wide = shown;
    kept.scheduleSave();
    layOut();
    seek();
  };
  const layOut = (): void => {
    const shown = isOpen();
    element.classList.toggle('is-open', shown);
    body.hidden = !shown;
    toggle.setAttribute('aria-expanded', String(shown));
    toggle.title = shown ? strings.hideBranches : strings.showBranches;
  };

  /** Brings the place into sight. Who has scrolled elsewhere stays there while the session grows. */
  const seek = (): void => {
    if (isOpen()) currentRow(graph)?.scrollIntoView({ block: 'nearest' });
  };

  /** Goes to what a row stands for: reads on in the text where it is on the way, else there. */
  const go = (row: BranchGraph['rows'][number]): void => {
    if (row.startIds) {
      for (const start of row.startIds) unfolded.add(start);
      kept.scheduleSave();
      send({ type: KEY, unfolded: [...unfolded] });
      return;
    }
    if (row.kind === 'leaf') send({ type: 'act', action: 'leaf' });
    else if (row.isOnCurrentPath && !row.isCurrent) send({ type: 'go', entryId: row.id });
    else send({ type: 'act', action: 'contextHere', entryId: row.id });
    if (narrow.matches) close();
  };

  const close = (): void => {
    const had = body.contains(document.activeElement);
    set(false);
    if (had) toggle.focus();
  };

  refreshTimes(graph);
  toggle.addEventListener('click', () => set(!isOpen()));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !narrow.matches || !isOpen()) return;
    event.preventDefault();
    close();
  });
  narrow.addEventListener('change', () => {
    layOut();
    seek();
  });

  const begin = (now: string): void => {
    if (now !== path) unfolded = new Set();
    path = now;
    if (unfolded.size > 0) send({ type: KEY, unfolded: [...unfolded] });
  };

  return {
    element,
    receive: {
      open: ({ head }) => begin(head.path),
      branches: ({ picture }) => {
        // Of a session without a fork, a label or a compaction there is nothing to see.
        element.hidden = picture.rows.length < 3;
        count.textContent = formatNumber(picture.branchCount);
        drawBranchGraph(graph, picture.rows, { go });
        layOut();
        const now = picture.rows.find((row) => row.isCurrent)?.id;
        if (now !== here) seek();
        here = now;
      },
    },
  };
}

interface BranchesState {
  readonly wide: boolean;
  readonly narrow: boolean;
  readonly unfolded: readonly string[];
}

function restoreState(value: unknown): BranchesState {
  const { wide, narrow, unfolded } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const starts = Array.isArray(unfolded) ? unfolded.filter((start) => typeof start === 'string') : [];
  return { wide: wide !== false, narrow: narrow === true, unfolded: starts };
}
