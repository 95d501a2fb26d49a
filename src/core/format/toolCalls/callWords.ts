/** Describes a tool call in words: paths, commands and the most informative of other arguments. FORMAT section 5, rows. */
import { isArray, isObject, keysOf, type JsonObject } from '../values/jsonValues';
import { beginning } from '../text/characters';
import { filesOfPatch, isPatch } from './patchedFiles';

/** The folders that paths are shown relative to; either may be empty. */
export interface PathBases {
  /** Written as `~`. */
  readonly home: string;
  /** The session's folder. */
  readonly cwd: string;
}

/** Longer paths lose folders at the start. The file name stays whole. */
const MAX_PATH_LENGTH = 60;
/** Only the beginning of a value is examined. */
const MAX_VALUE_LENGTH = 2_000;
const MAX_VERB_LENGTH = 40;
/** Arguments without a telling name that are examined. */
const MAX_OTHERS = 1_000;
/** Values in values are examined up to this depth. */
const MAX_DEPTH = 3;

/** Returns a path as rows show it: relative to the session's folder, and short enough for its file name to be visible. */
export function displayPath(path: string, { home, cwd }: PathBases): string {
  const inFolder = relativeTo(path, cwd);
  const inHome = inFolder === undefined ? relativeTo(path, home) : undefined;
  const shown = inFolder ?? (inHome === undefined ? path : inHome === '.' ? '~' : `~${path.slice(home.length)}`);
  if (shown.length <= MAX_PATH_LENGTH) return shown;
  // The first folder within the limit, otherwise the file.
  const at = shown.slice(-MAX_PATH_LENGTH).search(/[/\\]./);
  const start = at < 0 ? Math.max(shown.lastIndexOf('/'), shown.lastIndexOf('\\')) : shown.length - MAX_PATH_LENGTH + at;
  return start <= 0 ? shown : `…${shown.slice(start)}`;
}

/** Returns the rest of a path that lies in a folder, `.` for the folder itself. */
function relativeTo(path: string, folder: string): string | undefined {
  if (folder.length < 2 || !path.startsWith(folder)) return undefined;
  if (path.length === folder.length) return '.';
  return /[/\\]/.test(path.charAt(folder.length)) ? path.slice(folder.length + 1) || '.' : undefined;
}

const CHANGE_FOLDER = /\s*cd\s+(?:"[^"\n]*"|'[^'\n]*'|\\.|[^\s;&|"'\\])+\s*&&\s*(?=\S)/y;

/** Removes `cd … &&` from the beginning of a command: most commands have it, and it adds nothing. */
export function withoutChangeOfFolder(command: string): string {
  const start = command.slice(0, MAX_VALUE_LENGTH);
  CHANGE_FOLDER.lastIndex = 0;
  let from = 0;
  while (CHANGE_FOLDER.test(start)) from = CHANGE_FOLDER.lastIndex;
  return from === 0 ? command : command.slice(from);
}

/** Arguments that name the action of a call. */
const VERBS = ['action', 'op', 'operation', 'method', 'subcommand', 'tool', 'kind', 'agent', 'subagent_type'];
const COMMANDS = ['command', 'cmd', 'script'];
const PATHS = ['path', 'file_path', 'filePath', 'file', 'filename'];
/** Arguments whose values are clear without their names, the most informative first. */
const TELLING = [
  ...COMMANDS,
  ...PATHS,
  ...['url', 'targetUrl', 'pattern', 'query', 'q', 'title', 'subject', 'description', 'task', 'assignment', 'prompt'],
  ...['question', 'message', 'text', 'content', 'step', 'code', 'name', 'id', 'sessionId'],
];
const IS_TELLING: ReadonlySet<string> = new Set(TELLING);
/** Arguments that hold the arguments of something else, sometimes as JSON in a string. */
const NESTED = ['args', 'arguments', 'params', 'parameters', 'input', 'request'];

/** The most informative of a call's arguments. */
interface ArgumentWords {
  readonly text: string;
  /** True if the text has all arguments. */
  readonly isComplete: boolean;
}

/** Returns the words that describe a call by its arguments; empty if there are none. */
export function argumentWords(args: JsonObject, bases: PathBases): ArgumentWords {
  return wordsOf(args, bases, 0);
}

function wordsOf(args: JsonObject, bases: PathBases, depth: number): ArgumentWords {
  const keys = keysOf(args);
  const verb = VERBS.find((key) => isShortText(args[key]));
  // The browser tool's action is `act`, and its kind names which: click, type, press.
  const verbs = [...(verb === undefined ? [] : [verb]), ...(verb === 'action' && isShortText(args['kind']) ? ['kind'] : [])];
  const wordsAt = (key: string): ArgumentWords | undefined => (verbs.includes(key) ? undefined : valueWords(key, args[key], bases, depth));
  const namedWordsAt = (key: string): ArgumentWords | undefined => {
    const words = wordsAt(key);
    return words && { ...words, text: `${key} ${words.text}` };
  };
  const others = keys.slice(0, MAX_OTHERS).filter((key) => !IS_TELLING.has(key));
  const isList = (key: string): boolean => typeof args[key] === 'object' && !NESTED.includes(key);
  const words =
    firstOf(TELLING, wordsAt) ??
    firstOf(NESTED, wordsAt) ??
    firstOf(others, (key) => (isList(key) ? wordsAt(key) : undefined)) ??
    firstOf(others, (key) => (typeof args[key] === 'string' ? namedWordsAt(key) : undefined)) ??
    firstOf(others, namedWordsAt);
  const parts = [...verbs.map((key) => String(args[key])), ...(words ? [words.text] : [])];
  return { text: parts.join(' '), isComplete: keys.length === parts.length && (words?.isComplete ?? true) };
}

/** Returns the first result that isn't `undefined`. */
function firstOf<T>(keys: readonly string[], find: (key: string) => T | undefined): T | undefined {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_VERB_LENGTH && /^\S+(?: \S+)*$/.test(value);

function valueWords(key: string, value: unknown, bases: PathBases, depth: number): ArgumentWords | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return { text: String(value), isComplete: true };
  if (typeof value === 'string') return textWords(key, value, bases, depth);
  if (depth >= MAX_DEPTH) return undefined;
  if (isArray(value)) return COMMANDS.includes(key) ? commandWords(value) : listWords(key, value, bases, depth);
  if (!isObject(value)) return undefined;
  const words = wordsOf(value, bases, depth + 1);
  return words.text === '' ? undefined : words;
}

function textWords(key: string, value: string, bases: PathBases, depth: number): ArgumentWords | undefined {
  if (!/\S/.test(value)) return undefined;
  if (PATHS.includes(key)) return { text: displayPath(value, bases), isComplete: true };
  const isNested = NESTED.includes(key);
  const files = isNested ? patchWords(value, bases) : undefined;
  if (files) return files;
  const nested = isNested && depth < MAX_DEPTH ? parsedObject(value) : undefined;
  if (nested) return { ...wordsOf(nested, bases, depth + 1), isComplete: false };
  const text = COMMANDS.includes(key) ? withoutChangeOfFolder(value) : value;
  return { text: beginning(text, MAX_VALUE_LENGTH), isComplete: text.length === value.length && text.length <= MAX_VALUE_LENGTH };
}

/** The files that a patch changes, as far as its beginning names them. */
function patchWords(value: string, bases: PathBases): ArgumentWords | undefined {
  const start = value.slice(0, MAX_VALUE_LENGTH);
  const [first, ...others] = isPatch(start) ? filesOfPatch(start) : [];
  if (first === undefined) return undefined;
  const more = value.length > start.length || others.length === 0 ? '' : ` and ${others.length} more`;
  return { text: displayPath(first, bases) + more, isComplete: false };
}

function parsedObject(text: string): JsonObject | undefined {
  if (!text.startsWith('{') || text.length > MAX_VALUE_LENGTH) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A command as a list of words, often a call of a shell: `["bash", "-lc", "npm test"]`. */
function commandWords(words: readonly unknown[]): ArgumentWords | undefined {
  const texts = words.slice(0, 100).filter((word) => typeof word === 'string');
  const [shell = '', option = '', script = ''] = texts;
  const isShell = texts.length === 3 && /(?:^|[/\\])(?:ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(option);
  const text = isShell ? script : texts.join(' ');
  return text === '' ? undefined : { text: beginning(withoutChangeOfFolder(text), MAX_VALUE_LENGTH), isComplete: false };
}

/** Returns the subject of a list: the item in progress, otherwise the first one. */
function listWords(key: string, items: readonly unknown[], bases: PathBases, depth: number): ArgumentWords | undefined {
  const current = items.findIndex((item) => isObject(item) && (item['status'] === 'in_progress' || item['status'] === 'in-progress'));
  const words = valueWords(key === 'paths' || key === 'files' ? 'path' : '', items[Math.max(0, current)], bases, depth + 1);
  if (!words) return undefined;
  return items.length === 1 ? words : { text: `${words.text} and ${String(items.length - 1)} more`, isComplete: false };
}
