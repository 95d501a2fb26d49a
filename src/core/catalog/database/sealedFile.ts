/**
 * Seals the database's file, so that a changed byte can't go unnoticed: SQLite doesn't look at most of what it reads.
 *
 * In WAL mode a checkpoint is the only thing that changes the file, and every window makes checkpoints only here. Each
 * leaves a seal beside the database: the file's size and CRC-32, and how many commits the database had. What was
 * committed since is in the WAL, where every frame has a checksum: SQLite compares it when it opens a WAL that was left,
 * and `checkpoint` before a frame becomes part of what is sealed. A WAL that lost frames which the file needs has too few
 * commits, and one that belongs to another state of the file names another seal (`base`).
 *
 * The descriptor stays open as long as the database: closing any descriptor of a file drops the locks that SQLite has
 * on it in this process.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { DamagedDatabase, parseStoredJson } from './databaseErrors';
import { countValidFrames } from './walFrames';

interface Seal {
  readonly id: string;
  /** The seal before. */
  readonly previous: string;
  /** Of the database when it was sealed. */
  readonly state: CommitState;
  readonly size: number;
  readonly crc: number;
}

/** Which commit a database is at; in the table `state`. */
interface CommitState {
  readonly commits: number;
  /** The seal that the file had then. */
  readonly base: string;
}

/** Bytes of a seal at most, and bytes that are read at a time. */
const MAX_SEAL_BYTES = 4096;
const CHUNK = 1024 * 1024;

export class SealedFile {
  private fd: number | undefined;
  private id = '';

  constructor(private readonly path: string) {}

  /** Closes the descriptor; to be called when this process has the database open nowhere. */
  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }

  /** The file's number, as `stat` has it; `undefined` while it isn't open here. */
  get ino(): bigint | undefined {
    return this.fd === undefined ? undefined : fstatSync(this.fd, { bigint: true }).ino;
  }

  /** Id of the newest seal, for `state`. Another window may be making the next one: then the one before it. */
  get sealId(): string {
    return (this.id = this.read()?.id ?? this.id);
  }

  /** Must be called under the database's lock. @throws {DamagedDatabase} if the file isn't as it was sealed */
  checkFile(): void {
    const seal = this.read();
    if (!seal || existsSync(`${this.path}-journal`)) throw new DamagedDatabase('The database has no seal, or a foreign journal.');
    const { size, crc } = this.checksum();
    if (size !== seal.size || crc !== seal.crc) throw new DamagedDatabase('The database isn’t as it was sealed.');
    this.id = seal.id;
  }

  /** After `checkFile`. @throws {DamagedDatabase} if what the WAL adds doesn't belong to the file, or something is missing */
  checkState(database: DatabaseSync): void {
    const seal = this.read();
    const now = stateOf(database);
    const isSame = now.commits === seal?.state.commits && now.base === seal.state.base;
    const isLater = seal !== undefined && now.commits > seal.state.commits && [seal.id, seal.previous, seal.state.base].includes(now.base);
    if (!isSame && !isLater) throw new DamagedDatabase('The database’s WAL isn’t the one it had.');
  }

  /**
   * Brings the WAL into the file and seals that. Must be called under the database's lock. Frames are compared with their
   * checksums only in mode PASSIVE: TRUNCATE doesn't tell how many there were.
   *
   * @returns whether all of the WAL could be
   * @throws {DamagedDatabase} as `checkFile`, or if the WAL isn't as it was written: the file has no seal any more then
   */
  checkpoint(database: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    this.checkFile();
    const whole = countValidFrames(`${this.path}-wal`);
    rmSync(this.sealPath);
    let used = 0;
    let isAll: boolean;
    let isGood: boolean;
    try {
      const { busy, log, checkpointed } = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() ?? {};
      used = Number(checkpointed);
      isAll = busy === 0 && log === checkpointed;
    } finally {
      // Another window may have added some since they were counted.
      isGood = used <= whole || used <= countValidFrames(`${this.path}-wal`);
      // Also of a checkpoint that failed: the WAL still has all of it.
      if (isGood) this.seal(database);
    }
    if (!isGood) throw new DamagedDatabase('The database’s WAL isn’t as it was written.');
    return isAll;
  }

  /** Must be called under the database's lock, by a caller that knows that the database is good. */
  seal(database: DatabaseSync): void {
    const seal: Seal = { id: randomUUID(), previous: this.id, state: stateOf(database), ...this.checksum() };
    const draft = `${this.sealPath}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, JSON.stringify(seal), { mode: 0o600, flag: 'wx' });
    renameSync(draft, this.sealPath);
    this.id = seal.id;
  }

  private get sealPath(): string {
    return `${this.path}-seal`;
  }

  private read(): Seal | undefined {
    try {
      if (!lstatSync(this.sealPath).isFile()) return undefined;
      const fd = openSync(this.sealPath, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const bytes = Buffer.alloc(MAX_SEAL_BYTES);
        return parseStoredJson(bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_SEAL_BYTES, 0))) as Seal;
      } finally {
        closeSync(fd);
      }
    } catch {
      // As one that is missing: the database isn't trusted.
      return undefined;
    }
  }

  private checksum(): Pick<Seal, 'size' | 'crc'> {
    const fd = this.descriptor();
    const bytes = Buffer.allocUnsafe(CHUNK);
    let [size, crc] = [0, 0];
    for (let count; (count = readSync(fd, bytes, 0, CHUNK, size)) > 0; size += count) crc = crc32(bytes.subarray(0, count), crc);
    return { size, crc };
  }

  private descriptor(): number {
    return (this.fd ??= openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK));
  }
}

function stateOf(database: DatabaseSync): CommitState {
  const { commits, base } = database.prepare('SELECT commits, base FROM state').get() ?? {};
  if (typeof commits !== 'number' || typeof base !== 'string') throw new DamagedDatabase('The database doesn’t tell its state.');
  return { commits, base };
}
