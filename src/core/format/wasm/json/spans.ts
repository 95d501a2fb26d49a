/** Positions of texts in memory. */
import { plainEnd, byteAt, QUOTE, startsWith } from './strings';

/** Position of a text; 0 and 0 if there is none. */
@unmanaged
export class Span {
  from: usize;
  to: usize;
}

export function createSpan(): Span {
  return changetype<Span>(heap.alloc(offsetof<Span>()));
}

export function clearSpan(span: Span): void {
  span.from = span.to = 0;
}

export function sizeOf(span: Span): u32 {
  return <u32>(span.to - span.from);
}

/** Sets the span and returns its end. */
export function setSpan(span: Span, from: usize, to: usize): usize {
  span.from = from;
  span.to = to;
  return to;
}

/** Sets the span to the string at `at` and returns the string's end; 0 if it isn't a string of plain characters. */
export function readPlain(at: usize, span: Span): usize {
  if (byteAt(at) != QUOTE) return 0;
  const close = plainEnd(at + 1);
  return close == 0 ? 0 : setSpan(span, at + 1, close) + 1;
}

/** Returns whether the string that ends with the quote at `to` has only unescaped printable ASCII. True if there is none. */
export function isPlain(from: usize, to: usize): bool {
  return from == 0 || plainEnd(from) == to;
}

/** Returns whether a text of plain characters equals an ASCII text. */
export function isSameText(from: usize, to: usize, expected: string): bool {
  return to - from == expected.length && startsWith(from, expected);
}
