/** How the programs of the family differ, as a table. The facts are what the programs were seen to do. */
import type { JsonObject } from './entry';

export const DIALECTS = ['pi', 'omp', 'jensen', 'gsd', 'openclaw'] as const;
export type Dialect = (typeof DIALECTS)[number];

export interface DialectFacts {
  /** The program's own name. */
  readonly label: string;
  /** Where a session's name comes from: the last `session_info`, the last that is not empty, or omp's title. */
  readonly name: 'last-info' | 'last-named-info' | 'title';
  /** The flag on compactions and summaries that an extension made. */
  readonly extensionFlag: 'fromHook' | 'fromExtension';
  /** Files begin with a title slot, a line of 256 bytes that is rewritten in place. */
  readonly titleSlot: boolean;
  /** Whether this extension ever writes into such a file. */
  readonly writable: boolean;
  /** The command that opens a session file again, without the path. */
  readonly resume: readonly string[];
  /** The command that starts a new session in the current folder. */
  readonly start: readonly string[];
}

export const DIALECT_FACTS: Readonly<Record<Dialect, DialectFacts>> = {
  pi: { label: 'pi', name: 'last-info', extensionFlag: 'fromHook', titleSlot: false, writable: true, resume: ['pi', '--session'], start: ['pi'] },
  omp: { label: 'oh-my-pi', name: 'title', extensionFlag: 'fromExtension', titleSlot: true, writable: true, resume: ['omp', '--resume'], start: ['omp'] },
  jensen: { label: 'jensen-code', name: 'last-info', extensionFlag: 'fromHook', titleSlot: false, writable: true, resume: ['jensen', '--session'], start: ['jensen'] },
  gsd: { label: 'gsd', name: 'last-named-info', extensionFlag: 'fromHook', titleSlot: false, writable: true, resume: ['gsd', '--session'], start: ['gsd'] },
  openclaw: { label: 'OpenClaw', name: 'last-info', extensionFlag: 'fromHook', titleSlot: false, writable: false, resume: ['openclaw', 'tui', '--session'], start: ['openclaw', 'tui'] },
};

export function isDialect(value: unknown): value is Dialect {
  return DIALECTS.some((dialect) => dialect === value);
}

const OMP_ONLY = new Set([
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
export function dialectOfLine(line: JsonObject): Dialect | undefined {
  const type = line['type'];
  if (typeof type === 'string' && OMP_ONLY.has(type)) return 'omp';
  if (type === 'model_change' && typeof line['model'] === 'string') return 'omp';
  if (type === 'session' && ('titleSource' in line || 'title' in line)) return 'omp';
  if (typeof line['payloadSha256'] === 'string') return 'jensen';
  if ('__openclaw' in line || (type === 'leaf' && 'appendMode' in line)) return 'openclaw';
  return undefined;
}
