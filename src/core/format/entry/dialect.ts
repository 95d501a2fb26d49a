/** Differences between the programs of the family, in one table. All facts were observed in the programs. */
import type { JsonObject } from './jsonValues';

/** The supported dialects: variants of the format, one per program. FORMAT section 1. */
export const DIALECTS = ['pi', 'omp', 'jensen', 'gsd', 'openclaw'] as const;
/** Name of a dialect. FORMAT section 1. */
export type Dialect = (typeof DIALECTS)[number];

/** Properties of a dialect and its program. FORMAT section 1. */
export interface DialectFacts {
  /** The program's own name. */
  readonly label: string;
  /** The source of a session's name: the last `session_info`, the last one that isn't empty, or oh-my-pi's title. */
  readonly nameSource: 'last-info' | 'last-named-info' | 'title';
  /** The flag on compactions and summaries that an extension made. */
  readonly extensionFlag: 'fromHook' | 'fromExtension';
  /** Files begin with a title slot, a line of 256 bytes that is rewritten in place. */
  readonly hasTitleSlot: boolean;
  /** True if this extension may write into the program's files. */
  readonly writable: boolean;
  /** The command; any further elements are its first arguments. The settings can replace it. */
  readonly program: readonly string[];
  /** Arguments that reopen a session, and the value that follows them: the file's path, or the program's key for the session. */
  readonly resume: { readonly args: readonly string[]; readonly by: 'path' | 'key' };
  /** Arguments that start a session in the current folder. */
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

/** True for the name of a dialect. FORMAT section 1. */
export function isDialect(value: unknown): value is Dialect {
  return DIALECTS.some((dialect) => dialect === value);
}

const OMP_ONLY_TYPES = new Set([
  'title',
  'title_change',
  'ttsr_injection',
  'mode_change',
  'mcp_tool_selection',
  'session_init',
  'credential_pin',
  'model_usage',
  'reset_boundary',
]);

/** Returns the dialect of the program that must have written this line; `undefined` if the line alone doesn't show it. FORMAT section 1. */
export function detectDialect(line: JsonObject): Dialect | undefined {
  const type = line['type'];
  if (typeof type === 'string' && OMP_ONLY_TYPES.has(type)) return 'omp';
  if (type === 'model_change' && typeof line['model'] === 'string') return 'omp';
  if (type === 'session' && ('titleSource' in line || 'title' in line)) return 'omp';
  if (typeof line['payloadSha256'] === 'string') return 'jensen';
  const customType = line['customType'];
  if (typeof customType === 'string' && (customType.startsWith('openclaw') || customType === 'model-snapshot')) return 'openclaw';
  if ('__openclaw' in line || (type === 'leaf' && 'appendMode' in line)) return 'openclaw';
  return undefined;
}

/**
 * Combines the evidence so far with the evidence of the next line. The first evidence counts, unless the next line shows
 * a program whose files are never written. FORMAT section 6, rule 8.
 */
export function strongerEvidence(known: Dialect | undefined, next: Dialect | undefined): Dialect | undefined {
  return known === undefined || (next !== undefined && !DIALECT_FACTS[next].writable) ? next : known;
}
