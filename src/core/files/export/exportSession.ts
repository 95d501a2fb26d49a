/** Exports a session as a file to hand on: redacted, streamed, and complete or not at all. */
import { unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { formatMessage, type Problem, type TranslateMessage } from '../../format/entry/problem';
import { defined } from '../../format/entry/defined';
import type { JsonObject } from '../../format/entry/jsonValues';
import { firstWords, sessionTitle } from '../../format/session/sessionTitle';
import { pathTo } from '../../format/session/treeTraversal';
import type { Finding } from '../../format/redact/redactor';
import type { Session } from '../../format/session/session';
import { planExport, type ExportPlan } from '../../format/write/exportPlan';
import { createFile, type LineWriter } from '../io/atomicFile';
import { readSession } from '../read/sessionFile';
import { redactedLines, type FindSecretsOptions, type RedactOptions } from '../redact/redactSession';
import { temporaryName } from '../storage/temporaryFiles';
import { systemStamp } from '../write/systemStamp';
import { branchesToMarkdown } from './branchesMarkdown';
import { exportHtml } from './htmlExport';
import { exportLines } from './exportLines';
import { assertExportTarget, writeExport } from './exportTarget';

/** The forms of an export. */
export const EXPORT_FORMATS = ['html', 'markdown', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Options of {@link exportSession}. */
export interface ExportOptions extends Omit<FindSecretsOptions, keyof RedactOptions> {
  readonly format: ExportFormat;
  /** Absolute path of the new file. */
  readonly target: string;
  /** Replaces a file of that name, unless it's a session. An earlier export as JSONL is one. */
  readonly overwrite?: boolean;
  /** By default secrets and personal data are replaced by placeholders. */
  readonly redact?: boolean | RedactOptions;
  /** Ids of entries that are left out; see `planExport`. */
  readonly leaveOut?: readonly string[];
  /** The folder of the HTML page's script and styles. By default that of this code's bundle. */
  readonly pageFolder?: string;
  /** Translates the document's own texts; English by default. */
  readonly translate?: TranslateMessage;
}

/** An export that was written. */
export interface Exported {
  readonly path: string;
  readonly bytes: number;
  /** The findings that were replaced, at most {@link MAX_FINDINGS}. */
  readonly redacted: Finding[];
  /** Lines of the session that couldn't be exported, or not whole. */
  readonly problems: Problem[];
}

/** The key of the first line that holds the title while it's redacted. */
const TITLE_KEY = 'exportedTitle';

/** Number of findings that are returned, so that memory is bounded. Beyond it they are replaced all the same. */
const MAX_FINDINGS = 100_000;

/** Problems of lines that are missing in an export. */
const MISSING = new Set([
  'bad-line',
  'damaged-line',
  'torn-line',
  'long-line',
  'before-header',
  'duplicate-id',
  'unsupported-event',
  'damaged-event',
]);

/**
 * Exports a session to a new file. Reads the session only; whatever can't be read is left out and reported.
 *
 * @throws {SessionError} `invalid` for a target that is taken, or is the session; `unknown-entry`; `changed` if the session was
 * rewritten since it was read; `permission` or `no-space`.
 * @throws the signal's reason if aborted. Nothing is left behind.
 */
export async function exportSession(session: Session, options: ExportOptions): Promise<Exported> {
  const { target, overwrite = false, leaveOut = [] } = options;
  await assertExportTarget(session, target, overwrite);
  const wholePlan = planExport(session, { ...options, leaveOut: new Set() }, systemStamp());
  const plan = leaveOut.length === 0 ? wholePlan : planExport(session, { ...options, leaveOut: new Set(leaveOut) }, systemStamp());
  const content = new ExportContent(session, plan, wholePlan, options);
  const { size } = await writeExport(
    target,
    overwrite,
    (to) => content.write(to),
    () => assertExportTarget(session, target, overwrite),
  );
  return { path: target, bytes: size, redacted: content.redacted, problems: content.problems };
}

/** The lines of one export, and what is known of it when all were read. */
class ExportContent {
  readonly redacted: Finding[] = [];
  readonly problems: Problem[];

  constructor(
    private readonly session: Session,
    private readonly plan: ExportPlan,
    private readonly wholePlan: ExportPlan,
    private readonly options: ExportOptions,
  ) {
    this.problems = session.problems.filter(({ code }) => MISSING.has(code));
  }

  async write(to: LineWriter): Promise<void> {
    const { format } = this.options;
    if (format === 'markdown') await this.writeMarkdown(to);
    else if (format === 'html') await this.writeHtml(to);
    else await this.writeLines(to);
  }

  private async writeLines(to: LineWriter): Promise<void> {
    for await (const line of this.lines()) await to.line(line);
  }

  /** The title is redacted with the lines: it's part of the first one. */
  private async writeHtml(to: LineWriter): Promise<void> {
    const lines = this.lines({ [TITLE_KEY]: titleOf(this.session, this.plan) });
    const first = await lines.next();
    if (first.done === true) return;
    const { [TITLE_KEY]: title, ...header } = JSON.parse(first.value) as JsonObject;
    const whole = async function* (): AsyncGenerator<string, void> {
      yield JSON.stringify(header);
      yield* lines;
    };
    const note = this.note();
    const { pageFolder } = this.options;
    const page = { title: String(title), leafId: this.plan.leafId, dialect: this.session.dialect, ...defined({ note, pageFolder }) };
    for await (const part of exportHtml(whole(), page)) await to.text(part);
  }

  /** Says how many lines are missing. */
  private note(): string | undefined {
    const count = this.problems.length;
    const { translate = formatMessage } = this.options;
    return count === 0 ? undefined : translate('{count} lines of the session couldn’t be read, and are missing here.', { count });
  }

  /** Makes the document of a redacted copy, so that nothing else can get into it. */
  private async writeMarkdown(to: LineWriter): Promise<void> {
    const { target, signal, translate = formatMessage } = this.options;
    const copy = join(dirname(target), temporaryName(`${basename(target)}.jsonl`));
    try {
      await createFile(copy, (lines) => this.writeLines(lines), { mode: 0o600 });
      const session = await readSession(copy, { dialect: this.session.dialect, ...(signal ? { signal } : {}) });
      const note = this.note();
      for await (const part of branchesToMarkdown(session, { translate, ...defined({ note }) })) {
        signal?.throwIfAborted();
        await to.text(`${part}\n\n`);
      }
    } finally {
      await unlink(copy).catch(() => undefined);
    }
  }

  private async *lines(more: JsonObject = {}): AsyncGenerator<string, void> {
    const { redact = true, signal, onProgress } = this.options;
    const onProblem = (problem: Problem): void => void this.problems.push(problem);
    const plan = { ...this.plan, header: { ...this.plan.header, ...more } };
    if (redact === false) {
      let done = 0;
      const total = 1 + plan.entries.length + plan.addedLines.length;
      for await (const { text } of exportLines(this.session, plan, { signal, onProblem })) {
        yield text;
        onProgress?.(++done, total);
      }
      return;
    }
    const wholePlan = this.wholePlan === this.plan ? plan : this.wholePlan;
    const shared = { onProblem, wholePlan, ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) };
    for await (const { text, findings } of redactedLines(this.session, plan, { ...(redact === true ? {} : redact), ...shared })) {
      for (const finding of findings) if (!finding.kept && this.redacted.length < MAX_FINDINGS) this.redacted.push(finding);
      yield text;
    }
  }
}

/** Returns the title of what is in the export, without a last word that was cut: a part of a secret isn't recognized. */
function titleOf(session: Session, { entries, leafId, name }: ExportPlan): string {
  const kept = new Set(entries.map(({ head }) => head.id));
  const path = pathTo(session, leafId).filter(({ id }) => kept.has(id));
  return sessionTitle(name, firstWords(path)).replace(/\S*…$/, '…');
}
