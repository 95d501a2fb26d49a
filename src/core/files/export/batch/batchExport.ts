/** Exports several sessions into a new folder, after one review of all replacements: one file for each session, and an index. */
import { basename } from 'node:path';
import { defined } from '../../../format/values/defined';
import { formatMessage, SessionError } from '../../../format/entry/problem';
import type { Finding } from '../../../format/redact/redactor';
import type { Session } from '../../../format/session/session';
import type { ExportPlan } from '../../../format/write/exportPlan';
import { Yielder } from '../../concurrency/eventLoop';
import { lineCount, Redaction, type RedactionRules, type ReviewChoices } from '../../redact/redaction';
import { datasetFiles, datasetNames, sourceHash, withoutSignatures } from './dataset';
import { countFileImages } from '../embedBlobs';
import { ExportContent, isInFacts, planTitledExport, type ReadLines } from '../exportContent';
import type { FolderPage } from '../exportFormat';
import { assertFormat, EXPORT_FORMATS, FORMAT_FACTS, type ExportStyle } from '../exportFormats';
import { writeSession, type ExportResult } from '../exportSession';
import { ExportFolder } from './exportFolder';
import { exportLines } from '../exportLines';
import { exportNames } from './exportNames';

/** Options of the methods of {@link BatchExport}. */
export interface BatchOptions {
  readonly signal?: AbortSignal;
  /** Is called with the lines that were read, and the number of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A finding of one of several sessions. */
export interface SessionFinding extends Finding {
  readonly path: string;
}

/** Choices of a person who has reviewed the findings of several sessions. */
export interface BatchChoices extends ReviewChoices {
  readonly leaveOut?: readonly { readonly path: string; readonly entryId: string }[];
}

/** The result of an export of several sessions. */
export interface BatchExportResult {
  /** The new folder. */
  readonly folder: string;
  /** The page that lists the files; JSONL alone has none. */
  readonly index?: string;
  /** For each session, its path and its export. */
  readonly files: readonly { readonly session: string; readonly exported: ExportResult }[];
  readonly failed: readonly FailedExport[];
}

/** A session that wasn't exported, and the reason. */
export interface FailedExport {
  /** The session. */
  readonly path: string;
  readonly error: SessionError;
}

/** The forms of an export of several sessions. A dataset is one of Hugging Face. */
export const BATCH_FORMATS = [...EXPORT_FORMATS, 'dataset'] as const;
/** One of {@link BATCH_FORMATS}. */
export type BatchFormat = (typeof BATCH_FORMATS)[number];

/** The format of the files, and the language of the texts that the export adds. */
type BatchStyle = Omit<ExportStyle, 'signal' | 'format'> & { readonly format: BatchFormat };

/** Number of sessions in one export: each is held in memory, without its texts. */
export const MAX_BATCH_SESSIONS = 1000;

interface Source {
  readonly session: Session;
  readonly plan: ExportPlan;
}

/** Sessions that were read, and are now reviewed and written in the state that was read. */
export class BatchExport {
  private constructor(
    private sources: readonly Source[],
    private readonly branches: 'active' | 'all',
    private readonly redaction: Redaction | undefined,
    private readonly failed: FailedExport[],
  ) {}

  /**
   * Reads the sessions, once for each. Those that can't be read are left out and reported by {@link write}.
   *
   * @param branches by default all.
   * @param redact `false` leaves everything as it is.
   * @throws {SessionError} `invalid` for more than {@link MAX_BATCH_SESSIONS}; the signal's reason if aborted.
   */
  static async open(
    paths: readonly string[],
    read: (path: string) => Promise<Session>,
    { branches = 'all', redact = {} }: { readonly branches?: 'active' | 'all'; readonly redact?: false | RedactionRules },
    { signal, onProgress }: BatchOptions = {},
  ): Promise<BatchExport> {
    if (paths.length > MAX_BATCH_SESSIONS)
      throw new SessionError('invalid', 'At most {max} sessions can be exported at once. Select fewer than {count}.', {
        max: MAX_BATCH_SESSIONS,
        count: paths.length,
      });
    signal?.throwIfAborted();
    const failed: FailedExport[] = [];
    const sources: Source[] = [];
    for (const path of paths) {
      signal?.throwIfAborted();
      await orFailed(failed, path, async () => {
        const session = await read(path);
        sources.push({ session, plan: await planTitledExport(session, { branches }, signal) });
      });
    }
    if (redact === false) return new BatchExport(sources, branches, undefined, failed);
    const redaction = await Redaction.of(
      sources.map(({ session }) => session),
      redact,
    );
    try {
      const learned: Source[] = [];
      const onLine = counter(sources, onProgress);
      for (const source of sources) {
        const { session, plan } = source;
        const isLearned = await orFailed(failed, session.path, () => redaction.learn(session, plan, { signal, onLine }));
        if (isLearned) learned.push(source);
      }
      return new BatchExport(learned, branches, redaction, failed);
    } catch (error) {
      redaction.end();
      throw error;
    }
  }

  /** Ends the thread that redacts. To be called in any case, when nothing is reviewed or written any more. */
  close(): void {
    this.redaction?.end();
  }

  /** Returns the findings that {@link write} will replace, and the uncertain ones. @throws the signal's reason if aborted. */
  async *findings({ signal, onProgress }: BatchOptions = {}): AsyncGenerator<SessionFinding, void> {
    const { redaction } = this;
    signal?.throwIfAborted();
    if (!redaction) return;
    const turn = new Yielder(signal);
    const readable: Source[] = [];
    const onLine = counter(this.sources, onProgress);
    for (const source of this.sources) {
      const { session, plan } = source;
      try {
        for await (const { findings } of redaction.lines(session, plan, { signal, onLine }))
          for (const finding of findings) {
            if (!isInFacts(finding)) yield { ...finding, path: session.path };
            await turn.yieldIfDue();
          }
        readable.push(source);
      } catch (error) {
        // Only reviewed lines are exported.
        this.failed.push(failure(session.path, error));
      }
    }
    this.sources = readable;
  }

  /** Returns the number of places where these sessions have an image that is a separate file. HTML includes these images. */
  async fileImages({ signal }: BatchOptions = {}): Promise<number> {
    let count = 0;
    for (const { session, plan } of this.sources)
      await orFailed([], session.path, async () => void (count += await countFileImages(session, plan, signal)));
    return count;
  }

  /**
   * Writes the files. Removes everything again if the export ends early.
   *
   * @param folder absolute path of the new folder
   * @throws {SessionError} `invalid` for an unknown format, or if the folder is there; `permission` or `no-space`; the signal's reason if aborted.
   */
  async write(
    folder: string,
    look: BatchStyle,
    { leaveOut = [], ...choices }: BatchChoices,
    { signal, onProgress }: BatchOptions = {},
  ): Promise<BatchExportResult> {
    const { redaction } = this;
    assertFormat(look.format, BATCH_FORMATS);
    signal?.throwIfAborted();
    redaction?.choose(choices);
    const failed = [...this.failed];
    const files: { session: string; exported: ExportResult }[] = [];
    const { format } = look;
    const sessions = this.sources.map(({ session }) => session);
    const names =
      format === 'dataset'
        ? datasetNames(sessions, await this.plainNames())
        : exportNames(
            sessions.map(({ header }) => header),
            format,
          );
    const fileLook: ExportStyle = {
      ...look,
      ...defined({ signal }),
      ...(format === 'dataset' ? { format: 'jsonl', change: withoutSignatures } : { format }),
    };
    const onLine = counter(this.sources, onProgress);
    const created = await ExportFolder.create(folder);
    try {
      for (const [position, { session, plan: wholePlan }] of this.sources.entries()) {
        signal?.throwIfAborted();
        const out = new Set(leaveOut.filter(({ path }) => path === session.path).map(({ entryId }) => entryId));
        const plan = out.size === 0 ? wholePlan : await planTitledExport(session, { branches: this.branches, leaveOut: out }, signal);
        const read: ReadLines = (onProblem) =>
          redaction ? redaction.lines(session, plan, { signal, onLine, onProblem }) : exportLines(session, plan, { signal, onProblem });
        const target = created.pathOf(names[position] ?? '');
        await orFailed(failed, session.path, async () => {
          const content = new ExportContent(session, plan, read, redaction !== undefined, fileLook);
          files.push({ session: session.path, exported: await writeSession(session, content, target, false) });
          created.add(target);
        });
      }
      signal?.throwIfAborted();
      const index = await created.addPages(await this.pages(look, files, signal));
      return { folder, files, failed, ...defined({ index }) };
    } catch (error) {
      await created.remove();
      throw error;
    }
  }

  /** Returns the sessions whose files have names in which nothing is replaced. */
  private async plainNames(): Promise<ReadonlySet<string>> {
    const paths = this.sources.map(({ session }) => session.path);
    const { redaction } = this;
    if (!redaction) return new Set(paths);
    const plain = new Set<string>();
    for (const path of paths) if ((await redaction.identifier(basename(path))) === basename(path)) plain.add(path);
    return plain;
  }

  /** Returns the files that list the exported files. The page, if there is one, is the last. */
  private async pages(
    { format, translate = formatMessage, language = 'en' }: BatchStyle,
    files: BatchExportResult['files'],
    signal: AbortSignal | undefined,
  ): Promise<readonly FolderPage[]> {
    if (format !== 'dataset') {
      const newestFirst = files.map(({ exported }) => exported).sort((a, b) => (a.head.timestamp < b.head.timestamp ? 1 : -1));
      const page = FORMAT_FACTS[format].index?.(newestFirst, { translate, language });
      return page ? [page] : [];
    }
    const hashed = [];
    for (const { session } of this.sources) {
      const exported = files.find((file) => file.session === session.path)?.exported;
      if (exported) hashed.push({ exported, sourceHash: await sourceHash(session, signal) });
    }
    return datasetFiles(hashed);
  }
}

/** Runs the work for one session; false if it failed for a reason that concerns only that session. */
async function orFailed(failed: FailedExport[], path: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    failed.push(failure(path, error));
    return false;
  }
}

/** @throws the error itself if it isn't about one session */
function failure(path: string, error: unknown): FailedExport {
  if (error instanceof SessionError && error.code !== 'no-space') return { path, error };
  throw error;
}

function counter(sources: readonly Source[], onProgress: BatchOptions['onProgress']): () => void {
  const total = sources.reduce((sum, { plan }) => sum + lineCount(plan), 0);
  let done = 0;
  return () => onProgress?.(Math.min(++done, total), total);
}
