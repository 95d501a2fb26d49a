/**
 * The programs of the family, in one table: a program is an entry of it. All facts were observed in the programs. The
 * manifest names the programs, too, which a test compares with the table.
 */
import { asString, type JsonObject } from '../values/jsonValues';

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
  /** True for pi's own format of today: other programs descend from its older versions. */
  readonly isCurrentPi: boolean;
  /** True for a line that no program outside of this dialect writes. Without it, only folders show the dialect. */
  readonly wrote?: (line: JsonObject) => boolean;
  /** True if this extension may write into the program's files. */
  readonly writable: boolean;
  /** The lock that its writers take: a file or a folder next to the session. */
  readonly lock?: 'file' | 'folder';
  readonly folders: ProgramFolders;
  /** Forks with this dialect that only have another name. */
  readonly forks?: readonly Fork[];
  readonly processes: ProgramProcesses;
  /** The command; any further elements are its first arguments. The settings can replace it. */
  readonly program: readonly string[];
  /** Arguments that reopen a session, and the value that follows them: the file's path, or the program's key for the session. */
  readonly resume: { readonly args: readonly string[]; readonly by: 'path' | 'key' };
  /** True if it takes a prompt, and `@` with the path of a file for the prompt, behind its options. */
  readonly takesPrompt: boolean;
  /** Arguments that start a session in the current folder. */
  readonly startArgs: readonly string[];
}

/** The folders of a program's files. FORMAT section 1. */
export interface ProgramFolders {
  /** `projects`: a folder of sessions per project; `profiles`: those of each of oh-my-pi's profiles; `agents`: a folder of sessions per agent of OpenClaw. */
  readonly layout: 'projects' | 'profiles' | 'agents';
  /** The folder of its configuration, in the home folder. */
  readonly config: string;
  /** An environment variable with another name for that folder. */
  readonly configVariable?: string;
  /** The agent folder, in the folder of the configuration. */
  readonly agent: string;
  /** Environment variables that name another agent folder. The first one with a value counts. */
  readonly agentVariables: readonly string[];
  /** An environment variable that names a folder of sessions. In such programs, `sessionDir` of `settings.json` does so, too. */
  readonly sessionsVariable?: string;
}

/** A fork of pi that only changed its name: from that, pi's code derives its folder, its variables and its command. */
export interface Fork {
  readonly name: string;
}

/** How running processes of a program are recognized. */
interface ProgramProcesses {
  /** Names of its commands, process titles and scripts. */
  readonly names: readonly string[];
  /** Parts of the paths of its scripts, with slashes. */
  readonly scripts: readonly string[];
}

/** Facts of programs that descend from pi. */
const DESCENDANT = {
  nameSource: 'last-info',
  extensionFlag: 'fromHook',
  hasTitleSlot: false,
  isCurrentPi: false,
  writable: true,
  resume: { args: ['--session'], by: 'path' },
  takesPrompt: true,
  startArgs: [],
} as const satisfies Partial<DialectFacts>;

/**
 * Forks of pi, one line each. Their documents name their folders: bastani-inc/atomic, korallis/K-pi, uglyswap/phi-code,
 * and `@shibuitravel/agent` on npm.
 */
const PI_FORKS: readonly Fork[] = [{ name: 'atomic' }, { name: 'kpi' }, { name: 'phi' }, { name: 'shibui' }];

/**
 * The commands are those of pi 0.87, oh-my-pi 18.3 (a value with a slash or `.jsonl` is a path), jensen-code 2.1, gsd
 * (its early versions don't support `--session`) and OpenClaw 2026.7, whose terminal takes neither a file nor an id but
 * a session key.
 */
const PROGRAMS = {
  pi: {
    ...DESCENDANT,
    label: 'pi',
    isCurrentPi: true,
    folders: {
      layout: 'projects',
      config: '.pi',
      agent: 'agent',
      agentVariables: ['PI_CODING_AGENT_DIR'],
      sessionsVariable: 'PI_CODING_AGENT_SESSION_DIR',
    },
    forks: PI_FORKS,
    processes: { names: ['pi', 'pi-rpc'], scripts: ['/pi-coding-agent/'] },
    program: ['pi'],
  },
  omp: {
    ...DESCENDANT,
    label: 'oh-my-pi',
    nameSource: 'title',
    extensionFlag: 'fromExtension',
    hasTitleSlot: true,
    wrote: isOmpLine,
    lock: 'file',
    folders: {
      layout: 'profiles',
      config: '.omp',
      configVariable: 'PI_CONFIG_DIR',
      agent: 'agent',
      agentVariables: ['PI_CODING_AGENT_DIR'],
    },
    processes: { names: ['omp'], scripts: ['/@oh-my-pi/', '/oh-my-pi/'] },
    program: ['omp'],
    resume: { args: ['--resume'], by: 'path' },
  },
  jensen: {
    ...DESCENDANT,
    label: 'jensen-code',
    wrote: (line) => typeof line['payloadSha256'] === 'string',
    folders: {
      layout: 'projects',
      config: '.jensen',
      agent: 'agent',
      agentVariables: ['JENSEN_CODING_AGENT_DIR', 'PI_CODING_AGENT_DIR'],
    },
    processes: { names: ['jensen'], scripts: ['/jensen-code/'] },
    program: ['jensen'],
  },
  gsd: {
    ...DESCENDANT,
    label: 'gsd',
    nameSource: 'last-named-info',
    lock: 'folder',
    folders: { layout: 'projects', config: '.gsd', agent: '', agentVariables: ['GSD_HOME'] },
    processes: { names: ['gsd'], scripts: ['/gsd-pi/', '/gsd-2/'] },
    program: ['gsd'],
  },
  openclaw: {
    ...DESCENDANT,
    label: 'OpenClaw',
    wrote: isOpenclawLine,
    writable: false,
    folders: { layout: 'agents', config: '.openclaw', agent: '', agentVariables: ['OPENCLAW_STATE_DIR'] },
    processes: {
      names: ['openclaw', 'openclaw-gateway', 'openclaw-tui'],
      scripts: ['/openclaw/dist', '/openclaw/openclaw.mjs', '/openclaw/scripts'],
    },
    program: ['openclaw'],
    resume: { args: ['tui', '--session'], by: 'key' },
    takesPrompt: false,
    startArgs: ['tui'],
  },
} satisfies Record<string, DialectFacts>;

/** Name of a dialect. FORMAT section 1. */
export type Dialect = keyof typeof PROGRAMS;
/** The differences between the programs. FORMAT section 1. */
export const DIALECT_FACTS: Readonly<Record<Dialect, DialectFacts>> = PROGRAMS;
/** The supported dialects: variants of the format, one per program. FORMAT section 1. */
export const DIALECTS = Object.keys(PROGRAMS) as readonly Dialect[];

/** Returns the folders of a fork of pi. FORMAT section 1. */
export function foldersOfFork({ name }: Fork): ProgramFolders {
  const prefix = name.toUpperCase();
  return {
    layout: 'projects',
    config: `.${name}`,
    agent: 'agent',
    agentVariables: [`${prefix}_CODING_AGENT_DIR`],
    sessionsVariable: `${prefix}_CODING_AGENT_SESSION_DIR`,
  };
}

/** Returns the folders of a program and of its forks. FORMAT section 1. */
export const foldersOf = (dialect: Dialect): readonly ProgramFolders[] => [
  DIALECT_FACTS[dialect].folders,
  ...(DIALECT_FACTS[dialect].forks ?? []).map(foldersOfFork),
];

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
  'archive',
  'model_usage',
  'reset_boundary',
]);

function isOmpLine(line: JsonObject): boolean {
  const { type } = line;
  return (
    (typeof type === 'string' && OMP_ONLY_TYPES.has(type)) ||
    (type === 'model_change' && typeof line['model'] === 'string') ||
    (type === 'session' && ('titleSource' in line || 'title' in line))
  );
}

function isOpenclawLine(line: JsonObject): boolean {
  const customType = asString(line['customType']) ?? '';
  return (
    customType.startsWith('openclaw') ||
    customType === 'model-snapshot' ||
    '__openclaw' in line ||
    (line['type'] === 'leaf' && 'appendMode' in line)
  );
}

/** Returns the dialect of the program that must have written this line; `undefined` if the line alone doesn't show it. FORMAT section 1. */
export function detectDialect(line: JsonObject): Dialect | undefined {
  return DIALECTS.find((dialect) => DIALECT_FACTS[dialect].wrote?.(line));
}

/**
 * Combines the evidence so far with the evidence of the next line. The first evidence counts, unless the next line shows
 * a program whose files are never written. FORMAT section 6, rule 8.
 */
export function strongerEvidence(known: Dialect | undefined, next: Dialect | undefined): Dialect | undefined {
  return known === undefined || (next !== undefined && !DIALECT_FACTS[next].writable) ? next : known;
}
