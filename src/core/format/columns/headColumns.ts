/** Heads as numbers in columns, and the head objects that are made from them. */
import { usageFrom, type ModelRef } from '../entry/usage';
import type { EntryHead } from '../entry/entryHead';

/** Field values that many heads share. */
export interface HeadProfile {
  readonly type: string;
  readonly role?: string;
  readonly hasText?: boolean;
  readonly model?: ModelRef;
  readonly responseModel?: string;
  readonly stopReason?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  readonly customType?: string;
  readonly isHidden?: boolean;
  readonly modelRole?: string;
  readonly thinkingLevel?: string;
  /** `hasUsage`, `hasMessageTime`, `hasCall`: true if the columns have these values for the head. */
  readonly hasUsage: boolean;
  readonly hasMessageTime: boolean;
  readonly hasCall: boolean;
}

/** Columns are indexed by place. Functions return the texts, because these may be in one piece or made on demand. */
export interface HeadColumns {
  readonly profiles: readonly HeadProfile[];
  /** Index into `profiles`; out of its range for heads that are in `irregular`. */
  readonly profile: ArrayLike<number>;
  /**
   * Heads that don't fit into columns, by place, in file order. The columns have only their parents, `line`, `offset`,
   * `size` and `time`.
   */
  readonly irregular: ReadonlyMap<number, EntryHead>;
  readonly line: ArrayLike<number>;
  readonly offset: ArrayLike<number>;
  readonly size: ArrayLike<number>;
  readonly time: ArrayLike<number>;
  readonly messageTime: ArrayLike<number>;
  /** Index of the head's first number in `usages`. */
  readonly usage: ArrayLike<number>;
  /** Numbers as `usageFrom` takes them. */
  readonly usages: ArrayLike<number>;
  /** For each place with an id that an earlier place has, in order: the place, and the last of those before it. */
  readonly repeats: Int32Array;
  /** Returns the place of the parent, or `NO_PARENT`; that is also the one of a parent that follows its child. */
  parentAt(place: number): number;
  /** Returns the places of the entries without a parent in the file, in order. */
  roots(): number[];
  timestamp(place: number): string;
  text(place: number): string;
  toolCallId(place: number): string;
}

/** Ids by place, and places by id. */
export interface IdIndex {
  readonly length: number;
  at(place: number): string;
  /** Returns the last place with an id. */
  indexOf(id: string): number | undefined;
}

type MutableHead = { -readonly [K in keyof EntryHead]: EntryHead[K] };

/**
 * Makes the head at a place, with the same fields in the same order as `parseHead`. Each usual kind of message is made
 * by a single literal: adding fields to an object later takes several times the time and memory.
 */
export function headFromColumns(
  columns: HeadColumns,
  place: number,
  { id, parentId, profile }: { readonly id: string; readonly parentId: string | null; readonly profile: HeadProfile },
): EntryHead {
  const { type, role, hasText, model, responseModel, stopReason, toolName, isError, hasUsage, hasMessageTime, hasCall } = profile;
  const line = columns.line[place]!;
  const offset = columns.offset[place]!;
  const length = columns.size[place]!;
  const timestamp = columns.timestamp(place);
  const time = columns.time[place]!;
  const text = columns.text(place);
  if (role !== undefined && hasMessageTime && responseModel === undefined) {
    const messageTime = columns.messageTime[place]!;
    if (hasText !== undefined && !hasCall && toolName === undefined && isError === undefined) {
      if (!hasUsage && !model && stopReason === undefined)
        return { id, parentId, line, offset, length, type, timestamp, time, text, role, messageTime, hasText };
      if (hasUsage && model && stopReason !== undefined)
        return {
          id,
          parentId,
          line,
          offset,
          length,
          type,
          timestamp,
          time,
          text,
          role,
          messageTime,
          usage: usageFrom(columns.usages, columns.usage[place]!),
          hasText,
          model,
          stopReason,
        };
    }
    if (hasText === undefined && !hasUsage && !model && stopReason === undefined && hasCall && toolName !== undefined) {
      const toolCallId = columns.toolCallId(place);
      if (isError === undefined)
        return { id, parentId, line, offset, length, type, timestamp, time, text, role, messageTime, toolCallId, toolName };
      return { id, parentId, line, offset, length, type, timestamp, time, text, role, messageTime, toolCallId, toolName, isError };
    }
  }
  const head: MutableHead = { id, parentId, line, offset, length, type, timestamp, time, text };
  if (role !== undefined) head.role = role;
  if (hasMessageTime) head.messageTime = columns.messageTime[place]!;
  if (hasUsage) head.usage = usageFrom(columns.usages, columns.usage[place]!);
  if (hasText !== undefined) head.hasText = hasText;
  if (model) head.model = model;
  if (responseModel !== undefined) head.responseModel = responseModel;
  if (stopReason !== undefined) head.stopReason = stopReason;
  if (hasCall) head.toolCallId = columns.toolCallId(place);
  if (toolName !== undefined) head.toolName = toolName;
  if (isError !== undefined) head.isError = isError;
  if (profile.modelRole !== undefined) head.modelRole = profile.modelRole;
  if (profile.thinkingLevel !== undefined) head.thinkingLevel = profile.thinkingLevel;
  if (profile.customType !== undefined) head.customType = profile.customType;
  if (profile.isHidden !== undefined) head.isHidden = profile.isHidden;
  return head;
}
