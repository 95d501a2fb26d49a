/** Codec between a file's record and the columns of the table `sessions`. */
import { basename } from 'node:path';
import { isListOf, isNumber, isObjectOf, isOneOf, isOptional, isText, type Check } from '../../format/values/checks';
import { DIALECT_FACTS, DIALECTS } from '../../format/entry/dialect';
import { isObject } from '../../format/values/jsonValues';
import { isMessageArgs } from '../../format/entry/problem';
import type { NamedSession, SubagentCall } from '../../format/families/subagentCalls';
import { UNFINISHED, type Unfinished } from '../../format/session/lastAnswer';
import type { SessionMarks, SessionState } from '../../format/session/session';
import { DamagedDatabase, parseStoredJson } from './damagedDatabase';
import { FACTS_DIGITS } from '../../files/read/versions/fileVersion';
import { NO_MESSAGES } from '../../format/session/sessionTitle';
import type { SharedStrings } from './sharedStrings';
import type { KnownFile, RowProblem, StoredRow } from '../rows/catalogRow';
import { firstMessageLine, additionalFolders, type SessionSummary } from '../rows/sessionSummary';

/** The columns in the order of `FileColumns`; `cwd` is an id in `names`. */
export const FILE_COLUMNS =
  'cwd, size, mtime, ino, owner, id, created, modified, messageCount, firstMessage, dialect, problems, writable, isOld, rest';

/** `FILE_COLUMNS` for a statement that reads them, with the text of `cwd`. */
export const READ_COLUMNS = FILE_COLUMNS.replace('cwd', '(SELECT text FROM names WHERE names.id = cwd)');

export type FileColumns = readonly [
  cwd: string,
  size: number,
  mtime: number,
  ino: string,
  owner: string | null,
  /** `null` if it's in the file's name. */
  id: string | null,
  created: number | null,
  modified: number,
  messageCount: number,
  /** `null` if there is none. */
  firstMessage: string | null,
  dialect: string,
  problems: number,
  writable: number,
  isOld: number,
  /** The `Rest` as JSON; `null` if it has no members. */
  rest: string | null,
];

/** Facts that few sessions have. */
interface Rest {
  readonly name?: string;
  readonly parentSession?: string;
  readonly suspectedTip?: string;
  readonly problem?: RowProblem;
  /** Only if it's another one than usual. */
  readonly title?: string;
  readonly marks?: SessionMarks;
  readonly unfinished?: Unfinished;
  readonly agent?: string;
  readonly calls?: readonly SubagentCall[];
  readonly rootIds?: readonly string[];
  readonly folders?: readonly string[];
  /** Only if their columns would change them. */
  readonly cwd?: string;
  readonly id?: string;
  readonly firstMessage?: string;
}

/** A column is in UTF-8, which has no single surrogates, and some versions of Node read a text up to its first NUL. */
const CHANGED_BY_COLUMN = /[\p{Surrogate}\0]/u;

/** The text, if a column would change it. */
const ifChanged = (text: string | undefined): string | undefined => (text !== undefined && CHANGED_BY_COLUMN.test(text) ? text : undefined);

/** The columns of a file that was read in full. */
export function encodeFile({ path, version: { size, mtimeMs, ino, facts }, owner, row }: KnownFile): FileColumns {
  const { summary, firstMessage, problem } = row;
  const { id, cwd, created, modified, messageCount, dialect, problems, writable, isOld, name } = summary;
  const { parentSession, suspectedTip, marks, additionalDirectories: folders, unfinished, agent, calls, rootIds } = summary;
  const title = summary.title === usualTitle(name, summary.firstMessage) ? undefined : summary.title;
  const rest: { readonly [K in keyof Rest]: Rest[K] | undefined } = {
    name,
    parentSession,
    suspectedTip,
    problem,
    title,
    marks,
    unfinished,
    agent,
    calls,
    rootIds,
    folders,
    cwd: ifChanged(cwd),
    id: ifChanged(id),
    firstMessage: ifChanged(firstMessage),
  };
  return [
    cwd,
    size,
    mtimeMs,
    facts === undefined ? ino : `${FACTS}${facts}${ino}`,
    owner ?? null,
    id === idInName(path) ? null : id,
    created === 0 ? null : created,
    modified,
    messageCount,
    firstMessage ?? null,
    dialect,
    problems,
    writable ? 1 : 0,
    isOld ? 1 : 0,
    Object.values(rest).some((value) => value !== undefined) ? JSON.stringify(rest) : null,
  ];
}

/** Marks a digest of the facts that a database has of a session. No inode begins with it. */
const FACTS = '#';

/** The id that isn't stored: the programs name a file `<time>_<id>.jsonl` or `<id>.jsonl`. */
const idInName = (path: string): string => {
  const name = basename(path, '.jsonl');
  return name.slice(name.indexOf('_') + 1);
};

/** The title that isn't stored. */
const usualTitle = (name: string | undefined, firstMessage: string | undefined): string => name ?? firstMessage ?? NO_MESSAGES;

/**
 * @param columns as `encodeFile` makes them; checked, because rows are shown before the database is verified
 * @param strings shared by the rows
 * @throws {DamagedDatabase} if `encodeFile` can't have made the columns
 */
export function decodeFile(path: string, columns: readonly unknown[], strings?: SharedStrings): KnownFile {
  // Read by index: thousands of rows are decoded at a start, and destructuring an array runs its iterator.
  if (!areColumns(columns)) throw new DamagedDatabase('Invalid columns in a stored row.');
  const { 0: cwd, 1: size, 2: mtimeMs, 3: ino, 4: owner } = columns;
  const end = FACTS.length + FACTS_DIGITS;
  const version = ino.startsWith(FACTS)
    ? { size, mtimeMs, ino: ino.slice(end), facts: ino.slice(FACTS.length, end) }
    : { size, mtimeMs, ino };
  const file = { path, version, complete: true, row: decodeRow(path, strings?.of(cwd) ?? cwd, columns) };
  return owner === null ? file : { ...file, owner };
}

function decodeRow(path: string, cwd: string, columns: FileColumns): StoredRow {
  const { 5: id, 6: created, 7: modified, 8: messageCount, 9: message, 10: dialect, 11: problems } = columns;
  const { 12: writable, 13: isOld, 14: rest } = columns;
  const facts = rest === null ? NO_REST : parseRest(rest);
  const { name, title, firstMessage = message } = facts;
  const line = firstMessage === null ? undefined : firstMessageLine(firstMessage);
  // Nearly all sessions have a first message. A member that is added after the literal takes 80 bytes.
  const summary: MutableSummary = {
    path,
    // The string of `DIALECTS`, so that all rows share it.
    dialect: DIALECTS.find((one) => one === dialect) ?? 'pi',
    id: id ?? idInName(path),
    cwd,
    title: title ?? usualTitle(name, line),
    created: created ?? 0,
    modified,
    messageCount,
    problems,
    writable: writable === 1,
    isOld: isOld === 1,
    firstMessage: line ?? '',
  };
  if (line === undefined) delete summary.firstMessage;
  if (facts !== NO_REST) addRest(summary, facts);
  const row: { -readonly [K in keyof StoredRow]: StoredRow[K] } = firstMessage === null ? { summary } : { summary, firstMessage };
  if (facts.problem) row.problem = facts.problem;
  return row;
}

type MutableSummary = { -readonly [K in keyof SessionSummary]: SessionSummary[K] };

const NO_REST: Rest = {};

/** @throws {DamagedDatabase} if it isn't a `Rest`. */
function parseRest(text: string): Rest {
  const rest = parseStoredJson(text);
  if (!isRest(rest)) throw new DamagedDatabase('Invalid facts in a stored row.');
  return rest;
}

function addRest(summary: MutableSummary, { name, parentSession, suspectedTip, marks, folders, cwd, id, ...facts }: Rest): void {
  if (cwd !== undefined) summary.cwd = cwd;
  if (id !== undefined) summary.id = id;
  if (name !== undefined) summary.name = name;
  if (parentSession !== undefined && parentSession !== '') summary.parentSession = parentSession;
  if (suspectedTip !== undefined) summary.suspectedTip = suspectedTip;
  if (marks) summary.marks = marksOf(marks);
  const { unfinished, agent, calls, rootIds } = facts;
  // One string for all rows.
  if (unfinished !== undefined) summary.unfinished = UNFINISHED.find((one) => one === unfinished) ?? 'unanswered';
  if (agent !== undefined) summary.agent = agent;
  if (calls) summary.calls = calls;
  if (rootIds) summary.rootIds = rootIds;
  const { additionalDirectories } = additionalFolders({ additionalDirectories: folders });
  if (additionalDirectories) summary.additionalDirectories = additionalDirectories;
}

const STATES: readonly SessionState[] = ['working', 'waiting', 'failed', 'idle'];

function marksOf({ state, agent, isPinned, isArchived }: { readonly [K in keyof SessionMarks]: unknown }): SessionMarks {
  const known = STATES.find((one) => one === state);
  return {
    // eslint-disable-next-line local/optional-property -- `defined` costs more, and this runs for each stored file.
    ...(known ? { state: known } : {}),
    ...(isText(agent) ? { agent } : {}),
    ...(isPinned === true ? { isPinned } : {}),
    ...(isArchived === true ? { isArchived } : {}),
  };
}

function areColumns(columns: readonly unknown[]): columns is FileColumns {
  const { 0: cwd, 1: size, 2: mtimeMs, 3: ino, 4: owner, 5: id, 6: created, 7: modified } = columns;
  const { 8: messageCount, 9: firstMessage, 10: dialect, 11: problems, 14: rest } = columns;
  return (
    typeof cwd === 'string' &&
    typeof size === 'number' &&
    typeof mtimeMs === 'number' &&
    typeof ino === 'string' &&
    (owner === null || typeof owner === 'string') &&
    (id === null || typeof id === 'string') &&
    (created === null || typeof created === 'number') &&
    typeof modified === 'number' &&
    typeof messageCount === 'number' &&
    (firstMessage === null || typeof firstMessage === 'string') &&
    typeof dialect === 'string' &&
    Object.hasOwn(DIALECT_FACTS, dialect) &&
    typeof problems === 'number' &&
    (rest === null || typeof rest === 'string')
  );
}

const isProblem = isObjectOf<RowProblem>({
  // The codes are the keys of no table.
  code: isText as Check<RowProblem['code']>,
  template: isText,
  args: isMessageArgs,
  message: isText,
});

const isCall = isObjectOf<SubagentCall>({
  callId: isText,
  entryId: isText,
  resultId: isOptional(isText),
  from: isNumber,
  until: isOptional(isNumber),
  sessions: isOptional(isListOf(isObjectOf<NamedSession>({ file: isText, agent: isOptional(isText) }))),
});

const isRest = isObjectOf<Rest>({
  name: isOptional(isText),
  parentSession: isOptional(isText),
  suspectedTip: isOptional(isText),
  problem: isOptional(isProblem),
  title: isOptional(isText),
  // `marksOf` checks what is in it.
  marks: isOptional(isObject as Check<SessionMarks>),
  unfinished: isOptional(isOneOf(UNFINISHED)),
  agent: isOptional(isText),
  calls: isOptional(isListOf(isCall)),
  rootIds: isOptional(isListOf(isText)),
  folders: isOptional(isListOf(isText)),
  cwd: isOptional(isText),
  id: isOptional(isText),
  firstMessage: isOptional(isText),
});
