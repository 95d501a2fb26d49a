/** The catalog's record of a file: its row, and the version of the file that the row describes. Plain data, sent between threads. */
import type { Dialect } from '../../format/entry/dialect';
import { SessionError, type MessageArgs, type SessionErrorCode } from '../../format/entry/problem';
import type { Unfinished } from '../../format/session/lastAnswer';
import type { SessionMarks, SessionState } from '../../format/session/session';
import type { SessionInfo } from '../../files/api/listSessions';
import type { FileVersion } from '../../files/read/sessionFile';
import { NO_MESSAGES } from '../../format/session/sessionTitle';
import { firstMessageLine, type SessionSummary } from './sessionSummary';

/** The reason why a file can't be read, as a template that can be translated. */
export interface RowProblem {
  readonly code: SessionErrorCode | 'error';
  readonly template: string;
  readonly args: MessageArgs;
  readonly message: string;
}

/** A session in the catalog. FORMAT section 5. */
export interface CatalogRow extends Omit<SessionInfo, 'allMessagesText'>, SessionMarks {
  readonly dialect: Dialect;
  /** The folders that the session works in, in addition to `cwd` (oh-my-pi). */
  readonly additionalDirectories?: readonly string[];
  /** The text that lists show; see `SessionSummary.title`. */
  readonly title: string;
  /** Set if the file can't be read, or isn't a session. */
  readonly problem?: RowProblem;
  /** True once the whole file was read. Until then the row describes the file's beginning and end. */
  readonly complete: boolean;
  /** The path of the session whose subagent wrote this one. That session is a row, too, and none of those above it is this one. */
  readonly parentPath?: string;
  /**
   * The state that the program keeps of the session. Otherwise as far as the file and the signs of its program tell: `working` and
   * `waiting` while a program has it, `failed` and `waiting` after an error and a question, else `idle`.
   */
  readonly state?: SessionState;
  /** The name of the agent that wrote a subagent's session, as the session has it. */
  readonly agent?: string;
  /**
   * The way the last turn of the active branch ended: by an error, interrupted, without an answer, with a question to the person, or with
   * open todos. Absent if it leaves nothing open, or if that isn't known.
   */
  readonly unfinished?: Unfinished;
  /** The main working tree's folder, or the folder of a bare repository, if the session's folder is in a linked worktree of it. */
  readonly repository?: string;
  /** The tags that a person gave the session. */
  readonly tags?: readonly string[];
  /** A person's note about the session. */
  readonly note?: string;
  /** The number of irregularities in the file. */
  readonly problems: number;
  readonly writable: boolean;
  readonly isOld: boolean;
  /** The label of the root. */
  readonly machine?: string;
  /** The files of this session on other machines whose lines are all in this file; they have no separate rows. */
  readonly copies?: readonly { readonly path: string; readonly machine?: string }[];
  /** The row of the longest file of this session, if this one was continued differently on another machine: a fork with the same id. */
  readonly divergedFrom?: string;
  /** The id of the tip that the session probably should be at, if its leaf looks like an accident. */
  readonly suspectedTip?: string;
}

/** The stored part of a file's record: the summary that lists show, and the two facts that only `Catalog.sessions()` adds. */
export interface StoredRow {
  readonly summary: SessionSummary;
  /** The first user message with its line breaks, up to 16 K characters. */
  readonly firstMessage?: string;
  readonly problem?: RowProblem;
}

/** A version of a file. */
export interface FileState {
  readonly path: string;
  readonly owner?: string;
  readonly version: FileVersion;
}

/** A file to be read. `dialect` is its root's, for files that don't name one. */
export interface StaleFile extends FileState {
  readonly dialect: Dialect;
}

export interface KnownFile extends FileState {
  readonly row: StoredRow;
  /** True if the row describes all of this version. */
  readonly complete: boolean;
}

/** The row of a readable file. `firstMessage` is the whole message; the summary gets it as one line. */
export function readableRow(summary: SessionSummary, firstMessage: string | undefined): StoredRow {
  const { firstMessage: headLine, ...others } = summary;
  if (firstMessage === undefined || firstMessage === NO_MESSAGES) return { summary: others };
  const line = firstMessageLine(firstMessage);
  if (line === headLine) return { summary, firstMessage };
  return { summary: line === undefined ? others : { ...others, firstMessage: line }, firstMessage };
}

/** The row of a file that can't be read. `modified` is in milliseconds since 1970. */
export function unreadableRow(path: string, error: unknown, dialect: Dialect, modified: number): StoredRow {
  return {
    summary: {
      path,
      dialect,
      id: '',
      cwd: '',
      title: NO_MESSAGES,
      created: 0,
      modified,
      messageCount: 0,
      problems: 0,
      writable: false,
      isOld: false,
    },
    problem: toRowProblem(error),
  };
}

/**
 * The row as `Catalog.sessions()` returns it. Optional members are set one by one, which is cheaper than spreads for thousands
 * of rows.
 *
 * @param summary the data that lists show of the file; by default the stored summary
 */
export function toCatalogRow({ row, complete }: KnownFile, summary = row.summary): CatalogRow {
  const { firstMessage = NO_MESSAGES, problem } = row;
  const {
    path,
    dialect,
    id,
    cwd,
    additionalDirectories,
    name,
    title,
    parentSession,
    created,
    modified,
    messageCount,
    problems,
    writable,
    isOld,
    suspectedTip,
    unfinished,
    agent,
    marks,
    machine,
  } = summary;
  const shown: { -readonly [K in keyof CatalogRow]: CatalogRow[K] } = {
    path,
    id,
    cwd,
    created: new Date(created === 0 ? Number.NaN : created),
    modified: new Date(modified),
    messageCount,
    firstMessage,
    title,
    dialect,
    problems,
    writable,
    isOld,
    complete,
  };
  if (marks) Object.assign(shown, marks);
  if (name !== undefined) shown.name = name;
  if (machine !== undefined) shown.machine = machine;
  if (additionalDirectories !== undefined) shown.additionalDirectories = additionalDirectories;
  if (parentSession !== undefined) shown.parentSessionPath = parentSession;
  if (agent !== undefined) shown.agent = agent;
  if (unfinished !== undefined) shown.unfinished = unfinished;
  if (suspectedTip !== undefined) shown.suspectedTip = suspectedTip;
  if (problem !== undefined) shown.problem = problem;
  return shown;
}

/** The reason why a file or folder can't be read, as plain data. */
export function toRowProblem(error: unknown): RowProblem {
  if (error instanceof SessionError) return { code: error.code, template: error.template, args: error.args, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'error', template: '{message}', args: { message }, message };
}

/** Recreates the error that a stored problem describes. */
export const errorFromProblem = ({ code, template, args, message }: RowProblem): Error =>
  code === 'error' ? new Error(message) : new SessionError(code, template, args);
