/** The searchable text of a message: its texts and the strings in its calls' arguments, without JSON's escapes. */
import { Collection, Role } from '../../scanner/scannerLayout';
import { putCall } from './callArguments';
import { blockAt, blockCount, readContent } from '../line/contentBlocks';
import { content, role } from '../line/message';
import { beginWords, hasWords, putReadMark, putText, Texts } from './messageWords';
import { putOuterParts } from './outerParts';
import { isPlainText } from './plainText';
import { toolCalls, words } from '../memory/storage';

/** The parser reads the calls of messages that have more bytes of arguments. */
const MAX_ARGUMENT_BYTES: usize = 32 * 1024;

/**
 * Appends the parts of the current message that a `Collection` includes. Returns false for messages that only the
 * parser reads right; then nothing is appended.
 */
export function putWords(message: i32, collection: i32): bool {
  // The rows of tools' results don't need their contents.
  if (role == Role.toolResult && content.from != 0 && readContent(content.from) == 0) return false;
  const from = words.size;
  const callsFrom = toolCalls.size;
  beginWords(collection == Collection.calls ? Texts.noted : Texts.plain);
  let isTaken = putAll(message);
  if (!isTaken && !isPlainText && collection == Collection.words) {
    // If any character isn't ASCII, all texts are folded.
    beginWords(Texts.folded);
    words.size = from;
    toolCalls.size = callsFrom;
    isTaken = putAll(message);
  }
  if (!isTaken) toolCalls.size = callsFrom;
  if (!isTaken || !hasWords) words.size = from;
  return isTaken;
}

function putAll(message: i32): bool {
  // All others are entries of extensions.
  if (role != Role.user && role != Role.assistant) return putReadParts();
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

/** Appends the searched parts of the texts that the model read. */
function putReadParts(): bool {
  for (let index = 0; index < blockCount; index++) {
    const block = blockAt(index);
    if (!block.isCall && !putOuterParts(block.textFrom, block.textTo)) return false;
  }
  putReadMark();
  return true;
}
