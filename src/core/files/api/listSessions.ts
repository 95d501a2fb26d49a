/** The session lists of the documented API: the sessions of a folder, including all their text. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../format/values/defined';
import type { Dialect } from '../../format/entry/dialect';
import { textOf } from '../../format/entry/message';
import type { Entry, SessionHeader } from '../../format/entry/entry';
import type { JsonObject } from '../../format/values/jsonValues';
import { headSlices } from '../../format/session/headSlices';
import type { Session } from '../../format/session/session';
import { activityTime } from '../../format/session/treeTraversal';
import { parseHeader } from '../../format/entry/header';
import { readLine } from '../../format/parse/readLine';
import { errorCode } from '../io/fileErrors';
import { readStart } from '../io/smallFile';
import { isSessionName } from '../locate/listFiles';
import { missingRootError, type OnProblem } from '../locate/folderEntries';
import { readBodies, readSession } from '../read/sessionFile';

/** A session in a list, as pi's documents define it. FORMAT section 5. */
export interface SessionInfo {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly name?: string;
  readonly parentSessionPath?: string;
  /** Time in the header. */
  readonly created: Date;
  /** Time of the newest user or assistant message; otherwise the time of the header, or of the file. */
  readonly modified: Date;
  /** Number of messages in all branches. */
  readonly messageCount: number;
  /** Text of the first user message that isn't empty, or `(no messages)`. */
  readonly firstMessage: string;
  /** All user and assistant texts, separated by spaces. */
  readonly allMessagesText: string;
}

/** Options of `SessionManager.list` and `listAll`. */
export interface ListOptions {
  /** `pi` by default. */
  readonly dialect?: Dialect;
  /** Receives sessions and folders that can't be read; the others are still listed. */
  readonly onProblem?: OnProblem;
  /** Ends the listing, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Options, or as in pi the signal alone. */
export type ListArgument = ListOptions | AbortSignal;

export const toListOptions = (given: ListArgument = {}): ListOptions => (given instanceof AbortSignal ? { signal: given } : given);

/** Reports how many sessions have been read; now and then with the sessions listed so far, newest first. */
export type OnProgress = (loaded: number, total: number, partialSessions?: readonly SessionInfo[]) => void;

/**
 * Number of sessions between two reports with the sessions listed so far, except for the first and the last report. The
 * same number as pi’s.
 */
const PARTIAL_EVERY = 10;

/**
 * Reads sessions one after the other. Unreadable sessions are passed to `onProblem`.
 *
 * @param isListed returns false for sessions that are left out.
 * @returns the newest first.
 */
export async function readSessionInfos(
  paths: readonly string[],
  options: ListOptions,
  onProgress?: OnProgress,
  isListed: (info: SessionInfo) => boolean = () => true,
): Promise<SessionInfo[]> {
  const infos: SessionInfo[] = [];
  let loaded = 0;
  for (const path of paths) {
    options.signal?.throwIfAborted();
    try {
      const info = await infoOf(await readSession(path, { dialect: options.dialect ?? 'pi', ...signalOf(options) }));
      if (isListed(info)) infos.push(info);
    } catch (error) {
      options.signal?.throwIfAborted();
      options.onProblem?.(path, error);
    }
    loaded++;
    const isPartial = loaded === 1 || loaded % PARTIAL_EVERY === 0 || loaded === paths.length;
    onProgress?.(loaded, paths.length, isPartial ? newestFirst(infos) : undefined);
  }
  return newestFirst(infos);
}

const newestFirst = (infos: readonly SessionInfo[]): SessionInfo[] =>
  [...infos].sort((a, b) => b.modified.getTime() - a.modified.getTime());

const signalOf = ({ signal }: ListOptions): { signal?: AbortSignal } => (signal ? { signal } : {});

/** Bytes that are searched for a header: that much pi reads. */
const HEADER_BYTES = 1024 * 1024;

/** Reads a file's header from its beginning; `undefined` if it has none there. */
export async function readHeader(path: string): Promise<SessionHeader | undefined> {
  const text = (await readStart(path, HEADER_BYTES)).toString('utf8');
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const read = readLine(text.slice(from, newline < 0 ? text.length : newline));
    const header = read.kind === 'objects' ? read.objects.find(({ value }) => isHeader(value))?.value : undefined;
    if (header) return parseHeader(header);
    from = newline < 0 ? text.length : newline + 1;
  }
  return undefined;
}

/** True for a line that is a session's header. */
export const isHeader = ({ type, id }: JsonObject): boolean => type === 'session' && typeof id === 'string';

/**
 * Returns the session files directly in a folder; none if the folder is missing.
 *
 * @param isChosen true for a folder that the caller named: it's a problem if that is missing. The default folder of a
 * project without sessions isn't there.
 */
export async function sessionFilesIn(folder: string, onProblem: OnProblem = () => undefined, isChosen = false): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isSessionName).map((name) => join(folder, name));
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    if (!isMissing || isChosen) onProblem(folder, isMissing ? missingRootError(folder) : error);
    return [];
  }
}

/** Bytes: bodies are read in groups of this size, so that only the texts stay in memory. */
const GROUP = 8 * 1024 * 1024;

async function infoOf(session: Session): Promise<SessionInfo> {
  const { header } = session;
  const messages = session.entries.filter((head) => head.type === 'message');
  const texted = messages.filter((head) => head.role === 'user' || head.role === 'assistant');
  const texts: string[] = [];
  let firstMessage: string | undefined;
  for (const group of headSlices(texted, GROUP)) {
    for (const entry of await readBodies(
      session,
      group.map((head) => head.id),
    )) {
      const text = messageText(entry);
      if (text === '') continue;
      texts.push(text);
      if (entry.type === 'message' && entry.message.role === 'user') firstMessage ??= text;
    }
  }
  const newest = messages.reduce((time, head) => Math.max(time, activityTime(head) ?? 0), 0);
  const created = new Date(header.timestamp);
  const parent = header.parentSession ?? header.branchedFrom;
  return {
    path: session.path,
    id: header.id,
    cwd: header.cwd,
    ...defined({ name: session.name, parentSessionPath: parent }),
    created,
    modified: newest > 0 ? new Date(newest) : Number.isNaN(created.getTime()) ? (await stat(session.path)).mtime : created,
    messageCount: messages.length,
    firstMessage: firstMessage ?? '(no messages)',
    allMessagesText: texts.join(' '),
  };
}

function messageText(entry: Entry): string {
  return entry.type === 'message' && 'content' in entry.message ? textOf(entry.message['content'], ' ') : '';
}
