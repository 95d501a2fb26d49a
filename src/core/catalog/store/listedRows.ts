/** The rows that a store shows, by path. A row gives way to a better one only, and has the pin that its session has now. */
import { databaseOf } from '../../files/database/databaseSession';
import { isSameRoot } from '../../files/locate/roots';
import { hasGrown } from '../../files/read/versions/compareVersions';
import type { DiskInventory } from '../refresh/diskInventory';
import { isFromVersion, isSameError, type InventoryFile } from '../rows/inventoryFile';
import { differences } from '../refresh/pinnedSessions';
import type { ChangeReporter } from './changeReporter';
import type { ListedSession } from './listedSession';

export class ListedRows {
  private readonly rows = new Map<string, ListedSession>();
  /** True once there is a session of another machine; without one there are no copies. */
  private hasMachines = false;
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
    if (!file && this.disk.isGone(path)) return false;
    if (!isImprovement(row, before, file)) {
      // The index has the whole first message, in addition to what lists show.
      if (before && row.indexedIn !== undefined && isFromVersion(before, row))
        this.rows.set(path, { ...before, row: row.row, indexedIn: row.indexedIn });
      return false;
    }
    this.rows.set(path, this.withCopy(this.withPin(row)));
    this.compareCopies(row);
    report.add(path, 'changed');
    return true;
  }

  /** Updates the rows of files that turned out to be copies, or to be none any more. */
  updateCopies(paths: readonly string[], report: ChangeReporter): void {
    for (const path of paths) {
      const row = this.rows.get(path);
      if (!row) continue;
      this.rows.set(path, this.withCopy(row));
      report.add(path, 'changed');
    }
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
    this.disk.copies.delete(path);
    if (!this.rows.delete(path)) return false;
    report.add(path, 'removed');
    return true;
  }

  private compareCopies(row: ListedSession): void {
    const { copies } = this.disk;
    const { path, root, version } = row;
    if (!this.hasMachines) {
      if (root.machine === undefined) return;
      this.hasMachines = true;
      for (const other of this.rows.values()) this.compareCopies(other);
    }
    // Sessions in a database aren't separate files.
    if (row.kind !== 'session' || row.summary.id === '' || databaseOf(path) !== undefined) copies.delete(path);
    else copies.set({ path, id: row.summary.id, dialect: row.summary.dialect, machine: root.machine, version });
  }

  private withCopy(row: ListedSession): ListedSession {
    const owner = this.disk.copies.ownerOf(row.path);
    // Nearly always: a list has thousands of rows.
    if (owner === undefined && row.copyOf === undefined) return row;
    const { copyOf, ...others } = row;
    if (owner === copyOf) return row;
    return owner ? { ...others, copyOf: owner } : others;
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

/** Returns true if the row should replace the other row. `file`: the result of the last inspection of the file, if there was one. */
function isImprovement(row: ListedSession, before: ListedSession | undefined, file: InventoryFile | undefined): boolean {
  if (!before || !file) return !before?.complete || !isFromVersion(before, row);
  // A file that couldn't be read may have been read again.
  if (isRowOf(before, file)) return (!before.complete || before.kind === 'unreadable') && isRowOf(row, file);
  // A file that grows quickly is ahead of everything that is read of it.
  return isRowOf(row, file) || hasGrown(before.version, row.version);
}
