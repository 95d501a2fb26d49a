/** One line that is a message of exactly the shape that the programs write: where in it is what heads look at. */
import { contentEnd, resetContent } from './contentBlocks';
import { CLOSE_BRACE, COLON, COMMA, NEWLINE, numberAt, numberEnd, timestampAt, valueEnd } from './json';
import { byteAt, plainEnd, QUOTE, startsWith } from './strings';

export const USER: i32 = 1;
export const ASSISTANT: i32 = 2;
export const TOOL_RESULT: i32 = 3;

/** Where a text stands; 0 and 0 if there is none. */
@unmanaged
export class Span {
  from: usize;
  to: usize;
}

function span(): Span {
  return changetype<Span>(heap.alloc(offsetof<Span>()));
}

export const id = span();
/** Empty if it is null. */
export const parent = span();
export const provider = span();
export const model = span();
export const stopReason = span();
export const toolName = span();
export const toolCall = span();
export const content = span();
export let role: i32 = 0;
export let time: f64 = 0;
export let messageTime: f64 = 0;
export let isError = false;
export let hasUsage = false;

/** Tokens and dollars, in the order in which they are written. */
export const USAGE_NUMBERS: usize = 10;
/** Of them the last: dollars in all. */
export const COST: usize = 9;
export const usage: usize = heap.alloc(USAGE_NUMBERS << 3);

/** In milliseconds since 1970, of what a date can tell. */
const MAX_DATE: f64 = 8.64e15;

/** As the caller has it: of longer ones it could not ask. */
const MAX_ID_LENGTH: usize = 1024;

/** The place of the line that is being read. */
let p: usize = 0;

/** The place of the line's break if a message begins at `at`; else 0. */
export function messageEnd(at: usize): usize {
  p = at;
  if (!passes('{"type":"message","id":"') || !text(id) || id.from == id.to || id.to - id.from > MAX_ID_LENGTH) return 0;
  if (!passes(',"parentId":')) return 0;
  if (passes('null')) parent.from = parent.to = 0;
  else if (byteAt(p++) != QUOTE || !text(parent) || parent.to - parent.from > MAX_ID_LENGTH) return 0;
  if (!passes(',"timestamp":"')) return 0;
  time = timestampAt(p);
  if (time < 0) return 0;
  p += 25;
  if (!passes(',"message":{"role":"')) return 0;
  if (passes('user"')) role = USER;
  else if (passes('assistant"')) role = ASSISTANT;
  else if (passes('toolResult"')) role = TOOL_RESULT;
  else return 0;
  resetMessage();
  while (byteAt(p) == COMMA) {
    p++;
    if (!member()) return 0;
  }
  return byteAt(p) == CLOSE_BRACE && byteAt(p + 1) == CLOSE_BRACE && byteAt(p + 2) == NEWLINE ? p + 2 : 0;
}

function resetMessage(): void {
  provider.from = provider.to = model.from = model.to = stopReason.from = stopReason.to = 0;
  toolName.from = toolName.to = toolCall.from = toolCall.to = content.from = content.to = 0;
  messageTime = NaN;
  isError = hasUsage = false;
  resetContent();
}

function member(): bool {
  if (byteAt(p) != QUOTE) return false;
  const key = p + 1;
  const keyTo = plainEnd(key);
  if (keyTo == 0 || byteAt(keyTo + 1) != COLON) return false;
  p = keyTo + 2;
  switch (<i32>(keyTo - key)) {
    case 4:
      // What comes twice counts as the last of them: that is left to those who parse.
      if (startsWith(key, 'role')) return false;
      break;
    case 5:
      if (startsWith(key, 'usage')) return readUsage();
      if (startsWith(key, 'model')) return quoted(model);
      break;
    case 7:
      if (startsWith(key, 'content')) return role == TOOL_RESULT ? skip() : readContent();
      if (startsWith(key, 'isError')) return readIsError();
      break;
    case 8:
      if (startsWith(key, 'provider')) return quoted(provider);
      if (startsWith(key, 'toolName')) return quoted(toolName);
      break;
    case 9:
      if (startsWith(key, 'timestamp')) {
        messageTime = numberAt(p);
        p = numberEnd;
        return Math.abs(messageTime) <= MAX_DATE;
      }
      break;
    case 10:
      if (startsWith(key, 'stopReason')) return quoted(stopReason);
      if (startsWith(key, 'toolCallId')) return quoted(toolCall);
      // Heads look at this one and at the next, and few messages have them.
      if (startsWith(key, 'customType')) return false;
      break;
    case 12:
      if (startsWith(key, 'errorMessage')) return false;
      break;
  }
  return skip();
}

function readContent(): bool {
  if (content.from != 0) return false;
  content.from = p;
  content.to = p = contentEnd(p);
  return p != 0;
}

function skip(): bool {
  p = valueEnd(p);
  return p != 0;
}

function readIsError(): bool {
  isError = passes('true');
  return isError || passes('false');
}

/** With its keys in the order in which the programs write them. */
function readUsage(): bool {
  if (hasUsage) return false;
  hasUsage = true;
  return (
    amount('{"input":', 0) && amount(',"output":', 1) && amount(',"cacheRead":', 2) && amount(',"cacheWrite":', 3) && amount(',"totalTokens":', 4) &&
    amount(',"cost":{"input":', 5) && amount(',"output":', 6) && amount(',"cacheRead":', 7) && amount(',"cacheWrite":', 8) && amount(',"total":', 9) && passes('}}')
  );
}

function amount(key: string, index: usize): bool {
  if (!passes(key)) return false;
  const value = numberAt(p);
  if (!isFinite(value)) return false;
  p = numberEnd;
  store<f64>(usage + (index << 3), value);
  return true;
}

function passes(expected: string): bool {
  if (!startsWith(p, expected)) return false;
  p += expected.length;
  return true;
}

/** Goes behind a string of plain characters. */
function text(into: Span): bool {
  into.from = p;
  into.to = plainEnd(p);
  p = into.to + 1;
  return into.to != 0;
}

function quoted(into: Span): bool {
  return byteAt(p++) == QUOTE && text(into);
}
