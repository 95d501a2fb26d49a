/** A set of a session's entries. It holds their places: a set of a hundred thousand ids takes some ten milliseconds to make. */
import type { HeadSource } from '../columns/headSource';

export class EntrySet {
  private readonly marks: Uint8Array;

  constructor(private readonly heads: HeadSource) {
    this.marks = new Uint8Array(heads.length);
  }

  add(place: number): void {
    this.marks[place] = 1;
  }

  hasPlace(place: number): boolean {
    return this.marks[place] === 1;
  }

  has(id: string): boolean {
    const place = this.heads.placeOf(id);
    return place !== undefined && this.hasPlace(place);
  }
}
