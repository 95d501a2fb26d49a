/** Describes a change by the sessions that wrote its lines. */
import { join, sep } from 'node:path';
import { Yielder } from '../../files/concurrency/eventLoop';
import { commitTime, namedCommit, type ChangedFile } from '../../files/git/commitChanges';
import { repositoryOf } from '../../files/git/fileCommits';
import { changesBetween, changesOnDisk, startOfBranch } from '../../files/git/treeChanges';
import { placeWithin } from '../../files/relink/movedPaths';
import type { BatchChoices, SessionFinding } from '../../files/export/batch/batchExport';
import { Redaction, type RedactionRules } from '../../files/redact/redaction';
import { systemStamp } from '../../files/write/systemStamp';
import { SessionError } from '../../format/entry/problem';
import { storyMarkdown, type StoryFile, type StorySession } from '../../format/review/storyMarkdown';
import type { Session } from '../../format/session/session';
import { planExport } from '../../format/write/exportPlan';
import type { Catalog } from '../catalogApi';
import { pathsOf } from '../origins/events/fileEvents';
import type { LineOrigin } from '../origins/lineOrigins';
import { turnOf } from '../origins/turn';
import { changedLines, type ChangedLines } from './changedLines';
import { CleanEntries, storySession } from './storySession';

/** Options of {@link changeStory}. */
export interface ChangeStoryOptions {
  /** The folder of a working tree. */
  readonly repository: string;
  /** The name of a commit; by default the last one that the remote's default branch has, too, or without a remote `HEAD`. */
  readonly from?: string;
  /** The name of a commit; by default the files on the disk. */
  readonly to?: string;
  /** By default secrets and personal data are replaced by placeholders. */
  readonly redact?: boolean | RedactionRules;
  /** False leaves out models and cost. */
  readonly cost?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** A change that was read, and can be told in several ways. */
export interface StoryDraft {
  /** Tells it, without the entries that are left out. @throws the signal's reason if aborted */
  readonly tell: (choices?: BatchChoices, progress?: Pick<ChangeStoryOptions, 'onProgress' | 'signal'>) => Promise<ChangeStory>;
  /** To be called in any case, when nothing is told any more. */
  readonly end: () => void;
}

/** A change in words, and where they come from. */
export interface ChangeStory {
  /** GitHub-flavored Markdown without HTML, mentions and links, of at most 60 KB. */
  readonly markdown: string;
  /** The sessions that certainly wrote a line of the change, with the messages that did. */
  readonly sessions: { readonly path: string; readonly entryIds: string[] }[];
  /** The findings that were replaced in the texts that were read for it. */
  readonly redacted: SessionFinding[];
  /** The same, and those that were kept. */
  readonly findings: SessionFinding[];
}

/**
 * Tells what was asked, changed, tried and checked between two commits, or up to the files on the disk. Runs `git`, which reads
 * commits and their files alone.
 *
 * @throws {SessionError} `not-found` outside of repositories and for names of no commit; `invalid` if Git fails
 * @throws the signal's reason if aborted
 */
export async function changeStory(catalog: Catalog, options: ChangeStoryOptions): Promise<ChangeStory> {
  const draft = await draftStory(catalog, options);
  try {
    return await draft.tell({}, options);
  } finally {
    draft.end();
  }
}

/** Reads what {@link changeStory} tells, so that a person can review the findings in it. @throws the same */
export async function draftStory(
  catalog: Catalog,
  { repository: given, from, to, redact = true, cost: hasCost = true, signal }: ChangeStoryOptions,
): Promise<StoryDraft> {
  signal?.throwIfAborted();
  const folder = (await pathsOf(given)).at(-1) ?? given;
  const repository = await repositoryOf(join(folder, '.git'));
  if (repository === undefined) throw new SessionError('not-found', 'This folder isn’t in a Git repository: {path}', { path: given });
  const { files, leftOut, endTime, written } = await changedFiles(catalog, repository, { from, to, signal });
  const isTouched = ({ path, renamedFrom }: ChangedFile): boolean =>
    written.has(path) || (renamedFrom !== undefined && written.has(renamedFrom));
  const lines = await changedLines(catalog, { repository, files, endTime, isTouched }, signal);
  const bySession = writersBySession(lines);
  const parts: { readonly session: Session; readonly writers: string[] }[] = [];
  for (const [path, ids] of bySession) {
    const session = await catalog.session(path);
    signal?.throwIfAborted();
    parts.push({ session, writers: session.entries.flatMap(({ id }) => (ids.has(id) ? [id] : [])) });
  }
  const sessions = parts.map(({ session }) => session);
  const redaction = redact === false ? undefined : await Redaction.of(sessions, redact === true ? {} : redact);
  const end = (): void => redaction?.end();
  try {
    // A secret that one session reveals is replaced in all.
    if (redaction) for (const session of sessions) await learn(redaction, session, signal);
  } catch (error) {
    end();
    throw error;
  }
  const tell: StoryDraft['tell'] = async (choices = {}, { signal: telling, onProgress } = {}) => {
    redaction?.choose(choices);
    const told: StorySession[] = [];
    const findings: SessionFinding[] = [];
    for (const [index, { session, writers }] of parts.entries()) {
      const leaveOut = (choices.leaveOut ?? []).flatMap(({ path, entryId }) => (path === session.path ? entryId : []));
      const entries = new CleanEntries(session, redaction, new Set(leaveOut), telling);
      told.push(await storySession(session, writers, entries, telling));
      for (const finding of entries.findings) findings.push(finding);
      onProgress?.(index + 1, parts.length);
    }
    const markdown = storyMarkdown({ sessions: told, files: storyFiles(lines, parts), leftOut, isWorkingTree: to === undefined, hasCost });
    return {
      markdown,
      sessions: parts.map(({ session: { path }, writers }) => ({ path, entryIds: writers })),
      redacted: findings.filter(({ kept }) => kept !== true),
      findings,
    };
  };
  return { tell, end };
}

interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  readonly leftOut: number;
  readonly endTime: number | undefined;
  /** Files of the repository that sessions wrote, relative to it. */
  readonly written: ReadonlySet<string>;
}

async function changedFiles(
  catalog: Catalog,
  repository: string,
  { from, to, signal }: { readonly from: string | undefined; readonly to: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<ChangedFiles> {
  const [start, end] = [
    from === undefined ? await startOfBranch(repository, to, signal) : await namedCommit(repository, from, signal),
    to === undefined ? undefined : await namedCommit(repository, to, signal),
  ];
  const touches = await catalog.touchesWithin(repository);
  const written = new Set(
    touches.flatMap(({ file, kind }) => (kind === 'write' ? (placeWithin(repository, file)?.split(sep).join('/') ?? []) : [])),
  );
  signal?.throwIfAborted();
  if (end === undefined) {
    const { files, left } = await changesOnDisk(repository, start, [...written], signal);
    return { files, leftOut: left, endTime: undefined, written };
  }
  const files = start === undefined ? [] : await changesBetween(repository, start, end, signal);
  return { files, leftOut: 0, endTime: await commitTime(repository, end, signal), written };
}

const isCertain = ({ certainty }: LineOrigin): boolean => certainty === 'exact';

/** The ids of the messages that certainly wrote lines, by session. */
function writersBySession(lines: readonly ChangedLines[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { origins } of lines) {
    for (const { path, entryId } of origins.filter(isCertain)) {
      const ids = found.get(path) ?? new Set();
      found.set(path, ids.add(entryId));
    }
  }
  return found;
}

async function learn(redaction: Redaction, session: Session, signal: AbortSignal | undefined): Promise<void> {
  const plan = await new Yielder(signal).run(planExport(session, {}, systemStamp()));
  await redaction.learn(session, plan, { signal });
}

function storyFiles(lines: readonly ChangedLines[], parts: readonly { readonly session: Session }[]): StoryFile[] {
  const places = new Map(parts.map(({ session }, at) => [session.path, at]));
  return lines.map(({ path, isDeleted, added, origins }) => {
    const written = new Map<string, { session: number; promptId: string | undefined; lines: number }>();
    let [known, uncertain] = [0, 0];
    for (const origin of origins) {
      const count = origin.to - origin.from + 1;
      const session = places.get(origin.path);
      const part = session === undefined || !isCertain(origin) ? undefined : parts[session];
      if (session === undefined || !part) uncertain += count;
      else {
        const { promptId } = turnOf(part.session, origin.entryId);
        const key = JSON.stringify([session, promptId]);
        const one = written.get(key) ?? { session, promptId, lines: 0 };
        written.set(key, one);
        one.lines += count;
        known += count;
      }
    }
    return { path, isDeleted, written: [...written.values()], uncertain, unexplained: added - known - uncertain };
  });
}
