/** Exports a session as a file to hand on: redacted, streamed, and complete or not at all. */
import { join } from 'node:path';
import { defined } from '../../format/values/defined';
import { SessionError, type Problem } from '../../format/entry/problem';
import type { Finding } from '../../format/redact/redactor';
import type { Session } from '../../format/session/session';
import { redactedLines, type FindSecretsOptions, type RedactOptions } from '../redact/redactSession';
import { lineCount } from '../redact/redaction';
import { countFileImages } from './embedBlobs';
import { ExportContent, planTitledExport, type ReadLines } from './exportContent';
import type { ExportHead } from './exportFormat';
import { assertFormat, EXPORT_FORMATS, FORMAT_FACTS, type ExportStyle } from './exportFormats';
import { exportLines } from './exportLines';
import { assertExportTarget, writeExport } from './exportTarget';
import { htmlParts } from './htmlFormat';

/** Options of {@link exportSession}. */
export interface ExportOptions extends Omit<FindSecretsOptions, keyof RedactOptions>, ExportStyle {
  /** Absolute path of the new file. */
  readonly target: string;
  /** Replaces a file of that name, unless it's a session. An earlier export as JSONL is one. */
  readonly overwrite?: boolean;
  /** By default secrets and personal data are replaced by placeholders. */
  readonly redact?: boolean | RedactOptions;
  /** Ids of entries that are left out; see `planExport`. */
  readonly leaveOut?: readonly string[];
}

/** An export that was written. */
export interface ExportResult {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hex. */
  readonly sha256: string;
  /** The findings that were replaced; at most 100,000, so that memory is bounded. */
  readonly redacted: Finding[];
  /** Lines of the session that couldn't be exported, or not whole. */
  readonly problems: Problem[];
  /** Facts of the session, redacted. */
  readonly head: ExportHead;
}

/**
 * Exports a session to a new file. Only reads the session; lines and images that can't be read are left out and reported.
 *
 * @throws {SessionError} `invalid` for an unknown format, a target that is taken, or is the session; `unknown-entry`; `changed` if the session was
 * rewritten since it was read; `permission` or `no-space`.
 * @throws the signal's reason if aborted. Then no file remains.
 */
export async function exportSession(session: Session, options: ExportOptions): Promise<ExportResult> {
  const { format, target, overwrite = false } = options;
  assertFormat(format, EXPORT_FORMATS);
  options.signal?.throwIfAborted();
  await assertExportTarget(session, target, overwrite);
  return writeSession(session, await contentOf(session, options), target, overwrite);
}

/** An export that wasn't written to a file. */
export interface ExportedText extends Omit<ExportResult, 'path' | 'sha256'> {
  readonly text: string;
}

/**
 * Exports a session as the text of an HTML page.
 *
 * @throws {SessionError} `invalid` if it has more than `maxBytes`; `unknown-entry`; `changed`.
 * @throws the signal's reason if aborted.
 */
export async function exportPage(
  session: Session,
  { maxBytes, ...options }: Omit<ExportOptions, 'format' | 'target' | 'overwrite'> & { readonly maxBytes: number },
): Promise<ExportedText> {
  options.signal?.throwIfAborted();
  const content = await contentOf(session, { ...options, format: 'html' });
  const parts: string[] = [];
  let bytes = 0;
  for await (const part of htmlParts(content)) {
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes)
      throw new SessionError('invalid', 'The export is larger than {max} MB. Choose one branch, or leave large entries out.', {
        max: Math.floor(maxBytes / 1_000_000),
      });
    parts.push(part);
  }
  const { redacted, problems, head } = content;
  return { text: parts.join(''), bytes, redacted, problems, head };
}

/** An export as the parts of a text. `facts` are those of the parts that were read. */
export interface ExportedParts {
  readonly parts: AsyncIterable<string>;
  readonly facts: () => Pick<ExportResult, 'redacted' | 'problems'>;
}

/**
 * Exports a session as a text that can be written somewhere else.
 *
 * @param options.folder where the export may have temporary files, which are removed when all parts were read
 * @throws {SessionError} as {@link exportSession}; the parts throw, too, and the signal's reason
 */
export async function exportParts(
  session: Session,
  { folder, ...options }: Omit<ExportOptions, 'target' | 'overwrite'> & { readonly folder: string },
): Promise<ExportedParts> {
  assertFormat(options.format, EXPORT_FORMATS);
  options.signal?.throwIfAborted();
  const content = await contentOf(session, options);
  return {
    parts: FORMAT_FACTS[options.format].parts(content, join(folder, 'export')),
    facts: () => ({ redacted: content.redacted, problems: content.problems }),
  };
}

/**
 * Returns the number of places where an HTML export of these entries has an image that is a separate file.
 *
 * @throws {SessionError} as {@link exportSession}; the signal's reason if aborted.
 */
export const fileImages = async (
  session: Session,
  { signal, ...request }: Pick<ExportOptions, 'entryId' | 'branches' | 'signal'>,
): Promise<number> => countFileImages(session, await planTitledExport(session, request, signal), signal);

async function contentOf(session: Session, options: Omit<ExportOptions, 'target' | 'overwrite'>): Promise<ExportContent> {
  const { leaveOut = [], redact = true, signal, onProgress } = options;
  const wholePlan = await planTitledExport(session, { ...options, leaveOut: new Set() }, signal);
  const plan = leaveOut.length === 0 ? wholePlan : await planTitledExport(session, { ...options, leaveOut: new Set(leaveOut) }, signal);
  const read: ReadLines = (onProblem) =>
    redact === false
      ? countedLines(lineCount(plan), exportLines(session, plan, { signal, onProblem }), onProgress)
      : redactedLines(session, plan, {
          ...(redact === true ? {} : redact),
          onProblem,
          wholePlan,
          ...defined({ signal, onProgress }),
        });
  return new ExportContent(session, plan, read, redact !== false, options);
}

/** Writes an export to its file. @throws as {@link exportSession} */
export async function writeSession(session: Session, content: ExportContent, target: string, overwrite: boolean): Promise<ExportResult> {
  const { size, sha256 } = await writeExport(
    target,
    overwrite,
    async (to) => {
      for await (const part of FORMAT_FACTS[content.style.format].parts(content, target)) await to.text(part);
    },
    () => assertExportTarget(session, target, overwrite),
  );
  const { redacted, problems, head } = content;
  return { path: target, bytes: size, sha256, redacted, problems, head };
}

async function* countedLines<T>(total: number, lines: AsyncIterable<T>, onProgress: ExportOptions['onProgress']): AsyncGenerator<T, void> {
  let done = 0;
  for await (const line of lines) {
    yield line;
    onProgress?.(++done, total);
  }
}
