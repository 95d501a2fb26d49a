/** Checkpoints: they move the WAL into the database's file and seal it, when the WAL is large and before the database is closed. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { databasePath, withDatabaseLock, type DatabaseLocation } from '../database';
import type { SealedFile } from './sealedFile';

/** The WAL's size in bytes from which a checkpoint is due: SQLite's own limit, and a larger one while much is written. */
const DUE_BYTES = { idle: 16 * 1024 * 1024, busy: 256 * 1024 * 1024 };
/** For a large file, the WAL must have at least this share of its size, because a checkpoint reads the whole file. */
const MIN_WAL_SHARE = 1 / 4;
const BUSY_TIMEOUT_MS = 2000;

/** Every method throws {DamagedDatabase} if the file doesn't match its seal. */
export class Checkpoints {
  /** @param file the database's file, already checked */
  constructor(
    private readonly database: DatabaseSync,
    private readonly location: DatabaseLocation,
    private readonly file: SealedFile,
  ) {}

  /** The id of the seal that a commit is based on. */
  get sealId(): string {
    return this.file.sealId;
  }

  /**
   * Also empties the WAL. If it kept its size, it would be due again after each change, and the next process to open the
   * database would read all of it.
   */
  runIfDue(when: keyof typeof DUE_BYTES): void {
    if (this.walSize() >= Math.max(DUE_BYTES[when], statSync(databasePath(this.location)).size * MIN_WAL_SHARE)) this.truncate();
  }

  /** To be called before closing. SQLite checkpoints by itself when the last connection closes; this leaves it nothing to do. */
  runFinal(): void {
    if (this.walSize() > 0) this.run('PASSIVE');
  }

  /** Also empties the WAL. @returns false if another connection was reading */
  truncate(): boolean {
    // Only a passive checkpoint verifies the frames' checksums.
    this.run('PASSIVE');
    return this.run('TRUNCATE');
  }

  private run(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    const timeout = this.database.prepare('PRAGMA busy_timeout').get()?.['timeout'];
    this.database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    try {
      return withDatabaseLock(this.location, () => this.file.checkpoint(this.database, mode));
    } finally {
      this.database.exec(`PRAGMA busy_timeout = ${Number(timeout)}`);
    }
  }

  private walSize(): number {
    return statSync(`${databasePath(this.location)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}
