/** The key under which the database finds a path. */
import { createHash } from 'node:crypto';

const BYTES = 6;

/** Cryptographic, so that no one can make many paths with the same hash. */
export const hashOfPath = (path: string): number => createHash('sha256').update(path).digest().readUIntBE(0, BYTES);
