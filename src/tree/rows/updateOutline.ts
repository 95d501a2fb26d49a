/** A session's outline after lines were appended to it: what follows the leaf gets rows, and nothing else is walked. Pure. */
import type { EntryHead, Session } from '../../core/index';
import { setLeafRow, outlineEntryOf, type Outline } from './outline';

/**
 * What `buildOutline` would answer; `undefined` where it has to: where the session was read anew, goes on from elsewhere than
 * its leaf, or has other labels.
 *
 * @param before of an earlier state of the session, for the same filter
 */
export function updateOutline(before: Outline, session: Session): Outline | undefined {
  const { session: known, filter } = before;
  const leaf = known.leafId === null ? undefined : known.byId.get(known.leafId);
  // States of one session share their heads; of a file that was read anew all are others.
  if (!leaf || session.byId.get(leaf.id) !== leaf || known.children.get(leaf.id)?.length || !equalMaps(known.labels, session.labels)) return undefined;
  const added = appendedEntries(leaf, session, session.byId.size - known.byId.size);
  if (!added) return undefined;
  const rows = [...before.rows];
  setLeafRow(rows, false);
  // A leaf without text has a row only as long as it is one.
  const last = rows.at(-1);
  if (last?.kind === 'entry' && last.head === leaf) rows.pop();
  for (const head of [leaf, ...added]) {
    const row = outlineEntryOf({ session, filter }, head);
    if (row) rows.push(row);
  }
  setLeafRow(rows, true);
  return { ...before, session, rows };
}

/** The entries behind an earlier leaf down to the one of now; `undefined` if they are not just so many. */
function appendedEntries(earlier: EntryHead, { byId, leafId }: Session, count: number): EntryHead[] | undefined {
  const way: EntryHead[] = [];
  let at = leafId;
  for (; at !== null && at !== earlier.id && way.length < count; at = way.at(-1)!.parentId) {
    const head = byId.get(at);
    if (!head) return undefined;
    way.push(head);
  }
  return at === earlier.id && way.length === count ? way.reverse() : undefined;
}

function equalMaps(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}
