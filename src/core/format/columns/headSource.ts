/** Access to entry heads by place. Reading a single field makes no head object. */
import type { EntryHead } from '../entry/entryHead';
import type { Usage } from '../entry/usage';

/** Stands for the place of a missing parent. */
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
  /** Returns the head at a place: plain data, made once, always the same object. */
  at(place: number): EntryHead;
  /** Like `at`, but a head that isn't made yet is made for this call only and isn't kept. */
  peek(place: number): EntryHead;
  /** Returns all heads, in file order. */
  all(): readonly EntryHead[];
  idAt(place: number): string;
  placeOf(id: string): number | undefined;
  /** Returns the parent's place; `NO_PARENT` for a root and for a parent that isn't in the file. */
  parentAt(place: number): number;
  traitsAt(place: number): EntryTraits;
  /** Returns `EntryHead.time`. */
  timeAt(place: number): number;
  /** Returns `EntryHead.messageTime`. */
  messageTimeAt(place: number): number | undefined;
  /** Returns `EntryHead.usage`. */
  usageAt(place: number): Usage | undefined;
  /** Returns `EntryHead.line`. */
  lineAt(place: number): number;
  /** Returns `EntryHead.offset`. */
  offsetAt(place: number): number;
  /** Returns `EntryHead.length`. */
  lengthAt(place: number): number;
}
