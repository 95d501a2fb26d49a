/** Heads that are objects from the start, for small files and for files with irregular lines. */
import type { Usage } from '../entry/usage';
import type { EntryHead } from '../entry/entryHead';
import type { EntryTraits, HeadSource } from './headSource';

export class HeadList implements HeadSource {
  /**
   * @param heads in file order, each id once
   * @param places of the heads, by id
   * @param parents the parent's place of each head, or `NO_PARENT`
   */
  constructor(
    private readonly heads: readonly EntryHead[],
    private readonly places: ReadonlyMap<string, number>,
    private readonly parents: Int32Array,
  ) {}

  get length(): number {
    return this.heads.length;
  }

  /** @throws {RangeError} if there is no such place. Not by `elementAt`, whose reads of all kinds of lists are slower. */
  at(place: number): EntryHead {
    const head = this.heads[place];
    if (!head) throw new RangeError(`There’s no head ${place} among ${this.heads.length}.`);
    return head;
  }

  peek(place: number): EntryHead {
    return this.at(place);
  }

  all(): readonly EntryHead[] {
    return this.heads;
  }

  idAt(place: number): string {
    return this.at(place).id;
  }

  placeOf(id: string): number | undefined {
    return this.places.get(id);
  }

  parentAt(place: number): number {
    return this.parents[place]!;
  }

  traitsAt(place: number): EntryTraits {
    return this.at(place);
  }

  timeAt(place: number): number {
    return this.at(place).time;
  }

  messageTimeAt(place: number): number | undefined {
    return this.at(place).messageTime;
  }

  usageAt(place: number): Usage | undefined {
    return this.at(place).usage;
  }

  lineAt(place: number): number {
    return this.at(place).line;
  }

  offsetAt(place: number): number {
    return this.at(place).offset;
  }

  lengthAt(place: number): number {
    return this.at(place).length;
  }
}
