/** Updates a session's outline after lines were appended: entries after the leaf get rows, and nothing else is walked. Pure. */
import { headsOf, isVisibleAt, NO_PARENT, type HeadSource, type Session } from '../../core/index';
import { leafRowOf, type Outline } from './outline';

/**
 * Returns what `buildOutline` would, or `undefined` if that has to run: if the session was read again from its start,
 * continues elsewhere than at its leaf, or has other labels or archived entries.
 *
 * @param before the outline of an earlier state of the session, for the same filter
 */
export function updateOutline(before: Outline, session: Session): Outline | undefined {
  const { session: known, filter } = before;
  if (known.leafId === null || known.children.get(known.leafId)?.length) return undefined;
  if (!equalMaps(known.labels, session.labels) || !equalSets(known.archived, session.archived)) return undefined;
  const heads = headsOf(session);
  const leaf = before.heads.placeOf(known.leafId);
  // Earlier and later states of a session share their heads, unless the file was read again from its start.
  if (leaf === undefined || leaf >= heads.length || heads.at(leaf) !== before.heads.at(leaf)) return undefined;
  const added = appendedPlaces(leaf, session, heads, heads.length - before.heads.length);
  if (!added) return undefined;
  const elements = [...before.elements];
  // A leaf without text has a row only while it is the leaf.
  if (elements.at(-1) === leaf) elements.pop();
  for (const place of [leaf, ...added]) if (isVisibleAt(session, heads, place, filter)) elements.push(place);
  return { ...before, session, heads, elements, leafRow: leafRowOf(elements) };
}

/** The places from after an earlier leaf to the current one; `undefined` if their number isn't `count`. */
function appendedPlaces(earlier: number, { leafId }: Session, heads: HeadSource, count: number): number[] | undefined {
  const path: number[] = [];
  let at = leafId === null ? undefined : heads.placeOf(leafId);
  while (at !== undefined && at !== NO_PARENT && at !== earlier && path.length < count) {
    path.push(at);
    at = heads.parentAt(at);
  }
  return at === earlier && path.length === count ? path.reverse() : undefined;
}

function equalMaps(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

const equalSets = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id));
