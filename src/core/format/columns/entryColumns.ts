/** A session's entries by their place in the file, for whoever looks at all of them: where they are in columns none is made an object. */
import type { ModelRef } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';
import type { Session } from '../session/session';

/** What many entries have in common; those that have more are themselves. */
export type EntryTraits = Partial<EntryHead> & { readonly type: string; readonly role?: string; readonly model?: ModelRef };

export interface EntryColumns {
  readonly length: number;
  at(place: number): EntryHead;
  traits(place: number): EntryTraits;
  time(place: number): number;
  messageTime(place: number): number | undefined;
}

export function entryColumns(session: Session): EntryColumns {
  return session.readerState.maps.table ?? new HeadListColumns(session.entries);
}

class HeadListColumns implements EntryColumns {
  constructor(private readonly heads: readonly EntryHead[]) {}

  get length(): number {
    return this.heads.length;
  }

  at(place: number): EntryHead {
    return this.heads[place]!;
  }

  traits(place: number): EntryTraits {
    return this.heads[place]!;
  }

  time(place: number): number {
    return this.heads[place]!.time;
  }

  messageTime(place: number): number | undefined {
    return this.heads[place]!.messageTime;
  }
}
