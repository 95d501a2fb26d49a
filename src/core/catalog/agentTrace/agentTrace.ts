/** Exports the origins of lines as records of Agent Trace: of files as they are, or of what commits added. */
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { modelName } from '../../format/entry/usage';
import { SessionError } from '../../format/entry/problem';
import { addedLines, intersection } from '../../format/lineOrigins/addedLines';
import { workSteps } from '../../format/lineOrigins/work';
import { Yielder } from '../../files/concurrency/eventLoop';
import { linesOf } from '../../format/lineOrigins/lineTexts';
import { PERSONAL_KINDS } from '../../format/redact/detectors/personalData';
import type { Session } from '../../format/session/session';
import { blobIn, commitRange, resolveCommit, type ChangedFile, type CommitChanges } from '../../files/git/commitChanges';
import { blobTexts, repositoryOf } from '../../files/git/fileCommits';
import { Redaction } from '../../files/redact/redaction';
import { isMissing } from '../../files/io/fileErrors';
import { readSmallFile } from '../../files/io/smallFile';
import { expandPath } from '../../files/locate/roots';
import { defined } from '../../format/values/defined';
import type { Catalog } from '../catalogApi';
import { fileEvents, pathsOf, type TimedEvent } from '../origins/events/fileEvents';
import { lineOrigins, type LineOrigin } from '../origins/lineOrigins';
import { originsOfText } from '../origins/originsOfText';
import { TRACE_VERSION, traceFile, type TracedEntry, type TraceFile, type TraceNames, type TraceRecord } from './traceRecord';

/** Options of {@link traceFiles} and {@link traceCommits}. */
export interface AgentTraceOptions {
  /** The program that makes the records. */
  readonly tool: TraceRecord['tool'];
  /** Makes addresses of sessions and messages. */
  readonly link: (entry: TracedEntry) => string;
  /** Called after each file or commit. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Names of folders and persons aren't looked for in names of models and in ids. */
const SECRETS_ALONE = Object.fromEntries(PERSONAL_KINDS.map((kind) => [kind, false]));
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Commits' times are in seconds. */
const COMMIT_PRECISION_MS = 999;

/**
 * Returns records of files on the disk: for each repository one record of the files that equal the last commit, and one
 * record without a revision of the files that differ from it. Files without lines of sessions are left out.
 *
 * @param files absolute paths
 * @param options `git`: runs `git` for revisions and the files' commits. True by default
 * @throws {SessionError} `not-found` for a file that doesn't exist, `invalid` for a file that isn't text or is too
 *   large
 * @throws the signal's reason if aborted
 */
export async function traceFiles(
  catalog: Catalog,
  files: readonly string[],
  options: AgentTraceOptions & { readonly git?: boolean },
): Promise<TraceRecord[]> {
  const { signal, git = true } = options;
  const names = namesFor(catalog, options);
  const records = new Map<string, { readonly revision: string | undefined; readonly files: TraceFile[] }>();
  for (const [index, given] of [...new Set(files)].entries()) {
    signal?.throwIfAborted();
    const file = (await pathsOf(given)).at(-1) ?? given;
    const text = await textOf(file);
    const origins = await lineOrigins(catalog, file, { text, git, ...defined({ signal }) });
    if (origins.length > 0) {
      const repository = git ? await repositoryOf(file) : undefined;
      const folder = repository ?? dirname(file);
      const path = relative(folder, file).split(sep).join('/');
      const revision = repository === undefined ? undefined : await revisionWith(repository, path, text, signal);
      const key = JSON.stringify([folder, revision]);
      const record = records.get(key) ?? { revision, files: [] };
      records.set(key, record);
      record.files.push(traceFile(path, text, origins, await names(origins)));
    }
    options.onProgress?.(index + 1, files.length);
  }
  return [...records.values()].map((record) => recordOf(record, options));
}

/** A commit whose lines come from sessions. */
export interface TracedCommit {
  readonly hash: string;
  readonly subject: string;
  readonly record: TraceRecord;
}

/**
 * Returns a record for each commit that `to` has and `from` hasn't (all, if `from` is empty), the oldest first, of the lines that the commit added.
 * Commits without lines of sessions have none. Runs `git`.
 *
 * @throws {SessionError} `not-found` outside of repositories and for names of no commit; `invalid` for too many commits
 * @throws the signal's reason if aborted
 */
export async function traceCommits(
  catalog: Catalog,
  { repository: given, from, to }: { readonly repository: string; readonly from: string; readonly to: string },
  options: AgentTraceOptions,
): Promise<TracedCommit[]> {
  const { signal } = options;
  const folder = (await pathsOf(given)).at(-1) ?? given;
  const repository = await repositoryOf(join(folder, '.git'));
  if (repository === undefined) throw new SessionError('not-found', 'This folder isn’t in a Git repository: {path}', { path: given });
  const commits = await commitRange(repository, from, to, signal);
  const names = namesFor(catalog, options);
  const events = new Map<string, readonly TimedEvent[]>();
  const eventsOf = async (file: string): Promise<readonly TimedEvent[]> => {
    let known = events.get(file);
    if (!known) events.set(file, (known = (await fileEvents(catalog, file, { signal })).events));
    return known;
  };
  const traced: TracedCommit[] = [];
  for (const [index, commit] of commits.entries()) {
    signal?.throwIfAborted();
    const files: TraceFile[] = [];
    for (const { path, text, origins } of await addedBySessions(catalog, repository, commit, eventsOf, signal))
      files.push(traceFile(path, text, origins, await names(origins)));
    if (files.length > 0)
      traced.push({ hash: commit.hash, subject: commit.subject, record: recordOf({ revision: commit.hash, files }, options) });
    options.onProgress?.(index + 1, commits.length);
  }
  return traced;
}

interface AddedLines {
  readonly path: string;
  readonly text: string;
  readonly origins: readonly LineOrigin[];
}

/** The lines that a commit added and that come from sessions, by files. */
async function addedBySessions(
  catalog: Catalog,
  repository: string,
  { time, files }: CommitChanges,
  eventsOf: (file: string) => Promise<readonly TimedEvent[]>,
  signal: AbortSignal | undefined,
): Promise<AddedLines[]> {
  const touched: ChangedFile[] = [];
  for (const file of files) if (file.after !== undefined && (await isTouched(catalog, repository, file))) touched.push(file);
  const texts = await blobTexts(
    repository,
    touched.flatMap(({ before, after }) => [before, after].filter((blob) => blob !== undefined)),
    signal,
  );
  const found: AddedLines[] = [];
  for (const { path, before, after = '' } of touched) {
    const text = texts.get(after);
    const former = before === undefined ? '' : texts.get(before);
    // Nothing is claimed of a file that is no text, or too large.
    if (text === undefined || former === undefined || text.length > MAX_FILE_BYTES) continue;
    const file = join(repository, path);
    const origins = await originsOfText(await eventsOf(file), { file, text, until: time + COMMIT_PRECISION_MS, signal });
    const added = intersection(origins, await new Yielder(signal).run(workSteps(addedLines(former, text))));
    if (added.length > 0) found.push({ path, text, origins: added });
  }
  return found;
}

async function isTouched(catalog: Catalog, repository: string, { path, renamedFrom }: ChangedFile): Promise<boolean> {
  for (const name of renamedFrom === undefined ? [path] : [path, renamedFrom])
    if ((await catalog.touching(join(repository, name))).length > 0) return true;
  return false;
}

/** Returns the last commit's hash, if it has this text. */
async function revisionWith(repository: string, path: string, text: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const head = await resolveCommit(repository, 'HEAD', signal);
  const blob = head === undefined ? undefined : await blobIn(repository, head, path, signal);
  const committed = blob === undefined ? undefined : (await blobTexts(repository, [blob], signal)).get(blob);
  // Git may change line breaks when it checks out.
  return committed !== undefined && linesOf(committed).join('\n') === linesOf(text).join('\n') ? head : undefined;
}

/**
 * Returns a function that reads the sessions of origins, each once, for their ids and the names of their models. Records are
 * published, so secrets in these are replaced.
 */
function namesFor(catalog: Catalog, { link }: AgentTraceOptions): (origins: readonly LineOrigin[]) => Promise<TraceNames> {
  const sessions = new Map<string, Session | undefined>();
  /** Ids and names as sessions have them, and without secrets. */
  const published = new Map<string, string>();
  return async (origins) => {
    const redaction = await Redaction.of([], SECRETS_ALONE);
    for (const { path, entryId, promptId } of origins) {
      // A session that was deleted a moment ago names no model.
      if (!sessions.has(path)) sessions.set(path, await catalog.session(path).catch(() => undefined));
      const session = sessions.get(path);
      const model = session && modelOf(session, entryId);
      if (model !== undefined) published.set(model, await redaction.text(model));
      for (const id of [session?.header.id, promptId]) if (id !== undefined) published.set(id, await redaction.identifier(id));
    }
    const publishedOf = (text: string | undefined): string | undefined => (text === undefined ? undefined : published.get(text));
    return {
      urlOf: (path, entryId) => {
        const session = sessions.get(path);
        const sessionId = publishedOf(session?.header.id) ?? '';
        if (!session || sessionId === '') return undefined;
        return link({ program: session.dialect, sessionId, ...defined({ entryId: publishedOf(entryId) }) });
      },
      modelOf: ({ path, entryId }) => {
        const session = sessions.get(path);
        return session && publishedOf(modelOf(session, entryId));
      },
    };
  };
}

function modelOf(session: Session, entryId: string): string | undefined {
  const head = session.byId.get(entryId);
  return head?.model && modelName({ ...head.model, modelId: head.responseModel ?? head.model.modelId });
}

function recordOf(
  { revision, files }: { readonly revision: string | undefined; readonly files: readonly TraceFile[] },
  { tool }: AgentTraceOptions,
): TraceRecord {
  return {
    version: TRACE_VERSION,
    id: randomUUID(),
    timestamp: new Date().toISOString(),
    ...(revision === undefined ? {} : { vcs: { type: 'git', revision } }),
    tool,
    files,
  };
}

/** @throws {SessionError} `not-found`, `invalid` */
async function textOf(file: string): Promise<string> {
  const path = resolve(expandPath(file, homedir()));
  try {
    return (await readSmallFile(path, { maxBytes: MAX_FILE_BYTES })).toString('utf8');
  } catch (error) {
    if (isMissing(error)) throw new SessionError('not-found', 'This file doesn’t exist: {path}', { path });
    throw error;
  }
}
