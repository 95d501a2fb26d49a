/** How the programs of the family differ, as a table. The facts are what the programs were seen to do. */
import type { JsonObject } from './entry';

/** The supported dialects: variants of the format, one per program. FORMAT section 1. */
export const DIALECTS = ['pi', 'omp', 'jensen', 'gsd', 'openclaw'] as const;
/** Name of a dialect. FORMAT section 1. */
export type Dialect = (typeof DIALECTS)[number];

/** Properties of a dialect and its program. FORMAT section 1. */
export interface DialectFacts {
  /** The program's own name. */
  readonly label: string;
  /** Where a session's name comes from: the last `session_info`, the last that is not empty, or omp's title. */
  readonly nameSource: 'last-info' | 'last-named-info' | 'title';
  /** The flag on compactions and summaries that an extension made. */
  readonly extensionFlag: 'fromHook' | 'fromExtension';
  /** Files begin with a title slot, a line of 256 bytes that is rewritten in place. */
  readonly hasTitleSlot: boolean;
  /** Whether this extension ever writes into such a file. */
  readonly writable: boolean;
  /** The command; what follows are its arguments. A person may name another in the settings. */
  readonly program: readonly string[];
  /** What opens a session again, and what comes after it: the file, or the key that the program keeps for the session. */
  readonly resume: { readonly args: readonly string[]; readonly by: 'path' | 'key' };
  /** What begins a session in the current folder. */
  readonly startArgs: readonly string[];
}

/**
 * The differences between the programs. FORMAT section 1. The commands are those of pi 0.87, oh-my-pi 18.3 (a value
 * with a slash or `.jsonl` is a path), jensen-code 2.1, gsd (its early versions don't support `--session`) and OpenClaw
 * 2026.7, whose terminal takes neither a file nor an id but a session key.
 */
export const DIALECT_FACTS: Readonly<Record<Dialect, DialectFacts>> = {
  pi: {
    label: 'pi',
    nameSource: 'last-info',
    extensionFlag: 'fromHook',
    hasTitleSlot: false,
    writable: true,
    program: ['pi'],
    resume: { args: ['--session'], by: 'path' },
    startArgs: [],
  },
  omp: {
    label: 'oh-my-pi',
    nameSource: 'title',
    extensionFlag: 'fromExtension',
    hasTitleSlot: true,
    writable: true,
    program: ['omp'],
    resume: { args: ['--resume'], by: 'path' },
    startArgs: [],
  },
  jensen: {
    label: 'jensen-code',
    nameSource: 'last-info',
    extensionFlag: 'fromHook',
    hasTitleSlot: false,
    writable: true,
    program: ['jensen'],
    resume: { args: ['--session'], by: 'path' },
    startArgs: [],
  },
  gsd: {
    label: 'gsd',
    nameSource: 'last-named-info',
    extensionFlag: 'fromHook',
    hasTitleSlot: false,
    writable: true,
    program: ['gsd'],
    resume: { args: ['--session'], by: 'path' },
    startArgs: [],
  },
  openclaw: {
    label: 'OpenClaw',
    nameSource: 'last-info',
    extensionFlag: 'fromHook',
    hasTitleSlot: false,
    writable: false,
    program: ['openclaw'],
    resume: { args: ['tui', '--session'], by: 'key' },
    startArgs: ['tui'],
  },
};

/** True for the name of a dialect. */
export function isDialect(value: unknown): value is Dialect {
  return DIALECTS.some((dialect) => dialect === value);
}

const OMP_ONLY_TYPES = new Set([
  'title',
  'title_change',
  'ttsr_injection',
  'mode_change',
  'service_tier_change',
  'mcp_tool_selection',
  'session_init',
  'credential_pin',
  'model_usage',
  'reset_boundary',
]);

/** The program that must have written this line, if the line alone tells. */
export function detectDialect(line: JsonObject): Dialect | undefined {
  const type = line['type'];
  if (typeof type === 'string' && OMP_ONLY_TYPES.has(type)) return 'omp';
  if (type === 'model_change' && typeof line['model'] === 'string') return 'omp';
  if (type === 'session' && ('titleSource' in line || 'title' in line)) return 'omp';
  if (typeof line['payloadSha256'] === 'string') return 'jensen';
  if ('__openclaw' in line || (type === 'leaf' && 'appendMode' in line)) return 'openclaw';
  return undefined;
}
