/**
 * The row of a session: `SessionSummary` is what every list shows, from the database to the view, and `summarize` derives
 * it. Pure; the size of a summary doesn't depend on the session's.
 */
import { writeRefusal } from '../../format/write/change';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { CURRENT_VERSION } from '../../format/entry/entry';
import { asString, type JsonObject } from '../../format/values/jsonValues';
import { additionalDirectories } from '../../format/entry/header';
import { MAX_CONTENT_LENGTH, userRowText, withoutBreaks } from '../../format/entry/rowText';
import type { HeadSource } from '../../format/columns/headSource';
import { HeadTable } from '../../format/columns/headTable';
import { headsOf } from '../../format/linking/headsById';
import { isArchivedSession } from '../../format/session/archivedSession';
import { unfinishedOf, type Unfinished } from '../../format/session/lastAnswer';
import type { Session, SessionMarks } from '../../format/session/session';
import { isActivityRole, suspectedTip } from '../../format/session/treeTraversal';
import { addFirstWords, addsWords, sessionTitle, withMessage, type FirstWords } from '../../format/session/sessionTitle';
import { excerpt } from '../../format/text/excerpt';
import type { FileVersion } from '../../files/read/sessionFile';
import { defined } from '../../format/values/defined';
import type { FamilyFacts } from './familyFacts';

/** Facts about a session for lists. FORMAT section 5. */
export interface SessionSummary extends FamilyFacts {
  readonly path: string;
  readonly dialect: Dialect;
  readonly id: string;
  /** The project's folder; empty if the file names none. */
  readonly cwd: string;
  /** The folders that the session works in, in addition to `cwd` (oh-my-pi). */
  readonly additionalDirectories?: readonly string[];
  readonly name?: string;
  /**
   * The name; otherwise the person's first words, without the wrappers around them; otherwise the first answer; otherwise
   * `(no prompt)`, or `(no messages)`. One line without control characters.
   */
  readonly title: string;
  /** A path, or in oh-my-pi a session id. */
  readonly parentSession?: string;
  /** Milliseconds since 1970, 0 if the header has no date. */
  readonly created: number;
  /** The time of the newest user or assistant message, else `created`; 0 if there is neither. */
  readonly modified: number;
  /** The number of messages in all branches. */
  readonly messageCount: number;
  /** The beginning of the first user message that has text, as its row has it. In a catalog's rows, as the file has it. */
  readonly firstMessage?: string;
  readonly problems: number;
  /** True if the file may be appended to. */
  readonly writable: boolean;
  /** True if a migration would make the file writable: it has an earlier version, or entries without ids. */
  readonly isOld: boolean;
  /** The id of the tip that the session probably should be at, if its leaf looks like an accident. */
  readonly suspectedTip?: string;
  /** The way the last turn of the active branch ended, unless it leaves nothing open. */
  readonly unfinished?: Unfinished;
  /** The state that the program keeps of the session, if it does. */
  readonly marks?: SessionMarks;
  /** The name of the machine that the session comes from; absent for sessions of this machine. */
  readonly machine?: string;
  /** True in a read-only root: neither the file nor what belongs to it is changed, moved or deleted. */
  readonly isProtected?: true;
  /** Set if only the file's beginning and end were read. Then nothing is counted, and `writable` isn't known. */
  readonly isPartial?: true;
}

/** The sums over all entries of a session. */
export interface Tally {
  readonly session: Session;
  /** The time of the newest activity; 0 if there is none. */
  readonly newest: number;
  readonly messages: number;
  readonly firstMessage?: string;
  readonly words: FirstWords;
}

/** Counts a session's entries; if it grew from `before`, only the added ones. */
export function tally(session: Session, before?: Tally): Tally {
  const heads = headsOf(session);
  const known = before && headsOf(before.session);
  const count = known?.length ?? 0;
  const hasGrown = known !== undefined && count > 0 && count <= heads.length && heads.at(count - 1) === known.at(count - 1);
  const earlier = count === 0 || hasGrown ? before : undefined;
  let { firstMessage, words }: Pick<Tally, 'firstMessage' | 'words'> = earlier ?? { words: {} };
  for (let place = earlier ? count : 0; place < heads.length && words.said === undefined; place++) {
    const { type, role, hasText } = heads.traitsAt(place);
    if (type !== 'message') continue;
    words = withMessage(words);
    if (!hasText || !addsWords(words, role)) continue;
    const { text } = heads.at(place);
    if (role === 'user') firstMessage ??= userRowText(text);
    words = addFirstWords(words, role, text);
  }
  const added = !earlier && heads instanceof HeadTable ? heads.messageTotals(isActivityRole) : messageTotals(heads, earlier ? count : 0);
  const newest = Math.max(earlier?.newest ?? 0, added.newest);
  return { session, newest, messages: (earlier?.messages ?? 0) + added.messages, words, ...defined({ firstMessage }) };
}

/** Like the method of `HeadTable`, from a place on. */
function messageTotals(heads: HeadSource, from: number): ReturnType<HeadTable['messageTotals']> {
  let [messages, newest] = [0, 0];
  for (let place = from; place < heads.length; place++) {
    const { type, role } = heads.traitsAt(place);
    if (type !== 'message') continue;
    messages++;
    if (isActivityRole(role)) newest = Math.max(newest, heads.messageTimeAt(place) ?? heads.timeAt(place));
  }
  return { messages, newest };
}

/** Derives the facts that a list shows from a session's heads, without reading the file. FORMAT section 5. */
export function summarize(session: Session, { newest, messages, firstMessage, words }: Tally = tally(session)): SessionSummary {
  const { header } = session;
  const created = Date.parse(header.timestamp) || 0;
  const parentSession = asString(header.parentSession) ?? asString(header.branchedFrom);
  const tip = suspectedTip(session);
  return {
    path: session.path,
    dialect: session.dialect,
    id: header.id,
    cwd: header.cwd,
    ...additionalFolders(header),
    ...defined({ name: session.name }),
    title: sessionTitle(session.name, words),
    ...defined({ parentSession: parentSession || undefined }),
    created,
    modified: newest || created,
    messageCount: messages,
    ...defined({ firstMessage }),
    problems: session.problems.length,
    writable: writeRefusal(session) === undefined,
    isOld:
      DIALECT_FACTS[session.dialect].writable &&
      !isArchivedSession(session.path, session.dialect) &&
      (session.version < CURRENT_VERSION || (session.version === CURRENT_VERSION && session.hasGivenIds)),
    ...defined({ suspectedTip: tip?.id, marks: session.marks, unfinished: unfinishedOf(session) }),
  };
}

/** Sets how the last turn ended, as `turnEnd` finds it with the bodies of a few entries. */
export function withTurnEnd({ unfinished: _byHeads, ...summary }: SessionSummary, unfinished: Unfinished | undefined): SessionSummary {
  return unfinished === undefined ? summary : { ...summary, unfinished };
}

/** The part of a summary for the folders in addition to `cwd`. */
export function additionalFolders(header: JsonObject): Pick<SessionSummary, 'additionalDirectories'> {
  const folders = additionalDirectories(header);
  return folders.length > 0 ? { additionalDirectories: folders } : {};
}

/**
 * Compares sessions by their last activity, the newest first, as the Sessions view does. Those of the same time are in descending
 * order of their paths, which begin with the time in most programs.
 */
export const byLastActivity = (a: Pick<SessionSummary, 'modified' | 'path'>, b: Pick<SessionSummary, 'modified' | 'path'>): number =>
  b.modified - a.modified || (a.path < b.path ? 1 : -1);

/** Gives a session without any date the time of its file. */
export function withFileTime(summary: SessionSummary, { mtimeMs }: Pick<FileVersion, 'mtimeMs'>): SessionSummary {
  return summary.modified === 0 ? { ...summary, modified: mtimeMs } : summary;
}

/** A whole first message as rows show it: on one line, cut like the rows of entries. `undefined` if that leaves nothing. */
export function firstMessageLine(text: string): string | undefined {
  return withoutBreaks(excerpt(text, MAX_CONTENT_LENGTH)) || undefined;
}
