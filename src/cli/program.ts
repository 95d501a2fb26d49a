/** The commands with their arguments, options and help. Their code is loaded when one of them runs. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Answer, Call, Options } from './command';

type Run = (call: Call, args: readonly string[], options: Options) => Promise<Answer>;

/** Runs a command once its code is loaded. */
export type Start = (name: string, load: () => Promise<Run>, args: readonly string[], options: Options) => Promise<void>;

export interface Starters {
  readonly answer: Start;
  /** Runs the MCP server until its input ends. */
  readonly mcp: (options: Options) => Promise<void>;
  /** Writes the completion of a shell. */
  readonly completion: (program: Command, shell: Shell) => Promise<void>;
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A number from 1. */
const count = (text: string): number => {
  if (!/^\d{1,12}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('It must be a whole number, from 1.');
  return Number(text);
};

const collect = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value];

/** An option whose values are shown in its help and completed. Its command refuses others, with a sentence of its own. */
function optionOf(flags: string, description: string, values: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...values];
  return option;
}

const OPTIONS = {
  project: () => new Option('--project <folder>', 'only sessions of this folder, or of folders whose name begins like this'),
  program: () => new Option('--program <name>', 'only sessions of this program, such as pi or omp'),
  role: () => new Option('--role <role>', 'only entries of this role, such as user, assistant, tool or command'),
  since: () => new Option('--since <date>', 'only from this date on: 2026-11-01, yesterday, 3w'),
  until: () => new Option('--until <date>', 'only until this date, included'),
  limit: () => new Option('--limit <count>', 'at most as many answers; search has 20 by default').argParser(count),
  filter: () => optionOf('--filter <filter>', 'which entries', ['default', 'no-tools', 'user-only', 'labeled-only', 'all']),
  from: () => new Option('--from <entry>', 'begin at this entry'),
  maxBytes: () => new Option('--max-bytes <bytes>', 'at most as many bytes of texts; those nearest to the entry stay').argParser(count),
  by: () =>
    optionOf('--by <key>', 'add up by this, by default day', ['day', 'month', 'project', 'model', 'session', 'family', 'program', 'cause']),
  format: () => optionOf('--format <format>', 'by default what the name of --output ends in, or markdown', ['markdown', 'html', 'jsonl']),
  output: () => new Option('--output <file>', 'write a new file instead of standard output'),
  include: () =>
    optionOf('--include <certainty>', 'only files that are certain (exact, the default), or also likely ones', ['exact', 'likely']),
  dryRun: () => new Option('--dry-run', 'only say what would be done'),
  yes: () => new Option('--yes', 'don’t ask'),
  undo: () => new Option('--undo <id>', 'take a restore back'),
  redact: () => new Option('--no-redact', 'keep secrets'),
} as const;

interface Described {
  readonly args?: readonly (readonly [name: string, description: string])[];
  readonly options?: readonly (keyof typeof OPTIONS)[];
  readonly description: string;
  readonly example: string;
  readonly load: () => Promise<Run>;
}

/** The beginning of an id is enough, if it's the only one. */
const REF = [
  '<ref>',
  'a session or an entry, as list, search and tree show it: <program>:<session id>[#<entry id>], where ids may be shortened, or <path>[#<entry id>]',
] as const;

const COMMANDS: Readonly<Record<string, Described>> = {
  list: {
    description: 'List sessions, newest first.',
    options: ['project', 'program', 'since', 'until', 'limit', 'redact'],
    example: 'session-tree list --project . --since 1w',
    load: async () => (await import('./commands/reading')).list,
  },
  search: {
    args: [['<query...>', 'words, "phrases", -not, begin*, and prefixes such as file: or label:']],
    description: 'Find entries by words, in all branches of all sessions.',
    options: ['project', 'program', 'role', 'since', 'until', 'limit'],
    example: "session-tree search 'retry timeout' --role user",
    load: async () => (await import('./commands/reading')).search,
  },
  tree: {
    args: [['<session>', 'a session, as list and search show it: <program>:<session id>, where the id may be shortened, or its path']],
    description: 'Show the entries of a session with their branches.',
    options: ['filter', 'redact'],
    example: 'session-tree tree pi:019ac3f0 --filter user-only',
    load: async () => (await import('./commands/reading')).tree,
  },
  show: {
    args: [REF],
    description: 'Show the messages of a branch up to an entry, by default up to the end of the active branch.',
    options: ['from', 'maxBytes', 'redact'],
    example: 'session-tree show pi:019ac3f0#e0000012 --max-bytes 20000',
    load: async () => (await import('./commands/reading')).show,
  },
  digest: {
    args: [REF],
    description: 'Sum up a branch: what was asked, touched and run, how it ended, and what replaced it.',
    options: ['redact'],
    example: 'session-tree digest pi:019ac3f0#e0000012',
    load: async () => (await import('./commands/reading')).digest,
  },
  why: {
    args: [['<file:line>', 'a file and a line from 1']],
    description: 'Find the prompt and the message that a line of a file comes from.',
    example: 'session-tree why src/index.ts:12',
    load: async () => (await import('./commands/why')).why,
  },
  files: {
    args: [REF],
    description: 'List the recorded files of a session’s folder as they were after an entry.',
    example: 'session-tree files pi:019ac3f0#e0000012',
    load: async () => (await import('./commands/filesAtPoint')).files,
  },
  at: {
    args: [REF, ['<file>', 'a path, in the session’s folder if it’s relative']],
    description: 'Write a file as it was after an entry.',
    example: 'session-tree at pi:019ac3f0#e0000012 src/index.ts > before.ts',
    load: async () => (await import('./commands/filesAtPoint')).at,
  },
  restore: {
    args: [['[ref]', REF[1]]],
    options: ['include', 'dryRun', 'yes', 'undo'],
    description: 'Lead the files of a session’s folder back to what they were after an entry, or take that back.',
    example: 'session-tree restore pi:019ac3f0#e0000012 --dry-run',
    load: async () => (await import('./commands/filesAtPoint')).restore,
  },
  export: {
    args: [REF],
    description: 'Export a session, or the branch up to an entry, without secrets and personal data.',
    options: ['format', 'output', 'redact'],
    example: 'session-tree export pi:019ac3f0 --format html --output session.html',
    load: async () => (await import('./commands/export')).exportCommand,
  },
  usage: {
    description: 'Add up what sessions cost.',
    options: ['by', 'project', 'since', 'until'],
    example: 'session-tree usage --by model --since 1m',
    load: async () => (await import('./commands/reading')).usage,
  },
  doctor: {
    description: 'Say which folders are read, what can’t be read, and what this machine has.',
    example: 'session-tree doctor',
    load: async () => (await import('./commands/doctor')).doctor,
  },
};

/** @param version of this program */
export function createProgram(version: string, { answer, mcp, completion }: Starters): Command {
  const program = new Command('session-tree')
    .description('Sessions of coding agents as trees: list, search, read and export them.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'Show the help of a command.')
    .option('--root <path[=program]>', 'read this folder of sessions instead of the programs’ own; repeatable', collect)
    .option('--cache <folder>', 'keep the index here instead of in $XDG_CACHE_HOME/session-tree')
    .option('--settings <file>', 'obey what the person set in the editor, whose extension writes this file')
    .addOption(new Option('--window <json>').hideHelp())
    .option('--json', 'answer as one JSON object')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', '\nExample:\n  session-tree search "how did we fix the timeout"');
  for (const [name, { args = [], options = [], description, example, load }] of Object.entries(COMMANDS)) {
    const command = addCommand(program, name, description, example);
    for (const [arg, about] of args) command.addArgument(new Argument(arg, about));
    for (const option of options) command.addOption(OPTIONS[option]());
    command.action((...given: unknown[]) => answer(name, load, argumentsOf(given), command.optsWithGlobals()));
  }
  addCommand(
    program,
    'mcp',
    'Serve these answers to agents by the Model Context Protocol, over standard input and output.',
    'session-tree mcp',
  ).action((_options, command: Command) => mcp(command.optsWithGlobals()));
  addCommand(
    program,
    'completion',
    'Write the completion of a shell.',
    'source <(session-tree completion bash)\n  session-tree completion fish | source',
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => completion(program, shell));
  return program;
}

function addCommand(program: Command, name: string, description: string, example: string): Command {
  return program
    .command(name)
    .description(description)
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', `\nExample:\n  ${example}`);
}

/** Actions get the arguments, then the options and the command. */
const argumentsOf = (given: readonly unknown[]): string[] =>
  given
    .slice(0, -2)
    .flat()
    .filter((one) => typeof one === 'string');
