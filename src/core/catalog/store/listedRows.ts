/** The rows that a store shows, by path. A row gives way to a better one only, and has the pin that its session has now. */
import { isSameRoot } from '../../files/locate/roots';
import { hasGrown } from '../../files/read/compareVersions';
import { isFromVersion, isSameError, type DiskInventory, type InventoryFile } from '../refresh/diskInventory';
import { differences } from '../refresh/pinnedSessions';
import type { ChangeReporter } from './changeReporter';
import type { ListedSession } from './listedSession';

export class ListedRows {
  private readonly rows = new Map<string, ListedSession>();
  private shownPins: ReadonlySet<string> = new Set();

  constructor(private readonly disk: DiskInventory) {}

  all(): ReadonlyMap<string, ListedSession> {
    return this.rows;
  }

  /** Takes over a row unless the present one is as good. @returns true if the row has changed. */
  offer(row: ListedSession, report: ChangeReporter): boolean {
    const { path } = row;
    const before = this.rows.get(path);
    const file = this.disk.files().get(path);
    if (!isImprovement(row, before, file) || (!file && this.disk.isGone(path))) return false;
    this.rows.set(path, this.withPin(row));
    report.add(path, 'changed');
    return true;
  }

  /** Updates the rows of sessions that were pinned or unpinned. */
  updatePins(report: ChangeReporter): void {
    const ids = differences(this.shownPins, this.disk.pinned.ids());
    this.shownPins = this.disk.pinned.ids();
    if (ids.size === 0) return;
    for (const [path, row] of this.rows) {
      const now = row.kind === 'session' && ids.has(row.summary.id) ? this.withPin(row) : row;
      if (now === row) continue;
      this.rows.set(path, now);
      report.add(path, 'changed');
    }
  }

  /** @returns true if there was such a row. */
  remove(path: string, report: ChangeReporter): boolean {
    if (!this.rows.delete(path)) return false;
    report.add(path, 'removed');
    return true;
  }

  private withPin(row: ListedSession): ListedSession {
    if (row.kind !== 'session') return row;
    const summary = this.disk.pinned.withPin(row.summary);
    return summary === row.summary ? row : { ...row, summary };
  }
}

/** Returns true if the row was made from the file as it is on the disk, in whole or in part. */
export function isRowOf(row: ListedSession, file: InventoryFile): boolean {
  if (!isFromVersion(row, file) || !isSameRoot(row.root, file.root)) return false;
  return file.error === undefined || (row.kind === 'unreadable' && isSameError(row.error, file.error));
}

/** Returns true if the row should replace another one. `file`: the file as it was last inspected, if it was. */
function isImprovement(row: ListedSession, before: ListedSession | undefined, file: InventoryFile | undefined): boolean {
  if (!before || !file) return !before?.complete || !isFromVersion(before, row);
  if (isRowOf(before, file)) return !before.complete && isRowOf(row, file);
  // A file that grows quickly is ahead of everything that is read of it.
  return isRowOf(row, file) || hasGrown(before.version, row.version);
}
