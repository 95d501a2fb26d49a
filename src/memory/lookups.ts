/**
 * The record of what agents looked up: a line for each call, for the person to read. A file that has grown too large becomes the one
 * before, and the one before that goes.
 */
import { rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendPrivateLine, defined, isMissing, isObject, makePrivateFolder, oneLine, readPrivateLines } from '../core/index';
import { withoutEffects } from './escapeJson';

export interface Lookup {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The program that asked, as it names itself. */
  readonly client: string;
  /** The tool, or the command of the command line. */
  readonly tool: string;
  /** The arguments as JSON, shortened. */
  readonly input: string;
  /** Bytes of the answer, if it was made at once. */
  readonly bytes?: number;
  readonly isRefused: boolean;
}

export type NewLookup = Omit<Lookup, 'time' | 'input'> & { readonly input: object };

const MAX_BYTES = 512 * 1024;
const [MAX_CLIENT, MAX_INPUT] = [80, 1000];

/** Adds a call. Texts become one line without characters that have an effect. @throws {SessionError} if it can't be written */
export async function recordLookup(log: string, lookup: NewLookup): Promise<void> {
  const { client, tool, input, bytes, isRefused } = lookup;
  await makePrivateFolder(dirname(log));
  await turnOver(log);
  const text = (value: string, length: number): string => oneLine(withoutEffects(value), length);
  await appendPrivateLine(log, {
    time: Date.now(),
    client: text(client, MAX_CLIENT),
    tool: text(tool, MAX_CLIENT),
    input: text(JSON.stringify(input), MAX_INPUT),
    ...defined({ bytes }),
    isRefused,
  } satisfies Lookup);
}

/** Returns the recorded calls, oldest first. @throws {SessionError} if a file can't be read */
export async function readLookups(log: string): Promise<Lookup[]> {
  const lines = [...(await readPrivateLines(earlier(log))), ...(await readPrivateLines(log))];
  return lines.flatMap((line): Lookup[] => {
    if (!isObject(line)) return [];
    const { time, client, tool, input, bytes, isRefused } = line;
    if (typeof time !== 'number' || typeof client !== 'string' || typeof tool !== 'string' || typeof input !== 'string') return [];
    return [
      { time, client, tool, input, isRefused: isRefused === true, ...defined({ bytes: typeof bytes === 'number' ? bytes : undefined }) },
    ];
  });
}

const earlier = (log: string): string => `${log}.1`;

async function turnOver(log: string): Promise<void> {
  try {
    if ((await stat(log)).size > MAX_BYTES) await rename(log, earlier(log));
  } catch (error) {
    // Another process may have renamed it a moment ago.
    if (!isMissing(error)) throw error;
  }
}
