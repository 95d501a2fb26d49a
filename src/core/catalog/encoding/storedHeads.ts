/**
 * A session's heads as bytes, so that a large file can be opened, and read on from where it ended, without reading it again.
 * Stored in columns: most of what JSON would spend time on is equal in all heads, or a number. `encodeHeads` writes them,
 * `decodeHeads` reads them.
 */
import type { EntryHead } from '../../format/entry/entryHead';
import type { HeadProfile } from '../../format/columns/headColumns';
import type { SessionParts } from '../../format/linking/linkSession';
import type { LinesState } from '../../format/linking/readerState';

export interface StoredHeads {
  readonly parts: Omit<SessionParts, 'lines'>;
  readonly lines: Omit<LinesState, 'calls'>;
  /** The row texts of calls, except for those that a result has; see `StoredCalls`. */
  readonly calls: readonly (readonly [string, string])[];
  readonly profiles: readonly HeadProfile[];
  /** The heads that don't fit into the columns, by their position. */
  readonly irregular: readonly (readonly [number, EntryHead])[];
}

/** The number in `profiles` of a head in `irregular`. */
export const IRREGULAR = 0xffff;
/** The number in `parents` of a head whose parent isn't in the file. Others have the number of rows from their parent. */
export const ROOT = 0;
/**
 * The message's time of a head with `hasTimestamp` is two numbers: this many milliseconds, and the rest. That of another one is
 * the difference to the head's.
 */
export const TIME_PART = 10_000_000;
/** The number of token counts, and of dollar amounts, in a usage. */
export const USAGE_NUMBERS = 5;

/** The number of heads that are decoded together when one of them is read; a power of two. */
export const BLOCK = 512;

/** The state in front of a block: `START_LENGTH` numbers. All but the first two are the numbers of values in front of it. */
export enum Start {
  /** The number of the line before. */
  line,
  /** The position after it, in bytes. */
  end,
  /** Heads that aren't irregular. */
  regular,
  messageTimes,
  usages,
  texts,
}
export const START_LENGTH = 6;
