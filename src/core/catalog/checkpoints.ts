/** Brings the WAL into the database's own file and seals that, when there is much of it, and before the database is closed. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { databasePath, whileLocked, type DatabasePlace } from './database';
import type { SealedFile } from './seal';

/** Bytes of the WAL from which on it is due: as many as with SQLite's own checkpoints, and more while much is written. */
const DUE = { idle: 16 * 1024 * 1024, busy: 256 * 1024 * 1024 };
/** Of a larger file the WAL must be this part: the whole file is read. */
const PART = 1 / 4;
/** Milliseconds that it waits for readers. */
const PATIENCE = 2000;

/** Every method throws {DamagedDatabase} if the file isn't as it was sealed. */
export class Checkpoints {
  /** `file`: the database's, as it was checked. */
  constructor(
    private readonly database: DatabaseSync,
    private readonly place: DatabasePlace,
    private readonly file: SealedFile,
  ) {}

  /** The seal that a commit is based on. */
  get base(): string {
    return this.file.base;
  }

  ifDue(when: keyof typeof DUE): void {
    if (this.walSize() >= Math.max(DUE[when], statSync(databasePath(this.place)).size * PART)) this.make('PASSIVE');
  }

  /** SQLite makes one by itself when the last one closes the database: after this nothing is left for it to do. */
  last(): void {
    if (this.walSize() > 0) this.make('PASSIVE');
  }

  /** Empties the WAL, too. @returns whether it could: not while others read */
  truncate(): boolean {
    // Frames are compared with their checksums here.
    this.make('PASSIVE');
    return this.make('TRUNCATE');
  }

  private make(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    const patience = this.database.prepare('PRAGMA busy_timeout').get()?.['timeout'];
    this.database.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
    try {
      return whileLocked(this.place, () => this.file.checkpoint(this.database, mode));
    } finally {
      this.database.exec(`PRAGMA busy_timeout = ${Number(patience)}`);
    }
  }

  private walSize(): number {
    return statSync(`${databasePath(this.place)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}
