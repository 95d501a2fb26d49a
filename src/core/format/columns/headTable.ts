/**
 * The heads of a large file. Most of them are numbers in columns and become objects when somebody looks at them:
 * a session of a hundred thousand entries has millions of values, and a tree shows some dozens.
 */
import type { EntryColumns, EntryTraits } from './entryColumns';
import type { EntryHead } from '../entry/entryHead';
import { headView, type HeadColumns, type IdIndex, type HeadProfile } from './headColumns';

export class HeadTable implements EntryColumns {
  private readonly cache: (EntryHead | undefined)[];

  /** `ids`: each stands before those that hang off it, and none comes again. */
  constructor(
    private readonly columns: HeadColumns,
    readonly ids: IdIndex,
  ) {
    this.cache = new Array<EntryHead | undefined>(ids.length);
  }

  get length(): number {
    return this.ids.length;
  }

  get profiles(): readonly HeadProfile[] {
    return this.columns.profiles;
  }

  get irregular(): ReadonlyMap<number, EntryHead> {
    return this.columns.irregular;
  }

  /** The head at a place; always the same object. What an entry lacks is `undefined` in it, where others have no such property. */
  at(place: number): EntryHead {
    return (this.cache[place] ??= this.irregularAt(place) ?? headView(this.columns, this.ids, place));
  }

  /** The head at a place as an object of its own, without what it lacks. */
  toObject(place: number): EntryHead {
    const odd = this.irregularAt(place);
    if (odd) return odd;
    const head = this.at(place);
    const copied = Object.fromEntries(HEAD_KEYS.flatMap((key) => (head[key] === undefined ? [] : [[key, head[key]]])));
    return copied as unknown as EntryHead;
  }

  all(): EntryHead[] {
    return Array.from({ length: this.length }, (_, place) => this.at(place));
  }

  /** The parent's place, or `NO_PARENT` if it has none or none that is there. */
  parent(place: number): number {
    return this.columns.parent[place]!;
  }

  traits(place: number): EntryTraits {
    return this.profileAt(place) ?? this.columns.irregular.get(place)!;
  }

  time(place: number): number {
    return this.columns.time[place]!;
  }

  messageTime(place: number): number | undefined {
    const profile = this.profileAt(place);
    if (!profile) return this.columns.irregular.get(place)!.messageTime;
    return profile.hasMessageTime ? this.columns.messageTime[place]! : undefined;
  }

  private irregularAt(place: number): EntryHead | undefined {
    return this.profileAt(place) ? undefined : this.columns.irregular.get(place);
  }

  private profileAt(place: number): HeadProfile | undefined {
    const number = this.columns.profile[place]!;
    return number >= 0 && number < this.columns.profiles.length ? this.columns.profiles[number] : undefined;
  }
}

/** Of heads in columns. */
const HEAD_KEYS = [
  'id', 'parentId', 'line', 'offset', 'length', 'type', 'timestamp', 'time', 'text', 'role', 'messageTime', 'usage', 'hasText', 'model', 'stopReason', 'toolCallId', 'toolName', 'isError',
] as const satisfies readonly (keyof EntryHead)[];
