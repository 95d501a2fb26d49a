/** One line that is a message of exactly the form that the programs write: the positions of the members that heads need. */
import { MAX_ID_LENGTH, Role, USAGE_LENGTH, UsageField } from '../columns/scannerLayout';
import { contentEnd, resetContent } from './contentBlocks';
import { CLOSE_BRACE, COLON, COMMA, NEWLINE, numberAt, numberEnd, timestampAt, valueEnd } from './json';
import { byteAt, plainEnd, QUOTE, startsWith } from './strings';

/** Position of a text; 0 and 0 if there is none. */
@unmanaged
export class Span {
  from: usize;
  to: usize;
}

function span(): Span {
  return changetype<Span>(heap.alloc(offsetof<Span>()));
}

export const id = span();
/** 0 and 0 if it is null. */
export const parent = span();
export const provider = span();
export const model = span();
export const responseModel = span();
export const stopReason = span();
export const toolName = span();
export const toolCall = span();
export const content = span();
/** A `Role`. */
export let role: i32 = Role.none;
export let time: f64 = 0;
export let messageTime: f64 = 0;
export let isError = false;
export let hasUsage = false;

/** `USAGE_LENGTH` numbers. */
export const usage: usize = heap.alloc(USAGE_LENGTH << 3);

/** The latest time of a JavaScript `Date`, in milliseconds since 1970. */
const MAX_DATE: f64 = 8.64e15;

const MAX_ID_BYTES: usize = MAX_ID_LENGTH;

/** The current position. */
let p: usize = 0;

/** Returns the position of the line break if the line at `at` is such a message; 0 if it isn't. */
export function messageEnd(at: usize): usize {
  p = at;
  if (!passes('{"type":"message","id":"') || !text(id) || id.from == id.to || id.to - id.from > MAX_ID_BYTES) return 0;
  if (!passes(',"parentId":')) return 0;
  if (passes('null')) parent.from = parent.to = 0;
  else if (byteAt(p++) != QUOTE || !text(parent) || parent.to - parent.from > MAX_ID_BYTES) return 0;
  if (!passes(',"timestamp":"')) return 0;
  time = timestampAt(p);
  if (time < 0) return 0;
  p += 25;
  if (!passes(',"message":{"role":"')) return 0;
  if (passes('user"')) role = Role.user;
  else if (passes('assistant"')) role = Role.assistant;
  else if (passes('toolResult"')) role = Role.toolResult;
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
  responseModel.from = responseModel.to = 0;
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
      // If a key is repeated, the last one counts. The parser handles such lines.
      if (startsWith(key, 'role')) return false;
      break;
    case 5:
      if (startsWith(key, 'usage')) return readUsage();
      if (startsWith(key, 'model')) return quoted(model);
      break;
    case 7:
      if (startsWith(key, 'content')) return role == Role.toolResult ? skip() : readContent();
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
      // Heads need this member and `errorMessage`, and few messages have them.
      if (startsWith(key, 'customType')) return false;
      break;
    case 11:
      // The files of these calls are found by the parser.
      if (startsWith(key, 'nestedCalls')) return false;
      break;
    case 12:
      if (startsWith(key, 'errorMessage')) return false;
      break;
    case 13:
      if (startsWith(key, 'responseModel')) return quoted(responseModel);
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

/** Reads a usage whose keys are in the order in which the programs write them. */
function readUsage(): bool {
  if (hasUsage) return false;
  hasUsage = true;
  return (
    amount('{"input":', UsageField.input) &&
    amount(',"output":', UsageField.output) &&
    amount(',"cacheRead":', UsageField.cacheRead) &&
    amount(',"cacheWrite":', UsageField.cacheWrite) &&
    amount(',"totalTokens":', UsageField.totalTokens) &&
    amount(',"cost":{"input":', UsageField.inputCost) &&
    amount(',"output":', UsageField.outputCost) &&
    amount(',"cacheRead":', UsageField.cacheReadCost) &&
    amount(',"cacheWrite":', UsageField.cacheWriteCost) &&
    amount(',"total":', UsageField.totalCost) &&
    passes('}}')
  );
}

function amount(key: string, field: i32): bool {
  if (!passes(key)) return false;
  const value = numberAt(p);
  if (!isFinite(value)) return false;
  p = numberEnd;
  store<f64>(usage + (field << 3), value);
  return true;
}

function passes(expected: string): bool {
  if (!startsWith(p, expected)) return false;
  p += expected.length;
  return true;
}

/** Reads a string of plain characters, from after its opening quote to after its closing one. */
function text(into: Span): bool {
  into.from = p;
  into.to = plainEnd(p);
  p = into.to + 1;
  return into.to != 0;
}

function quoted(into: Span): bool {
  return byteAt(p++) == QUOTE && text(into);
}
