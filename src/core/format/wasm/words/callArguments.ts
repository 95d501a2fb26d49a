/** The arguments of a tool call: their strings, and the file that they name. */
import { NONE } from '../../scanner/scannerLayout';
import { Block } from '../line/contentBlocks';
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, skipSpace } from '../json/json';
import { Key } from '../../scanner/scannerKeys';
import { keyNamed } from '../json/keys';
import { hashOf, intern, reserve } from '../memory/memory';
import { putText } from './messageWords';
import { isPlain } from '../json/spans';
import { Call, files, toolCalls, tools } from '../memory/storage';
import { byteAt, isDigit, QUOTE, stringEnd } from '../json/strings';

/** The parser reads the arguments of calls that have more values. */
const MAX_VALUES = 1000;
/** Rank of a key that doesn't name a file. The file of the key with the lowest rank counts. */
const NO_PATH_KEY = 4;

/** Hashes of the keys of all open objects, and for each level the number of keys outside it. */
const MAX_KEYS = 256;
const MAX_LEVELS = 64;
const keys: usize = heap.alloc(MAX_KEYS << 2);
const outerKeys: usize = heap.alloc(MAX_LEVELS << 2);
let keyCount = 0;

/** Appends a call and its words. Returns false for arguments that the parser has to read. */
export function putCall(block: Block, message: i32): bool {
  let depth = 0;
  let values = 0;
  let key = NO_PATH_KEY;
  let best = NO_PATH_KEY;
  let file = NONE;
  keyCount = 0;
  const mayPatch = isPatchTool(block);
  // The parser finds the files that the code of a cell writes.
  if (isName(block, 'eval')) return false;
  for (let at = block.argumentsFrom; at < block.argumentsTo; at++) {
    const byte = byteAt(at);
    if (byte == COMMA && ++values >= MAX_VALUES) return false;
    if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
      store<i32>(outerKeys + ((<usize>depth) << 2), keyCount);
      depth++;
    } else if (byte == CLOSE_BRACE || byte == CLOSE_BRACKET) {
      depth--;
      keyCount = load<i32>(outerKeys + ((<usize>depth) << 2));
    }
    if (byte != QUOTE) continue;
    const text = at + 1;
    at = stringEnd(text);
    if (byteAt(skipSpace(at + 1)) == COLON) {
      // A parsed object has its keys in file order, except that numeric keys come first, and the last of a repeated key counts.
      if (isDigit(byteAt(text)) || !isPlain(text, at) || !addKey(hashOf(text, <u32>(at - text)), depth)) return false;
      const name = depth == 1 ? keyNamed(text, at) : NONE;
      // The parser finds the files that a patch names.
      if (mayPatch && (name == Key.input || name == Key._input || name == Key.patch)) return false;
      key = pathKeyRank(name);
      continue;
    }
    if (!putText(text, at)) return false;
    if (depth != 1 || key >= best || at == text) continue;
    if (!isPlain(text, at)) return false;
    best = key;
    file = intern(files, text, <u32>(at - text), 0);
  }
  const call = changetype<Call>(reserve(toolCalls, offsetof<Call>()));
  toolCalls.size += offsetof<Call>();
  call.row = message;
  call.tool = block.nameTo > block.nameFrom ? intern(tools, block.nameFrom, <u32>(block.nameTo - block.nameFrom), 0) : NONE;
  call.file = file;
  return true;
}

/** Returns whether the tool is `edit` or `apply_patch`, in any case. */
function isPatchTool(block: Block): bool {
  return isName(block, 'edit') || isName(block, 'apply_patch');
}

function isName(block: Block, name: string): bool {
  const size = <usize>name.length;
  if (block.nameTo - block.nameFrom != size) return false;
  for (let at: usize = 0; at < size; at++) {
    const byte = byteAt(block.nameFrom + at);
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (lower != <u8>name.charCodeAt(<i32>at)) return false;
  }
  return true;
}

/** Returns false for a key that its object most likely has already, and for one too many. */
function addKey(hash: u32, depth: i32): bool {
  for (let index = load<i32>(outerKeys + ((<usize>(depth - 1)) << 2)); index < keyCount; index++)
    if (load<u32>(keys + ((<usize>index) << 2)) == hash) return false;
  if (keyCount == MAX_KEYS) return false;
  store<u32>(keys + ((<usize>keyCount) << 2), hash);
  keyCount++;
  return true;
}

function pathKeyRank(key: i32): i32 {
  switch (key) {
    case Key.path:
      return 0;
    case Key.file_path:
      return 1;
    case Key.filePath:
      return 2;
    case Key.file:
      return 3;
    default:
      return NO_PATH_KEY;
  }
}
