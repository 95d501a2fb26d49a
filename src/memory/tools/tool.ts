/** The frame of the tools for models. */
import type { Memory } from '../memory';

export interface ToolCall {
  readonly memory: Memory;
  /** The arguments, which were checked. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Lines about the answer as a whole. */
  readonly notes: readonly string[];
}

export interface Tool {
  readonly title: string;
  /** Says when to use it and when not. */
  readonly description: string;
  readonly run: (call: ToolCall) => Promise<string>;
}

export const text = (args: ToolCall['args'], name: string): string | undefined => {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
};

export const number = (args: ToolCall['args'], name: string): number | undefined => {
  const value = args[name];
  return typeof value === 'number' ? value : undefined;
};

/** The bounds of answers in bytes. */
export const BOUNDS = { list: 400_000, digest: 60_000, branch: 1_000_000, longBranch: 4_000_000 } as const;
