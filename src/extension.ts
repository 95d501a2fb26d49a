/** The extension's entry point: creates the objects, connects them, and registers them for disposal. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { registerAutoReveal } from './commands/open/autoReveal';
import { registerCommands } from './commands/registerCommands';
import { ResumedTerminals } from './commands/terminal/resumedTerminals';
import { updateInstalledKey } from './commands/terminal/installedPrograms';
import { terminalLinks } from './commands/terminal/terminalLinks';
import { terminalProfile } from './commands/terminal/terminalProfile';
import { ContextViews } from './context/host/panel/contextViews';
import { VIEW, type SessionRef } from './contract';
import {
  findFileVersion,
  UntrustedPaths,
  ProcessThread,
  SessionStore,
  type Catalog,
  type SessionSummary,
  type StoreChange,
} from './core/index';
import { ChangeDocuments } from './documents/changeDocuments';
import { parseDocumentUri } from './documents/documentUri';
import { rawUri } from './documents/rawUri';
import { RawFileSystem } from './documents/rawFileSystem';
import { SessionDocuments } from './documents/sessionDocuments';
import { LabelsView } from './editorCatalog/labelsView';
import { LazyCatalog } from './editorCatalog/lazyCatalog';
import { SessionCosts } from './editorCatalog/sessionCosts';
import { escapeMarkdown } from './tree/items/escapeMarkdown';
import { focusedRows } from './tree/view/focusedRows';
import { SessionsView } from './tree/view/sessionsView';
import { isRunning } from './tree/items/isRunning';
import { ago } from './tree/items/rowText';
import { openLog } from './ui/log';
import { withProgress } from './ui/messages';
import { DiskWatch } from './watch/diskWatch';
import { PresenceList } from './watch/presenceList';
import { RootList } from './watch/rootList';
import type { RunningSessions } from './watch/runningSessions';
import { openWriteStorage } from './writing/writeStorage';
import { PendingChangeList } from './writing/pendingChangeList';

export function activate(context: vscode.ExtensionContext): void {
  const log = openLog(vscode.l10n.t('Session Tree'));
  const onError = (error: unknown, doing: string): void => log.error(error, doing);
  const onProblem = (path: string, error: unknown): void => {
    roots.recordListError(path, error);
    log.warnOnce(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  };

  const roots = new RootList(onProblem, () => void refreshAll());
  const untrustedPaths = new UntrustedPaths();
  const processes = new ProcessThread();
  const storage = openWriteStorage({
    folder: context.globalStorageUri.fsPath,
    roots: () => roots.current(),
    signs: { named: untrustedPaths, processes: processes.inspect },
    onError,
  });
  const { writer, writes } = storage;
  const presence = new PresenceList((paths) => writer.presence(paths));
  const onChange = ({ changed, removed }: StoreChange): void => {
    view.storeChanged({ changed, removed });
    disk.storeChanged({ changed, removed });
    contexts.sessionsChanged(changed, removed);
    documents.sessionsChanged(changed, removed);
    rawFiles.sessionsChanged(changed, removed);
    if (removed.length > 0) updateWelcome();
  };
  const catalog = new LazyCatalog({
    cacheDir: join(context.globalStorageUri.fsPath, 'catalog'),
    roots: () => roots.current(),
    disk: () => store.disk,
    onRows: (paths) => store.rowsChanged(paths),
    onProblem,
    onError,
  });
  const store: SessionStore = new SessionStore({ roots: () => roots.current(), source: catalog, onProblem, onChange });
  const session = store.session.bind(store);

  const documents = new SessionDocuments({ session });
  const changes = new ChangeDocuments({ session, catalog: () => openedCatalog() });
  const contexts = new ContextViews({
    extensionUri: context.extensionUri,
    session,
    fileUri: (path) => rawFiles.fileUri(path),
    untrustedPaths,
    now: Date.now,
    // Passed as a row, so that the command may prompt and show messages.
    run: (command, ref) => void vscode.commands.executeCommand(command, { row: ref.entryId === undefined ? 'session' : 'entry', ...ref }),
    reveal: (ref) => void view.reveal(ref).catch((error: unknown) => onError(error, 'revealing an entry')),
    onError,
  });
  const pendingChanges = new PendingChangeList({
    writes,
    presence: (paths) => writer.presence(paths),
    roots: () => roots.current(),
    onChange: (paths) => view.pendingChangesChanged(paths),
    onWritten: (paths) => refreshAfterWrite(paths),
  });
  const costs = new SessionCosts({ open: () => openedCatalog(), onChange: (paths) => view.costsChanged(paths), onError });
  const view = new SessionsView({
    store,
    named: untrustedPaths,
    roots: () => roots.current(),
    silentRoots: () => roots.silent(),
    crowdedRoots: () => roots.crowded(),
    rawUri,
    presence: (path) => presence.get(path),
    pendingChanges: (path) => pendingChanges.forSession(path),
    reading: () => catalog.progress(),
    open: (path) => vscode.commands.executeCommand('sessionTree.showContext', { row: 'session', path }),
    stopReading: () => catalog.stop(),
    cost: (path) => costs.get(path),
    wantCosts: (wanted) => costs.want(wanted),
    state: context.workspaceState,
    onError,
  });
  const catalogChanges = catalog.onDidChange(() => {
    view.readingChanged();
    costs.catalogChanged();
  });
  const openPaths = (): string[] => [...contexts.paths(), ...documents.paths(), ...rawFiles.paths()];
  const disk = new DiskWatch({
    roots,
    store,
    presence,
    isObserved: () => view.isVisible() || openPaths().length > 0,
    visiblePaths: () => view.visiblePaths(),
    openPaths,
    onRootsChanged: () => void recoverStorage(),
    onRefreshed: () => {
      view.rootsRefreshed();
      updateWelcome();
    },
    onPresenceChanged: (paths) => presenceChanged(paths),
    checkOtherWindows: () => catalog.checkOtherWindows(),
    hasPendingChanges: () => !pendingChanges.isEmpty(),
    writePendingChanges: () => pendingChanges.settle(),
    onOutsideChanged: onChange,
    onError,
  });

  const presenceChanged = (paths: readonly string[]): void => {
    if (paths.length > 0) view.presenceChanged(paths);
  };
  let running: RunningSessions | undefined;
  const showRunning = async (): Promise<void> => {
    // Loaded now, because nothing needs it before the sessions are known.
    const { RunningSessions } = await import('./watch/runningSessions');
    running = new RunningSessions({
      sessions: () => newestFirst(store),
      check: async (paths) => presenceChanged(await presence.refresh(paths)),
      isRunning: (path) => isRunning(presence.get(path)),
      onError,
    });
    context.subscriptions.push(running);
    await running.check();
  };

  // Only the view without sessions says which programs are installed.
  const updateWelcome = (): void => {
    if (store.files().size === 0) updateInstalledKey().catch((error: unknown) => onError(error, 'looking for programs'));
  };
  const refreshAll = (): Thenable<void> => withProgress({ location: { viewId: VIEW } }, () => disk.refreshAll());
  const refreshAfterWrite = async (paths: readonly string[]): Promise<void> => {
    await store.refresh(paths);
    // The store doesn't report files outside the roots.
    const outside = paths.filter((path) => !store.files().has(path));
    const exists = await Promise.all(
      outside.map((path) =>
        findFileVersion(path).then(
          (version) => version !== undefined,
          () => false,
        ),
      ),
    );
    onChange({ changed: outside.filter((_, at) => exists[at]), removed: outside.filter((_, at) => !exists[at]) });
    await view.settled();
  };
  // Runs at the start without waiting for the roots, since a folder on a network may take long to be listed; and again when the roots change, as their disks may be available then.
  const recoverStorage = (): Promise<void> =>
    storage.recoverAndPrune((path) => {
      log.info(`finished or took back the change of a process that is gone: ${path}`);
      void rootsReady.then(() => refreshAfterWrite([path])).catch((error: unknown) => onError(error, 'refreshing a recovered session'));
    });
  // Resolves when the roots are known. The catalog's rows show at once and are refreshed in the background.
  const rootsReady = disk.start().catch((error: unknown) => onError(error, 'looking for sessions'));
  const showWalkthrough = async (): Promise<void> => {
    if (store.files().size === 0) return;
    const { openWalkthroughOnce } = await import('./commands/open/walkthrough');
    await openWalkthroughOnce(context.globalState);
  };
  void rootsReady
    .then(refreshAll)
    .then(showWalkthrough)
    .catch((error: unknown) => onError(error, 'looking for sessions'));
  const rawFiles = new RawFileSystem({ rootsReady, roots: () => roots.current(), session, state: context.workspaceState });
  const openedCatalog = async (): Promise<Catalog> => {
    await rootsReady;
    return catalog.open();
  };
  const reveal = (ref: SessionRef): void => void view.reveal(ref).catch((error: unknown) => onError(error, 'revealing an entry'));
  const labels = new LabelsView({
    catalog: {
      open: openedCatalog,
      onDidChange: catalog.onDidChange,
      progress: () => catalog.progress(),
      checkOtherWindows: () => catalog.checkOtherWindows(),
    },
    ago: (time) => ago(time, Date.now()),
    reveal,
    focused: focusedRows,
    entryText: ({ path, entryId }) =>
      session(path).then(
        ({ byId }) => byId.get(entryId)?.text,
        () => undefined,
      ),
    escapeMarkdown,
    onError,
  });
  const terminals = new ResumedTerminals();
  const autoReveal = registerAutoReveal({
    session,
    refOfDocument: parseDocumentUri,
    activeTarget: () => contexts.activeTarget(),
    onDidNavigate: contexts.onDidNavigate,
    sessions: () => newestFirst(store),
    terminals,
    isVisible: () => view.isVisible(),
    onDidBecomeVisible: view.onDidBecomeVisible,
    selection: () => view.selection(),
    reveal: (ref) => view.reveal(ref, { expand: false }),
    onError,
  });
  const commands = registerCommands({
    session,
    untrustedPaths,
    sessions: () => newestFirst(store),
    runningSessions: () => running?.running() ?? [],
    roots: () => roots.current(),
    rootsReady,
    selection: () => view.selection(),
    activeRef: () => contexts.active() ?? documents.active(),
    refOfDocument: parseDocumentUri,
    writer,
    writes,
    onStorageProblem: storage.onProblem,
    pendingChanges: {
      forSession: (path) => pendingChanges.forSession(path),
      add: (path, change) => pendingChanges.add(path, change),
      drop: (id) => pendingChanges.drop(id),
      onSettled: pendingChanges.onSettled,
    },
    catalog: {
      open: openedCatalog,
      refresh: () => catalog.refreshInBackground(),
      settled: (limit) => catalog.settled(limit),
      progress: () => catalog.progress(),
      clear: () => catalog.clear(),
      onDidChange: catalog.onDidChange,
    },
    terminals,
    fileAt: (ref, file) => changes.fileAt(ref, file),
    ago: (time) => ago(time, Date.now()),
    showContext: (ref, options) => contexts.show(ref, options),
    showEntry: (ref, options) => contexts.showEntry(ref, options),
    grantRawAccess: (path) => rawFiles.grantAccess(path),
    openMarkdown: (ref, preview) => documents.open(ref, { preview }),
    changes: (ref) => changes.changes(ref),
    openChanges: (ref) => changes.open(ref),
    fileOfChange: (uri) => changes.fileOf(uri),
    compare: (left, right) => documents.compare(left, right),
    refresh: async () => {
      catalog.retry();
      await refreshAll();
      await view.settled();
    },
    setFilter: (filter) => view.setFilter(filter),
    arrangement: () => view.arrangement(),
    arrange: (change) => view.arrange(change),
    runKey: (key) => view.runKey(key),
    reveal: (ref, options) => view.reveal(ref, options),
    refreshAfterWrite,
    log,
  });

  const settings = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('sessionTree.roots')) void refreshAll();
    if (event.affectsConfiguration('sessionTree.programs')) updateWelcome();
    if (event.affectsConfiguration('sessionTree.statusBar')) void running?.check();
  });
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(() => void refreshAll());
  context.subscriptions.push(
    log,
    roots,
    documents,
    changes,
    rawFiles,
    contexts,
    view,
    disk,
    commands,
    autoReveal,
    terminalLinks({ sessions: () => summaries(store), roots: () => roots.current() }),
    terminalProfile(),
    settings,
    folders,
    storage,
    processes,
    pendingChanges,
    labels,
    catalogChanges,
    catalog,
  );
  const start = async (): Promise<void> => {
    await rootsReady;
    view.ready();
    await pendingChanges.refresh();
    await showRunning();
  };
  start().catch((error: unknown) => onError(error, 'starting'));
  void recoverStorage();
}

/** Returns the summaries of all readable sessions, the most recently active first. */
const newestFirst = (store: SessionStore): SessionSummary[] => [...summaries(store)].sort((a, b) => b.modified - a.modified);

/** Returns the summaries of all readable sessions, in no order. */
function* summaries(store: SessionStore): Iterable<SessionSummary> {
  for (const file of store.files().values()) if (file.kind === 'session') yield file.summary;
}
