/** The worker's connection to the database: opened when it is first needed, and again after the database was replaced. */
import { statSync } from 'node:fs';
import { isDamage } from './databaseErrors';
import { DamagedDatabase } from '../encoding/damagedDatabase';
import { databasePath, openForWriting, setAside, type DatabaseLocation, type OpenedDatabase } from './database';
import { Indexer } from './indexer';

/** The size of a database in bytes from which on it isn't checked: a check takes some ten milliseconds for each megabyte. */
const MAX_CHECKED_BYTES = 256 * 1024 * 1024;

export class WritableDatabase {
  private opened: (OpenedDatabase & { readonly indexer: Indexer }) | undefined;
  private isChecked = false;

  constructor(private readonly location: DatabaseLocation) {}

  /** The file's inode; `undefined` while it isn't open. */
  get ino(): bigint | undefined {
    return this.opened?.ino;
  }

  get exists(): boolean {
    return this.statistics() !== undefined;
  }

  /** Creates the database if it's missing. @throws {DamagedDatabase} */
  open(): Indexer {
    // Another window may have replaced the database.
    if (this.opened && this.statistics()?.ino !== this.ino) this.discard();
    if (!this.opened) {
      const opened = openForWriting(this.location);
      this.opened = { ...opened, indexer: new Indexer(opened.database) };
      this.isChecked = !opened.hadWal;
    }
    return this.opened.indexer;
  }

  /** Looks for damage once, if a process may have ended without closing the database. @throws {DamagedDatabase} */
  check(): void {
    if (!this.opened || this.isChecked || (this.statistics()?.size ?? 0) > MAX_CHECKED_BYTES) return;
    this.isChecked = true;
    const found = this.opened.database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (found !== 'ok') throw new DamagedDatabase(`The database is damaged: ${String(found)}`);
  }

  rollback(): void {
    this.opened?.indexer.rollback();
  }

  /** Moves a damaged database out of the way, for all windows. */
  setAside(): void {
    const { ino } = this;
    this.close();
    setAside(this.location, ino);
  }

  close(): void {
    try {
      this.discard();
    } catch (error) {
      // It's set aside, or the next window that opens it finds the damage.
      if (!isDamage(error)) throw error;
    }
  }

  private statistics(): { readonly ino: bigint; readonly size: bigint } | undefined {
    return statSync(databasePath(this.location), { bigint: true, throwIfNoEntry: false });
  }

  private discard(): void {
    const { opened } = this;
    this.opened = undefined;
    opened?.indexer.close();
  }
}
