/** Plans the copies of whole sessions that aren't forks: imported and recovered ones. */
import { defined } from '../values/defined';
import { CURRENT_VERSION } from '../entry/entry';
import type { JsonObject } from '../values/jsonValues';
import { DIALECT_FACTS, detectDialect, type Dialect } from '../entry/dialect';
import type { EntryHead } from '../entry/entryHead';
import { formatMessage, SessionError, type Problem, type ProblemCode } from '../entry/problem';
import { isDamaged } from '../parse/damagedLine';
import type { Session } from '../session/session';
import type { Steps } from '../session/steps';
import { entriesWithout, inheritedHeader, parentsWithout, type ForkPlan } from '../write/fork';
import { newEntryId, newSessionId, type Stamp } from '../write/sessionNames';
import { isoTime } from './converter';
import { originLine, type Origin } from './originLine';
import type { Omission } from './omissions';

/** A part that a copy left out or changed: a problem of a line, or a kind of omission. */
export type CopyNote = Pick<Omission, 'template' | 'args' | 'message' | 'lines' | 'count'>;

export interface CopyPlan extends ForkPlan {
  /** The dialect of the new file. OpenClaw lists files by keys alone, so its sessions become pi's. */
  readonly dialect: Dialect;
  readonly notes: readonly CopyNote[];
}

/** Problems of one kind that have a note each; a file may have any number of bad lines. */
const MAX_SEPARATE = 10;

/** The kind, project and source of a copy. */
interface CopyOptions {
  /** A recovered session stays in its project, so it keeps its parent and its further folders. */
  readonly kind: Origin['kind'];
  /** Folder of its project. */
  readonly cwd: string;
  /** Path of the file that it comes from. */
  readonly source: string;
}

/**
 * Plans the copy of a session of the family in steps: all entries with all branches, as a separate session.
 *
 * @throws {SessionError} `version` above version 3.
 */
export function* planCopy(session: Session, { kind, cwd, source }: CopyOptions, stamp: Stamp): Steps<CopyPlan> {
  assertKnownVersion(session);
  const { header, dialect } = session;
  const { additionalDirectories, ...rest } = inheritedHeader(session);
  const isLeft = DIALECT_FACTS[dialect].writable ? isDamaged : (head: EntryHead): boolean => isDamaged(head) || isOpenclawEntry(head);
  const parentOf = parentsWithout(session, isLeft);
  // A root may name a parent that isn't in the file.
  const roots = new Set(session.roots);
  const entries = yield* entriesWithout(session, isLeft, (head) => (roots.has(head.id) ? null : parentOf(head)));
  const notes = problemNotes(session.problems);
  const family = defined({ parentSession: header.parentSession ?? header.branchedFrom, additionalDirectories });
  const origin = originLine(
    {
      kind,
      program: DIALECT_FACTS[dialect].label,
      file: source,
      sessionId: header.id,
      cwd: header.cwd,
      ...(kind === 'import' ? family : {}),
      omissions: notes,
    },
    newEntryId(stamp, session.byId),
    parentOf({ parentId: session.leafId }),
    stamp,
  );
  const start = isoTime(header.timestamp) ?? stamp.now().toISOString();
  return {
    header: {
      type: 'session',
      version: CURRENT_VERSION,
      id: newSessionId(stamp),
      timestamp: start,
      cwd,
      ...rest,
      ...(kind === 'recovery' ? family : {}),
    },
    dialect: DIALECT_FACTS[dialect].writable ? dialect : 'pi',
    entries,
    addedLines: [origin],
    notes,
  };
}

/** @throws {SessionError} `version` */
function assertKnownVersion({ version, path }: Session): void {
  if (version <= CURRENT_VERSION) return;
  throw new SessionError(
    'version',
    'This session has format {version}, which is newer than this extension supports, so it can’t be copied here. Use its own program: {path}',
    { version, path },
  );
}

const MORE = 'The same in {count} more lines: {lines}';

/** Returns the problems of a session's lines as notes, by kind. Above a number of problems of one kind, the others share one note. */
function problemNotes(problems: readonly Problem[]): CopyNote[] {
  const kinds = new Map<ProblemCode, { readonly notes: CopyNote[]; readonly more: Problem[] }>();
  for (const problem of problems) {
    const kind = kinds.get(problem.code) ?? { notes: [], more: [] };
    kinds.set(problem.code, kind);
    if (kind.notes.length < MAX_SEPARATE) kind.notes.push(noteOf(problem));
    else kind.more.push(problem);
  }
  return [...kinds.values()].flatMap(({ notes, more }) => (more.length === 0 ? notes : [...notes, moreNote(more)]));
}

const countOf = ({ lastLine, args }: Problem): number => (lastLine === undefined ? 1 : Number(args['count'] ?? 1));

const noteOf = (problem: Problem): CopyNote => {
  const { template, args, message, line } = problem;
  return { template, args, message, count: countOf(problem), lines: line === undefined ? [] : [line] };
};

function moreNote(problems: readonly Problem[]): CopyNote {
  const count = problems.reduce((sum, problem) => sum + countOf(problem), 0);
  const args = { count, lines: lineRanges(problems) };
  return { template: MORE, args, message: formatMessage(MORE, args), count, lines: problems.flatMap(({ line }) => line ?? []) };
}

/** Returns the lines as people write them: `3–5, 9`. */
function lineRanges(problems: readonly Problem[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const { line, lastLine } of problems) {
    if (line === undefined) continue;
    const last = ranges.at(-1);
    if (last && line === last.to + 1) last.to = lastLine ?? line;
    else ranges.push({ from: line, to: lastLine ?? line });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${String(from)}–${String(to)}`)).join(', ');
}

/** True for an entry by which programs would take the session for OpenClaw's. */
const isOpenclawEntry = ({ type, customType }: EntryHead): boolean => detectDialect({ type, customType }) === 'openclaw';

/** Returns a line without what OpenClaw alone adds to it; the same object if there is nothing to remove. */
export function withoutOpenclawKeys(line: JsonObject): JsonObject {
  if (!('__openclaw' in line)) return line;
  return Object.fromEntries(Object.entries(line).filter(([key]) => key !== '__openclaw'));
}
