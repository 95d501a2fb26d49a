/** Decodes the bytes of a long line in steps. */
import type { Steps } from '../session/steps';

/** Bytes that are decoded at once, in about a millisecond. */
const BYTES_OF_STEP = 512 * 1024;

/** Returns the text of bytes in UTF-8, with replacement characters for bytes that aren't. */
export function* decodeSteps(bytes: Uint8Array): Steps<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += BYTES_OF_STEP) {
    if (from > 0) yield;
    pieces.push(decoder.decode(bytes.subarray(from, from + BYTES_OF_STEP), { stream: true }));
  }
  pieces.push(decoder.decode());
  return pieces.join('');
}
