/** The heads of a large file with `leaf` lines, which aren't entries: the table has a row for each line, this hides them. */
import type { Usage } from '../entry/usage';
import type { EntryHead } from '../entry/entryHead';
import { resolveParent } from '../linking/leafLine';
import type { HeadTable } from './headTable';
import { NO_PARENT, type EntryTraits, type HeadSource } from './headSource';

/** A place is a row's index among the rows that aren't `leaf` lines. Children of a `leaf` line have the parent that it leads to. */
export class MovedHeads implements HeadSource {
  /** The row of each place. */
  private readonly rows: Int32Array;
  /** The place of each row; `NO_PARENT` for `leaf` lines. */
  private readonly places: Int32Array;
  /** The heads of children of `leaf` lines that were made, by place. */
  private readonly moved = new Map<number, EntryHead>();
  private list: readonly EntryHead[] | undefined;

  /**
   * @param table parents are before their children
   * @param leafRows the rows of the `leaf` lines, in order
   * @param leafTargets the parents of their children, by the line's id
   */
  constructor(
    private readonly table: HeadTable,
    leafRows: readonly number[],
    private readonly leafTargets: ReadonlyMap<string, string | null>,
  ) {
    this.rows = new Int32Array(table.length - leafRows.length);
    this.places = new Int32Array(table.length);
    for (const row of leafRows) this.places[row] = NO_PARENT;
    let place = 0;
    for (let row = 0; row < table.length; row++) {
      if (this.places[row] === NO_PARENT) continue;
      this.rows[place] = row;
      this.places[row] = place++;
    }
  }

  get length(): number {
    return this.rows.length;
  }

  at(place: number): EntryHead {
    return this.isMoved(place) ? this.movedAt(place) : this.table.at(this.rowAt(place));
  }

  peek(place: number): EntryHead {
    return this.isMoved(place) ? this.movedAt(place) : this.table.peek(this.rowAt(place));
  }

  all(): readonly EntryHead[] {
    return (this.list ??= Array.from({ length: this.length }, (_, place) => this.at(place)));
  }

  idAt(place: number): string {
    return this.table.idAt(this.rowAt(place));
  }

  placeOf(id: string): number | undefined {
    const row = this.table.placeOf(id);
    const place = row === undefined ? NO_PARENT : this.places[row]!;
    return place === NO_PARENT ? undefined : place;
  }

  parentAt(place: number): number {
    const parent = this.table.parentAt(this.rowAt(place));
    if (parent === NO_PARENT) return NO_PARENT;
    if (this.places[parent] !== NO_PARENT) return this.places[parent]!;
    const parentId = resolveParent(this.table.idAt(parent), this.leafTargets);
    return parentId === null ? NO_PARENT : (this.placeOf(parentId) ?? NO_PARENT);
  }

  /** Those of a root name the parent that isn't in the file. */
  traitsAt(place: number): EntryTraits {
    const isMovedRoot = this.isMoved(place) && this.parentAt(place) === NO_PARENT;
    return isMovedRoot ? this.movedAt(place) : this.table.traitsAt(this.rowAt(place));
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

  offsetAt(place: number): number {
    return this.table.offsetAt(this.rowAt(place));
  }

  lengthAt(place: number): number {
    return this.table.lengthAt(this.rowAt(place));
  }

  /** @throws {RangeError} if there is no such place */
  private rowAt(place: number): number {
    const row = this.rows[place];
    if (row === undefined) throw new RangeError(`There’s no head ${place} among ${this.length}.`);
    return row;
  }

  private isMoved(place: number): boolean {
    const parent = this.table.parentAt(this.rowAt(place));
    return parent !== NO_PARENT && this.places[parent] === NO_PARENT;
  }

  private movedAt(place: number): EntryHead {
    let head = this.moved.get(place);
    if (!head) {
      const found = this.table.peek(this.rowAt(place));
      head = { ...found, parentId: resolveParent(found.parentId, this.leafTargets) };
      this.moved.set(place, head);
    }
    return head;
  }
}
