/** Updates a session's outline after lines were appended: entries after the leaf get rows, and nothing else is walked. Pure. */
import type { EntryHead, Session } from '../../core/index';
import { setLeafRow, outlineEntryOf, type Outline } from './outline';

/**
 * Returns what `buildOutline` would, or `undefined` if that has to run: if the session was read again from its start,
 * continues elsewhere than at its leaf, or has other labels.
 *
 * @param before the outline of an earlier state of the session, for the same filter
 */
export function updateOutline(before: Outline, session: Session): Outline | undefined {
  const { session: known, filter } = before;
  const leaf = known.leafId === null ? undefined : known.byId.get(known.leafId);
  // Earlier and later states of a session share their heads, unless the file was read again from its start.
  if (!leaf || session.byId.get(leaf.id) !== leaf || known.children.get(leaf.id)?.length || !equalMaps(known.labels, session.labels))
    return undefined;
  const added = appendedEntries(leaf, session, session.byId.size - known.byId.size);
  if (!added) return undefined;
  const rows = [...before.rows];
  setLeafRow(rows, false);
  // A leaf without text has a row only while it is the leaf.
  const last = rows.at(-1);
  if (last?.kind === 'entry' && last.head === leaf) rows.pop();
  for (const head of [leaf, ...added]) {
    const row = outlineEntryOf({ session, filter }, head);
    if (row) rows.push(row);
  }
  setLeafRow(rows, true);
  return { ...before, session, rows };
}

/** The entries from after an earlier leaf to the current one; `undefined` if their number isn't `count`. */
function appendedEntries(earlier: EntryHead, { byId, leafId }: Session, count: number): EntryHead[] | undefined {
  const path: EntryHead[] = [];
  let at = leafId;
  while (at !== null && at !== earlier.id && path.length < count) {
    const head = byId.get(at);
    if (!head) return undefined;
    path.push(head);
    at = head.parentId;
  }
  return at === earlier.id && path.length === count ? path.reverse() : undefined;
}

function equalMaps(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}
