/** Finds consecutive lines in a text, in time that is linear in both, however often their lines repeat. */

/** Numbers of lines, or the units of a text. */
type Numbers = readonly number[] | Uint16Array;

/**
 * Yields the places at which `lines` has all of `wanted`, from a place on; overlapping ones, too. None if `wanted` is empty.
 *
 * @see Knuth, Morris and Pratt: Fast Pattern Matching in Strings (1977)
 */
export function* findLines(lines: Numbers, wanted: Numbers, from = 0): Generator<number> {
  const [first] = wanted;
  if (first === undefined) return;
  let borders: Int32Array | undefined;
  let matched = 0;
  for (let at = from; at < lines.length; at++) {
    if (matched === 0) {
      at = lines.indexOf(first, at);
      if (at < 0) return;
    }
    const line = lines[at];
    if (matched > 0) {
      borders ??= bordersOf(wanted);
      while (matched > 0 && wanted[matched] !== line) matched = borders[matched - 1]!;
    }
    if (wanted[matched] === line) matched++;
    if (matched < wanted.length) continue;
    yield at - matched + 1;
    borders ??= bordersOf(wanted);
    matched = borders[matched - 1]!;
  }
}

/** The length of the longest beginning that also ends there, for each beginning of the lines. */
function bordersOf(lines: Numbers): Int32Array {
  const borders = new Int32Array(lines.length);
  for (let at = 1, length = 0; at < lines.length; at++) {
    while (length > 0 && lines[at] !== lines[length]) length = borders[length - 1]!;
    if (lines[at] === lines[length]) length++;
    borders[at] = length;
  }
  return borders;
}
