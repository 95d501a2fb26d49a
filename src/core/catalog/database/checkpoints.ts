/** Brings the WAL into the database's own file and seals that, when there is much of it, and before the database is closed. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { databasePath, withDatabaseLock, type DatabaseLocation } from './database';
import type { SealedFile } from './sealedFile';

/** Bytes of the WAL from which on it is due: as many as with SQLite's own checkpoints, and more while much is written. */
const DUE_BYTES = { idle: 16 * 1024 * 1024, busy: 256 * 1024 * 1024 };
/** Of a larger file the WAL must be this part: the whole file is read. */
const MIN_WAL_SHARE = 1 / 4;
/** Milliseconds that it waits for readers. */
const BUSY_TIMEOUT_MS = 2000;

/** Every method throws {DamagedDatabase} if the file isn't as it was sealed. */
export class Checkpoints {
  /** `file`: the database's, as it was checked. */
  constructor(
    private readonly database: DatabaseSync,
    private readonly place: DatabaseLocation,
    private readonly file: SealedFile,
  ) {}

  /** The seal that a commit is based on. */
  get sealId(): string {
    return this.file.sealId;
  }

  runIfDue(when: keyof typeof DUE_BYTES): void {
    if (this.walSize() >= Math.max(DUE_BYTES[when], statSync(databasePath(this.place)).size * MIN_WAL_SHARE)) this.run('PASSIVE');
  }

  /** SQLite makes one by itself when the last one closes the database: after this nothing is left for it to do. */
  runFinal(): void {
    if (this.walSize() > 0) this.run('PASSIVE');
  }

  /** Empties the WAL, too. @returns whether it could: not while others read */
  truncate(): boolean {
    // Frames are compared with their checksums here.
    this.run('PASSIVE');
    return this.run('TRUNCATE');
  }

  private run(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    const patience = this.database.prepare('PRAGMA busy_timeout').get()?.['timeout'];
    this.database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    try {
      return withDatabaseLock(this.place, () => this.file.checkpoint(this.database, mode));
    } finally {
      this.database.exec(`PRAGMA busy_timeout = ${Number(patience)}`);
    }
  }

  private walSize(): number {
    return statSync(`${databasePath(this.place)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}
