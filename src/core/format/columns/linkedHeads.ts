/**
 * The heads of a large file with lines that aren't entries, or whose parent isn't the one before them: the table has a row
 * for each line, this hides some and has the parents of the others.
 */
import type { Usage } from '../entry/usage';
import type { EntryHead } from '../entry/entryHead';
import type { HeadTable } from './headTable';
import { NO_PARENT, type EntryTraits, type HeadSource } from './headSource';

/** The places of a table's rows, and their parents. */
interface RowLinks {
  /** The row of each place, in order. */
  readonly rows: Int32Array;
  /** By row: the place of the entry with the row's id; `NO_PARENT` if there is none. */
  readonly places: Int32Array;
  /** The parent's place of each place, or `NO_PARENT`. */
  readonly parents: Int32Array;
  /** The parent's id of those places whose parent isn't the one that their line names. */
  readonly parentIds: ReadonlyMap<number, string | null>;
}

/** A place is a row's index among the rows that are entries. */
export class LinkedHeads implements HeadSource {
  /** The heads whose parent isn't the one that their line names, by place, once they were made. */
  private readonly moved = new Map<number, EntryHead>();
  private list: readonly EntryHead[] | undefined;

  constructor(
    private readonly table: HeadTable,
    private readonly links: RowLinks,
  ) {}

  get length(): number {
    return this.links.rows.length;
  }

  at(place: number): EntryHead {
    return this.movedAt(place) ?? this.table.at(this.rowAt(place));
  }

  peek(place: number): EntryHead {
    return this.movedAt(place) ?? this.table.peek(this.rowAt(place));
  }

  all(): readonly EntryHead[] {
    return (this.list ??= Array.from({ length: this.length }, (_, place) => this.at(place)));
  }

  idAt(place: number): string {
    return this.table.idAt(this.rowAt(place));
  }

  placeOf(id: string): number | undefined {
    const row = this.table.placeOf(id);
    const place = row === undefined ? NO_PARENT : this.links.places[row]!;
    return place === NO_PARENT ? undefined : place;
  }

  parentAt(place: number): number {
    return this.links.parents[place]!;
  }

  /** Returns the traits of a head. A root's traits name the parent that isn't in the file. */
  traitsAt(place: number): EntryTraits {
    const moved = this.parentAt(place) === NO_PARENT ? this.movedAt(place) : undefined;
    return moved ?? this.table.traitsAt(this.rowAt(place));
  }

  timeAt(place: number): number {
    return this.table.timeAt(this.rowAt(place));
  }

  messageTimeAt(place: number): number | undefined {
    return this.table.messageTimeAt(this.rowAt(place));
  }

  usageAt(place: number): Usage | undefined {
    return this.table.usageAt(this.rowAt(place));
  }

  lineAt(place: number): number {
    return this.table.lineAt(this.rowAt(place));
  }

  offsetAt(place: number): number {
    return this.table.offsetAt(this.rowAt(place));
  }

  lengthAt(place: number): number {
    return this.table.lengthAt(this.rowAt(place));
  }

  /** @throws {RangeError} if there is no such place */
  private rowAt(place: number): number {
    const row = this.links.rows[place];
    if (row === undefined) throw new RangeError(`There’s no head ${place} among ${this.length}.`);
    return row;
  }

  private movedAt(place: number): EntryHead | undefined {
    const parentId = this.links.parentIds.get(place);
    if (parentId === undefined) return undefined;
    let head = this.moved.get(place);
    if (!head) this.moved.set(place, (head = { ...this.table.peek(this.rowAt(place)), parentId }));
    return head;
  }
}
