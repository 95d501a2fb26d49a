/** Reads the changes of files on a branch from its messages. */
import { DIALECT_FACTS } from '../../../format/entry/dialect';
import type { EntryHead } from '../../../format/entry/entryHead';
import { headSlices } from '../../../format/session/headSlices';
import { FileChangeCollector, type FileChange } from '../../../format/context/fileChanges';
import type { Session } from '../../../format/session/session';
import { pathTo } from '../../../format/session/treeTraversal';
import { Yielder } from '../../concurrency/eventLoop';
import { readBodies } from '../../read/sessionFile';

/** Bytes and entries read in one slice. */
const SLICE_BYTES = 1024 * 1024;
const SLICE_ENTRIES = 200;
const ROLES = new Set(['assistant', 'toolResult', 'bashExecution', 'pythonExecution']);

/**
 * Returns the files that a branch changed, in the order of the first change.
 *
 * @param entryId the end of the branch; by default the session's leaf.
 * @param since an entry of the branch: only changes after it are returned, from the texts that the files had there.
 * @throws {SessionError} `changed` if the file was rewritten since it was read.
 */
export async function branchChanges(session: Session, entryId: string | null = session.leafId, since?: string): Promise<FileChange[]> {
  const path = pathTo(session, entryId);
  const start = since === undefined ? 0 : path.findIndex(({ id }) => id === since) + 1;
  const isMessage = ({ role }: EntryHead): boolean => ROLES.has(role ?? '');
  const pause = new Yielder(undefined);
  const collector = new FileChangeCollector(session.header.cwd, DIALECT_FACTS[session.dialect].isCurrentPi);
  const add = async (heads: readonly EntryHead[]): Promise<void> => {
    for (const slice of headSlices(heads, SLICE_BYTES, SLICE_ENTRIES)) {
      const ids = slice.map(({ id }) => id);
      const bodies = new Map((await readBodies(session, ids)).map((entry) => [entry.id, entry]));
      for (const id of ids) {
        const entry = bodies.get(id);
        if (entry) await pause.run(collector.add(entry));
      }
      await pause.yieldIfDue();
    }
  };
  await add(path.slice(0, start).filter(isMessage));
  collector.startHere();
  await add(path.slice(start).filter(isMessage));
  return collector.changes();
}
