/**
 * A large tool result by its bytes: who it is, without its body. Only lines of exactly the shape that the programs
 * write are taken; of every other line nothing is said, and it is to be parsed in full.
 */
import type { JsonObject } from '../format/entry';

/** Below this many bytes parsing costs no more than the test. */
export const LARGE = 1024;
/** Where ids and names must have ended. */
const PREFIX = 600;
const TAIL = 80;

const STRING = '"([^"\\\\\\u0000-\\u001f\\u0080-\\uffff]*)"';
const BEGINS = new RegExp(
  `^\\{"type":"message","id":${STRING},"parentId":(?:null|${STRING}),"timestamp":${STRING},"message":\\{"role":"toolResult","toolCallId":${STRING},"toolName":${STRING},"content":\\[\\{"type":"`,
);
const ENDS = /("\}\]|\}|\]),"isError":(true|false)(?:,"timestamp":(\d{1,15}))?\}\}$/;

/** A second message on the line: glued to the first, or after a torn one. */
const SECOND = Buffer.from('"message":{"role":"');
const USAGE = Buffer.from('"usage":');
/** How far before the end a result's usage may begin if only its content stands before the last fields. */
const NEAR = 1024;

/** The line without its content, in the shape of a parsed one. `bytes[from..to)`: the line without its break. */
export function toolResultLine(bytes: Buffer, from: number, to: number): JsonObject | undefined {
  const begin = BEGINS.exec(bytes.toString('latin1', from, Math.min(to, from + PREFIX)));
  if (!begin) return undefined;
  const end = ENDS.exec(bytes.toString('latin1', to - TAIL, to));
  if (!end) return undefined;
  const line = bytes.subarray(from, to);
  if (line.indexOf(SECOND, begin[0].length) >= 0 || line.includes(0)) return undefined;
  if (line.indexOf(USAGE, end[1] === '"}]' ? Math.max(0, line.length - NEAR) : 0) >= 0) return undefined;
  const [, id, parentId = null, timestamp, toolCallId, toolName] = begin;
  const time = end[3] === undefined ? {} : { timestamp: Number(end[3]) };
  return { type: 'message', id, parentId, timestamp, message: { role: 'toolResult', toolCallId, toolName, isError: end[2] === 'true', ...time } };
}
