/**
 * The heads of a large file. Most of them are numbers in columns and become objects when somebody looks at them:
 * a session of a hundred thousand entries has millions of values, and a tree shows some dozens.
 */
import type { EntryColumns, Traits } from './entryColumns';
import type { EntryHead } from './head';
import { tableHead, type HeadColumns, type Ids, type Profile } from './headColumns';

export class HeadTable implements EntryColumns {
  private readonly made: (EntryHead | undefined)[];

  /** `ids`: each stands before those that hang off it, and none comes again. */
  constructor(
    private readonly columns: HeadColumns,
    readonly ids: Ids,
  ) {
    this.made = new Array<EntryHead | undefined>(ids.length);
  }

  get length(): number {
    return this.ids.length;
  }

  get profiles(): readonly Profile[] {
    return this.columns.profiles;
  }

  get odd(): ReadonlyMap<number, EntryHead> {
    return this.columns.odd;
  }

  /** The head at a place; always the same object. What an entry lacks is `undefined` in it, where others have no such property. */
  at(place: number): EntryHead {
    return (this.made[place] ??= this.oddAt(place) ?? tableHead(this.columns, this.ids, place));
  }

  /** The head at a place as an object of its own, without what it lacks. */
  copy(place: number): EntryHead {
    const odd = this.oddAt(place);
    if (odd) return odd;
    const head = this.at(place);
    const copied = Object.fromEntries(KEYS.flatMap((key) => (head[key] === undefined ? [] : [[key, head[key]]])));
    return copied as unknown as EntryHead;
  }

  all(): EntryHead[] {
    return Array.from({ length: this.length }, (_, place) => this.at(place));
  }

  /** The parent's place, or `NO_PARENT` if it has none or none that is there. */
  parent(place: number): number {
    return this.columns.parent[place]!;
  }

  traits(place: number): Traits {
    return this.profileAt(place) ?? this.columns.odd.get(place)!;
  }

  time(place: number): number {
    return this.columns.time[place]!;
  }

  messageTime(place: number): number | undefined {
    const profile = this.profileAt(place);
    if (!profile) return this.columns.odd.get(place)!.messageTime;
    return profile.hasMessageTime ? this.columns.messageTime[place]! : undefined;
  }

  private oddAt(place: number): EntryHead | undefined {
    return this.profileAt(place) ? undefined : this.columns.odd.get(place);
  }

  private profileAt(place: number): Profile | undefined {
    const number = this.columns.profile[place]!;
    return number >= 0 && number < this.columns.profiles.length ? this.columns.profiles[number] : undefined;
  }
}

/** Of heads in columns. */
const KEYS = [
  'id', 'parentId', 'line', 'offset', 'length', 'type', 'timestamp', 'time', 'text', 'role', 'messageTime', 'usage', 'hasText', 'model', 'stopReason', 'toolCallId', 'toolName', 'isError',
] as const satisfies readonly (keyof EntryHead)[];
