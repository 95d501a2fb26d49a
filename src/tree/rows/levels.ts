/** The children of each row. Projects and sessions come from memory; only a session's entries have to be read. */
import { appendAll, keepRecent, type Filter, type Session, type PendingChange, plainRow, WorkQueue, Yielder } from '../../core/index';
import { outlineLevel, outlineRow, buildOutline, type Outline, type OutlineElement } from './outline';
import { updateOutline } from './updateOutline';
import type { SessionGroup, SessionItem } from '../projects/projects';
import {
  branchId,
  entryRowId,
  groupRow,
  itemRow,
  moreRow,
  projectRow,
  sessionsBelow,
  type GroupRow,
  type MoreRow,
  type ProjectRow,
  type SessionRow,
  type ViewRow,
} from './viewRows';
import { INITIAL_WINDOW, windowShowing, widenWindow, applyWindow, type ListWindow } from './listWindow';

interface LevelsSource {
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

/** A list with all its rows, including the rows outside its window. */
export interface WholeList<T = ViewRow> {
  /** The list's key. */
  readonly list: string;
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
}

export class Levels {
  private readonly windows = new Map<string, ListWindow>();
  private readonly outlines = new WeakMap<Session, { readonly filter: Filter; readonly outline: Promise<Outline> }>();
  /** The latest outlines by the session's path, the least recently made first. Outlines of grown sessions are updated from these. */
  private readonly recentOutlines = new Map<string, Outline>();
  private readonly builds = new WorkQueue();

  constructor(private readonly source: LevelsSource) {}

  /** Returns the same levels as a new window shows them: nothing beyond the first rows of each list is unfolded. */
  initial(): Levels {
    return new Levels(this.source);
  }

  /** The rows below a row, or the top level. An error becomes a row that shows it. */
  children(parent: ViewRow | undefined): ViewRow[] | Promise<ViewRow[]> {
    if (!parent) return this.topRows();
    switch (parent.row) {
      case 'project':
      case 'group':
        return this.groupLevel(parent);
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

  /** The worktrees below a project, if they are a level, or the sessions of a group. */
  groupLevel(parent: ProjectRow | GroupRow): ViewRow[] {
    const { list, rows } = this.allWorktrees(parent);
    if (rows.length === 0) return this.sessionRows(parent.id, sessionsBelow(parent));
    return this.windowRows(rows, IDENTITY_MAPPER, { list, path: '', of: 'worktrees', end: 'first' });
  }

  /** @param parent the id of the project or session above these sessions */
  sessionRows(parent: string, items: readonly SessionItem[]): ViewRow[] {
    return this.windowSessions(sessionsListId(parent), items);
  }

  allTopRows(): WholeList {
    const groups = this.source.groups();
    return { list: TOP_LIST, rows: groups.flatMap((group): ViewRow[] => listOf(groupRow(group)) ?? group.items.map(itemRow)), idOf };
  }

  /** The list of a project's worktrees; empty if they aren't a level. */
  allWorktrees(parent: ProjectRow | GroupRow): WholeList {
    const worktrees = parent.row === 'project' ? (parent.project.worktrees ?? []) : [];
    return { list: `worktrees ${parent.id}`, rows: worktrees.map(projectRow), idOf };
  }

  allSessions(parent: string, items: readonly SessionItem[]): WholeList {
    return { list: sessionsListId(parent), rows: items.map(itemRow), idOf };
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
  ensureShown<T>({ list, rows, idOf }: WholeList<T>, id: string, end: 'first' | 'last'): boolean {
    const before = this.windows.get(list) ?? INITIAL_WINDOW;
    const after = windowShowing(rows, idOf, before, end, id);
    this.windows.set(list, after);
    return after !== before;
  }

  /** The list of the active path or of a branch. */
  async entryList(outline: Outline, startId?: string): Promise<WholeList<OutlineElement>> {
    const rows = await new Yielder(undefined).run(outlineLevel(outline, startId));
    return { list: entriesListId(outline.session.path, startId), rows, idOf: (row) => entryIdOf(outline, row) };
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
    return this.builds.add(() => this.updateRecentOutline(session, filter) ?? new Yielder(undefined).run(buildOutline(session, filter)));
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
    for (const waiting of this.source.pendingChanges(path))
      rows.push({ id: `waiting ${waiting.id}`, row: 'waiting', path, waitingId: waiting.id, waiting });
    if (problems.length > 0) rows.push({ id: `problems ${path}`, row: 'problem', path, content: { kind: 'all', problems } });
    appendAll(rows, this.sessionRows(parent.id, item.children));
    if (outline.elements.length === 0 && outline.heads.length > 0) {
      rows.push({ id: `nothing ${path}`, row: 'problem', path, content: { kind: 'nothing', filter: outline.filter } });
    }
    return [...rows, ...this.windowEntries(outline, outline.elements)];
  }

  private async branchLevel(path: string, startId: string): Promise<ViewRow[]> {
    const outline = await this.outline(path);
    return this.windowEntries(outline, await new Yielder(undefined).run(outlineLevel(outline, startId)), startId);
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

  private windowEntries(outline: Outline, elements: readonly OutlineElement[], startId?: string): ViewRow[] {
    const { path } = outline.session;
    return this.windowRows(
      elements,
      { idOf: (element) => entryIdOf(outline, element), rowOf: (element) => entryRow(outline, element) },
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

/** The key of the window over a session's entries, or over the entries of one of its branches. */
const entriesListId = (path: string, startId?: string): string => `entries ${path} ${startId ?? ''}`;

const listOf = (row: ViewRow | undefined): ViewRow[] | undefined => row && [row];

const idOf = (row: ViewRow): string => row.id;
const IDENTITY_MAPPER: RowMapper<ViewRow> = { idOf, rowOf: (row) => row };

function entryRow(outline: Outline, element: OutlineElement): ViewRow {
  const { path } = outline.session;
  const id = entryIdOf(outline, element);
  const row = outlineRow(outline, element);
  if (row.kind === 'branch') return { id, row: 'branch', path, entryId: row.tipId, branch: row };
  return { id, row: 'entry', path, entryId: row.head.id, entry: row };
}

function entryIdOf({ session: { path }, heads }: Outline, element: OutlineElement): string {
  return typeof element === 'number' ? entryRowId(path, heads.idAt(element)) : branchId(path, heads.idAt(element.start));
}
