/**
 * Texts in messages between threads. A message copies a text, twice and at once, so a long one is sent as bytes, which are moved.
 * It's encoded and decoded in steps.
 */
import type { Steps } from '../../format/session/steps';
import { decodeSteps } from '../../format/text/decodeText';
import { slicesOf } from '../io/atomicFile';

/** A short text, or the bytes of a long one in UTF-8. */
export type SentText = string | Uint8Array;

/** UTF-16 units that are copied in about a millisecond. */
const SHORT = 256 * 1024;

/** @param text well-formed, as all JSON is that was read from bytes or made of values */
export function* sentText(text: string): Steps<SentText> {
  if (text.length <= SHORT) return text;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const piece of slicesOf(text)) {
    yield;
    pieces.push(piece);
    length += piece.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    yield;
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Returns the text of {@link sentText}. */
export function* receivedText(sent: SentText): Steps<string> {
  return typeof sent === 'string' ? sent : yield* decodeSteps(sent);
}

/** Returns the buffers that a message with a value moves. */
export const buffersOf = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
