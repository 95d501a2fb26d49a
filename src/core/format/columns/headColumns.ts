/** Heads as numbers in columns, and a head object made from them. */
import type { ModelRef, Usage } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';

/** Fields that many heads have in common. */
export interface HeadProfile {
  readonly type: string;
  readonly role?: string;
  readonly hasText?: boolean;
  readonly model?: ModelRef;
  readonly stopReason?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  /** `hasUsage`, `hasMessageTime`, `hasCall`: true if the columns have these values of the head. */
  readonly hasUsage: boolean;
  readonly hasMessageTime: boolean;
  readonly hasCall: boolean;
}

/** Columns are indexed by place. Texts come from functions, since they may be stored in one piece or be made on demand. */
export interface HeadColumns {
  readonly profiles: readonly HeadProfile[];
  /** Index into `profiles`; out of its range for heads that are in `irregular`. */
  readonly profile: ArrayLike<number>;
  /** By place, in file order: the heads that don't fit into columns. Of these, the columns have only `parent`, `line`, `offset`, `size` and `time`. */
  readonly irregular: ReadonlyMap<number, EntryHead>;
  /** The parent's place, or `NO_PARENT`. */
  readonly parent: ArrayLike<number>;
  readonly line: ArrayLike<number>;
  readonly offset: ArrayLike<number>;
  readonly size: ArrayLike<number>;
  readonly time: ArrayLike<number>;
  readonly messageTime: ArrayLike<number>;
  /** Index of the head's first number in `tokens` and in `costs`. */
  readonly usage: ArrayLike<number>;
  readonly tokens: ArrayLike<number>;
  readonly costs: ArrayLike<number>;
  timestamp(place: number): string;
  text(place: number): string;
  toolCallId(place: number): string;
}

/** Ids by place, and places by id. */
export interface IdIndex {
  readonly length: number;
  at(place: number): string;
  indexOf(id: string): number | undefined;
}

type MutableHead = { -readonly [K in keyof EntryHead]: EntryHead[K] };

/**
 * The head at a place, with the fields that `parseHead` gives it, in the same order. The usual messages are made by one
 * literal each: fields that are added to an object later cost several times as much, in time and in memory.
 */
export function headFromColumns(
  columns: HeadColumns,
  place: number,
  { id, parentId, profile }: { readonly id: string; readonly parentId: string | null; readonly profile: HeadProfile },
): EntryHead {
  const { type, role, hasText, model, stopReason, toolName, isError, hasUsage, hasMessageTime, hasCall } = profile;
  const line = columns.line[place]!;
  const offset = columns.offset[place]!;
  const length = columns.size[place]!;
  const timestamp = columns.timestamp(place);
  const time = columns.time[place]!;
  const text = columns.text(place);
  if (role !== undefined && hasMessageTime) {
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
          usage: usageFromColumns(columns, place),
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
  if (hasUsage) head.usage = usageFromColumns(columns, place);
  if (hasText !== undefined) head.hasText = hasText;
  if (model) head.model = model;
  if (stopReason !== undefined) head.stopReason = stopReason;
  if (hasCall) head.toolCallId = columns.toolCallId(place);
  if (toolName !== undefined) head.toolName = toolName;
  if (isError !== undefined) head.isError = isError;
  return head;
}

/** The usage at a place whose profile has one. */
export function usageFromColumns({ tokens, costs, usage }: HeadColumns, place: number): Usage {
  const at = usage[place]!;
  return {
    input: tokens[at]!,
    output: tokens[at + 1]!,
    cacheRead: tokens[at + 2]!,
    cacheWrite: tokens[at + 3]!,
    totalTokens: tokens[at + 4]!,
    cost: { input: costs[at]!, output: costs[at + 1]!, cacheRead: costs[at + 2]!, cacheWrite: costs[at + 3]!, total: costs[at + 4]! },
  };
}
