/** The children of each row. Projects and sessions come from memory; only a session's entries have to be read. */
import { keepRecent, type Filter, type Session, type PendingChange, plainRow } from '../../core/index';
import { outlineLevel, buildOutline, type Outline, type OutlineRow } from './outline';
import { updateOutline } from './updateOutline';
import type { SessionGroup, SessionItem } from '../projects/projects';
import { branchId, entryRowId, groupRow, itemRow, moreRow, sessionsBelow, type MoreRow, type SessionRow, type ViewRow } from './viewRows';
import { runCooperatively } from '../cooperativeTask';
import { INITIAL_WINDOW, windowShowing, widenWindow, applyWindow, type ListWindow } from './listWindow';

export interface LevelsSource {
  readonly groups: () => readonly SessionGroup[];
  /** @throws what reading the file throws */
  readonly session: (path: string) => Promise<Session>;
  readonly filter: () => Filter;
  /** The changes that wait until a session is free. */
  readonly pendingChanges: (path: string) => readonly PendingChange[];
}

/** The number of entries, over all sessions, whose outlines are cached; few sessions grow at a time. */
const MAX_CACHED_ENTRIES = 100_000;

/** The key of the top level's list. */
const TOP_LIST = 'projects';
const sessionsListId = (parent: string): string => `sessions ${parent}`;

/** Converts the elements of a list to rows. */
interface RowMapper<T> {
  readonly idOf: (element: T) => string;
  readonly rowOf: (element: T) => ViewRow;
}

interface WholeList {
  readonly list: string;
  readonly rows: readonly ViewRow[];
}

export class Levels {
  private readonly windows = new Map<string, ListWindow>();
  private readonly outlines = new WeakMap<Session, { readonly filter: Filter; readonly outline: Promise<Outline> }>();
  /** The latest outlines by the session's path, the least recently made first. Outlines of grown sessions are updated from these. */
  private readonly recentOutlines = new Map<string, Outline>();
  private building: Promise<unknown> = Promise.resolve();

  constructor(private readonly source: LevelsSource) {}

  /** The same rows, each list as a new window shows it. */
  initial(): Levels {
    return new Levels(this.source);
  }

  /** The rows below a row, or the top level. An error becomes a row that shows it. */
  children(parent: ViewRow | undefined): ViewRow[] | Promise<ViewRow[]> {
    if (!parent) return this.topRows();
    switch (parent.row) {
      case 'project':
      case 'group':
        return this.sessionRows(parent.id, sessionsBelow(parent));
      case 'session':
        return this.orErrorRow(parent.path, () => this.sessionLevel(parent));
      case 'branch':
        return this.orErrorRow(parent.path, () => this.branchLevel(parent.path, parent.branch.startId));
      case 'problem':
        return this.problemRows(parent);
      case 'unreadable':
      case 'entry':
      case 'note':
      case 'waiting':
      case 'more':
        return [];
    }
  }

  /** The groups; without any, their sessions. */
  topRows(): ViewRow[] {
    const [first] = this.source.groups();
    if (first?.kind === 'all') return this.windowSessions(TOP_LIST, first.items);
    const { list, rows } = this.allTopRows();
    return this.windowRows(rows, IDENTITY_MAPPER, { list, path: '', of: 'projects', end: 'first' });
  }

  /** @param parent the id of the project or session above these sessions */
  sessionRows(parent: string, items: readonly SessionItem[]): ViewRow[] {
    return this.windowSessions(sessionsListId(parent), items);
  }

  /** All rows of a list, those outside its window included, and the list's key. */
  allTopRows(): WholeList {
    const groups = this.source.groups();
    return { list: TOP_LIST, rows: groups.flatMap((group): ViewRow[] => listOf(groupRow(group)) ?? group.items.map(itemRow)) };
  }

  allSessions(parent: string, items: readonly SessionItem[]): WholeList {
    return { list: sessionsListId(parent), rows: items.map(itemRow) };
  }

  async outline(path: string): Promise<Outline> {
    for (;;) {
      const filter = this.source.filter();
      const outline = await this.outlineFor(await this.source.session(path), filter);
      // The filter may have changed meanwhile.
      if (filter === this.source.filter()) return outline;
    }
  }

  /** Shows more rows of a list, on one side. */
  showMore({ list, side }: MoreRow): void {
    this.windows.set(list, widenWindow(this.windows.get(list) ?? INITIAL_WINDOW, side));
  }

  /** Moves the window of a list if it doesn't show a row. @returns true if it had to move */
  ensureShown(list: string, rows: readonly ViewRow[], id: string, end: 'first' | 'last'): boolean {
    const before = this.windows.get(list) ?? INITIAL_WINDOW;
    const after = windowShowing(rows, idOf, before, end, id);
    this.windows.set(list, after);
    return after !== before;
  }

  /** All rows of the active path or of a branch, those outside the window included. */
  async entryRows(outline: Outline, startId?: string): Promise<ViewRow[]> {
    return (await runCooperatively(outlineLevel(outline, startId))).map((row) => entryRow(outline.session.path, row));
  }

  private outlineFor(session: Session, filter: Filter): Promise<Outline> {
    const known = this.outlines.get(session);
    if (known?.filter === filter) return known.outline;
    const outline = this.createOutline(session, filter);
    this.outlines.set(session, { filter, outline });
    return outline;
  }

  private async createOutline(session: Session, filter: Filter): Promise<Outline> {
    const outline = this.updateRecentOutline(session, filter) ?? (await this.buildQueuedOutline(session, filter));
    if (filter === this.source.filter())
      keepRecent(this.recentOutlines, session.path, outline, (outlined) => outlined.session.byId.size, MAX_CACHED_ENTRIES);
    return outline;
  }

  private updateRecentOutline(session: Session, filter: Filter): Outline | undefined {
    const before = this.recentOutlines.get(session.path);
    return before?.filter === filter ? updateOutline(before, session) : undefined;
  }

  /** Outlines are built one at a time: in parallel, their steps would add up to long delays. */
  private buildQueuedOutline(session: Session, filter: Filter): Promise<Outline> {
    const work = this.building.then(() => this.updateRecentOutline(session, filter) ?? runCooperatively(buildOutline(session, filter)));
    this.building = work.catch(() => undefined);
    return work;
  }

  private async sessionLevel(parent: SessionRow): Promise<ViewRow[]> {
    const { path } = parent;
    const outline = await this.outline(path);
    // Read after the wait, since the row's data may have been replaced.
    const { item } = parent;
    const { problems } = outline.session;
    const rows: ViewRow[] = [];
    const tip = item.summary.suspectedTip === undefined ? undefined : outline.session.byId.get(item.summary.suspectedTip);
    if (tip) rows.push({ id: `note ${path}`, row: 'note', path, entryId: tip.id, text: plainRow(tip) });
    rows.push(
      ...this.source
        .pendingChanges(path)
        .map((waiting): ViewRow => ({ id: `waiting ${waiting.id}`, row: 'waiting', path, waitingId: waiting.id, waiting })),
    );
    if (problems.length > 0) rows.push({ id: `problems ${path}`, row: 'problem', path, content: { kind: 'all', problems } });
    rows.push(...this.sessionRows(parent.id, item.children));
    if (outline.rows.length === 0 && outline.session.entries.length > 0) {
      rows.push({ id: `nothing ${path}`, row: 'problem', path, content: { kind: 'nothing', filter: outline.filter } });
    }
    return [...rows, ...this.windowEntries(outline.rows, path)];
  }

  private async branchLevel(path: string, startId: string): Promise<ViewRow[]> {
    return this.windowEntries(await runCooperatively(outlineLevel(await this.outline(path), startId)), path, startId);
  }

  private problemRows(parent: Extract<ViewRow, { row: 'problem' }>): ViewRow[] {
    const { path, content } = parent;
    if (content.kind !== 'all') return [];
    const rows = content.problems.map((problem, index): ViewRow => {
      const line = problem.line === undefined ? {} : { line: problem.line };
      return {
        id: `problem ${path} ${problem.code} ${problem.line ?? ''} ${index}`,
        row: 'problem',
        path,
        ...line,
        content: { kind: 'one', problem },
      };
    });
    return this.windowRows(rows, IDENTITY_MAPPER, { list: parent.id, path, of: 'problems', end: 'first' });
  }

  private windowEntries(rows: readonly OutlineRow[], path: string, startId?: string): ViewRow[] {
    return this.windowRows(
      rows,
      { idOf: (row) => entryIdOf(path, row), rowOf: (row) => entryRow(path, row) },
      { list: entriesListId(path, startId), path, of: 'entries', end: 'last' },
    );
  }

  private windowSessions(list: string, items: readonly SessionItem[]): ViewRow[] {
    const ofItems: RowMapper<SessionItem> = { idOf: (item) => itemRow(item).id, rowOf: itemRow };
    return this.windowRows(items, ofItems, { list, path: '', of: 'sessions', end: 'first' });
  }

  /** Creates rows only for the part of a list that is in its window. */
  private windowRows<T>(
    all: readonly T[],
    { idOf, rowOf }: RowMapper<T>,
    { list, path, of, end }: Pick<MoreRow, 'list' | 'path' | 'of'> & { readonly end: 'first' | 'last' },
  ): ViewRow[] {
    const shown = applyWindow(all, idOf, this.windows.get(list) ?? INITIAL_WINDOW, end);
    const more = (side: MoreRow['side'], hidden: number): ViewRow[] => (hidden === 0 ? [] : [moreRow(side, hidden, { list, path, of })]);
    return [...more('earlier', shown.earlier), ...shown.rows.map(rowOf), ...more('later', shown.later)];
  }

  private async orErrorRow(path: string, rows: () => Promise<ViewRow[]>): Promise<ViewRow[]> {
    try {
      return await rows();
    } catch (error) {
      return [{ id: `failed ${path}`, row: 'problem', path, content: { kind: 'failed', error } }];
    }
  }
}

/** The key of the window over a session's entries, or over those of one of its branches. */
export const entriesListId = (path: string, startId?: string): string => `entries ${path} ${startId ?? ''}`;

const listOf = (row: ViewRow | undefined): ViewRow[] | undefined => row && [row];

const idOf = (row: ViewRow): string => row.id;
const IDENTITY_MAPPER: RowMapper<ViewRow> = { idOf, rowOf: (row) => row };

function entryRow(path: string, row: OutlineRow): ViewRow {
  const id = entryIdOf(path, row);
  if (row.kind === 'branch') return { id, row: 'branch', path, entryId: row.tipId, branch: row };
  return { id, row: 'entry', path, entryId: row.head.id, entry: row };
}

function entryIdOf(path: string, row: OutlineRow): string {
  return row.kind === 'branch' ? branchId(path, row.startId) : entryRowId(path, row.head.id);
}
