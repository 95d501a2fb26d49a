/** The views and documents that show session data. */
import * as vscode from 'vscode';
import { editorLocalization } from '../context/host/editorLocalization';
import { ContextViews } from '../context/host/panel/contextViews';
import { setLocalization } from '../context/shared/localization';
import type { SessionRef } from '../contract';
import { readOnlyRootOf, rootOf, type StoreChange } from '../core/index';
import { ChangeDocuments } from '../documents/changeDocuments';
import { RawFileSystem } from '../documents/rawFileSystem';
import { rawUri } from '../documents/rawUri';
import { SessionDocuments } from '../documents/sessionDocuments';
import { LabelsView } from '../editorCatalog/labelsView';
import { QuerySessions } from '../editorCatalog/querySessions';
import { SessionCosts } from '../editorCatalog/sessionCosts';
import { escapeMarkdown } from '../tree/items/escapeMarkdown';
import { isRunning } from '../tree/items/isRunning';
import { ageUri } from '../tree/items/rowBadges';
import { age, ago } from '../tree/items/rowText';
import { focusedRows } from '../tree/view/focusedRows';
import type { ViewRow } from '../tree/rows/viewRows';
import type { OwnMarks } from '../tree/view/stored/ownMarks';
import type { SavedViews } from '../tree/view/stored/savedViews';
import { BADGES, showsBadges } from '../tree/view/stored/viewSettings';
import { SessionsView } from '../tree/view/sessionsView';
import { loadCode } from '../ui/loadCode';
import type { AgeFormats } from '../ui/rowAges';
import { PendingChangeList } from '../writing/pendingChangeList';
import { filePoints, type FilePoints } from './filePoints';
import type { SessionData } from './sessionData';

interface ViewsDeps {
  readonly data: SessionData;
  /** The Sessions view, which the editor knows already. */
  readonly view: vscode.TreeView<ViewRow>;
  readonly extensionUri: vscode.Uri;
  /** The workspace's state. */
  readonly state: vscode.Memento;
  /** The pins, tags and notes that the person keeps about sessions. */
  readonly marks: OwnMarks;
  readonly savedViews: SavedViews;
  /** Resolves when the roots are known. */
  readonly rootsReady: () => Promise<void>;
  /** Resolves when the roots are known, which doesn't read sessions. */
  readonly rootsFound: () => Promise<void>;
  /** Refreshes sessions that were written. */
  readonly refreshAfterWrite: (paths: readonly string[]) => Promise<void>;
  readonly onError: (error: unknown, doing: string) => void;
}

export interface Views {
  readonly sessions: SessionsView;
  readonly contexts: ContextViews;
  readonly documents: SessionDocuments;
  readonly changes: ChangeDocuments;
  readonly rawFiles: RawFileSystem;
  readonly labels: LabelsView;
  /** The changes that rows show as waiting. */
  readonly pendingChanges: PendingChangeList;
  /** Returns the sessions that are open in an editor. */
  readonly openPaths: () => string[];
  readonly points: FilePoints;
  /** Passes changed files to everything that shows them. */
  readonly sessionsChanged: (change: StoreChange) => void;
  /** Passes the progress of the catalog to what shows it. */
  readonly catalogProgress: vscode.Disposable;
}

/** Ages in rows of the views beside Sessions, as that has them. */
export const ROW_AGES: AgeFormats = {
  age: (time) => age(time, Date.now()),
  ago: (time) => ago(time, Date.now()),
  ageBadge: (time) => (showsBadges() ? ageUri(time, Date.now()) : undefined),
  badgeSetting: BADGES,
};

export function createViews({
  data,
  view,
  extensionUri,
  state,
  marks,
  savedViews,
  rootsReady,
  rootsFound,
  refreshAfterWrite,
  onError,
}: ViewsDeps): Views {
  const { roots, store, catalog, openCatalog, openUnlessCleared, presence, storage, untrustedPaths, session } = data;
  const reveal = (ref: SessionRef): void => void sessions.reveal(ref).catch((error: unknown) => onError(error, 'revealing an entry'));
  const documents = new SessionDocuments({ session, onError });
  const changes = new ChangeDocuments({ session, catalog: openCatalog, onError });
  const rawFiles = new RawFileSystem({ rootsReady, roots: () => roots.current(), session, state });
  setLocalization(editorLocalization);
  const filesHereChanged = (paths: readonly string[]): void => {
    sessions.pendingChangesChanged(paths);
    contexts.filesHereChanged(paths);
  };
  const points = filePoints(data, filesHereChanged, onError);
  const contexts = new ContextViews({
    extensionUri,
    session,
    summaries: data.summaries,
    summary: data.summary,
    isSubagent: data.isSubagent,
    runState: (path) => (data.presence.needsInput(path) ? 'waiting' : isRunning(data.presence.get(path)) ? 'running' : undefined),
    isProtected: (path) => readOnlyRootOf(path, roots.configured().roots) !== undefined,
    fileUri: (path) => rawFiles.fileUri(path),
    untrustedPaths,
    now: Date.now,
    points,
    // Passed as a row, so that the command may prompt and show messages.
    run: (command, ref) => void vscode.commands.executeCommand(command, { row: ref.entryId === undefined ? 'session' : 'entry', ...ref }),
    reveal,
    onError,
  });
  const pendingChanges = new PendingChangeList({
    writes: storage.writes,
    presence: (paths) => storage.writer.presence(paths),
    roots: () => roots.current(),
    onChange: (paths) => sessions.pendingChangesChanged(paths),
    onWritten: refreshAfterWrite,
  });
  const costs = new SessionCosts({
    open: openUnlessCleared,
    onChange: (paths) => sessions.costsChanged(paths),
    onError,
  });
  const query = new QuerySessions({
    open: openCatalog,
    running: (paths) => new Set([...(paths ?? store.files().keys())].filter((path) => isRunning(presence.get(path)))),
    onChange: () => sessions.foundChanged(),
    onError,
  });
  const sessions: SessionsView = new SessionsView({
    view,
    store,
    rowsKnown: rootsReady,
    screen: {
      folder: data.screens,
      rootsFound,
      roots: () => roots.fingerprint(),
      isInRoots: (path) => rootOf(path, roots.current()) !== undefined,
      mayStore: async () => {
        // Another window may have cleared the index.
        await catalog.checkOtherWindows();
        return !catalog.progress().isCleared;
      },
      onError,
    },
    named: untrustedPaths,
    roots: () => roots.current(),
    silentRoots: () => roots.silent(),
    truncatedRoots: () => roots.truncated(),
    rawUri,
    presence: (path) => presence.get(path),
    needsInput: (path) => presence.needsInput(path),
    pendingChanges: (path) => pendingChanges.forSession(path),
    filesHere: points.filesHere,
    reading: () => catalog.progress(),
    open: (path) => vscode.commands.executeCommand('sessionTree.showContext', { row: 'session', path }),
    importFiles: (paths, targetCwd) => {
      const uris = paths.map((path) => vscode.Uri.file(path));
      return vscode.commands.executeCommand('sessionTree.importSession', uris[0], uris, targetCwd === undefined ? {} : { targetCwd });
    },
    needsImport: async (path) => {
      const { needsImport } = await loadCode(() => import('../core/index'), onError);
      return needsImport(path);
    },
    stopReading: () => catalog.stop(),
    cost: (path) => costs.get(path),
    familyCost: (path) => costs.ofFamily(path),
    wantCosts: (wanted) => costs.want(wanted),
    isPinned: ({ id }) => marks.isPinned(id),
    marksOf: ({ id }) => marks.of(id),
    savedViews: () => savedViews.all(),
    query,
    state,
    onError,
  });
  const labels = new LabelsView({
    catalog: { openUnlessCleared, onDidChange: catalog.onDidChange, progress: () => catalog.progress() },
    ages: ROW_AGES,
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
  return {
    sessions,
    contexts,
    documents,
    changes,
    rawFiles,
    labels,
    pendingChanges,
    points,
    openPaths: () => [...contexts.paths(), ...documents.paths(), ...rawFiles.paths()],
    sessionsChanged: (change) => {
      query.sessionsChanged([...change.changed, ...change.removed]);
      sessions.storeChanged(change);
      contexts.sessionsChanged(change);
      documents.sessionsChanged(change);
      rawFiles.sessionsChanged(change);
      points.sessionsChanged();
    },
    catalogProgress: catalog.onDidChange(() => {
      sessions.readingChanged();
      costs.catalogChanged();
      query.catalogChanged();
    }),
  };
}
