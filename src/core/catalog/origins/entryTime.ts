/** The time of an entry, for comparing entries of different sessions. */
import type { EntryHead } from '../../format/entry/entryHead';

/** Returns when an entry's message was made, in milliseconds since 1970; without such a time, when the entry was written. */
export const timeOf = (head: EntryHead): number => head.messageTime ?? head.time;
