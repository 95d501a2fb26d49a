/** Finds who certainly wrote lines of a range. */
import { intersection, type LineRange } from '../../format/lineOrigins/addedLines';
import type { LineOrigin } from '../origins/lineOrigins';

const NOBODY = 'No session is known to have written these lines.';
const UNCERTAIN = 'Whether a session wrote these lines is uncertain.';

/**
 * Returns the entries that certainly wrote lines of a range, without repetitions, or a sentence that says why there are none.
 *
 * @param origins in order, not overlapping
 */
export function writersOf(origins: readonly LineOrigin[], range: LineRange): LineOrigin[] | string {
  const own = intersection(origins, [range]);
  const certain = own.filter(({ certainty }) => certainty === 'exact');
  const found = certain.length > 0 ? certain : between(origins, own);
  if (found.length > 0) return [...new Map(found.map((one) => [JSON.stringify([one.path, one.entryId]), one])).values()];
  return own.length === 0 ? NOBODY : UNCERTAIN;
}

/** Lines such as `}` that are only likely have the writer of the certain lines right above and below them. */
function between(origins: readonly LineOrigin[], own: readonly LineOrigin[]): LineOrigin[] {
  return own.filter((one) => {
    const at = origins.findIndex(({ from, to }) => from <= one.from && to >= one.to);
    const [whole, above, below] = [origins[at], origins[at - 1], origins[at + 1]];
    return [above, below].every(
      (next, side) =>
        next?.certainty === 'exact' &&
        next.path === one.path &&
        next.entryId === one.entryId &&
        (side === 0 ? next.to + 1 === whole?.from : whole?.to === next.from - 1),
    );
  });
}
