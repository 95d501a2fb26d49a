/** The rows of the view as data: what they are, what they are known by, which object stands for them. Pure. */
import type { Filter, Problem, PendingChange } from '../../core/index';
import type { Row } from '../../contract';
import type { OutlineBranch, OutlineEntry } from './outline';
import type { Project, ReadableItem, UnreadableItem } from '../projects/projects';

interface RowIdentity {
  /** What the row is, never its place in a list: selection and expansion are kept by it. */
  readonly id: string;
}

export type ProjectRow = RowIdentity & { readonly row: 'project'; readonly cwd: string; readonly project: Project };
export type SessionRow = RowIdentity & { readonly row: 'session'; readonly path: string; readonly item: ReadableItem };
export type UnreadableRow = RowIdentity & { readonly row: 'unreadable'; readonly path: string; readonly item: UnreadableItem };
export type EntryRow = RowIdentity & {
  readonly row: 'entry';
  readonly path: string;
  readonly entryId: string;
  readonly entry: OutlineEntry;
};
/** `entryId` is the branch's tip, so that a command takes the whole branch. */
export type BranchRow = RowIdentity & { readonly row: 'branch'; readonly path: string; readonly entryId: string; readonly branch: OutlineBranch };
/** A leaf that looks like an accident; `entryId` is the tip to go to instead. */
export type NoteRow = RowIdentity & { readonly row: 'note'; readonly path: string; readonly entryId: string; readonly text: string };
/** A change that is written when nobody else has the session. */
export type PendingChangeRow = RowIdentity & { readonly row: 'waiting'; readonly path: string; readonly waitingId: string; readonly waiting: PendingChange };
export type ProblemRow = RowIdentity & {
  readonly row: 'problem';
  readonly path: string;
  /** Where it is in the file, from 1. */
  readonly line?: number;
  readonly content:
    | { readonly kind: 'all'; readonly problems: readonly Problem[] }
    | { readonly kind: 'one'; readonly problem: Problem }
    | { readonly kind: 'failed'; readonly error: unknown }
    | { readonly kind: 'nothing'; readonly filter: Filter };
};
export type MoreRow = RowIdentity & {
  readonly row: 'more';
  /** The session, or empty in a list of projects or sessions. */
  readonly path: string;
  /** The id of the level's parent, and which of its lists. */
  readonly list: string;
  readonly side: 'earlier' | 'later';
  readonly hidden: number;
  /** Which rows are hidden. */
  readonly of: 'projects' | 'sessions' | 'entries' | 'problems';
};

export type ViewRow = ProjectRow | SessionRow | UnreadableRow | EntryRow | BranchRow | NoteRow | PendingChangeRow | ProblemRow | MoreRow;

/** Rows are what commands get. */
export const asRow = (row: ViewRow): Row => row;

export const projectId = (cwd: string): string => `project ${cwd}`;
export const sessionId = (path: string): string => `session ${path}`;
export const branchId = (path: string, startId: string): string => `branch ${path} ${startId}`;
export const entryRowId = (path: string, entryId: string): string => `entry ${path} ${entryId}`;

/**
 * One object for each row that the editor knows of, however often its data changes: the editor tells rows
 * apart by identity, and rows that are gone are let go with all below them.
 */
export class RowRegistry {
  private readonly rows = new Map<string, ViewRow>();
  private readonly parents = new Map<string, ViewRow | undefined>();
  /** The ids of a level's rows, by its parent's id; the top level has none. */
  private readonly levels = new Map<string | undefined, readonly string[]>();

  /** The rows that are open in the editor, also where a row above them is closed. */
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

  /** The open rows at or below some rows, as far as they can be seen: the editor asks for what is below them. */
  expandedAtOrBelow(tops: readonly (ViewRow | undefined)[]): string[] {
    const among = new Set(tops);
    return [...this.expanded].filter((id) => {
      const row = this.rows.get(id);
      const above = row ? this.ancestors(row) : [];
      return (among.has(undefined) || among.has(row) || above.some((each) => among.has(each))) && row !== undefined && above.every((each) => this.expanded.has(each.id));
    });
  }

  /** Those that have no other one of them above themselves. */
  topmost(rows: readonly (ViewRow | undefined)[]): (ViewRow | undefined)[] {
    if (rows.includes(undefined)) return [undefined];
    const among = new Set(rows);
    return [...among].filter((row) => row !== undefined && !this.ancestors(row).some((each) => among.has(each)));
  }

  private ancestors(row: ViewRow): ViewRow[] {
    const above: ViewRow[] = [];
    for (let at = this.parents.get(row.id); at; at = this.parents.get(at.id)) above.push(at);
    return above;
  }

  /** The rows of a level as they were given last; `undefined` if it was never asked for. */
  level(parent: ViewRow | undefined): readonly string[] | undefined {
    return this.levels.get(parent?.id);
  }

  /** Whether somebody has seen what is below a row, or is about to: a level may take its time. */
  isRequested(row: ViewRow): boolean {
    return this.levels.has(row.id) || this.expanded.has(row.id);
  }

  /** Takes a level's new data and answers with the objects that stand for them. */
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

  /** Puts new data into the object that stands for the row. */
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
      waiting.push(...(this.levels.get(next) ?? []).filter((child) => this.parents.get(child)?.id === next));
      this.levels.delete(next);
      this.rows.delete(next);
      this.parents.delete(next);
      this.expanded.delete(next);
    }
  }
}
