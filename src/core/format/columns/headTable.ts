/**
 * The heads of a large file, kept as numbers in columns. A head becomes an object when it's first requested: a session
 * of a hundred thousand entries has millions of values, and a tree shows some dozens.
 */
import { usageFrom, type Usage } from '../entry/usage';
import type { EntryHead } from '../entry/entryHead';
import { valueOf } from '../values/lookups';
import { headFromColumns, type HeadColumns, type IdIndex, type HeadProfile } from './headColumns';
import { NO_PARENT, type EntryTraits, type HeadSource } from './headSource';

/** Kinds of profiles: messages whose times don't count, and those that have a time of their own or only that of their line. */
enum Kind {
  other,
  message,
  ownTime,
  lineTime,
}

export class HeadTable implements HeadSource {
  private readonly made: (EntryHead | undefined)[];
  private list: readonly EntryHead[] | undefined;

  constructor(
    private readonly columns: HeadColumns,
    readonly ids: IdIndex,
  ) {
    this.made = new Array<EntryHead | undefined>(ids.length);
  }

  get length(): number {
    return this.ids.length;
  }

  get profiles(): readonly HeadProfile[] {
    return this.columns.profiles;
  }

  /** The heads that don't fit into the columns, by place. */
  get irregular(): ReadonlyMap<number, EntryHead> {
    return this.columns.irregular;
  }

  /** See `HeadColumns.repeats`. */
  get repeats(): Int32Array {
    return this.columns.repeats;
  }

  at(place: number): EntryHead {
    return (this.made[place] ??= this.create(place));
  }

  peek(place: number): EntryHead {
    return this.made[place] ?? this.create(place);
  }

  all(): readonly EntryHead[] {
    return (this.list ??= Array.from({ length: this.length }, (_, place) => this.at(place)));
  }

  idAt(place: number): string {
    return this.ids.at(place);
  }

  placeOf(id: string): number | undefined {
    return this.ids.indexOf(id);
  }

  parentAt(place: number): number {
    return this.columns.parentAt(place);
  }

  /** Returns the places of the entries without a parent in the file, in order. */
  roots(): number[] {
    return this.columns.roots();
  }

  traitsAt(place: number): EntryTraits {
    return this.profileAt(place) ?? valueOf(this.columns.irregular, place);
  }

  timeAt(place: number): number {
    return this.columns.time[place]!;
  }

  messageTimeAt(place: number): number | undefined {
    const profile = this.profileAt(place);
    if (!profile) return valueOf(this.columns.irregular, place).messageTime;
    if (!profile.hasMessageTime) return undefined;
    return this.columns.messageTime[place]!;
  }

  usageAt(place: number): Usage | undefined {
    const profile = this.profileAt(place);
    if (!profile) return valueOf(this.columns.irregular, place).usage;
    if (!profile.hasUsage) return undefined;
    return usageFrom(this.columns.usages, this.columns.usage[place]!);
  }

  lineAt(place: number): number {
    return this.columns.line[place]!;
  }

  offsetAt(place: number): number {
    return this.columns.offset[place]!;
  }

  lengthAt(place: number): number {
    return this.columns.size[place]!;
  }

  /**
   * Counts the messages, and returns the newest time of those with certain roles; 0 if there is none. A loop over numbers
   * takes a fraction of the time of one over `traitsAt`, also to be compiled, which matters to programs that run for a second.
   *
   * @param isTimed true for the roles whose times count
   */
  messageTotals(isTimed: (role: string | undefined) => boolean): { readonly messages: number; readonly newest: number } {
    const { columns, length } = this;
    const { profiles, profile, time, messageTime } = columns;
    const kinds = Uint8Array.from(profiles, (one) =>
      one.type !== 'message' ? Kind.other : !isTimed(one.role) ? Kind.message : one.hasMessageTime ? Kind.ownTime : Kind.lineTime,
    );
    let [messages, newest] = [0, 0];
    for (let place = 0; place < length; place++) {
      const number = profile[place]!;
      if (number < 0 || number >= kinds.length || kinds[number] === Kind.other) continue;
      messages++;
      if (kinds[number] === Kind.message) continue;
      newest = Math.max(newest, kinds[number] === Kind.ownTime ? messageTime[place]! : time[place]!);
    }
    for (const head of columns.irregular.values()) {
      if (head.type !== 'message') continue;
      messages++;
      if (isTimed(head.role)) newest = Math.max(newest, head.messageTime ?? head.time);
    }
    return { messages, newest };
  }

  private create(place: number): EntryHead {
    const profile = this.profileAt(place);
    if (!profile) return valueOf(this.columns.irregular, place);
    const parent = this.parentAt(place);
    // Walks make the parent before its children, which then share its id.
    const parentId = parent === NO_PARENT ? null : (this.made[parent]?.id ?? this.ids.at(parent));
    return headFromColumns(this.columns, place, { id: this.ids.at(place), parentId, profile });
  }

  private profileAt(place: number): HeadProfile | undefined {
    const number = this.columns.profile[place]!;
    return number >= 0 && number < this.columns.profiles.length ? this.columns.profiles[number] : undefined;
  }
}
