/** One line that is an entry: the positions of the members that heads need, in any order. */
import { LineKind, LineMark, MAX_ID_LENGTH } from '../../scanner/scannerLayout';
import { readContent } from './contentBlocks';
import { NEWLINE, OPEN_BRACE, skipSpace, valueEnd } from '../json/json';
import { Key } from '../json/keys';
import { firstMember, memberKey, nextMember, NO_KEYS, objectEnd, withKey } from '../json/members';
import { readMessage, resetMessage } from './message';
import { clearSpan, createSpan, isSameText, readPlain, setSpan, sizeOf, Span } from '../json/spans';
import { byteAt, QUOTE } from '../json/strings';
import { timestampAt } from '../json/timestamps';

export const id = createSpan();
/** 0 and 0 if it is null. */
export const parent = createSpan();
export const type = createSpan();
/** Values of the members that make up the heads of simple entries, with their quotes. */
export const customType = createSpan();
export const provider = createSpan();
export const modelId = createSpan();
export const model = createSpan();
export const modelRole = createSpan();
export const thinkingLevel = createSpan();
/** The value of `display` if it's `false`. */
export const hidden = createSpan();
/** The content of a line that isn't a message; the whole value. */
export const entryContent = createSpan();
/** A `LineKind`. */
export let kind: i32 = LineKind.none;
/** `LineMark`s, as bits. */
export let marks: i32 = 0;
export let time: f64 = 0;

const TIMESTAMP_BYTES: usize = 24;
const SMALL_F: u8 = 0x66;
const MAX_ID_BYTES: u32 = MAX_ID_LENGTH;
/** The members that every line must have, and the members that only lines of a tree have. */
const NEEDED: u64 = (1 << Key.type) | (1 << Key.timestamp);
const NEEDED_IN_TREE: u64 = NEEDED | (1 << Key.id) | (1 << Key.parentId);
/** True in a file of version 1, in which each entry is the child of the previous one. */
let isInChain = false;

/**
 * Reads the line at `at`.
 *
 * @param inChain true for a file of version 1
 * @returns the position of the line break if the line is an entry of a known kind; 0 if the parser has to read it
 */
export function readLine(at: usize, inChain: bool): usize {
  isInChain = inChain;
  const needed = inChain ? NEEDED : NEEDED_IN_TREE;
  at = skipSpace(at);
  if (byteAt(at) != OPEN_BRACE) return 0;
  reset();
  let keys = NO_KEYS;
  let end: usize = 0;
  for (let value = firstMember(at + 1); value != 0; value = nextMember(end)) {
    keys = withKey(keys);
    if (keys == 0) return 0;
    end = readMember(memberKey, value);
  }
  if (objectEnd == 0 || (keys & needed) != needed) return 0;
  end = skipSpace(objectEnd);
  kind = kindNamed(type);
  const isMessage = (keys & (1 << Key.message)) != 0;
  if (kind == LineKind.none || isMessage != (kind == LineKind.message) || byteAt(end) != NEWLINE) return 0;
  // It may show the program that wrote the line.
  if (isMessage && customType.from != 0) return 0;
  if (kind == LineKind.customMessage && entryContent.from != 0 && readContent(entryContent.from) == 0) return 0;
  return end;
}

function reset(): void {
  clearSpan(type);
  clearSpan(parent);
  clearSpan(customType);
  clearSpan(provider);
  clearSpan(modelId);
  clearSpan(model);
  clearSpan(modelRole);
  clearSpan(thinkingLevel);
  clearSpan(hidden);
  clearSpan(entryContent);
  marks = 0;
  resetMessage();
}

/** Returns the end of the member's value; 0 if the parser has to read it. */
function readMember(key: i32, at: usize): usize {
  switch (key) {
    case Key.type:
      return readPlain(at, type);
    case Key.id:
      return isInChain ? valueEnd(at) : readId(at, id);
    case Key.parentId:
      if (isInChain) return valueEnd(at);
      return byteAt(at) == QUOTE ? readId(at, parent) : byteAt(at) == 0x6e ? valueEnd(at) : 0;
    case Key.timestamp:
      time = byteAt(at) == QUOTE ? timestampAt(at + 1) : -1;
      return time < 0 ? 0 : at + 2 + TIMESTAMP_BYTES;
    case Key.message:
      return readMessage(at);
    case Key.payloadSha256:
      if (byteAt(at) == QUOTE) marks |= LineMark.payloadHash;
      return valueEnd(at);
    case Key.openclaw:
      marks |= LineMark.openclaw;
      return valueEnd(at);
    case Key.customType:
      return readQuoted(at, customType);
    case Key.provider:
      return readQuoted(at, provider);
    case Key.modelId:
      return readQuoted(at, modelId);
    case Key.model:
      return readQuoted(at, model);
    case Key.role:
      return readQuoted(at, modelRole);
    case Key.thinkingLevel:
      return readQuoted(at, thinkingLevel);
    case Key.display:
      return byteAt(at) == SMALL_F ? setSpan(hidden, at, valueEnd(at)) : valueEnd(at);
    // Read once the type is known.
    case Key.content:
      return setSpan(entryContent, at, valueEnd(at));
    // Heads need these members, and few lines have them.
    case Key.usage:
    case Key.appendMode:
      return 0;
    default:
      return valueEnd(at);
  }
}

function readId(at: usize, span: Span): usize {
  const end = readPlain(at, span);
  return end == 0 || sizeOf(span) == 0 || sizeOf(span) > MAX_ID_BYTES ? 0 : end;
}

/** Reads a string of plain characters; the span has its quotes, too. */
function readQuoted(at: usize, span: Span): usize {
  const end = readPlain(at, span);
  span.from--;
  span.to++;
  return end;
}

function kindNamed(span: Span): i32 {
  if (isSameText(span.from, span.to, 'message')) return LineKind.message;
  if (isSameText(span.from, span.to, 'custom_message')) return LineKind.customMessage;
  return isSameText(span.from, span.to, 'custom') ||
    isSameText(span.from, span.to, 'model_change') ||
    isSameText(span.from, span.to, 'thinking_level_change')
    ? LineKind.simple
    : LineKind.none;
}
