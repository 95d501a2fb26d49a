/** Checks the claims of brackets and blank lines by the lines around them: they occur anywhere, so their own text identifies little. */
import type { LineClaim } from './lineClaim';
import type { LineTexts } from './lineTexts';
import { ALIGNED, CHUNK, type Work } from './work';
import { isBlank, openingLineOf } from './replay/blockEnds';

/**
 * Weakens the claims of brackets and blank lines. A claim is only `exact` if the line before it, or the line that
 * opened its block, comes from the same edit. A `likely` claim is dropped if there is no session's line next to it, and that of
 * a blank line before an edit's lines unless the edit surely wrote the line before it, too: it may belong to either.
 *
 * @param claims are changed
 */
export function* weakenMarks(claims: (LineClaim | undefined)[], current: readonly number[], texts: LineTexts): Work<void> {
  yield current.length;
  const after = nextTelling(current, texts);
  let before: LineClaim | undefined;
  for (let at = 0; at < current.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, current.length - at) * ALIGNED;
    const line = current[at]!;
    const claim = claims[at];
    if (texts.isDistinctive(line)) {
      before = claim;
      continue;
    }
    if (!claim) continue;
    if (claim.certainty === 'likely' && isBlank(line, texts) && isSurely(claims[at + 1], claim) && !isSurely(claims[at - 1], claim)) {
      claims[at] = undefined;
      continue;
    }
    const openedAt = openingLineOf(current, at, texts);
    const opening = openedAt === undefined ? undefined : claims[openedAt];
    const next = isBlank(line, texts) ? claims[after[at]!] : undefined;
    if (before?.origin === claim.origin || opening?.origin === claim.origin) continue;
    if (claim.certainty === 'exact') claims[at] = { ...claim, certainty: 'likely' };
    else if (!before && !next) claims[at] = undefined;
  }
}

const isSurely = (one: LineClaim | undefined, { origin }: LineClaim): boolean => one?.certainty === 'exact' && one.origin === origin;

/** Returns, for each line, the place of the next distinctive line. */
function nextTelling(lines: readonly number[], texts: LineTexts): Int32Array {
  const places = new Int32Array(lines.length);
  for (let at = lines.length - 1, next = lines.length; at >= 0; at--) {
    places[at] = next;
    if (texts.isDistinctive(lines[at]!)) next = at;
  }
  return places;
}
