/** The files that the entries of an abandoned branch read and wrote, for the summary that stands for them. */
import type { Entry } from '../../format/entry/entry';
import type { EntryHead } from '../../format/entry/entryHead';
import { touchesOfLine, type SummaryFiles } from '../../format/toolCalls/fileTouches';
import { headSlices } from '../../format/session/headSlices';
import type { Session } from '../../format/session/session';
import { pathTo } from '../../format/session/treeTraversal';
import { branchPoint, writeRefusal, type Change } from '../../format/write/change';
import { readBodies } from '../read/sessionFile';

/** Bytes of entries that are read at a time. */
const GROUP = 8 * 1024 * 1024;

/** Returns the entries between the point where a branch at an entry begins, and the leaf, in order: those that a branch there abandons. */
export function abandonedEntries(session: Session, head: EntryHead): readonly EntryHead[] {
  const kept = new Set(pathTo(session, branchPoint(session, head)).map(({ id }) => id));
  return pathTo(session, session.leafId).filter(({ id }) => !kept.has(id));
}

/**
 * Returns the files of the entries between the leaf and the point where a branch at `head` begins, as pi records them in
 * a branch summary's `details`: a modified file isn't listed among the files that were only read. FORMAT section 6, rule
 * 4.
 *
 * @throws {SessionError} as `readBodies`.
 */
async function abandonedFiles(session: Session, head: EntryHead): Promise<SummaryFiles> {
  const read = new Set<string>();
  const modified = new Set<string>();
  const naming = abandonedEntries(session, head).filter(mayNameFiles);
  for (const group of headSlices(naming, GROUP)) {
    const ids = group.map(({ id }) => id);
    for (const entry of await readBodies(session, ids))
      for (const { file, kind } of isOfProgram(entry) ? touchesOfLine(entry) : []) (kind === 'read' ? read : modified).add(file);
  }
  return { readFiles: [...read].filter((file) => !modified.has(file)).sort(), modifiedFiles: [...modified].sort() };
}

/** Adds the files to a change that writes a branch summary. */
export async function withBranchFiles(session: Session, change: Change): Promise<Change> {
  if (change.kind !== 'branch' || !change.summary?.trim() || change.details || writeRefusal(session)) return change;
  const head = session.byId.get(change.entryId);
  return head ? { ...change, details: await abandonedFiles(session, head) } : change;
}

/**
 * True for an entry whose files count: the files of a compaction are the files of the entries before it, which are
 * counted themselves.
 */
const mayNameFiles = ({ type, role, hasNestedCalls }: EntryHead): boolean =>
  type === 'branch_summary' || role === 'assistant' || hasNestedCalls === true;

/** False for a summary of an extension, whose details may be anything. */
const isOfProgram = (entry: Entry): boolean => !entry['fromHook'] && !entry['fromExtension'];
