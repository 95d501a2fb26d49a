/** Sessions with heads as objects and in columns, with `leaf` lines, repeated ids and circles. */
import fc from 'fast-check';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import type { Session } from '../../../src/core/format/session/session';
import { generateSession } from '../../fixtures/generate';
import { wholeText } from './brokenSessions';
import { CAPACITY, readBytes } from './readBytes';

const scanner = new Scanner(CAPACITY, 0);
const openclaw = fc.integer({ min: 1, max: 100_000 }).map((seed) => generateSession(seed, { program: 'openclaw' }).text);

/** The text of a session, and whether it's scanned. */
export const anySession = fc.tuple(fc.oneof(wholeText, openclaw), fc.boolean());

/** Reads a session, which may be used until this reads another one. Returns `undefined` if the reader refuses it. */
export const sessionOf = async ([text, isScanned]: readonly [string, boolean]): Promise<Session | undefined> =>
  (await readBytes(Buffer.from(text), isScanned ? scanner : undefined)).read;
