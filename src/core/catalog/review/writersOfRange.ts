/** Finds who certainly wrote lines of a range. */
import { intersection, type LineRange } from '../../format/lineOrigins/addedLines';
import { SessionError } from '../../format/entry/problem';
import type { LineOrigin } from '../origins/lineOrigins';

/**
 * Returns the entries that certainly wrote lines of a range, without repetitions, or the reason why there are none.
 *
 * @param origins in order, not overlapping
 */
export function writersOf(origins: readonly LineOrigin[], range: LineRange): LineOrigin[] | SessionError {
  const own = intersection(
    origins.map((origin, at) => ({ ...origin, isCertain: isCertain(origins, at) })),
    [range],
  );
  const found = own.filter((one) => one.isCertain);
  if (found.length > 0) return [...new Map(found.map((one) => [JSON.stringify([one.path, one.entryId]), one])).values()];
  return own.length === 0
    ? new SessionError('not-found', 'No session is known to have written these lines.')
    : new SessionError('not-found', 'Whether a session wrote these lines is uncertain.');
}

/** Lines such as `}`, which are only likely, have the session of the certain lines right above and below them. */
function isCertain(origins: readonly LineOrigin[], at: number): boolean {
  const origin = origins[at];
  if (!origin || origin.certainty === 'exact') return origin !== undefined;
  const [above, below] = [origins[at - 1], origins[at + 1]];
  const isSame = (other: LineOrigin | undefined): boolean => other?.certainty === 'exact' && other.path === origin.path;
  return above?.to === origin.from - 1 && isSame(above) && below?.from === origin.to + 1 && isSame(below);
}
