/** Data of a file that its rows refer to. */
import { CALL_LENGTH } from '../../scanner/scannerLayout';
import { createBytes, createTable } from './memory';

/** A tool call: the row of its message, and the indexes of its tool and of the file that it names, or `NONE`. */
@unmanaged
export class Call {
  row: i32;
  tool: i32;
  file: i32;
}
if (offsetof<Call>() != CALL_LENGTH << 2) ERROR('Call differs from CallField');

/** Ids of entries. Values: their rows. */
export const ids = createTable();
/** Properties that many messages have in common. Values: the row of the first message that has them. */
export const profiles = createTable();
/** Ids of tool calls. Values: the call's row, or below `NONE` a number of the caller's. */
export const calls = createTable();
/** Names of tools, and paths of files as the calls give them. */
export const tools = createTable();
export const files = createTable();

/** The numbers of each usage, see `line/usage.ts`. */
export const usages = createBytes(64 * 1024);
export const contents = createBytes(64 * 1024);
export const words = createBytes(64 * 1024);
/** See `Part.repeats`. */
export const repeats = createBytes(64);
/** `Call`s in row order. */
export const toolCalls = createBytes(1024 * offsetof<Call>());
