/**
 * The branch graph next to the messages: an SVG, and over it rows that form a tree for keyboard and screen readers. In
 * a narrow panel, and for a session with one branch, it is collapsed to a button.
 */
import { formatNumber } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import { defined } from '../../../core/format/values/defined';
import { isArray, isObject } from '../../../core/format/values/jsonValues';
import type { BranchGraph } from '../../shared/protocol';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { PagePart } from '../shell/pagePart';
import { drawBranchGraph, currentRow } from './branchGraphView';
import type { PageContext } from '../shell/pageContext';
import { refreshTimes } from '../ui/timeElement';
import { changesRequest } from './changesRequest';

const NARROW = '(max-width: 720px)';
const KEY = 'branches';

export function branchesPart(context: PageContext): PagePart {
  const { state, send } = context;
  const narrow = window.matchMedia(NARROW);
  const restored = restoreState(state.restored(KEY));
  const open = { wide: restored.wide, narrow: restored.narrow };
  let unfolded = new Set(restored.unfolded);
  const restoredPath = state.restored('path');
  let path = typeof restoredPath === 'string' ? restoredPath : '';
  /** The row of the entry that the view shows. */
  let currentId: string | undefined;
  state.register(KEY, () => ({ ...open, unfolded: [...unfolded] }));

  const count = h('span', { class: 'branches-count' });
  const toggle = h(
    'button',
    { class: 'branches-toggle', type: 'button', 'aria-controls': 'branches-tree' },
    icon('branch'),
    h('span', { class: 'branches-title' }, t('Branches')),
    count,
    icon('chevron'),
  );
  const tree = h('div', { class: 'branches-graph', id: 'branches-tree', role: 'tree', 'aria-label': t('Branches') });
  const body = h('div', { class: 'branches-body' }, tree);
  const note = h('p', { class: 'branches-note', role: 'status', dir: 'auto', hidden: true });
  const element = h('nav', { class: 'branches', 'aria-label': t('Branches'), hidden: true }, toggle, body, note);
  const rest = changesRequest((entryId) => {
    if (entryId === undefined) note.hidden = true;
    send({ type: 'wantChanges', ...defined({ entryId }) });
  });

  let branchCount = 0;
  const isOpen = (): boolean => (narrow.matches ? open.narrow : (open.wide ?? branchCount > 1));
  const setOpen = (shown: boolean): void => {
    if (narrow.matches) open.narrow = shown;
    else open.wide = shown;
    state.scheduleSave();
    layOut();
    revealCurrent();
  };
  const layOut = (): void => {
    const shown = isOpen();
    element.classList.toggle('is-open', shown);
    body.hidden = !shown;
    toggle.setAttribute('aria-expanded', String(shown));
    toggle.title = shown ? t('Hide Branches') : t('Show Branches');
  };

  /**
   * Scrolls the current row into view. Updates call it only if that row changed, so that a growing session doesn't undo
   * the reader's scrolling.
   */
  const revealCurrent = (): void => {
    if (isOpen()) currentRow(tree)?.scrollIntoView({ block: 'nearest' });
  };

  /**
   * Unfolds hidden branches; follows the leaf; scrolls to an entry of the current path; or shows the context at an
   * entry elsewhere.
   */
  const go = (row: BranchGraph['rows'][number]): void => {
    if (row.startIds) {
      for (const start of row.startIds) unfolded.add(start);
      state.scheduleSave();
      send({ type: KEY, unfolded: [...unfolded] });
      return;
    }
    if (row.kind === 'leaf') send({ type: 'runAction', action: 'leaf' });
    else if (row.isOnCurrentPath && !row.isCurrent) send({ type: 'go', entryId: row.id });
    else send({ type: 'runAction', action: 'contextHere', entryId: row.id });
    if (narrow.matches) close();
  };

  const close = (): void => {
    const hadFocus = body.contains(document.activeElement);
    setOpen(false);
    if (hadFocus) toggle.focus();
  };

  refreshTimes(tree);
  toggle.addEventListener('click', () => setOpen(!isOpen()));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !narrow.matches || !isOpen()) return;
    event.preventDefault();
    close();
  });
  narrow.addEventListener('change', () => {
    layOut();
    revealCurrent();
  });

  const setPath = (newPath: string): void => {
    if (newPath !== path) unfolded = new Set();
    path = newPath;
    if (unfolded.size > 0) send({ type: KEY, unfolded: [...unfolded] });
  };

  return {
    element,
    receive: {
      open: ({ header }) => setPath(header.path),
      branches: ({ graph }) => {
        // A session without forks, labels and compactions has only a start and a leaf.
        element.hidden = graph.rows.length < 3;
        branchCount = graph.branchCount;
        count.textContent = formatNumber(branchCount);
        drawBranchGraph(tree, graph.rows, { go, rest: (row) => rest.to(row?.kind === 'more' ? undefined : row?.id) });
        layOut();
        const newId = graph.rows.find((row) => row.isCurrent)?.id;
        if (newId !== currentId) revealCurrent();
        currentId = newId;
      },
      changes: ({ entryId, text }) => {
        if (entryId !== rest.at()) return;
        note.textContent = text;
        note.hidden = false;
      },
    },
  };
}

interface BranchesState {
  /** Absent until the reader opens or closes it. */
  readonly wide: boolean | undefined;
  readonly narrow: boolean;
  readonly unfolded: readonly string[];
}

function restoreState(value: unknown): BranchesState {
  const { wide, narrow, unfolded } = isObject(value) ? value : {};
  const starts = isArray(unfolded) ? unfolded.filter((start) => typeof start === 'string') : [];
  return { wide: typeof wide === 'boolean' ? wide : undefined, narrow: narrow === true, unfolded: starts };
}
