/** The content of a message: positions of its texts and its tool calls. */
import { CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, skipSpace, valueEnd } from '../json/json';
import { Key } from '../../scanner/scannerKeys';
import { firstMember, memberKey, nextMember, NO_KEYS, objectEnd, withKey } from '../json/members';
import { isPlain, isSameText } from '../json/spans';
import { byteAt, QUOTE, stringEnd } from '../json/strings';
import { isNonBlank } from '../json/whiteSpace';

/**
 * A text block or a tool call. Positions are 0 if the member is missing or of another type; positions of strings
 * exclude the quotes.
 */
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
/** True if the content is a string instead of blocks. */
export let isString = false;
/** True if any text has a character that isn't white space. */
export let hasText = false;

export function blockAt(index: i32): Block {
  return changetype<Block>(blocks + <usize>index * offsetof<Block>());
}

export function resetContent(): void {
  hasText = isString = false;
  blockCount = 0;
}

/** Reads the content at `at` and returns its end; 0 if it is malformed, or neither a string nor objects in a list nor `null`. */
export function readContent(at: usize): usize {
  if (byteAt(at) == QUOTE) return readString(at + 1);
  // A content that is null has no text.
  if (byteAt(at) == 0x6e) return valueEnd(at);
  if (byteAt(at) != OPEN_BRACKET) return 0;
  at = skipSpace(at + 1);
  if (byteAt(at) == CLOSE_BRACKET) return at + 1;
  while (true) {
    if (byteAt(at) != OPEN_BRACE) return 0;
    at = readBlock(at + 1);
    if (at == 0) return 0;
    at = skipSpace(at);
    const byte = byteAt(at++);
    if (byte == CLOSE_BRACKET) return at;
    if (byte != COMMA) return 0;
    at = skipSpace(at);
  }
}

function readString(from: usize): usize {
  const to = stringEnd(from);
  if (to == 0) return 0;
  isString = true;
  const block = addBlock();
  block.textFrom = from;
  block.textTo = to;
  hasText = isNonBlank(from, to);
  return to + 1;
}

/** Returns the end of a block; 0 if it is malformed or irregular. `at`: after the opening brace. */
function readBlock(at: usize): usize {
  if (blockCount == MAX_BLOCKS) return 0;
  const block = addBlock();
  let isText = false;
  let keys = NO_KEYS;
  let end: usize = 0;
  for (let value = firstMember(at); value != 0; value = nextMember(end)) {
    const key = memberKey;
    end = valueEnd(value);
    if (end == 0) return 0;
    if (key == Key.arguments) {
      block.argumentsFrom = value;
      block.argumentsTo = end;
    } else if (key != Key.type && key != Key.text && key != Key.id && key != Key.name) continue;
    keys = withKey(keys);
    if (keys == 0) return 0;
    if (byteAt(value) != QUOTE || key == Key.arguments) continue;
    if (key == Key.text) {
      block.textFrom = value + 1;
      block.textTo = end - 1;
    } else if (key == Key.id) {
      block.idFrom = value + 1;
      block.idTo = end - 1;
    } else if (key == Key.name) {
      block.nameFrom = value + 1;
      block.nameTo = end - 1;
    } else if (!isPlain(value + 1, end - 1)) return 0;
    else {
      isText = isSameText(value + 1, end - 1, 'text');
      block.isCall = isSameText(value + 1, end - 1, 'toolCall');
    }
  }
  if (objectEnd == 0) return 0;
  at = objectEnd;
  if (block.isCall) return isPlain(block.idFrom, block.idTo) && isPlain(block.nameFrom, block.nameTo) ? at : 0;
  if (!isText) blockCount--;
  else if (!hasText) hasText = isNonBlank(block.textFrom, block.textTo);
  return at;
}

function addBlock(): Block {
  const block = blockAt(blockCount++);
  memory.fill(changetype<usize>(block), 0, offsetof<Block>());
  return block;
}
