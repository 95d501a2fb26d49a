/** The events of many files of a folder: one query, each session's entries read once, and one call of Git for all files. */
import { join, resolve } from 'node:path';
import { Yielder } from '../../files/concurrency/eventLoop';
import { forEachConcurrent } from '../../files/concurrency/forEachConcurrent';
import { blobTexts, commitsOfFiles, repositoryOf, type FileCommit } from '../../files/git/fileCommits';
import { UntrustedPaths } from '../../files/io/untrustedPaths';
import { pathKey } from '../../files/locate/paths/pathMatch';
import { placeWithin } from '../../files/relink/movedPaths';
import { elementAt } from '../../format/values/lookups';
import type { Catalog } from '../catalogApi';
import type { FolderTouch, LocatedTouch } from '../encoding/touchTable';
import { commitEvents, wantedCommits } from '../origins/events/commitEvents';
import { acrossMoves, eventsInOrder, fileEvents, type FileEvents } from '../origins/events/fileEvents';
import { unlessGone } from '../origins/events/fileReadings';
import { MAX_NAMES } from '../origins/events/timedEvent';
import { MAX_EVENTS, sessionRecord, type SessionEdit, type SessionReading } from '../origins/events/sessionEdits';

export interface FileRecords {
  /** The files below the folder that some session wrote, sorted. */
  readonly files: readonly string[];
  /** Returns the events of a file: of one of these, or of another, whose events are then read on their own. */
  readonly eventsOf: (file: string) => Promise<FileEvents>;
}

/** All that sessions say about one file. */
interface Recorded {
  readonly file: string;
  readonly edits: SessionEdit[];
  readonly readings: SessionReading[];
  readonly sessions: Set<string>;
}

/** Texts that Git is asked for at once, and processes at a time: one reads while the texts of the other are taken. */
const MAX_BLOBS = 300;
const MAX_GITS = 2;

const keyOf = (path: string): string => pathKey(path, process.platform);

/**
 * Reads what sessions and commits say about the files below a folder that some session wrote.
 *
 * @param root the folder, absolute
 * @param within the folder's `Catalog.touchesWithin`
 * @param point a time, in milliseconds since 1970: the commits that are next to it are wanted as well
 * @throws the signal's reason if aborted
 */
export async function fileRecords(
  catalog: Catalog,
  root: string,
  within: readonly FolderTouch[],
  point: number,
  signal: AbortSignal | undefined,
): Promise<FileRecords> {
  const bySession = new Map<string, LocatedTouch[]>();
  const recorded = new Map<string, Recorded>();
  for (const { file, ...touch } of within) {
    let one = recorded.get(keyOf(file));
    if (!one) recorded.set(keyOf(file), (one = { file, edits: [], readings: [], sessions: new Set() }));
    one.sessions.add(touch.path);
    const touches = bySession.get(touch.path);
    if (touches) touches.push(touch);
    else bySession.set(touch.path, [touch]);
  }
  signal?.throwIfAborted();
  const listing = commitLists(recorded, signal);
  // Git runs beside the reading.
  const [lists] = await Promise.all([listing, readSessions(catalog, root, bySession, recorded, signal)]);
  const commits = await commitsOf(lists, point, signal);
  const texts = new Map<string, FileEvents>();
  for (const [key, { edits, readings, sessions }] of recorded)
    texts.set(key, { events: eventsInOrder(edits, readings, commits.get(key) ?? []), sessions: [...sessions] });
  const eventsOf = (file: string, names = MAX_NAMES): Promise<FileEvents> => {
    const own = texts.get(keyOf(file));
    return own ? acrossMoves(own, [file], names, eventsOf) : fileEvents(catalog, file, { signal, isFull: true, point });
  };
  return { files: [...recorded.values()].map(({ file }) => file).sort(), eventsOf };
}

/** Adds the edits and readings of all sessions, each edit once, in order of time. */
async function readSessions(
  catalog: Catalog,
  root: string,
  bySession: ReadonlyMap<string, readonly LocatedTouch[]>,
  recorded: ReadonlyMap<string, Recorded>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const names = await catalog.namesOf(root);
  const summaries = [...bySession.keys()].flatMap((path) => catalog.files().get(path)?.row.summary ?? []);
  // Forks come after their sources.
  summaries.sort((a, b) => a.created - b.created || (a.path < b.path ? -1 : 1));
  const found: (Awaited<ReturnType<typeof sessionRecord>>[] | undefined)[] = [];
  await forEachConcurrent(summaries, async ({ path, cwd, dialect }, at) => {
    const places = new Map<string, string>();
    const pathHere = (file: string): string => {
      let here = places.get(file);
      if (here === undefined) places.set(file, (here = placeIn(root, names, catalog.pathHere(path, cwd, file))));
      return here;
    };
    const touches = [...(bySession.get(path) ?? [])].sort((a, b) => a.offset - b.offset);
    const session = { path, dialect, pathHere, written: [], read: [] };
    const record = sessionRecord(session, touches, (file) => recorded.has(keyOf(file)), signal);
    found[at] = await unlessGone(
      record.then((one) => [one]),
      signal,
    );
  });
  const texts = new SharedTexts();
  const known = new Set<string>();
  const pause = new Yielder(signal);
  for (const { edits, readings } of found.flatMap((one) => one ?? [])) {
    for (const edit of edits)
      for (const name of new Set([edit.file, edit.movedTo ?? edit.file].map(keyOf))) {
        const id = `${name}\n${edit.key}`;
        if (!known.has(id)) recorded.get(name)?.edits.push(edit);
        known.add(id);
      }
    for (const reading of readings) recorded.get(keyOf(reading.file))?.readings.push(texts.reading(reading));
    await pause.yieldIfDue();
  }
  for (const { edits, readings } of recorded.values()) {
    edits.sort((a, b) => a.time - b.time).splice(0, Math.max(0, edits.length - MAX_EVENTS));
    readings.sort((a, b) => a.time - b.time).splice(0, Math.max(0, readings.length - MAX_EVENTS));
  }
}

/** Returns a path below the folder where one of the folder's names leads to it. */
function placeIn(root: string, names: readonly string[], path: string): string {
  for (const name of names) {
    const rest = placeWithin(name, path);
    if (rest !== undefined && rest !== '') return join(root, rest);
  }
  return path;
}

/** The same text is read again and again, and kept once. */
class SharedTexts {
  private readonly known = new Map<string, string>();

  reading(one: SessionReading): SessionReading {
    const text = this.shared(one.text);
    return { ...one, text, shown: one.shown && { ...one.shown, text: one.shown.text === text ? text : this.shared(one.shown.text) } };
  }

  private shared(text: string): string {
    const known = this.known.get(text);
    if (known === undefined) this.known.set(text, text);
    return known ?? text;
  }
}

/** Files of a repository, and their commits by the files' paths. */
interface RepositoryFiles {
  readonly repository: string;
  readonly files: readonly Recorded[];
  readonly commits: ReadonlyMap<string, readonly FileCommit[]>;
}

/** Lists the commits of the files that are in repositories. */
async function commitLists(recorded: ReadonlyMap<string, Recorded>, signal: AbortSignal | undefined): Promise<RepositoryFiles[]> {
  const untrusted = new UntrustedPaths();
  const byRepository = new Map<string, Recorded[]>();
  const repositories = new Map<string, Promise<string | undefined>>();
  for (const one of recorded.values()) {
    if (await untrusted.isRefused(one.file)) continue;
    const folder = resolve(one.file, '..');
    let finding = repositories.get(folder);
    if (!finding) repositories.set(folder, (finding = repositoryOf(one.file)));
    const repository = await finding;
    if (repository === undefined) continue;
    const others = byRepository.get(repository);
    if (others) others.push(one);
    else byRepository.set(repository, [one]);
  }
  const lists: RepositoryFiles[] = [];
  for (const [repository, files] of byRepository) {
    const paths = files.map(({ file }) => file);
    lists.push({ repository, files, commits: await commitsOfFiles(repository, paths, signal) });
  }
  return lists;
}

/** Returns the commits' texts of files, by the files' keys. Their edits have been read. */
async function commitsOf(lists: readonly RepositoryFiles[], point: number, signal: AbortSignal | undefined) {
  const events = new Map<string, ReturnType<typeof commitEvents>>();
  for (const { repository, files, commits } of lists) {
    const wanted = files.map(({ file, edits }) => wantedCommits(commits.get(file) ?? [], edits, true, point));
    const blobs = [...new Set(wanted.flat().flatMap(({ blob }) => blob ?? []))];
    const texts = new Map<string, string>();
    const parts = Array.from({ length: Math.ceil(blobs.length / MAX_BLOBS) }, (_, at) => blobs.slice(at * MAX_BLOBS, (at + 1) * MAX_BLOBS));
    await forEachConcurrent(
      parts,
      async (part) => {
        for (const [blob, text] of await blobTexts(repository, part, signal)) texts.set(blob, text);
      },
      MAX_GITS,
    );
    for (const [at, { file }] of files.entries()) events.set(keyOf(file), commitEvents(elementAt(wanted, at), texts));
  }
  return events;
}
