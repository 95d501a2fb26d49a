/**
 * Seals the database's file, so that a changed byte can't go unnoticed: SQLite itself validates little of what it reads.
 *
 * In WAL mode only a checkpoint changes the file, and every window makes checkpoints only here. Each leaves a seal beside
 * the database: the file's size and CRC-32, and the number of commits. Later commits are in the WAL, where every frame has
 * a checksum. SQLite verifies it when it opens a leftover WAL, and `checkpoint` before a frame becomes part of the sealed
 * file. A WAL that lost frames which the file needs has too few commits; one that belongs to another state of the file
 * names another seal (`base`).
 *
 * The descriptor stays open as long as the database: closing any descriptor of a file drops the locks that SQLite has
 * on it in this process.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { isObject } from '../../../format/entry/jsonValues';
import { DamagedDatabase, parseStoredJson } from '../databaseErrors';
import { countValidFrames } from './walFrames';

interface Seal {
  readonly id: string;
  /** The id of the seal before. */
  readonly previous: string;
  /** The state of the database when it was sealed. */
  readonly state: CommitState;
  readonly size: number;
  readonly crc: number;
}

const isSeal = (value: unknown): value is Seal =>
  isObject(value) &&
  [value['id'], value['previous']].every((id) => typeof id === 'string') &&
  [value['size'], value['crc']].every((number) => typeof number === 'number') &&
  isObject(value['state']);

/** The last commit of a database, from its table `state`. */
interface CommitState {
  readonly commits: number;
  /** The id of the file's seal at that commit. */
  readonly base: string;
}

/** The maximum size of a seal, and the number of bytes read at a time. */
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

  /** The file's inode; `undefined` while it isn't open here. */
  get ino(): bigint | undefined {
    return this.fd === undefined ? undefined : fstatSync(this.fd, { bigint: true }).ino;
  }

  /** The id of the newest seal, for `state`. While another window replaces the seal, the one before. */
  get sealId(): string {
    return (this.id = this.read()?.id ?? this.id);
  }

  /** Must be called under the database's lock. @throws {DamagedDatabase} if the file doesn't match its seal */
  checkFile(): void {
    const seal = this.read();
    if (!seal) throw new DamagedDatabase('The database has no seal.');
    const { size, crc } = this.checksum();
    if (size !== seal.size || crc !== seal.crc) throw new DamagedDatabase('The database isn’t as it was sealed.');
    this.id = seal.id;
  }

  /** Must be called after `checkFile`. @throws {DamagedDatabase} if the WAL doesn't belong to the file, or is incomplete */
  checkState(database: DatabaseSync): void {
    const seal = this.read();
    const now = stateOf(database);
    const isSame = now.commits === seal?.state.commits && now.base === seal.state.base;
    const isLater = seal !== undefined && now.commits > seal.state.commits && [seal.id, seal.previous, seal.state.base].includes(now.base);
    if (!isSame && !isLater) throw new DamagedDatabase('The database’s WAL isn’t the one it had.');
  }

  /**
   * Moves the WAL into the file and seals it. Must be called under the database's lock. Only a PASSIVE checkpoint verifies
   * the frames' checksums: TRUNCATE doesn't return their number.
   *
   * @returns true if all of the WAL was moved
   * @throws {DamagedDatabase} like `checkFile`, or if the WAL isn't as it was written; then the file is left without a seal
   */
  checkpoint(database: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    this.checkFile();
    const validFrames = countValidFrames(`${this.path}-wal`);
    rmSync(this.sealPath);
    let movedFrames = 0;
    let isComplete: boolean;
    let isIntact: boolean;
    try {
      const { busy, log, checkpointed } = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() ?? {};
      movedFrames = Number(checkpointed);
      isComplete = busy === 0 && log === checkpointed;
    } finally {
      // Another window may have added frames since they were counted.
      isIntact = movedFrames <= validFrames || movedFrames <= countValidFrames(`${this.path}-wal`);
      // Also after a failed checkpoint: the WAL still has everything.
      if (isIntact) this.seal(database);
    }
    if (!isIntact) throw new DamagedDatabase('The database’s WAL isn’t as it was written.');
    return isComplete;
  }

  /** Must be called under the database's lock, and only if the database is known to be intact. */
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
        const seal = parseStoredJson(bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_SEAL_BYTES, 0)));
        return isSeal(seal) ? seal : undefined;
      } finally {
        closeSync(fd);
      }
    } catch {
      // Treated like a missing seal: the database isn't trusted.
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
  const { commits, base } = database.prepare('SELECT commits, base FROM state WHERE id = 1').get() ?? {};
  if (typeof commits !== 'number' || typeof base !== 'string') throw new DamagedDatabase('The database doesn’t tell its state.');
  return { commits, base };
}
