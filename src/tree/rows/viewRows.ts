/** The rows of the view as data: their types, their ids, and the objects that the editor knows them by. Pure. */
import type { Filter, Problem, PendingChange } from '../../core/index';
import type { Row } from '../../contract';
import type { OutlineBranch, OutlineEntry } from './outline';
import { keyOf } from '../projects/arrangement';
import type {
  DayGroup,
  ProgramGroup,
  Project,
  ReadableItem,
  SessionGroup,
  SessionItem,
  StateGroup,
  UnreadableItem,
} from '../projects/projects';
import { appendAll } from '../../core/index';

type GroupedItems = SessionGroup['items'];

interface RowIdentity {
  /** The editor keeps selection and expansion by the id, so it's derived from what the row is, never from its position. */
  readonly id: string;
}

export type ProjectRow = RowIdentity & { readonly row: 'project'; readonly cwd: string; readonly project: Project };
export type GroupRow = RowIdentity & { readonly row: 'group'; readonly group: DayGroup | ProgramGroup | StateGroup };
export type SessionRow = RowIdentity & { readonly row: 'session'; readonly path: string; readonly item: ReadableItem };
export type UnreadableRow = RowIdentity & { readonly row: 'unreadable'; readonly path: string; readonly item: UnreadableItem };
export type EntryRow = RowIdentity & {
  readonly row: 'entry';
  readonly path: string;
  readonly entryId: string;
  readonly entry: OutlineEntry;
};
/** `entryId` is the branch's tip, so that commands apply to the whole branch. */
export type BranchRow = RowIdentity & {
  readonly row: 'branch';
  readonly path: string;
  readonly entryId: string;
  readonly branch: OutlineBranch;
};
/** Shown if a leaf looks like an accident; `entryId` is the tip to go to instead. */
export type NoteRow = RowIdentity & { readonly row: 'note'; readonly path: string; readonly entryId: string; readonly text: string };
/** A change that is written when no program has the session. */
export type PendingChangeRow = RowIdentity & {
  readonly row: 'waiting';
  readonly path: string;
  readonly waitingId: string;
  readonly waiting: PendingChange;
};
export type ProblemRow = RowIdentity & {
  readonly row: 'problem';
  readonly path: string;
  /** The line in the file, from 1. */
  readonly line?: number;
  readonly content:
    | { readonly kind: 'all'; readonly problems: readonly Problem[] }
    | { readonly kind: 'one'; readonly problem: Problem }
    | { readonly kind: 'failed'; readonly error: unknown }
    | { readonly kind: 'nothing'; readonly filter: Filter };
};
export type MoreRow = RowIdentity & {
  readonly row: 'more';
  /** The session's path; empty in a list of projects, worktrees or sessions. */
  readonly path: string;
  /** The list's key: it names the parent's id, and which of its lists this is. */
  readonly list: string;
  readonly side: 'earlier' | 'later';
  readonly hidden: number;
  /** The kind of the hidden rows. */
  readonly of: 'projects' | 'worktrees' | 'sessions' | 'entries' | 'problems';
};

type FileRow = SessionRow | UnreadableRow;
export type ViewRow = ProjectRow | GroupRow | FileRow | EntryRow | BranchRow | NoteRow | PendingChangeRow | ProblemRow | MoreRow;

/** Commands receive rows as their arguments. */
export const asRow = (row: ViewRow): Row => row;

/** The row of a group; `undefined` if its sessions have no row above them. */
export function groupRow(group: SessionGroup): ProjectRow | GroupRow | undefined {
  if (group.kind === 'all') return undefined;
  if (group.kind === 'project') return projectRow(group);
  return { id: `group ${group.kind} ${keyOf(group)}`, row: 'group', group };
}

/** The row of a project, or of a worktree below its project. */
export const projectRow = (project: Project): ProjectRow => ({
  id: `${project.worktree ? 'worktree' : 'project'} ${project.cwd}`,
  row: 'project',
  cwd: project.cwd,
  project,
});

export function itemRow(item: SessionItem): FileRow {
  if (item.kind === 'unreadable') return { id: `unreadable ${item.path}`, row: 'unreadable', path: item.path, item };
  return { id: sessionId(item.path), row: 'session', path: item.path, item };
}

/** The row that stands for the hidden rows on one side of a list. */
export const moreRow = (side: MoreRow['side'], hidden: number, { list, path, of }: Pick<MoreRow, 'list' | 'path' | 'of'>): MoreRow => ({
  id: `more ${side} ${list}`,
  row: 'more',
  path,
  list,
  side,
  hidden,
  of,
});

/** The sessions below the row of a group. */
export const sessionsBelow = (row: ProjectRow | GroupRow): GroupedItems => (row.row === 'project' ? row.project : row.group).items;

export const sessionId = (path: string): string => `session ${path}`;
export const branchId = (path: string, startId: string): string => `branch ${path} ${startId}`;
export const entryRowId = (path: string, entryId: string): string => `entry ${path} ${entryId}`;

/**
 * Keeps one object per row, however often its data changes, because the editor identifies rows by object. A row that is
 * gone is dropped with all rows below it.
 */
export class RowRegistry {
  private readonly rows = new Map<string, ViewRow>();
  private readonly parents = new Map<string, ViewRow | undefined>();
  /** The ids of a level's rows, by its parent's id; the top level's key is `undefined`. */
  private readonly levels = new Map<string | undefined, readonly string[]>();

  /** The ids of the rows that are expanded in the editor, even if a row above them is collapsed. */
  private readonly expanded = new Set<string>();

  get(id: string): ViewRow | undefined {
    return this.rows.get(id);
  }

  all(): Iterable<ViewRow> {
    return this.rows.values();
  }

  parentOf(row: ViewRow): ViewRow | undefined {
    return this.parents.get(row.id);
  }

  setExpanded(row: ViewRow, open: boolean): void {
    if (open) this.expanded.add(row.id);
    else this.expanded.delete(row.id);
  }

  /** The ids of the visible expanded rows at or below some rows: the editor will request their children. */
  expandedAtOrBelow(tops: readonly (ViewRow | undefined)[]): string[] {
    const candidates = new Set(tops);
    return [...this.expanded].filter((id) => {
      const row = this.rows.get(id);
      const above = row ? this.ancestors(row) : [];
      return (
        (candidates.has(undefined) || candidates.has(row) || above.some((each) => candidates.has(each))) &&
        row !== undefined &&
        this.isInSight(row)
      );
    });
  }

  /** The rows that aren't below another one of the rows. */
  topmost(rows: readonly (ViewRow | undefined)[]): (ViewRow | undefined)[] {
    if (rows.includes(undefined)) return [undefined];
    const candidates = new Set(rows);
    return [...candidates].filter((row) => row !== undefined && !this.ancestors(row).some((each) => candidates.has(each)));
  }

  /** True if every row above a row is expanded. */
  isInSight(row: ViewRow): boolean {
    return this.ancestors(row).every(({ id }) => this.expanded.has(id));
  }

  /**
   * The ids of the rows around a row, the nearest first: the rows after it in its level, the rows before it, the row
   * above, and the rows around that row.
   */
  around(row: ViewRow): readonly string[] {
    return [row, ...this.ancestors(row)].flatMap((at) => {
      const parent = this.parents.get(at.id);
      const level = this.levels.get(parent?.id) ?? [];
      const index = level.indexOf(at.id);
      return [...level.slice(index + 1), ...level.slice(0, index).reverse(), ...(parent ? [parent.id] : [])];
    });
  }

  private ancestors(row: ViewRow): ViewRow[] {
    const above: ViewRow[] = [];
    for (let at = this.parents.get(row.id); at; at = this.parents.get(at.id)) above.push(at);
    return above;
  }

  /** The ids of a level's rows as last set; `undefined` if the level was never requested. */
  level(parent: ViewRow | undefined): readonly string[] | undefined {
    return this.levels.get(parent?.id);
  }

  /** True if a row's children were requested, or are about to be; loading a level may take time. */
  isRequested(row: ViewRow): boolean {
    return this.levels.has(row.id) || this.expanded.has(row.id);
  }

  /** Sets a level's new data. @returns the objects that stand for the rows */
  setLevel(parent: ViewRow | undefined, fresh: readonly ViewRow[]): ViewRow[] {
    const ids = fresh.map((row) => row.id);
    const kept = new Set(ids);
    for (const id of this.levels.get(parent?.id) ?? []) if (!kept.has(id) && this.parents.get(id) === parent) this.forget(id);
    this.levels.set(parent?.id, ids);
    return fresh.map((row) => {
      this.parents.set(row.id, parent);
      return this.update(row);
    });
  }

  /** Copies new data into the object by which the editor knows the row. */
  update(fresh: ViewRow): ViewRow {
    const known = this.rows.get(fresh.id);
    if (!known) {
      this.rows.set(fresh.id, fresh);
      return fresh;
    }
    if (known !== fresh) {
      for (const key of Object.keys(known)) if (!(key in fresh)) Reflect.deleteProperty(known, key);
      Object.assign(known, fresh);
    }
    return known;
  }

  private forget(id: string): void {
    const waiting = [id];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      appendAll(
        waiting,
        (this.levels.get(next) ?? []).filter((child) => this.parents.get(child)?.id === next),
      );
      this.levels.delete(next);
      this.rows.delete(next);
      this.parents.delete(next);
      this.expanded.delete(next);
    }
  }
}
