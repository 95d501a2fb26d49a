/** Versions of files, whose comparison shows whether a file has changed. */
import { constants, type BigIntStats, type Stats } from 'node:fs';
import { isNumber, isObjectOf, isOneOf, isOptional, isText } from '../../../format/values/checks';

/** Identifies a version of a file without reading it; see `sameVersion`. */
export interface FileVersion {
  /** Bytes. */
  readonly size: number;
  /** Modification time in milliseconds since 1970, with fractions. */
  readonly mtimeMs: number;
  /** Device and inode, as `<dev>:<ino>`. */
  readonly ino: string;
  /**
   * Set for a session in a database: a digest of its facts there with its last event, of {@link FACTS_DIGITS} hexadecimal
   * digits. Together with `ino` it decides the version.
   */
  readonly facts?: string;
  /** Set if `size` is a guess: the session is in a database, and was listed without reading its lines. */
  readonly isEstimate?: true;
}

export const isFileVersion = isObjectOf<FileVersion>({
  size: isNumber,
  mtimeMs: isNumber,
  ino: isText,
  facts: isOptional(isText),
  isEstimate: isOptional(isOneOf([true])),
});

export const FACTS_DIGITS = 32;

/**
 * True if this process may lack the permission to read a file and has to ask the system. A stored version doesn't tell: it stays the
 * same when the permissions of the file change.
 */
export const mayBeLocked = ({ mode, uid }: Pick<Stats | BigIntStats, 'mode' | 'uid'>): boolean =>
  (Number(mode) & constants.S_IRUSR) === 0 || (process.getuid !== undefined && Number(uid) !== process.getuid());

/**
 * Returns the version that a `stat` describes; both kinds of `stat` give equal values. One with bigints is required
 * where inodes exceed safe integers.
 */
export function fileVersion(stats: Stats | BigIntStats): FileVersion {
  const ino = `${stats.dev}:${stats.ino}`;
  if (!('mtimeNs' in stats)) return { size: stats.size, mtimeMs: stats.mtimeMs, ino };
  const { mtimeNs } = stats;
  return { size: Number(stats.size), mtimeMs: Number(mtimeNs / 1_000_000_000n) * 1e3 + Number(mtimeNs % 1_000_000_000n) / 1e6, ino };
}
