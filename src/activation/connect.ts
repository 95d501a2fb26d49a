/** Creates the extension's objects, connects them, and registers them for disposal. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentSettings } from '../agents/agentSettings';
import { registerLanguageModelTools } from '../agents/languageModelTools';
import { MemoryAccess } from '../agents/memoryAccess';
import { offerMemoryServer } from '../agents/memoryServer';
import { defined, isObject } from '../core/index';
import type { SessionsChange, SessionTreeApi } from '../api';
import { lazyApi } from './lazyApi';
import { Refreshing } from './refreshing';
import { createSessionData } from './sessionData';
import { createViews, ROW_AGES } from './views';
import { registerAutoReveal } from '../commands/open/autoReveal';
import { Turns } from '../commands/handler/turns';
import { registerCommands } from '../commands/registerCommands';
import { ResumedTerminals } from '../commands/terminal/resumedTerminals';
import { watchShellCommands } from '../commands/terminal/shellCommands';
import { terminalLinks } from '../commands/terminal/terminalLinks';
import { terminalProfile } from '../commands/terminal/terminalProfile';
import { compareFiles } from '../documents/compareFiles';
import { parseDocumentUri } from '../documents/documentUri';
import { Budgets } from '../editorCatalog/budgets';
import { FileVersionsView } from '../fileVersions/fileVersionsView';
import { LineOriginFeatures } from '../lineOrigins/lineOriginFeatures';
import { escapeMarkdown } from '../tree/items/escapeMarkdown';
import * as rowText from '../tree/items/rowText';
import { isListed } from '../tree/projects/projects';
import type { ViewRow } from '../tree/rows/viewRows';
import type { TreeParts } from '../tree/view/earlyTree';
import { OWN_MARKS_KEYS, OwnMarks, tagName } from '../tree/view/stored/ownMarks';
import { SAVED_VIEWS_KEYS, SavedViews } from '../tree/view/stored/savedViews';
import { readViewSettings } from '../tree/view/stored/viewSettings';
import { hasLanguageModels } from '../ui/languageModelApi';
import type { Log } from '../ui/log';

/**
 * Returns what the Sessions view shows, and the API for other extensions.
 *
 * @param view the Sessions view, which the editor knows already
 */
export function connect(
  context: vscode.ExtensionContext,
  view: vscode.TreeView<ViewRow>,
  log: Log,
): { readonly parts: TreeParts; readonly api: SessionTreeApi } {
  const onError = (error: unknown, doing: string): void => log.error(error, doing);
  const rootsReady = (): Promise<void> => refreshing.rootsReady();
  const refreshAfterWrite = (paths: readonly string[]): Promise<void> => refreshing.refreshAfterWrite(paths);
  const marks = new OwnMarks(context.globalState);
  const savedViews = new SavedViews(context.globalState);
  if (!hasLanguageModels()) void vscode.commands.executeCommand('setContext', 'sessionTree.lacksModels', true);
  context.globalState.setKeysForSync([...OWN_MARKS_KEYS, ...SAVED_VIEWS_KEYS]);
  const changed = new vscode.EventEmitter<SessionsChange>();
  const data = createSessionData({
    marksOf: (id) => ({ ...marks.of(id), ...defined({ isPinned: marks.isPinned(id) || undefined }) }),
    folder: context.globalStorageUri.fsPath,
    rootsReady,
    onRootAnswer: () => void refreshing.refreshAll(),
    onChange: (change) => {
      refreshing.sessionsChanged(change);
      changed.fire({ changed: [...change.changed], removed: [...change.removed] });
    },
    log,
    onError,
  });
  const views = createViews({
    data,
    view,
    extensionUri: context.extensionUri,
    state: context.workspaceState,
    marks,
    savedViews,
    rootsReady,
    rootsFound: () => refreshing.rootsFound(),
    refreshAfterWrite,
    onError,
  });
  const refreshing: Refreshing = new Refreshing({ data, views, globalState: context.globalState, log, onError });

  const { session, catalog, storage } = data;
  const { contexts, documents, changes, rawFiles, pendingChanges, sessions } = views;
  const catalogOfLines = {
    open: data.openCatalog,
    catalog: () => catalog.catalog(),
    progress: () => catalog.progress(),
    openUnlessCleared: data.openUnlessCleared,
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
    ages: ROW_AGES,
    escapeMarkdown,
    onError,
  });
  const access = new MemoryAccess(context.extensionPath, onError);
  const agents = new AgentSettings({ access, extension: context.extensionPath, onError });
  const manifest: unknown = context.extension.packageJSON;
  const terminals = new ResumedTerminals();
  const autoReveal = registerAutoReveal({
    session,
    refOfDocument: parseDocumentUri,
    activeTarget: () => contexts.activeTarget(),
    onDidNavigate: contexts.onDidNavigate,
    sessions: () => [...data.summaries()],
    terminals,
    isVisible: () => sessions.isVisible(),
    onDidBecomeVisible: sessions.onDidBecomeVisible,
    selection: () => sessions.selection(),
    reveal: (ref) => sessions.reveal(ref, { expand: false }),
    onError,
  });
  const commands = registerCommands({
    agents,
    session,
    untrustedPaths: data.untrustedPaths,
    sessions: () => [...data.summaries()],
    listedSessions: () => {
      const settings = readViewSettings();
      return [...data.summaries()].filter((summary) => isListed(summary, settings));
    },
    summary: data.summary,
    runningSessions: () => refreshing.runningSessions(),
    subagentsOf: data.subagentsOf,
    subagentParents: data.subagentParents,
    callOf: data.callOf,
    needsInput: (path) => data.presence.needsInput(path),
    roots: () => data.roots.current(),
    rootsReady,
    rowsCurrent: () => sessions.rows.restored.current,
    selection: () => sessions.selectionInSight(),
    rememberPlace: (row) => sessions.rememberPlace(row),
    contextHasFocus: () => contexts.hasFocus(),
    activeRef: () => contexts.active() ?? documents.active(),
    refOfDocument: parseDocumentUri,
    writer: storage.writer,
    writes: storage.writes,
    onStorageProblem: storage.onProblem,
    onInterruptedRestore: storage.onInterruptedRestore,
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
        await sessions.clearStoredRows();
      },
      onDidChange: catalog.onDidChange,
    },
    currentCatalog: () => catalog.catalog(),
    terminals,
    documentOrigins: (document, token) => lineOrigins.originsOf(document, token),
    annotations: lineOrigins,
    fileAt: (ref, file) => changes.fileAt(ref, file),
    fileChange: (ref, file) => changes.fileChange(ref, file),
    showFileVersions: (file) => versions.show(file),
    ago: (time) => rowText.ago(time, Date.now()),
    showContext: (ref, options) => contexts.show(ref, options),
    showEntry: (ref, options) => contexts.showEntry(ref, options),
    grantRawAccess: (path) => rawFiles.grantAccess(path),
    openMarkdown: (ref, preview) => documents.open(ref, { preview }),
    changes: (ref) => changes.changes(ref),
    openChanges: (ref) => changes.open(ref),
    changeCount: views.points.changeCount,
    fileOfChange: (uri) => changes.fileOf(uri),
    compareFiles: (left, right) => compareFiles({ session, changes: (ref) => changes.changes(ref) }, left, right),
    compare: (left, right) => documents.compare(left, right),
    reviewFolder: join(context.globalStorageUri.fsPath, 'review'),
    turns: new Turns(),
    lastExport: {
      get: (choice) => context.globalState.get<string>(`export.${choice}`),
      set: (choice, value) => context.globalState.update(`export.${choice}`, value),
    },
    refresh: async () => {
      catalog.retry();
      await refreshing.refreshAll();
    },
    setFilter: (filter) => sessions.setFilter(filter),
    arrangement: () => sessions.arrangement(),
    arrange: (change) => sessions.arrange(change),
    marks: {
      isPinned: ({ id }) => marks.isPinned(id),
      of: ({ id }) => marks.of(id),
      allTags: () => marks.allTags(),
      tagName: (text) => tagName(text, marks.allTags()),
      change: async (changes, path) => {
        await marks.change(changes, path);
        await sessions.marksChanged();
      },
      lastChange: () => marks.lastChange(),
      undo: async (change) => {
        await marks.undo(change);
        await sessions.marksChanged();
      },
    },
    savedViews: {
      all: () => savedViews.all(),
      get: (name) => savedViews.get(name),
      saveCurrent: async (name) => {
        const { filter, program } = readViewSettings();
        await savedViews.save({ name, arrangement: sessions.arrangement(), filter, program });
        sessions.savedViewsChanged();
      },
      delete: async (name) => {
        await savedViews.delete(name);
        sessions.savedViewsChanged();
      },
    },
    runKey: (key) => sessions.runKey(key),
    runMessageKey: (key) => contexts.runKey(key),
    reveal: (ref, options) => sessions.reveal(ref, options),
    refreshAfterWrite,
    workspaceState: context.workspaceState,
    log,
  });

  const budgets = new Budgets({
    folder: data.claimsFolder,
    open: data.openUnlessCleared,
    onDidChangeCatalog: catalog.onDidChange,
    now: Date.now,
    onMark: (mark) => sessions.showBudget(mark),
    onError,
  });

  context.subscriptions.push(
    changed,
    data.roots,
    budgets,
    documents,
    changes,
    rawFiles,
    contexts,
    sessions,
    refreshing,
    commands,
    access,
    registerLanguageModelTools({
      openCatalog: data.openCatalog,
      roots: () => data.roots.current(),
      settings: () => access.settings(),
      manifest,
      onError,
    }),
    offerMemoryServer(access, isObject(manifest) ? String(manifest['version']) : '', () => data.roots.ofWindow()),
    autoReveal,
    terminalLinks({ sessions: data.summaries, roots: () => data.roots.current() }),
    terminalProfile(),
    watchShellCommands(terminals, () => [...data.summaries()]),
    storage,
    data.processes,
    pendingChanges,
    views.labels,
    views.points,
    lineOrigins,
    versions,
    views.catalogProgress,
    catalog,
  );
  context.subscriptions.push(
    // Other windows, and other machines by Settings Sync, may have changed them.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && marks.reload() && void sessions.marksChanged()),
  );
  refreshing.start();
  return { parts: sessions.parts(), api: lazyApi(data, changed.event, onError) };
}
