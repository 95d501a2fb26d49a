/** The searchable text of a message: its texts and the strings in its calls' arguments, without JSON's escapes. */
import { NONE, Role } from '../columns/scannerLayout';
import { Block, blockAt, blockCount } from './contentBlocks';
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, NEWLINE, OPEN_BRACE, OPEN_BRACKET, skipSpace } from './json';
import { Call, files, toolCalls, tools, words } from './storage';
import { intern, reserve } from './memory';
import { role } from './message';
import { BACKSLASH, byteAt, isDigit, QUOTE, SPACE, startsWith } from './strings';

/** Messages with more arguments, in bytes of all calls or in values of one, are left to the parser. */
const MAX_ARGUMENT_BYTES: usize = 32 * 1024;
const MAX_ARGUMENT_VALUES = 1000;
/** Rank of a key that doesn't name a file. Of those that do, the lowest rank counts. */
const NO_PATH_KEY = 4;

/** True if the message's words have a character that isn't white space. */
export let hasWords = false;

/** Appends the words and calls of the current message. Returns false where something isn't plain ASCII; the caller then drops what was appended. */
export function putWords(message: i32): bool {
  hasWords = false;
  for (let index = 0; index < blockCount; index++) {
    const block = blockAt(index);
    if (!block.isCall && !putText(block.textFrom, block.textTo)) return false;
  }
  if (role != Role.assistant) return true;
  let left = MAX_ARGUMENT_BYTES;
  for (let index = 0; index < blockCount; index++) {
    const block = blockAt(index);
    if (!block.isCall) continue;
    const size = block.argumentsTo - block.argumentsFrom;
    if (size > left || !putCall(block, message)) return false;
    left -= size;
  }
  return true;
}

/** Appends a JSON string, given without its quotes, and a line break. */
function putText(from: usize, to: usize): bool {
  if (from == to) return true;
  let into = reserve(words, to - from + 1);
  for (let at = from; at < to; at++) {
    let byte = byteAt(at);
    if (byte >= 0x80) return false;
    if (byte == BACKSLASH) {
      byte = unescaped(byteAt(++at));
      if (byte == 0) return false;
    }
    if (!hasWords) hasWords = byte != SPACE && (byte < 9 || byte > 13);
    store<u8>(into++, byte);
  }
  store<u8>(into++, NEWLINE);
  words.size = into - words.at;
  return true;
}

/** Returns the character of an escape by its letter; 0 for a `\u` escape. */
function unescaped(letter: u8): u8 {
  switch (letter) {
    case 0x62:
      return 8;
    case 0x66:
      return 12;
    case 0x6e:
      return 10;
    case 0x72:
      return 13;
    case 0x74:
      return 9;
    case 0x75:
      return 0;
    default:
      return letter;
  }
}

function putCall(block: Block, message: i32): bool {
  const from = block.argumentsFrom;
  let depth = 0;
  let values = 0;
  let key = NO_PATH_KEY;
  let best = NO_PATH_KEY;
  let file = NONE;
  for (let at = from; at < block.argumentsTo; at++) {
    const byte = byteAt(at);
    if (byte == COMMA && ++values >= MAX_ARGUMENT_VALUES) return false;
    if (byte == OPEN_BRACE || byte == OPEN_BRACKET) depth++;
    else if (byte == CLOSE_BRACE || byte == CLOSE_BRACKET) depth--;
    if (byte != QUOTE) continue;
    const text = at + 1;
    let isPlain = true;
    for (at = text; byteAt(at) != QUOTE; at++) {
      if (byteAt(at) != BACKSLASH) continue;
      isPlain = false;
      at++;
    }
    if (byteAt(skipSpace(at + 1)) == COLON) {
      // A parsed object has its keys in file order, except that numeric keys come first, and the last of a repeated key counts.
      if (isDigit(byteAt(text)) || !isPlain) return false;
      key = depth == 1 ? pathKeyRank(text, at) : NO_PATH_KEY;
      if (key < NO_PATH_KEY && key == best) return false;
      continue;
    }
    if (!putText(text, at)) return false;
    if (depth != 1 || key >= best || at == text) continue;
    if (!isPlain) return false;
    best = key;
    file = intern(files, text, <u32>(at - text), 0);
  }
  const call = changetype<Call>(reserve(toolCalls, offsetof<Call>()));
  toolCalls.size += offsetof<Call>();
  call.message = message;
  call.tool = block.nameTo > block.nameFrom ? intern(tools, block.nameFrom, <u32>(block.nameTo - block.nameFrom), 0) : NONE;
  call.file = file;
  return true;
}

function pathKeyRank(from: usize, to: usize): i32 {
  switch (<i32>(to - from)) {
    case 4:
      return startsWith(from, 'path') ? 0 : startsWith(from, 'file') ? 3 : NO_PATH_KEY;
    case 8:
      return startsWith(from, 'filePath') ? 2 : NO_PATH_KEY;
    case 9:
      return startsWith(from, 'file_path') ? 1 : NO_PATH_KEY;
    default:
      return NO_PATH_KEY;
  }
}
