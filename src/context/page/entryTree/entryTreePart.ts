/** The tree of all entries next to the messages: filters, search, and the way to any entry. */
import type { EntryHead } from '../../../core/format/entry/entryHead';
import { FILTER_FACTS, FILTERS, isVisible, type Filter } from '../../../core/format/session/entryFilter';
import { pathTo } from '../../../core/format/session/treeTraversal';
import type { TextSession } from '../../../core/format/session/read/textSession';
import { formatNumber } from '../../shared/formatNumbers';
import { t, translate } from '../../shared/localization';
import { oneLine } from '../../../core/format/text/oneLine';
import { plainRow, plainRowWithRole } from '../../../core/format/entry/plainRow';
import type { PageContext } from '../shell/pageContext';
import type { PagePart } from '../shell/pagePart';
import { formatMessage, h } from '../ui/dom';
import { icon, type IconName } from '../ui/icons';
import { searchEntries } from './entrySearch';
import { RowList } from './rowList';
import { treeRows, type TreeRow } from './treeRows';

/** Below this width the tree covers the messages, and closes once an entry is chosen. As in entryTree.css. */
const NARROW = '(max-width: 760px)';
const KEY = 'entryTree';
/** UTF-16 units of a row's text. */
const TEXT_LENGTH = 160;

interface EntryTreePart extends PagePart {
  /** Shows or hides the tree. */
  readonly toggle: HTMLElement;
}

/** @param pause resolves in another task */
export function entryTreePart({ send, state }: PageContext, session: TextSession, pause: () => Promise<void>): EntryTreePart {
  const { session: all } = session;
  const narrow = window.matchMedia(NARROW);
  let [filter, query]: [Filter, string] = ['default', ''];
  let matches: ReadonlySet<string> | undefined;
  let rows: readonly TreeRow[] = [];
  let path: ReadonlySet<string> = new Set();
  let currentId: string | undefined;
  let isOpen = state.restored(KEY) !== false && !narrow.matches;
  state.register(KEY, () => isOpen || narrow.matches);

  const choose = ({ head }: TreeRow): void => {
    if (narrow.matches) setOpen(false);
    send({ type: 'go', entryId: head.id });
  };
  const list = new RowList(t('Entries'), (row, index) => drawRow(row, index), choose);
  const count = h('p', { class: 'tree-count', role: 'status' });
  const search = h('input', { type: 'search', class: 'tree-search', placeholder: t('Search entries'), 'aria-label': t('Search entries') });
  const select = h(
    'select',
    { class: 'tree-filter', 'aria-label': t('Filter') },
    ...FILTERS.map((one) => h('option', { value: one }, FILTER_FACTS[one].label(translate))),
  );
  const element = h(
    'nav',
    { class: 'tree-pane', id: 'entry-tree', 'aria-label': t('Entries') },
    h('div', { class: 'tree-controls' }, search, select),
    list.element,
    count,
  );
  const toggle = h(
    'button',
    { class: 'button', type: 'button', 'data-key': KEY, 'aria-controls': 'entry-tree', title: t('Entries') },
    icon('tree'),
    h('span', { class: 'button-text' }, t('Entries')),
  );

  const setOpen = (open: boolean): void => {
    isOpen = open;
    element.hidden = !open;
    toggle.setAttribute('aria-expanded', String(open));
    state.scheduleSave();
    if (open) list.move(currentRow());
  };
  const currentRow = (): number => {
    const exact = rows.findIndex(({ head }) => head.id === currentId);
    // The last row on the path, if the filter hides the entry.
    return exact >= 0 ? exact : rows.findLastIndex(({ head }) => path.has(head.id));
  };
  const refresh = (): void => {
    rows = treeRows(all, (head) => isVisible(all, head, filter) && (matches?.has(head.id) ?? true));
    list.show(rows, currentRow());
    const [shown, total] = [rows.length, all.entries.length].map(formatNumber);
    count.textContent = formatMessage(
      t({ message: '{0} of {1} entries', comment: 'Shown entries, all entries' }),
      shown ?? '',
      total ?? '',
    );
  };

  function drawRow({ head, depth, isBranch }: TreeRow, index: number): HTMLElement {
    const label = all.labels.get(head.id);
    const kind = kindOf(head);
    const row = h(
      'div',
      {
        class: `tree-row is-${kind}${path.has(head.id) ? ' is-on-path' : ''}`,
        role: 'treeitem',
        'aria-level': depth + 1,
        'aria-posinset': index + 1,
        'aria-setsize': rows.length,
        'aria-selected': String(head.id === currentId),
        title: plainRowWithRole(head, translate, TEXT_LENGTH * 4),
      },
      icon(isBranch ? 'branch' : ICONS[kind]),
      ...(label === undefined ? [] : [h('span', { class: 'label', dir: 'auto' }, oneLine(label, 80))]),
      h('span', { class: 'tree-text', dir: 'auto' }, plainRow(head, TEXT_LENGTH)),
    );
    row.style.paddingInlineStart = `${8 + Math.min(depth, 12) * 14}px`;
    return row;
  }

  select.addEventListener('change', () => {
    filter = FILTERS.find((one) => one === select.value) ?? 'default';
    refresh();
  });
  search.addEventListener('input', () => {
    const wanted = (query = search.value.trim());
    const find = async (): Promise<void> => {
      const found = wanted === '' ? undefined : await searchEntries(session, wanted, pause, () => query === wanted);
      if (query !== wanted) return;
      matches = found;
      refresh();
    };
    void find();
  });
  toggle.addEventListener('click', () => {
    setOpen(!isOpen);
    if (isOpen) search.focus();
  });
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !narrow.matches) return;
    setOpen(false);
    toggle.focus();
  });
  narrow.addEventListener('change', () => setOpen(!narrow.matches));
  setOpen(isOpen);
  refresh();

  return {
    element,
    toggle,
    receive: {
      open: ({ header }) => {
        const end = header.entryId ?? all.leafId;
        path = new Set(pathTo(all, end).map(({ id }) => id));
        currentId = end ?? undefined;
        list.show(rows, currentRow());
      },
      go: ({ entryId }) => {
        currentId = entryId;
        list.move(currentRow());
      },
    },
  };
}

type RowKind = 'user' | 'assistant' | 'other';
const ICONS: Readonly<Record<RowKind, IconName>> = { user: 'user', assistant: 'reply', other: 'dot' };

const kindOf = ({ role }: Pick<EntryHead, 'role'>): RowKind => (role === 'user' || role === 'assistant' ? role : 'other');
