/**
 * Turns a change, which is a value, into the exact lines to append, or refuses it with a reason. FORMAT section 6.
 */
import { defined } from '../values/defined';
import { DIALECT_FACTS } from '../entry/dialect';
import { CURRENT_VERSION } from '../entry/entry';
import type { JsonObject } from '../values/jsonValues';
import type { EntryHead } from '../entry/entryHead';
import type { SummaryFiles } from '../toolCalls/fileTouches';
import { newEntryId, type TitleSlot, type Stamp } from './sessionNames';
import { SessionError } from '../entry/problem';
import { isDamaged } from '../parse/damagedLine';
import { archivedError, isArchivedSession } from '../session/archivedSession';
import { requireEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { endOfLines, endsWithNewline, isIdTaken, titleSlot } from '../session/fileState';
import { BRANCH_MARK } from '../session/treeTraversal';

/**
 * A line to append. Missing parts are filled in: a new id, the leaf (or the previous line) as parent, the current time.
 * FORMAT section 2.
 */
export interface NewLine {
  readonly type: string;
  readonly id?: string;
  readonly parentId?: string | null;
  readonly timestamp?: string;
  readonly [key: string]: unknown;
}

/** A change of a session, as a value. FORMAT section 6. */
export type Change =
  /** Sets a label; an empty one clears it. */
  | { readonly kind: 'label'; readonly entryId: string; readonly label: string }
  /**
   * Continues the session at this entry; at a user or custom message, before it, so that it can be asked again.
   * `details`: the files of the entries that the summary stands for; the writer adds them.
   */
  | { readonly kind: 'branch'; readonly entryId: string; readonly summary?: string; readonly details?: SummaryFiles }
  /** Sets the name; an empty one clears it. */
  | { readonly kind: 'rename'; readonly name: string }
  /** Appends lines in one write. `title`: the new content of oh-my-pi's title slot. */
  | { readonly kind: 'append'; readonly lines: readonly NewLine[]; readonly title?: string };

export interface ChangePlan {
  readonly lines: readonly JsonObject[];
  /** The id of the last line. */
  readonly entryId: string;
  /** oh-my-pi: the new content of the title slot. */
  readonly titleSlot?: TitleSlot;
}

/**
 * Returns the reason why nothing may be appended to the file; `undefined` if appending is possible. FORMAT section 6,
 * rule 8.
 */
export function writeRefusal(session: Session): SessionError | undefined {
  const { path, version } = session;
  if (isArchivedSession(path, session.dialect)) return archivedError(path);
  const program = DIALECT_FACTS[session.dialect];
  if (version > CURRENT_VERSION) {
    return new SessionError(
      'version',
      'This session has format {version}, which is newer than this extension supports, so it can’t be changed here. Use its own program: {path}',
      { version, path },
    );
  }
  if (!program.writable) return readOnlyError(path, program.label);
  if (version < CURRENT_VERSION) {
    return new SessionError(
      'version',
      'This session has format {version}. Its program rebuilds all entries when it opens the session, so the change would be lost. Migrate it first, or fork instead: {path}',
      { version, path },
    );
  }
  if (session.hasGivenIds) {
    return new SessionError(
      'version',
      'Some entries of this session have no ID. Its program assigns new ones when it opens the session, so the change would be lost. Migrate it first, or fork instead: {path}',
      { path },
    );
  }
  const last = session.problems.findLast(
    (problem) => LAST_LINE_PROBLEMS.has(problem.code) && (problem.lastLine ?? problem.line ?? 0) >= endOfLines(session).line,
  );
  if (last)
    return new SessionError(
      'torn',
      'The file’s last line ({line}) isn’t a complete entry, so nothing can be added to it. Repair it in its program, or fork instead: {path}',
      { line: last.lastLine ?? last.line ?? 0, path },
    );
  if (!endsWithNewline(session)) {
    return new SessionError(
      'torn',
      'The file doesn’t end with a line break, so nothing can be added to it. Continue the session in its program, or fork instead: {path}',
      { path },
    );
  }
  return undefined;
}

export const readOnlyError = (path: string, program: string): SessionError =>
  new SessionError(
    'read-only',
    '{program} sessions are read-only here because {program} stores more about them elsewhere. Fork instead: {path}',
    { program, path },
  );

const LAST_LINE_PROBLEMS: ReadonlySet<string> = new Set(['torn-line', 'bad-line', 'damaged-line', 'glued-line', 'long-line']);

/**
 * Plans the lines to append for a change.
 *
 * @throws {SessionError} the error of `writeRefusal`; `unknown-entry`, `invalid`.
 */
export function planChange(session: Session, change: Change, stamp: Stamp): ChangePlan {
  const refusal = writeRefusal(session);
  if (refusal) throw refusal;
  switch (change.kind) {
    case 'label': {
      assertWhole(requireEntry(session, change.entryId));
      const label = withoutLineBreaks(change.label);
      return planLine(session, { type: 'label', targetId: change.entryId, ...(label === '' ? {} : { label }) }, stamp);
    }
    case 'branch':
      return planLine(session, branchLine(session, requireEntry(session, change.entryId), change), stamp);
    case 'rename':
      return planRename(session, withoutLineBreaks(change.name), stamp);
    case 'append': {
      const decision = planLines(session, change.lines, stamp);
      if (change.title === undefined) return decision;
      assertTitleSlot(session);
      return { ...decision, titleSlot: { title: change.title, source: 'user', updatedAt: stamp.now().toISOString() } };
    }
  }
}

/** True for user and custom messages, where a branch starts before the entry. FORMAT section 6, rule 4. */
export function isPrompt(head: Pick<EntryHead, 'type' | 'role'>): boolean {
  return head.type === 'custom_message' || head.role === 'user' || head.role === 'custom';
}

/**
 * Returns the parent for the first line of a branch at this entry: the entry itself, or for a prompt the entry before
 * it; `null` if it's a root. FORMAT section 6, rule 4.
 */
export function branchPoint(session: Session, head: EntryHead): string | null {
  if (!isPrompt(head)) return head.id;
  return head.parentId !== null && session.byId.has(head.parentId) ? head.parentId : null;
}

function branchLine(session: Session, head: EntryHead, { summary = '', details }: Extract<Change, { kind: 'branch' }>): NewLine {
  const parentId = branchPoint(session, head);
  if (summary.trim() === '') return { type: 'custom', parentId, customType: BRANCH_MARK, data: { from: session.leafId, at: head.id } };
  // pi records the previous leaf; the programs that descend from its older versions record the branch point.
  const from = DIALECT_FACTS[session.dialect].isCurrentPi ? session.leafId : parentId;
  return { type: 'branch_summary', parentId, fromId: from ?? 'root', summary, ...defined({ details }) };
}

function planRename(session: Session, name: string, stamp: Stamp): ChangePlan {
  const facts = DIALECT_FACTS[session.dialect];
  if (facts.nameSource !== 'title') {
    if (name === '' && facts.nameSource === 'last-named-info') {
      throw new SessionError('invalid', '{program} ignores empty names. Enter another name instead.', {
        program: facts.label,
      });
    }
    return planLine(session, { type: 'session_info', name }, stamp);
  }
  assertTitleSlot(session);
  const line = {
    type: 'title_change',
    title: name,
    source: 'user',
    ...defined({ previousTitle: session.name }),
  };
  const decision = planLine(session, line, stamp);
  return { ...decision, titleSlot: { title: name, source: 'user', updatedAt: String(decision.lines[0]?.['timestamp']) } };
}

/** @throws {SessionError} `invalid` if the file has no title slot that can be overwritten. */
export function assertTitleSlot(session: Session): void {
  if (titleSlot(session)?.isExact) return;
  throw new SessionError(
    'invalid',
    'This session can’t be renamed here because its first line has no room for a title. Rename it in {program}, or fork instead: {path}',
    {
      program: DIALECT_FACTS[session.dialect].label,
      path: session.path,
    },
  );
}

const planLine = (session: Session, line: NewLine, stamp: Stamp): ChangePlan => planLines(session, [line], stamp);

function planLines(session: Session, lines: readonly NewLine[], stamp: Stamp): ChangePlan {
  const added = new Set<string>();
  const taken = { has: (id: string): boolean => added.has(id) || isIdTaken(session, id) };
  const result: JsonObject[] = [];
  let leafId = session.leafId;
  for (const line of lines) {
    const { type, id = newEntryId(stamp, taken), parentId = leafId, timestamp = stamp.now().toISOString(), ...rest } = line;
    if (taken.has(id)) throw new SessionError('invalid', 'This session already has an entry {id}.', { id });
    if (parentId !== null && !added.has(parentId)) assertWhole(requireEntry(session, parentId));
    result.push({ type, id, parentId, timestamp, ...rest });
    added.add(id);
    leafId = id;
  }
  if (leafId === null || result.length === 0) throw new SessionError('invalid', 'There’s nothing to append.');
  return { lines: result, entryId: leafId };
}

/** @throws {SessionError} `invalid` for a damaged entry: programs skip its line, so they wouldn't find what refers to it. */
function assertWhole(head: EntryHead): void {
  if (!isDamaged(head)) return;
  throw new SessionError(
    'invalid',
    'Line {line} is damaged and skipped by programs, so nothing can be attached to it. Select another entry.',
    {
      line: head.line,
    },
  );
}

/** Turns a name or a label into one line. */
export const withoutLineBreaks = (text: string): string => text.replace(/[\r\n]+/g, ' ').trim();
