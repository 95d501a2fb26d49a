/** The names of sessions, entries and branches on tabs. */
import { requireEntry, titleOrNothing, uiLine, type Session } from '../core/index';
import { localizeRow } from '../ui/localize';

/** Characters for each side on the tab of a comparison. */
const MAX_SIDE_LENGTH = 32;

export const sessionName = (session: Session): string => titleOrNothing(session.name, session.entries) ?? session.header.id;

/** Returns the label of an entry, or its text. */
export function entryName(session: Session, id: string): string {
  const head = session.byId.get(id);
  return session.labels.get(id) ?? (head ? localizeRow(head) : id);
}

/** Returns the name of a branch by its label, or by its first entry. @param since the entry before that one */
export function branchName(session: Session, tipId: string, since: string): string {
  if (session.labels.has(tipId)) return entryName(session, tipId);
  let first = requireEntry(session, tipId);
  while (first.parentId !== null && first.parentId !== since) first = requireEntry(session, first.parentId);
  return entryName(session, first.id);
}

/** Names one side of a comparison: the label of its last entry, or that entry's text; for an active branch the session's name. */
export function sideName({ session, entryId }: { readonly session: Session; readonly entryId?: string }): string {
  return uiLine(entryId === undefined ? sessionName(session) : entryName(session, entryId), MAX_SIDE_LENGTH);
}
