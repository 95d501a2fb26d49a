/** The frame of all commands: what they get, and what they answer. */
import type { Memory } from '../memory/memory';
import type { Paint } from './output';

/** The surroundings of a command. */
export interface Call {
  readonly memory: Memory;
  readonly signal: AbortSignal;
  readonly paint: Paint;
  /** True if standard output is a terminal. */
  readonly isTerminal: boolean;
  readonly version: string;
}

export interface Answer {
  /** The object that `--json` writes, without its version. */
  readonly json: object;
  /** Lines for people, sanitized. */
  readonly lines: readonly string[];
  /** False for an empty answer. */
  readonly found: boolean;
  /** A sentence for standard error. */
  readonly note?: string;
  /** Writes the answer for people instead of `lines`, in parts, sanitized. */
  readonly parts?: AsyncIterable<string> | readonly string[];
  /** Is called when all was written, or nothing more can be. */
  readonly end?: () => Promise<void>;
}

export type Options = Readonly<Record<string, unknown>>;

/** Returns an option's value, which the parser has as text. */
export const textOption = (options: Options, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

export const numberOption = (options: Options, name: string): number | undefined => {
  const value = options[name];
  return typeof value === 'number' ? value : undefined;
};
