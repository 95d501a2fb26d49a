/**
 * Keeps the part of a content that the text of a row needs, as JSON: the beginnings of its texts, and its calls. Signatures,
 * thinking, images and the texts that a call writes into a file are left out.
 */
import { KEPT_TEXT_LENGTH, Role } from '../../scanner/scannerLayout';
import { Block, blockAt, blockCount, isString } from '../line/contentBlocks';
import { OPEN_BRACE, valueEnd } from '../json/json';
import { Key } from '../../scanner/scannerKeys';
import { firstMember, memberKey, nextMember, objectEnd } from '../json/members';
import { append, GrowableBytes, reserve } from '../memory/memory';
import { errorMessage, role } from '../line/message';
import { isSameText } from '../json/spans';
import { BACKSLASH, byteAt } from '../json/strings';

/** The UTF-16 units that rows use of an error, and a code point, which may belong to the last character. */
const ERROR_LENGTH = 402;
const ALL = i32.MAX_VALUE;
/** Bytes of an escape with a number. */
const LONGEST_CHARACTER: usize = 6;

let kept: GrowableBytes = changetype<GrowableBytes>(0);
/** UTF-16 units of text that are still needed. */
let unitsLeft = 0;

/** Appends the kept part of the current line's content. The row of a person's message needs all of its text, other rows need little. */
export function putKeptContent(into: GrowableBytes): void {
  kept = into;
  unitsLeft = role == Role.user ? ALL : KEPT_TEXT_LENGTH;
  if (errorMessage.from == 0) {
    putContent();
    return;
  }
  put('{"content":');
  putContent();
  put(',"errorMessage":');
  unitsLeft = ERROR_LENGTH;
  putText(errorMessage.from + 1, errorMessage.to - 1);
  put('}');
}

function putContent(): void {
  if (isString) {
    putText(blockAt(0).textFrom, blockAt(0).textTo);
    return;
  }
  let count = 0;
  put('[');
  for (let index = 0; index < blockCount; index++) {
    const block = blockAt(index);
    if (!block.isCall && (unitsLeft == 0 || block.textFrom == block.textTo)) continue;
    if (count++ > 0) put(',');
    if (block.isCall) putCall(block);
    else {
      put('{"type":"text","text":');
      putText(block.textFrom, block.textTo);
      put('}');
    }
  }
  put(']');
}

function putCall(call: Block): void {
  put('{"type":"toolCall"');
  if (call.idFrom != 0) {
    put(',"id":');
    append(kept, call.idFrom - 1, call.idTo - call.idFrom + 2);
  }
  if (call.nameFrom != 0) {
    put(',"name":');
    append(kept, call.nameFrom - 1, call.nameTo - call.nameFrom + 2);
  }
  if (call.argumentsFrom != 0) {
    put(',"arguments":');
    const start = kept.size;
    if (!isFileTool(call) || !putPlaces(call.argumentsFrom)) {
      kept.size = start;
      append(kept, call.argumentsFrom, call.argumentsTo - call.argumentsFrom);
    }
  }
  put('}');
}

/** Returns whether rows show only the place in a file that the call names. */
function isFileTool(call: Block): bool {
  return (
    isSameText(call.nameFrom, call.nameTo, 'read') ||
    isSameText(call.nameFrom, call.nameTo, 'edit') ||
    isSameText(call.nameFrom, call.nameTo, 'write')
  );
}

/** Appends the arguments that name a place in a file. Returns false for arguments that aren't an object with plain keys. */
function putPlaces(at: usize): bool {
  if (byteAt(at) != OPEN_BRACE) return false;
  let count = 0;
  let end: usize = 0;
  put('{');
  for (let value = firstMember(at + 1); value != 0; value = nextMember(end)) {
    const key = memberKey;
    end = valueEnd(value);
    if (key != Key.path && key != Key.file_path && key != Key.offset && key != Key.limit) continue;
    if (count++ > 0) put(',');
    put(key == Key.path ? '"path":' : key == Key.file_path ? '"file_path":' : key == Key.offset ? '"offset":' : '"limit":');
    append(kept, value, end - value);
  }
  put('}');
  return objectEnd != 0;
}

/** Appends the beginning of a string, given without its quotes, with `unitsLeft` UTF-16 units or more. */
function putText(from: usize, to: usize): void {
  const size = to - from;
  put('"');
  if (unitsLeft == ALL) append(kept, from, size);
  else if (size <= <usize>unitsLeft) {
    append(kept, from, size);
    unitsLeft -= <i32>(size / LONGEST_CHARACTER);
  } else append(kept, from, beginningEnd(from, to) - from);
  put('"');
}

/** Returns the end of the first `unitsLeft` units, and counts them: a character above ASCII as one, an invalid byte as none. */
function beginningEnd(from: usize, to: usize): usize {
  let at = from;
  while (at < to) {
    const byte = byteAt(at);
    if ((byte & 0xc0) != 0x80 && unitsLeft-- == 0) {
      unitsLeft = 0;
      return at;
    }
    at += byte != BACKSLASH ? 1 : byteAt(at + 1) == 0x75 ? 6 : 2;
  }
  return at;
}

function put(text: string): void {
  const into = reserve(kept, text.length);
  for (let index = 0; index < text.length; index++) store<u8>(into + index, <u8>text.charCodeAt(index));
  kept.size += text.length;
}
