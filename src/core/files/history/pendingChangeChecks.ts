/** Compares a pending change with its session: whether it still means the same, and whether it was already written. */
import { branchPoint, withoutLineBreaks } from '../../format/write/change';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { BRANCH_MARK, isOnPath } from '../../format/session/treeTraversal';
import type { DeferrableChange, StoredPendingChange } from './pendingChangeRecord';

/** The target of a change. If several changes have the same target, the last one counts. */
export const changeTarget = (change: DeferrableChange): string => (change.kind === 'label' ? `label ${change.entryId}` : change.kind);

/**
 * Verifies that a change still means the same: its label hasn't been changed since, and the session hasn't moved to
 * another branch. (The writer checks that its entry exists.)
 *
 * @throws {SessionError} `invalid` with the reason.
 */
export function assertStillApplies(session: Session, { change, leafId, label }: StoredPendingChange): void {
  const { path } = session;
  if (change.kind === 'label' && (session.labels.get(change.entryId) ?? '') !== label) {
    throw new SessionError('invalid', 'The label was changed while this change was pending: {path}', { path });
  }
  if (change.kind === 'branch' && leafId !== null && !isOnPath(session, session.leafId, leafId)) {
    throw new SessionError('invalid', 'The session moved to another branch while this change was pending: {path}', { path });
  }
}

/** Finds the line that a process wrote for this change before it was killed. */
export function findWrittenEntry(session: Session, { change, at }: StoredPendingChange): string | undefined {
  const head = session.entries.findLast((entry) => {
    if (entry.time < at) return false;
    switch (change.kind) {
      case 'label':
        return entry.type === 'label' && entry.targetId === change.entryId && (entry.label ?? '') === withoutLineBreaks(change.label);
      case 'rename':
        return (entry.type === 'session_info' || entry.type === 'title_change') && (session.name ?? '') === withoutLineBreaks(change.name);
      case 'branch': {
        const chosen = session.byId.get(change.entryId);
        const isOurs = entry.type === 'branch_summary' || entry.customType === BRANCH_MARK;
        return isOurs && chosen !== undefined && entry.parentId === branchPoint(session, chosen);
      }
    }
  });
  return head?.id;
}
