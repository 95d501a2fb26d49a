/** Entry heads by place, where reading a single field makes no head object. */
import type { EntryHead } from '../entry/entryHead';
import type { Usage } from '../entry/entry';

/** The place of a parent that an entry doesn't have. */
export const NO_PARENT = -1;

/**
 * The fields of an entry that can be read without making its head. `type`, `role`, `hasText`, `model`, `stopReason`,
 * `toolName` and `isError` are there for every entry that has them. The others are there for every entry but plain
 * messages, which don't have them, except for `parentId`: use `HeadSource.parentAt`.
 */
export type EntryTraits = Omit<
  Partial<EntryHead>,
  'id' | 'type' | 'timestamp' | 'time' | 'line' | 'offset' | 'length' | 'text' | 'usage' | 'messageTime' | 'toolCallId'
> &
  Pick<EntryHead, 'type'>;

/**
 * A session's entry heads. A place is an entry's index in file order, from 0. Every id is there once, and no entry is
 * its own ancestor.
 */
export interface HeadSource {
  readonly length: number;
  /** The head at a place: plain data, made once, always the same object. */
  at(place: number): EntryHead;
  /** As `at`, but a head that isn't made yet is made for the caller alone and isn't kept. */
  peek(place: number): EntryHead;
  /** All heads, in file order. */
  all(): readonly EntryHead[];
  idAt(place: number): string;
  placeOf(id: string): number | undefined;
  /** The parent's place; `NO_PARENT` at a root and where the file doesn't have the parent. */
  parentAt(place: number): number;
  traitsAt(place: number): EntryTraits;
  /** `EntryHead.time`. */
  timeAt(place: number): number;
  /** `EntryHead.messageTime`. */
  messageTimeAt(place: number): number | undefined;
  /** `EntryHead.usage`. */
  usageAt(place: number): Usage | undefined;
  /** `EntryHead.offset`. */
  offsetAt(place: number): number;
}
