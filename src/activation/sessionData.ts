/** The session data of a window: the session folders, the store and the catalog, the signs of other programs, and the writer. */
import { join } from 'node:path';
import {
  CacheFolder,
  callOf,
  endsWithAnswer,
  UntrustedPaths,
  ProcessThread,
  SessionStore,
  subagentParents,
  subagentsOf,
  Yielder,
  type Catalog,
  type CatalogOptions,
  type ListedSession,
  type Session,
  type SessionSummary,
  type StartedSession,
  type StoreChange,
} from '../core/index';
import { LazyCatalog } from '../editorCatalog/lazyCatalog';
import type { Log } from '../ui/log';
import { PresenceList } from '../watch/presenceList';
import { RootList } from '../watch/rootList';
import { openWriteStorage, type WriteStorage } from '../writing/writeStorage';

/** A screen has at most 96 K characters; the bytes of a workspace that isn't opened any more are removed at last. */
const SCREEN_LIMITS = { maxBytes: 512 * 1024, maxFiles: 20 };

interface SessionDataDeps {
  /** Returns the tags and the note that a person gave a session, by its id. */
  readonly marksOf: NonNullable<CatalogOptions['marksOf']>;
  /** The extension's storage folder, which all windows share. */
  readonly folder: string;
  /** Resolves when the roots are known. */
  readonly rootsReady: () => Promise<void>;
  /** Called when a root that was silent has answered. */
  readonly onRootAnswer: () => void;
  /** Called when the store's files changed. */
  readonly onChange: (change: StoreChange) => void;
  readonly log: Log;
  readonly onError: (error: unknown, doing: string) => void;
}

export interface SessionData {
  readonly roots: RootList;
  /** The first rows of each workspace, for its next start. */
  /** The folder of what one of all windows does once. */
  readonly claimsFolder: string;
  readonly screens: CacheFolder;
  readonly store: SessionStore;
  readonly catalog: LazyCatalog;
  /** Opens the catalog once the roots are known. @throws {SessionError} if no catalog can be opened. */
  readonly openCatalog: () => Promise<Catalog>;
  /** See `LazyCatalog.openUnlessCleared`. */
  readonly openUnlessCleared: () => Promise<Catalog | undefined>;
  readonly presence: PresenceList;
  readonly storage: WriteStorage;
  readonly untrustedPaths: UntrustedPaths;
  readonly processes: ProcessThread;
  /** Reads a session. @throws {SessionError} */
  readonly session: (path: string) => Promise<Session>;
  /** Returns the summaries of all readable sessions, in no order. Several copies of a session count once, by the longest. */
  readonly summaries: () => Iterable<SessionSummary>;
  readonly summary: (path: string) => SessionSummary | undefined;
  /** True for the session of a subagent, by its place. */
  readonly isSubagent: (path: string) => boolean;
  /** See `subagentsOf` of the core. */
  readonly subagentsOf: (path: string) => Promise<readonly StartedSession[]>;
  /** See `subagentParents` of the core. */
  readonly subagentParents: () => Promise<ReadonlyMap<string, string>>;
  /** See `callOf` of the core. */
  readonly callOf: (path: string) => Promise<{ readonly path: string; readonly entryId?: string } | undefined>;
}

/** Milliseconds: a message has the time when its answer began, and is written when that is complete. */
const LONGEST_ANSWER = 30 * 60_000;

/** Creates the objects. Nothing is read before the roots are looked for. */
export function createSessionData({ folder, marksOf, rootsReady, onRootAnswer, onChange, log, onError }: SessionDataDeps): SessionData {
  const onProblem = (path: string, error: unknown): void => {
    roots.recordListError(path, error);
    log.warnOnce(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const roots = new RootList(onProblem, onRootAnswer);
  const untrustedPaths = new UntrustedPaths();
  const processes = new ProcessThread();
  const storage = openWriteStorage({
    folder,
    roots: () => roots.current(),
    configuredRoots: () => roots.configured().roots,
    signs: { named: untrustedPaths, processes: processes.inspect },
    onError,
  });
  const catalog = new LazyCatalog({
    cacheDir: join(folder, 'catalog'),
    roots: () => roots.current(),
    store: () => store,
    marksOf,
    onProblem,
    onError,
  });
  const store: SessionStore = new SessionStore({ roots: () => roots.current(), source: catalog, onProblem, onChange });
  const isSubagent = (path: string): boolean => {
    const file = store.files().get(path);
    return file?.owner !== undefined || file?.root.ofSubagents === true;
  };
  const callAbove = (path: string): ReturnType<SessionData['callOf']> => new Yielder(undefined).run(callOf(store.files(), path));
  /** Looks at other sessions only for one that names a parent. */
  const isStarted = async (path: string): Promise<boolean> =>
    isSubagent(path) || (summaryOf(store.files().get(path))?.parentSession !== undefined && (await callAbove(path)) !== undefined);
  /** A question may also be a call, which has no result until the person answers. */
  const asksPerson = (path: string): boolean => summaryOf(store.files().get(path))?.unfinished === 'question';
  return {
    roots,
    claimsFolder: join(folder, 'claims'),
    screens: new CacheFolder(join(folder, 'catalog', 'screens'), SCREEN_LIMITS),
    store,
    catalog,
    openCatalog: async () => {
      await rootsReady();
      return catalog.open();
    },
    openUnlessCleared: async () => {
      await rootsReady();
      return catalog.openUnlessCleared();
    },
    presence: new PresenceList(
      (paths) => storage.writer.presence(paths),
      // A session that can't be read claims nothing, and a subagent isn't answered by a person.
      async (path) => !(await isStarted(path)) && (asksPerson(path) || (await store.session(path).then(endsWithAnswer, () => false))),
      (path) => Date.now() - (summaryOf(store.files().get(path))?.modified ?? Date.now()) < LONGEST_ANSWER,
    ),
    storage,
    untrustedPaths,
    processes,
    session: (path) => {
      // A root has the dialect of files that don't show theirs.
      void rootsReady();
      return store.session(path);
    },
    summaries: () => summaries(store),
    summary: (path) => summaryOf(store.files().get(path)),
    isSubagent,
    subagentsOf: (path) => new Yielder(undefined).run(subagentsOf(store.files(), path)),
    subagentParents: () => new Yielder(undefined).run(subagentParents(store.files())),
    callOf: callAbove,
  };
}

function* summaries(store: SessionStore): Iterable<SessionSummary> {
  for (const file of store.files().values()) {
    const summary = summaryOf(file);
    if (summary) yield summary;
  }
}

/** Returns `undefined` for a file that can't be read, and for a copy that is the same as the session on another machine. */
const summaryOf = (file: ListedSession | undefined): SessionSummary | undefined =>
  file?.kind === 'session' && file.copyOf?.hasDiverged !== false ? file.summary : undefined;
