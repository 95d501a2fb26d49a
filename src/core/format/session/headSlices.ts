/** Slices of entries whose bodies are read together, so that only a limited number of bytes is in memory. */
import type { EntryHead } from '../entry/entryHead';

/**
 * Splits heads into slices. Each has at least one head, and the last one of a slice may exceed `maxBytes`.
 *
 * @param maxBytes bytes of a slice's entries from which another slice begins.
 * @param maxCount heads of a slice.
 */
export function* headSlices(heads: readonly EntryHead[], maxBytes: number, maxCount = Infinity): Generator<EntryHead[]> {
  let slice: EntryHead[] = [];
  let bytes = 0;
  for (const head of heads) {
    if (bytes >= maxBytes || slice.length >= maxCount) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(head);
    bytes += head.length;
  }
  if (slice.length > 0) yield slice;
}
