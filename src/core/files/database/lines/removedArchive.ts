/** Archives of transcripts that OpenClaw has deleted or reset: the JSONL itself, or compressed. FORMAT section 7. */
import { MAX_ARCHIVE_BYTES } from './coldArchive';
import type { DatabaseConnection } from '../sqlite/databaseConnection';
import { CorruptDatabase } from '../sqlite/databaseErrors';
import type { StoredSession } from '../storedSessions';
import { readArchiveBytes } from './transcript';

/** Returns a session with the exact size of its lines. @throws {CorruptDatabase} if its archive doesn't say it */
export function measureArchive(connection: DatabaseConnection, stored: StoredSession): StoredSession {
  const { id, cold } = stored;
  if (!cold?.removed || cold.isEstimate !== true) return stored;
  const head = readArchiveBytes(connection, id, MAX_ARCHIVE_BYTES, cold.removed.generation, MAX_HEAD);
  const unpackedSize = head && frameSize(head);
  if (unpackedSize === undefined) throw new CorruptDatabase('an archive doesn’t say its size, or is too large');
  const { fileName, size, sha256, removed } = cold;
  return { ...stored, cold: { fileName, size, sha256, unpackedSize, removed } };
}

const MAGIC = 0xfd2fb528;
/** Bytes of the head of a frame, at most. */
const MAX_HEAD = 18;
/** Bytes of the number of a dictionary, by the two lowest bits. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;

/** Returns the size that a Zstandard frame says it unpacks to (RFC 8878, 3.1.1.1); `undefined` if it doesn't say it. */
export function frameSize(head: Buffer): number | undefined {
  if (head.length < 5 || head.readUInt32LE(0) !== MAGIC) return undefined;
  const descriptor = head.readUInt8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0);
  const length = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  if (length === 0 || head.length < at + length) return undefined;
  if (length === 8) return Number(head.readBigUInt64LE(at));
  return head.readUIntLE(at, length) + (length === 2 ? 256 : 0);
}
