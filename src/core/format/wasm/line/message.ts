/** The message of a line: the positions of the members that heads need. */
import { Key } from '../../scanner/scannerKeys';
import { Role } from '../../scanner/scannerLayout';
import { readContent, resetContent } from './contentBlocks';
import { OPEN_BRACE, valueEnd } from '../json/json';
import { MAX_KEYS } from '../json/keys';
import { firstMember, memberKey, nextMember, NO_KEYS, objectEnd, withKey } from '../json/members';
import { numberAt, numberEnd } from '../json/numbers';
import { clearSpan, createSpan, isSameText, readPlain, setSpan, Span } from '../json/spans';
import { byteAt, QUOTE } from '../json/strings';
import { addText, clearTexts, createTexts, readText } from './texts';
import { readUsage } from './usage';

/** Strings that many messages have in common. */
export const messageTexts = createTexts();
export const toolCall = createSpan();
/** The whole value. */
export const content = createSpan();
/** With its quotes. */
export const errorMessage = createSpan();
const roleName = createSpan();
/** A `Role`. */
export let role: i32 = Role.none;
/** `NaN` if the message has none. */
export let messageTime: f64 = NaN;
export let isError = false;
export let hasUsage = false;
let hasReadContent = false;

/** The `Role` of each of the texts. */
const textRoles: usize = heap.alloc(MAX_KEYS);

/** The latest time of a JavaScript `Date`, in milliseconds since 1970. */
const MAX_DATE: f64 = 8.64e15;

export function resetMessage(): void {
  clearTexts(messageTexts);
  clearSpan(toolCall);
  clearSpan(content);
  clearSpan(errorMessage);
  role = Role.none;
  messageTime = NaN;
  isError = hasUsage = hasReadContent = false;
  resetContent();
}

/** Reads the message at `at` and returns its end; 0 if it is malformed or irregular, or has another role. */
export function readMessage(at: usize): usize {
  if (byteAt(at) != OPEN_BRACE) return 0;
  let keys = NO_KEYS;
  let end: usize = 0;
  for (let value = firstMember(at + 1); value != 0; value = nextMember(end)) {
    keys = withKey(keys);
    if (keys == 0) return 0;
    end = readMember(memberKey, value);
  }
  if (objectEnd == 0 || role == Role.none) return 0;
  end = objectEnd;
  // Its details may name other sessions that have this usage.
  if (role == Role.toolResult && hasUsage) return 0;
  if (role != Role.toolResult && content.from != 0 && !hasReadContent && readContent(content.from) == 0) return 0;
  return end;
}

/** Returns the end of the member's value; 0 if the parser has to read it. */
function readMember(key: i32, at: usize): usize {
  switch (key) {
    case Key.role:
      return readRole(at);
    case Key.content:
      return readContentMember(at);
    case Key.usage:
      hasUsage = true;
      return readUsage(at);
    case Key.timestamp:
      messageTime = numberAt(at);
      return Math.abs(messageTime) <= MAX_DATE ? numberEnd : 0;
    case Key.toolCallId:
      return readPlain(at, toolCall);
    case Key.isError:
      isError = byteAt(at) == 0x74;
      return isError || byteAt(at) == 0x66 ? valueEnd(at) : 0;
    case Key.errorMessage:
      return byteAt(at) == QUOTE ? setSpan(errorMessage, at, valueEnd(at)) : valueEnd(at);
    // Heads need these members, and few messages have them.
    case Key.customType:
    case Key.nestedCalls:
      return 0;
    default:
      return readText(messageTexts, key, at);
  }
}

/** Adds a string that messages with a role have. */
export function addMessageText(key: i32, ofRole: i32): void {
  store<u8>(textRoles + <usize>addText(messageTexts, key), <u8>ofRole);
}

/** Returns whether messages with the current role have a text. */
export function ofCurrentRole(number: i32): bool {
  return role == load<u8>(textRoles + <usize>number);
}

function readRole(at: usize): usize {
  const end = readPlain(at, roleName);
  if (end == 0) return 0;
  role = roleNamed(roleName);
  return role == Role.none ? 0 : end;
}

function roleNamed(span: Span): i32 {
  if (isSameText(span.from, span.to, 'toolResult')) return Role.toolResult;
  if (isSameText(span.from, span.to, 'assistant')) return Role.assistant;
  return isSameText(span.from, span.to, 'user') ? Role.user : Role.none;
}

/** A tool's result isn't read, and neither is a content before its role. */
function readContentMember(at: usize): usize {
  content.from = at;
  hasReadContent = role != Role.none && role != Role.toolResult;
  content.to = hasReadContent ? readContent(at) : valueEnd(at);
  return content.to;
}
