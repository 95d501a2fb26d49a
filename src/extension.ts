/** The extension's entry point: creates the objects, connects them, and registers them for disposal. */
import * as vscode from 'vscode';
import { Refreshing } from './activation/refreshing';
import { createSessionData } from './activation/sessionData';
import { createViews } from './activation/views';
import { registerAutoReveal } from './commands/open/autoReveal';
import { registerCommands } from './commands/registerCommands';
import { ResumedTerminals } from './commands/terminal/resumedTerminals';
import { terminalLinks } from './commands/terminal/terminalLinks';
import { terminalProfile } from './commands/terminal/terminalProfile';
import { parseDocumentUri } from './documents/documentUri';
import { FileVersionsView } from './fileVersions/fileVersionsView';
import { LineOriginFeatures } from './lineOrigins/lineOriginFeatures';
import { escapeMarkdown } from './tree/items/escapeMarkdown';
import * as rowText from './tree/items/rowText';
import { isListed } from './tree/projects/projects';
import { readViewSettings } from './tree/view/viewSettings';
import { openLog } from './ui/log';

export function activate(context: vscode.ExtensionContext): void {
  const log = openLog(vscode.l10n.t('Session Tree'));
  const onError = (error: unknown, doing: string): void => log.error(error, doing);
  const rootsReady = (): Promise<void> => refreshing.rootsReady();
  const refreshAfterWrite = (paths: readonly string[]): Promise<void> => refreshing.refreshAfterWrite(paths);
  const data = createSessionData({
    folder: context.globalStorageUri.fsPath,
    rootsReady,
    onRootAnswer: () => void refreshing.refreshAll(),
    onChange: (change) => refreshing.sessionsChanged(change),
    log,
    onError,
  });
  const views = createViews({
    data,
    extensionUri: context.extensionUri,
    state: context.workspaceState,
    globalState: context.globalState,
    rootsReady,
    rootsFound: () => refreshing.rootsFound(),
    refreshAfterWrite,
    onError,
  });
  const refreshing: Refreshing = new Refreshing({ data, views, globalState: context.globalState, log, onError });

  const { session, catalog, storage } = data;
  const { contexts, documents, changes, rawFiles, pendingChanges, sessions: view } = views;
  const catalogOfLines = {
    open: data.openCatalog,
    catalog: () => catalog.catalog(),
    progress: () => catalog.progress(),
    checkOtherWindows: () => catalog.checkOtherWindows(),
    onDidChangeSessions: catalog.onDidChangeSessions,
  };
  const lineOrigins = new LineOriginFeatures({
    catalog: catalogOfLines,
    session,
    text: rowText,
    escapeMarkdown,
    log,
  });
  const versions = new FileVersionsView({
    catalog: catalogOfLines,
    age: (time) => rowText.age(time, Date.now()),
    ago: (time) => rowText.ago(time, Date.now()),
    escapeMarkdown,
    onError,
  });
  const terminals = new ResumedTerminals();
  const autoReveal = registerAutoReveal({
    session,
    refOfDocument: parseDocumentUri,
    activeTarget: () => contexts.activeTarget(),
    onDidNavigate: contexts.onDidNavigate,
    sessions: data.newestFirst,
    terminals,
    isVisible: () => view.isVisible(),
    onDidBecomeVisible: view.onDidBecomeVisible,
    selection: () => view.selection(),
    reveal: (ref) => view.reveal(ref, { expand: false }),
    onError,
  });
  const commands = registerCommands({
    session,
    untrustedPaths: data.untrustedPaths,
    sessions: data.newestFirst,
    listedSessions: () => data.newestFirst().filter((summary) => isListed(summary, readViewSettings())),
    runningSessions: () => refreshing.runningSessions(),
    needsInput: (path) => data.presence.needsInput(path),
    roots: () => data.roots.current(),
    rootsReady,
    rowsCurrent: () => view.rows.restored.current,
    selection: () => view.selection(),
    activeRef: () => contexts.active() ?? documents.active(),
    refOfDocument: parseDocumentUri,
    writer: storage.writer,
    writes: storage.writes,
    onStorageProblem: storage.onProblem,
    onSettingProblem: data.roots.onSettingProblem,
    pendingChanges: {
      forSession: (path) => pendingChanges.forSession(path),
      add: (path, change) => pendingChanges.add(path, change),
      drop: (id) => pendingChanges.drop(id),
      onSettled: pendingChanges.onSettled,
    },
    catalog: {
      open: data.openCatalog,
      refresh: () => catalog.refreshInBackground(),
      settled: (limit) => catalog.settled(limit),
      progress: () => catalog.progress(),
      clear: async () => {
        await catalog.clear();
        await view.clearStoredRows();
      },
      onDidChange: catalog.onDidChange,
    },
    terminals,
    documentOrigins: (document, token) => lineOrigins.originsOf(document, token),
    annotations: lineOrigins,
    fileAt: (ref, file) => changes.fileAt(ref, file),
    fileBefore: (ref, file) => changes.fileBefore(ref, file),
    showFileVersions: (file) => versions.show(file),
    ago: (time) => rowText.ago(time, Date.now()),
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
      await refreshing.refreshAll();
    },
    setFilter: (filter) => view.setFilter(filter),
    arrangement: () => view.arrangement(),
    arrange: (change) => view.arrange(change),
    isPinned: ({ id }) => views.pins.has(id),
    pin: async (ids, isPinned) => {
      await views.pins.set(ids, isPinned);
      await view.regroup();
    },
    runKey: (key) => view.runKey(key),
    reveal: (ref, options) => view.reveal(ref, options),
    refreshAfterWrite,
    log,
  });

  context.subscriptions.push(
    log,
    data.roots,
    documents,
    changes,
    rawFiles,
    contexts,
    view,
    refreshing,
    commands,
    autoReveal,
    terminalLinks({ sessions: data.summaries, roots: () => data.roots.current() }),
    terminalProfile(),
    storage,
    data.processes,
    pendingChanges,
    views.labels,
    lineOrigins,
    versions,
    views.catalogProgress,
    catalog,
  );
  refreshing.start();
}
