/** Moves a session and everything that belongs to it into a trash folder. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { titleOrNothing } from '../../format/session/sessionTitle';
import { beginning } from '../../format/text/characters';
import { isListedName, isSessionName } from '../locate/listFiles';
import { rootOf, type Root } from '../locate/roots';
import { makePrivateFolder } from '../storage/privateFolder';
import { timeOrderedId } from '../storage/privateStorage';
import type { SubmitOptions } from '../write/submitChange';
import type { Writer } from '../write/sessionWriter';
import { assertFree } from '../write/writeGuard';
import { filesBelow, sizeOf } from './relatedPaths';
import { beginDeletion, filesToTrash, moveToTrash } from './trashEntry';
import { TRASH_FOLDER, type TrashItem, type TrashRecord, type TrashRecords } from './trashRecords';

/** Options for deleting a session. */
export interface DeleteOptions extends SubmitOptions {
  /** Runs under the guard before anything is moved; an error refuses the deletion. */
  readonly check?: (path: string) => Promise<void>;
  /** Runs after everything was moved and before the deletion counts as done; see `WhenMoved`. */
  readonly whenMoved?: (item: TrashItem) => Promise<void>;
  /** Leaves the session's folder, which has its subagents' sessions, where it is. */
  readonly keepFolder?: boolean;
  /** The id that the journal's records of sessions deleted together have in common. */
  readonly group?: string;
}

/** Largest length of a session's stored name, in UTF-16 units. */
const MAX_NAME = 500;

/** The records and the writer of the trash, and the known roots. */
interface DeleteTools {
  readonly records: TrashRecords;
  readonly writer: Writer;
  readonly roots: () => readonly Root[];
}

/** @throws {SessionError} as `Trash.delete` */
export function deleteSession(given: string, options: DeleteOptions, { records, writer, roots }: DeleteTools): Promise<TrashItem> {
  return writer.guardedRemoval(
    given,
    async ({ path, version, session }) => {
      if (!isListedName(basename(path))) throw new SessionError('not-a-session', 'Only session files can be deleted: {path}', { path });
      await options.check?.(path);
      const { parent, things } = await filesToTrash(path, options.keepFolder === true);
      const paths = things.map(({ name }) => join(parent, name));
      await assertSubagentsFree(paths, writer, options.force === true);
      const item: TrashItem = {
        trashId: timeOrderedId(),
        path,
        name: nameOf(path, session),
        at: Date.now(),
        size: await sizeOf(paths),
      };
      const begun = await firstPermitted(await trashFolders(path, roots()), async (place) => {
        await writer.assertChangeable(join(place, item.trashId));
        const deletion: TrashRecord = { ...item, folder: place, parent, things };
        return { deletion, operation: await beginDeletion(records, deletion, () => makePrivateFolder(place)) };
      });
      await moveToTrash(records, { ...begun, version }, () => options.whenMoved?.(item) ?? Promise.resolve());
      return item;
    },
    options,
  );
}

/**
 * Returns candidates for the trash folder: the root's folder if it's on the same file system, then a folder next to the
 * session, for a root without write permission.
 */
async function trashFolders(path: string, roots: readonly Root[]): Promise<[string, ...string[]]> {
  const root = rootOf(path, roots)?.path;
  const [ofRoot, ofFile] = await Promise.all([root === undefined ? undefined : stat(root), stat(dirname(path))]);
  const beside = join(dirname(path), TRASH_FOLDER);
  const inRoot = root !== undefined && ofRoot?.dev === ofFile.dev ? join(root, TRASH_FOLDER) : beside;
  return inRoot === beside ? [beside] : [inRoot, beside];
}

/** Tries the next folder only if there is no permission for the previous one. A link instead of a folder is refused. */
async function firstPermitted<T>([first, ...others]: readonly [string, ...string[]], work: (folder: string) => Promise<T>): Promise<T> {
  try {
    return await work(first);
  } catch (error) {
    const [next, ...rest] = others;
    const isNoPlace = error instanceof SessionError && error.code === 'permission';
    if (!isNoPlace || next === undefined) throw error;
    return firstPermitted([next, ...rest], work);
  }
}

/** @throws {SessionError} `live` or `unsure` if another program has the session of a subagent */
export async function assertSubagentsFree(things: readonly string[], writer: Writer, force: boolean): Promise<void> {
  const sessions: string[] = [];
  for await (const file of filesBelow(things.slice(1))) if (isSessionName(basename(file))) sessions.push(file);
  if (sessions.length === 0) return;
  for (const [path, found] of await writer.presence(sessions)) assertFree(path, found, force);
}

function nameOf(path: string, session: Session | undefined): string {
  return beginning((session && titleOrNothing(session.name, session.entries)) ?? basename(path), MAX_NAME);
}
