/** Undoes a label, a name or a branch by a line that restores the former value. FORMAT section 6, rule 9. */
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { BRANCH_MARK, pathTo, subtree } from '../../format/session/treeTraversal';
import { readSession } from '../read/sessionFile';
import type { SubmitOptions } from '../write/submitChange';
import type { Writer } from '../write/sessionWriter';
import type { JournalEntry, RecordOf } from './journal';
import { NotUndoableError } from './undoChecks';

/** Writes a line that restores the former value. Writes nothing if the session already has it. */
export async function writeInverse(
  record: Extract<JournalEntry, { readonly kind: 'label' | 'rename' | 'branch' }>,
  writer: Writer,
  options: SubmitOptions,
): Promise<void> {
  const { path } = record;
  const session = await readSession(path, options.dialect ? { dialect: options.dialect } : {});
  if (record.kind === 'branch') {
    const place = formerLeaf(session, record);
    if (place === undefined) return;
    const data = { from: session.leafId, at: place };
    await writer.submit(path, { kind: 'append', lines: [{ type: 'custom', parentId: place, customType: BRANCH_MARK, data }] }, options);
    return;
  }
  const now = (record.kind === 'label' ? session.labels.get(record.targetId) : session.name) ?? '';
  if (now === record.from) return;
  if (now !== record.to) {
    throw new NotUndoableError(
      record.kind === 'label'
        ? new SessionError('changed', 'Can’t undo because the label was changed again (to “{now}”): {path}', {
            now,
            path,
          })
        : new SessionError('changed', 'Can’t undo because the session was renamed again (to “{now}”): {path}', {
            now,
            path,
          }),
    );
  }
  await writer.submit(
    path,
    record.kind === 'label' ? { kind: 'label', entryId: record.targetId, label: record.from } : { kind: 'rename', name: record.from },
    options,
  );
}

/**
 * Returns the leaf to restore when a branch is undone; `undefined` if the session is already there or continued from
 * there.
 */
function formerLeaf(
  session: Session,
  { entryId, from, path }: Pick<RecordOf<'branch'>, 'entryId' | 'from' | 'path'>,
): string | null | undefined {
  const active = pathTo(session, session.leafId);
  const at = active.findIndex((head) => head.id === entryId);
  const since = active[at]?.offset ?? 0;
  if (active.some((head) => head.id === from)) {
    // The branch began at the leaf itself: then only its summary is undone, and only if nothing was said after it.
    const isSummary = active[at]?.type === 'branch_summary' && !active.slice(at + 1).some((head) => CONTEXT_TYPES.has(head.type));
    return isSummary ? from : undefined;
  }
  if (at < 0)
    throw new NotUndoableError(new SessionError('changed', 'Can’t undo because the session moved to another branch: {path}', { path }));
  if (from === null) return null;
  // A program that didn't notice the branch may have continued from the old leaf. Then the leaf moves to the newest
  // entry there.
  const later = subtree(session, from).filter((head) => head.offset > since);
  return later.reduce<string>((place, head) => (head.offset > (session.byId.get(place)?.offset ?? 0) ? head.id : place), from);
}

/** Types that change the context. */
const CONTEXT_TYPES: ReadonlySet<string> = new Set([
  'message',
  'custom_message',
  'compaction',
  'branch_summary',
  'context_edit',
  'reset_boundary',
]);
