/**
 * Our trash: a deleted session lies, with what belongs to it, on the file system that it was on and out of every
 * listing's sight, in `<root>/.session-tree-trash/<id>/`, until it is brought back or the trash is emptied.
 */
import { lstat, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SessionError } from '../format/problem';
import type { Session } from '../format/session';
import { assertFree } from './guard';
import { keepFolder, keepLine, keptLines, timedId } from './keep';
import { isSessionName } from './listFiles';
import { rootOf, type Root } from './roots';
import { fileVersion } from './sessionFile';
import type { SubmitOptions, Writer } from './submit';
import { beginDeletion, discard, endInterrupted, exists, giveBack, isBeingMade, noteOf, placesIn, takeIn, type Note, type TrashItem } from './trashed';
import { sharedBetweenWindows } from './windows';

export type { TrashItem } from './trashed';

export const TRASH_FOLDER = '.session-tree-trash';

export interface DeleteOptions extends SubmitOptions {
  /** Runs under the guard, before anything moves; what it throws refuses. */
  readonly check?: (path: string) => Promise<void>;
  /** See `WhenMoved`. */
  readonly whenMoved?: (item: TrashItem) => Promise<void>;
}

export interface Trash {
  /**
   * Moves a session with what belongs to it into the trash: all of it or nothing.
   *
   * @throws {SessionError} `live`, `unsure`, `changed`, `not-found`, `permission`.
   */
  delete(path: string, options?: DeleteOptions): Promise<TrashItem>;
  /**
   * Brings a session back to where it was, never over something that is there.
   *
   * @throws {SessionError} `not-found` if the trash has no such thing, `invalid` if its place is taken, `permission`.
   */
  restore(trashId: string, whenMoved?: (item: TrashItem) => Promise<void>): Promise<{ readonly path: string }>;
  /** What can come back, newest first. */
  list(): Promise<TrashItem[]>;
  /** Removes for good, by default everything; returns what was removed. */
  empty(trashIds?: readonly string[]): Promise<TrashItem[]>;
  /** Removes what was deleted longer ago. */
  prune(maxAgeMs: number): Promise<TrashItem[]>;
  /**
   * Ends what processes left that are gone. To be called at the start, and when other roots are known. The folders
   * are looked at side by side, as one on a network may hang: `onEnded` hears of each as it comes.
   */
  recover(onEnded: (ended: Ended) => Promise<void>): Promise<void>;
}

/** What became of an interrupted deletion or restoring. */
export interface Ended {
  readonly item: TrashItem;
  readonly became: 'deleted' | 'restored';
}

export interface TrashTools {
  readonly writer: Writer;
  /** The roots that are known now. */
  readonly roots: () => readonly Root[];
}

/** Opens the trash. `folder`: where it is remembered which trash folders there are, so that a root that is gone is no loss. */
export async function openTrash(folder: string, { writer, roots }: TrashTools): Promise<Trash> {
  await keepFolder(folder);
  const known = join(folder, 'trash.places');
  const windows = sharedBetweenWindows(folder);

  const folders = async (): Promise<string[]> => {
    const remembered = (await keptLines(known)).filter((value) => typeof value === 'string');
    return [...new Set([...roots().map((root) => join(root.path, TRASH_FOLDER)), ...remembered])];
  };

  const find = async (trashId: string): Promise<{ place: string; note: Note }> => {
    for (const parent of isName(trashId) ? await folders() : []) {
      const place = join(parent, trashId);
      const note = await noteOf(place);
      if (note?.state === 'deleted') return { place, note };
    }
    throw new SessionError('not-found', 'This session is no longer in the trash.');
  };

  const all = async (): Promise<{ place: string; item: TrashItem }[]> => {
    const found: { place: string; item: TrashItem }[] = [];
    for (const parent of await folders()) {
      for (const place of (await placesIn(parent)).places) {
        const note = await noteOf(place);
        // Two roots may be the same folder by two names.
        const isKnown = found.some(({ item }) => item.trashId === note?.trashId);
        if (note?.state === 'deleted' && note.trashId === basename(place) && !isKnown) found.push({ place, item: itemOf(note) });
      }
    }
    return found.sort((a, b) => b.item.at - a.item.at || (a.item.trashId < b.item.trashId ? 1 : -1));
  };

  const remove = async (chosen: readonly { place: string; item: TrashItem }[]): Promise<TrashItem[]> => {
    for (const { place } of chosen) await discard(place);
    return chosen.map(({ item }) => item);
  };

  return {
    delete: (given, options = {}) =>
      writer.guarded(
        given,
        async ({ path, version, session }) => {
          await options.check?.(path);
          const things = await belongings(path);
          await assertSubagentsFree(things, writer, options.force === true);
          const item: TrashItem = { trashId: timedId(), path, name: nameOf(path, session), at: Date.now(), size: await sizeOf(things) };
          const parent = await trashFolderFor(path, roots());
          if (!(await keptLines(known)).includes(parent)) await keepLine(known, parent);
          const deletion = { ...item, things: things.map((from, n) => ({ from, as: String(n) })) };
          const place = await beginDeletion(parent, deletion);
          const now = await stat(path, { bigint: true }).then(fileVersion, () => undefined);
          if (now?.size !== version.size || now.ino !== version.ino || now.mtimeMs !== version.mtimeMs) {
            await discard(place);
            throw new SessionError('changed', 'The session was changed by something else at the same moment and was not deleted; refresh and try again: {path}', { path });
          }
          await takeIn(place, deletion, () => options.whenMoved?.(item) ?? Promise.resolve());
          return item;
        },
        options,
      ),
    restore: async (trashId, whenMoved) => {
      const { place, note } = await find(trashId);
      await giveBack(place, note, () => whenMoved?.(itemOf(note)) ?? Promise.resolve());
      return { path: note.path };
    },
    list: async () => (await all()).map(({ item }) => item),
    empty: async (trashIds) => remove((await all()).filter(({ item }) => trashIds?.includes(item.trashId) ?? true)),
    prune: async (maxAgeMs) => remove((await all()).filter(({ item }) => item.at < Date.now() - maxAgeMs)),
    recover: async (onEnded) => {
      // One window at a time, and one look of this window: what they would end is the same.
      const looks = (await folders()).map((parent) => windows.inTurn(parent, () => recoverIn(parent, onEnded)));
      const failed = (await Promise.allSettled(looks)).find((look) => look.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}

/** Ends what was interrupted in one trash folder. */
async function recoverIn(parent: string, onEnded: (ended: Ended) => Promise<void>): Promise<void> {
  const { places, remains } = await placesIn(parent);
  for (const path of remains) if (!isBeingMade(path)) await rm(path, { recursive: true, force: true });
  for (const place of places) {
    const end = await endInterrupted(place);
    if (end) await onEnded({ item: itemOf(end.note), became: end.became });
  }
  await rmdir(parent).catch(() => undefined);
}

/** A session file and what belongs to it: its folder with artifacts and subagents, and backups of its migration. */
export async function belongings(path: string): Promise<string[]> {
  const folder = path.endsWith('.jsonl') ? path.slice(0, -'.jsonl'.length) : undefined;
  const things = [path];
  if (folder !== undefined && (await exists(folder)) && (await lstat(folder)).isDirectory()) things.push(folder);
  for (const version of [1, 2, 3]) {
    const backup = `${path}.v${String(version)}.bak`;
    if (await exists(backup)) things.push(backup);
  }
  return things;
}

/** The sessions that were forked from this one; oh-my-pi's name their parent by its id. */
export function forksOf<Other extends { readonly path: string; readonly parentSession?: string }>(
  session: { readonly path: string; readonly id: string },
  sessions: Iterable<Other>,
): Other[] {
  const path = resolve(session.path);
  return [...sessions].filter(({ path: other, parentSession: parent }) => parent !== undefined && resolve(other) !== path && (parent === session.id || resolve(parent) === path));
}

/** In the root, if that is on the same file system and may be written to; else where the file lies. */
async function trashFolderFor(path: string, roots: readonly Root[]): Promise<string> {
  const root = rootOf(path, roots)?.path;
  if (root !== undefined) {
    const [ofRoot, ofFile] = await Promise.all([stat(root), stat(dirname(path))]);
    const folder = join(root, TRASH_FOLDER);
    if (ofRoot.dev === ofFile.dev && (await keepFolder(folder).then(() => true, () => false))) return folder;
  }
  const folder = join(dirname(path), TRASH_FOLDER);
  await keepFolder(folder);
  return folder;
}

async function assertSubagentsFree(things: readonly string[], writer: Writer, force: boolean): Promise<void> {
  const sessions: string[] = [];
  for await (const file of filesBelow(things.slice(1))) if (isSessionName(basename(file))) sessions.push(file);
  for (const [path, found] of await writer.presence(sessions)) assertFree(path, found, force);
}

async function sizeOf(things: readonly string[]): Promise<number> {
  let size = 0;
  for await (const file of filesBelow(things)) size += (await lstat(file)).size;
  return size;
}

async function* filesBelow(things: readonly string[]): AsyncGenerator<string> {
  for (const thing of things) {
    if (!(await lstat(thing)).isDirectory()) yield thing;
    else yield* filesBelow((await readdir(thing)).map((name) => join(thing, name)));
  }
}

function nameOf(path: string, session: Session | undefined): string {
  const first = session?.entries.find((head) => head.role === 'user' && head.hasText);
  // A row says whose words they are first.
  return session?.name ?? first?.text.replace(/^user: /, '') ?? basename(path);
}

const itemOf = ({ trashId, path, name, at, size }: TrashItem): TrashItem => ({ trashId, path, name, at, size });
const isName = (trashId: string): boolean => trashId !== '' && basename(trashId) === trashId && trashId !== '.' && trashId !== '..';
