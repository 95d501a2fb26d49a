/** The files of a project at points of a tree, as the views show them: where they are now, and how many would change elsewhere. */
import * as vscode from 'vscode';
import type { ChangeCounts } from '../commands/restore/changeCounts';
import type { EntryRef } from '../contract';
import { loadCode, once } from '../ui/loadCode';
import { FilesHere } from '../writing/filesHere';
import type { SessionData } from './sessionData';

export interface FilePoints extends vscode.Disposable {
  /** Returns the entry of a session whose files are on the disk now; `undefined` for none, or if that isn't known. */
  readonly filesHere: (path: string) => string | undefined;
  /**
   * Counts the files that would change by going to an entry.
   *
   * @returns `undefined` if that would take too long
   * @throws {SessionError} as `planFiles`; the signal's reason if aborted
   */
  readonly changeCount: (ref: EntryRef, signal: AbortSignal) => Promise<number | undefined>;
  /** Looks for the entries whose files are on the disk. */
  readonly update: () => void;
  readonly sessionsChanged: () => void;
}

/** @param onChange is called with the sessions whose entry differs */
export function filePoints(
  data: SessionData,
  onChange: (paths: readonly string[]) => void,
  onError: (error: unknown, doing: string) => void,
): FilePoints {
  const { session, untrustedPaths, storage, catalog, openCatalog } = data;
  let counts: ChangeCounts | undefined;
  const loadCounts = once(async () => {
    const code = await loadCode(() => import('../commands/restore/changeCounts'), onError);
    const shared = { open: openCatalog, settled: (limit: number) => catalog.settled(limit) };
    return (counts = new code.ChangeCounts({ session, untrustedPaths, writes: storage.writes, catalog: shared }));
  });
  const here = new FilesHere({
    points: async () => {
      const { restoredPoints } = await loadCode(() => import('../core/index'), onError);
      return restoredPoints((await storage.writes()).restoreStorage().storage);
    },
    sessions: () => data.summaries(),
    onChange,
    onError,
  });
  const restored = storage.onRestored(() => {
    counts?.clear();
    here.update();
  });
  const saved = vscode.workspace.onDidSaveTextDocument(() => counts?.clear());
  return {
    filesHere: (path) => here.get(path),
    changeCount: async (ref, signal) => (await loadCounts()).count(ref, signal),
    update: () => here.update(),
    sessionsChanged: () => {
      counts?.clear();
      here.sessionsChanged();
    },
    dispose: () => {
      for (const one of [here, restored, saved]) one.dispose();
    },
  };
}
