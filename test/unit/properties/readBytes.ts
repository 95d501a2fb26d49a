/** Reads a session from bytes in the same way as from a file. */
import { LineSplitter, type LineSink } from '../../../src/core/files/read/bytes/lineSplitter';
import type { Session } from '../../../src/core/format/session/session';
import { SessionReader } from '../../../src/core/format/session/read/sessionReader';
import type { Scanner } from '../../../src/core/format/scanner/scanner';
import { sessionValues } from '../../fixtures/shape';
import { unlessRefused } from './exerciseSession';
import { finishSteps } from '../../../src/core/format/session/steps';

/** The most bytes that `readBytes` takes with a scanner. */
export const CAPACITY = 1024 * 1024;

export const newReader = (): SessionReader => new SessionReader({ path: '/a.jsonl', home: '/home/me' });

export interface ReadBytes {
  /** `undefined` if the reader refused the bytes with a `SessionError`. */
  readonly session: object | undefined;
  /** The session itself. With a scanner, it may be used until this reads another file. */
  readonly read: Session | undefined;
  readonly heads: object[];
  /** Lines that the scanner took. */
  readonly messages: number;
}

/** Reads bytes in one piece, with a scanner or by parsing every line. */
export async function readBytes(bytes: Buffer, scanner?: Scanner): Promise<ReadBytes> {
  const into = newReader();
  let messages = 0;
  const sink: LineSink = { add: into.add.bind(into), addLong: into.addLong.bind(into), skip: into.skip.bind(into) };
  const scan: LineSink['scan'] = (...given) => {
    const scanned = into.scan(...given);
    messages += scanned?.count ?? 0;
    return scanned;
  };
  const lines = new LineSplitter({ offset: 0, line: 0 }, scanner ? { ...sink, scan } : sink);
  finishSteps(lines.take(bytes, finishSteps(lines.takeWhole(bytes, scanner)), bytes.length, scanner));
  finishSteps(lines.end());
  const session = await unlessRefused(() => into.session());
  // Values are read before the scanner begins another file.
  return { session: session && sessionValues(session), read: session, heads: [...(session?.entries ?? [])], messages };
}
