/** What is kept of a file beside its rows. */
import { createBytes, createTable } from './memory';

/** Of a call: the number of its message, and those of its tool and of the file that it names; -1 if there is none. */
@unmanaged
export class Call {
  message: i32;
  tool: i32;
  file: i32;
}

/** By their ids; the number of an id's row goes with it. */
export const ids = createTable();
/** What many messages have in common, with the row of the first that has it. */
export const profiles = createTable();
/** By the ids of tool calls. Values: the call's row; below -1 what the caller says. */
export const calls = createTable();
/** Names of tools, and files as calls name them. */
export const tools = createTable();
export const files = createTable();

/** Ten numbers each: tokens and dollars. */
export const usages = createBytes(64 * 1024);
export const contents = createBytes(64 * 1024);
export const words = createBytes(64 * 1024);
/** In the order of the rows. */
export const toolCalls = createBytes(1024 * offsetof<Call>());
