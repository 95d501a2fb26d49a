/** The content of a message: positions of its texts and its tool calls. */
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACKET, valueEnd } from './json';
import { BACKSLASH, byteAt, plainEnd, QUOTE, startsWith, stringEnd } from './strings';

/** A text block or a tool call; positions are 0 if the member is missing. */
@unmanaged
export class Block {
  isCall: bool;
  textFrom: usize;
  textTo: usize;
  idFrom: usize;
  idTo: usize;
  nameFrom: usize;
  nameTo: usize;
  argumentsFrom: usize;
  argumentsTo: usize;
}

/** Messages with more blocks are left to the parser. */
const MAX_BLOCKS = 256;
const blocks: usize = heap.alloc(MAX_BLOCKS * offsetof<Block>());
export let blockCount = 0;

export function blockAt(index: i32): Block {
  return changetype<Block>(blocks + <usize>index * offsetof<Block>());
}

/** True if any text has a character that isn't white space. */
export let hasText = false;

/** The current position. */
let p: usize = 0;

export function resetContent(): void {
  hasText = false;
  blockCount = 0;
}

/** Returns the end of the content at `at`; 0 if it doesn't have the form that programs write. */
export function contentEnd(at: usize): usize {
  p = at;
  return readBlocks() ? p : 0;
}

function readBlocks(): bool {
  if (byteAt(p) == QUOTE) {
    const to = stringEnd(p + 1);
    if (to == 0) return false;
    const one = addBlock(false);
    one.textFrom = p + 1;
    one.textTo = to;
    p = to + 1;
    return detectText(one);
  }
  if (byteAt(p++) != OPEN_BRACKET) return false;
  if (byteAt(p) == CLOSE_BRACKET) {
    p++;
    return true;
  }
  while (true) {
    if (!readBlock()) return false;
    const byte = byteAt(p++);
    if (byte == CLOSE_BRACKET) return true;
    if (byte != COMMA) return false;
  }
}

function readBlock(): bool {
  if (!startsWith(p, '{"type":"')) return false;
  p += 9;
  const type = p;
  const typeTo = plainEnd(type);
  if (typeTo == 0) return false;
  p = typeTo + 1;
  const isText = startsWith(type, 'text') && typeTo - type == 4;
  const isCall = !isText && startsWith(type, 'toolCall') && typeTo - type == 8;
  if (blockCount == MAX_BLOCKS) return false;
  const block = addBlock(isCall);
  while (byteAt(p) == COMMA) {
    p++;
    if (!blockMember(block, isText)) return false;
  }
  if (byteAt(p++) != CLOSE_BRACE) return false;
  if (!isText && !isCall) blockCount--;
  return !isText || detectText(block);
}

function blockMember(block: Block, isText: bool): bool {
  if (byteAt(p) != QUOTE) return false;
  const key = p + 1;
  const keyTo = plainEnd(key);
  if (keyTo == 0 || byteAt(keyTo + 1) != COLON) return false;
  const length = <i32>(keyTo - key);
  const from = keyTo + 2;
  p = from;
  if (length == 4 && startsWith(key, 'type')) return false;
  if (block.isCall && length == 2 && startsWith(key, 'id')) {
    if (block.idFrom != 0 || byteAt(p++) != QUOTE) return false;
    block.idFrom = p;
    return plain() && (block.idTo = p - 1) != 0;
  }
  if (block.isCall && length == 4 && startsWith(key, 'name')) {
    if (block.nameFrom != 0 || byteAt(p++) != QUOTE) return false;
    block.nameFrom = p;
    return plain() && (block.nameTo = p - 1) != 0;
  }
  if (!skip()) return false;
  if (isText && length == 4 && startsWith(key, 'text')) {
    if (byteAt(from) != QUOTE || block.textFrom != 0) return false;
    block.textFrom = from + 1;
    block.textTo = p - 1;
  } else if (block.isCall && length == 9 && startsWith(key, 'arguments')) {
    if (block.argumentsFrom != 0) return false;
    block.argumentsFrom = from;
    block.argumentsTo = p;
  }
  return true;
}

function addBlock(isCall: bool): Block {
  const block = blockAt(blockCount++);
  memory.fill(changetype<usize>(block), 0, offsetof<Block>());
  block.isCall = isCall;
  return block;
}

/** Updates `hasText`. Returns false if the bytes don't tell: for characters that may be white space of other scripts. */
function detectText(block: Block): bool {
  for (let at = block.textFrom; at < block.textTo; at++) {
    const byte = byteAt(at);
    if (byte == 0x20) continue;
    if (byte == BACKSLASH) {
      const letter = byteAt(++at);
      if (letter == 0x6e || letter == 0x72 || letter == 0x74 || letter == 0x66) continue;
      if (letter == 0x75) return false;
    } else if (mayBeSpace(at)) return false;
    hasText = true;
    return true;
  }
  return true;
}

/** Returns whether a non-ASCII character may be white space. */
function mayBeSpace(at: usize): bool {
  const next = byteAt(at + 1);
  switch (byteAt(at)) {
    case 0xc2:
      return next == 0xa0;
    case 0xe1:
      return next == 0x9a;
    case 0xe2:
      return next == 0x80 || next == 0x81;
    case 0xe3:
      return next == 0x80;
    case 0xef:
      return next == 0xbb;
    default:
      return false;
  }
}

function skip(): bool {
  p = valueEnd(p);
  return p != 0;
}

/** Skips a string of plain characters. */
function plain(): bool {
  const to = plainEnd(p);
  p = to + 1;
  return to != 0;
}
