/** One line that is an entry: the positions of the members that heads need, in any order. */
import { LineKind, LineMark, MAX_ID_LENGTH, NONE } from '../../scanner/scannerLayout';
import { readContent } from './contentBlocks';
import { NEWLINE, OPEN_BRACE, skipSpace, valueEnd } from '../json/json';
import { Key } from '../../scanner/scannerKeys';
import { firstMember, memberKey, nextMember, NO_KEYS, objectEnd, withKey } from '../json/members';
import { readMessage, resetMessage } from './message';
import { clearSpan, createSpan, isSameText, readPlain, setSpan, sizeOf, Span } from '../json/spans';
import { createTable, find, intern } from '../memory/memory';
import { addText, clearTexts, createTexts, readText, textAt } from './texts';
import { fieldOf } from '../json/keys';
import { byteAt, QUOTE } from '../json/strings';
import { timestampAt } from '../json/timestamps';

export const id = createSpan();
/** 0 and 0 if it is null. */
export const parent = createSpan();
export const type = createSpan();
/** Strings that make up the heads of lines that aren't messages. */
export const entryTexts = createTexts();
/** True if `display` is `false`. */
export let isHidden = false;
/** The types of simple lines. */
const simpleTypes = createTable();
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
  if (isMessage && (keys & (1 << Key.customType)) != 0) return 0;
  // Its row is made of its details.
  if (kind == LineKind.customMessage && isRewind()) return 0;
  if (kind == LineKind.customMessage && entryContent.from != 0 && readContent(entryContent.from) == 0) return 0;
  return end;
}

function reset(): void {
  clearSpan(type);
  clearSpan(parent);
  clearTexts(entryTexts);
  isHidden = false;
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
    case Key.__openclaw:
      marks |= LineMark.openclaw;
      return valueEnd(at);
    case Key.display:
      isHidden = byteAt(at) == SMALL_F;
      return valueEnd(at);
    // Read once the type is known.
    case Key.content:
      return setSpan(entryContent, at, valueEnd(at));
    // Heads need these members, and few lines have them.
    case Key.usage:
    case Key.appendMode:
      return 0;
    default:
      return readText(entryTexts, key, at);
  }
}

export function addEntryText(key: i32): void {
  addText(entryTexts, key);
}

/** Adds a type of lines whose heads have no more than some of the `entryTexts`. */
export function addSimpleType(at: usize, size: u32): void {
  intern(simpleTypes, at, size, 0);
}

function isRewind(): bool {
  const customType = textAt(entryTexts, fieldOf(entryTexts.fields, Key.customType));
  return isSameText(customType.from, customType.to, 'rewind-report');
}

function readId(at: usize, span: Span): usize {
  const end = readPlain(at, span);
  return end == 0 || sizeOf(span) == 0 || sizeOf(span) > MAX_ID_BYTES ? 0 : end;
}

function kindNamed(span: Span): i32 {
  if (isSameText(span.from, span.to, 'message')) return LineKind.message;
  if (isSameText(span.from, span.to, 'custom_message')) return LineKind.customMessage;
  return find(simpleTypes, span.from, sizeOf(span)) == NONE ? LineKind.none : LineKind.simple;
}
