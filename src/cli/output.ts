/** Standard output and standard error: whole, without control characters of sessions, and quiet when the reader goes away. */
import { errorCode, sanitizeText } from '../core/index';
import { escapeJson } from '../memory/escapeJson';

/** Returns JSON in which nothing can control a terminal, and which means the same. */
export const safeJson = (value: unknown): string => escapeJson(JSON.stringify(value));

/** Returns a text on one line, as a terminal may show it. */
export const line = (text: string): string => sanitizeText(text).replace(/\s+/g, ' ').trim();

export interface Terminal {
  readonly isTerminal: boolean;
  readonly hasColors: boolean;
}

/** Facts about a stream. `NO_COLOR` with any value that isn't empty switches colors off. */
export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  const isTerminal = stream.isTTY;
  return { isTerminal, hasColors: isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb' };
}

/** Writes to standard output, and waits until that is done. @returns false if the reader has gone. @throws if it can't be written */
export function write(text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve(true);
      else if (errorCode(error) === 'EPIPE') resolve(false);
      else reject(error);
    });
  });
}

const CODES = { dim: 2, bold: 1, cyan: 36, green: 32, yellow: 33, red: 31 } as const;
export type Style = keyof typeof CODES;
export type Paint = (style: Style, text: string) => string;

/** Returns a function that colors texts, or leaves them. */
export const painter = ({ hasColors }: Terminal): Paint =>
  hasColors ? (style, text) => (text === '' ? '' : `\u001b[${String(CODES[style])}m${text}\u001b[0m`) : (_, text) => text;
