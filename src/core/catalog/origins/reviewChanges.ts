/** Finds the changed lines of a working tree that came from sessions; the others are from people and commands. */
import { join } from 'node:path';
import { addedLines, intersection, type LineRange } from '../../format/lineOrigins/addedLines';
import { linesOf } from '../../format/lineOrigins/lineTexts';
import { workSteps } from '../../format/lineOrigins/work';
import { Yielder } from '../../files/concurrency/eventLoop';
import { workingChanges, type ChangedFile } from '../../files/git/commitChanges';
import { blobTexts } from '../../files/git/fileCommits';
import { readSmallFile } from '../../files/io/smallFile';
import { defined } from '../../format/values/defined';
import type { Catalog } from '../catalogApi';
import { lineOrigins, type LineOrigin } from './lineOrigins';

/** Consecutive lines that were added or changed since the last commit. */
export interface ReviewedRange extends LineRange {
  /** Absent if no session is known to have written them: a person did, or a command. */
  readonly origin?: LineOrigin;
}

/** A file of the working tree that differs from the last commit, and its changed lines. */
export interface ReviewedFile {
  /** The absolute path. */
  readonly file: string;
  /** Relative to the repository, with `/`. */
  readonly path: string;
  /** The content in the last commit; absent for new files. */
  readonly blob?: string;
  /** Set if the file is gone. */
  readonly isDeleted?: true;
  /** In order, not overlapping. Empty if lines were only removed. */
  readonly ranges: readonly ReviewedRange[];
}

/** The changes of a working tree with the origins of their lines. */
export interface Review {
  readonly repository: string;
  readonly files: readonly ReviewedFile[];
  /** The number of further files that differ, which were left out. */
  readonly left: number;
}

interface ReviewOptions {
  /** Returns the text of a file in the editor, saved or not; by default the text on the disk counts. */
  readonly editorText?: (file: string) => string | undefined;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Files of a review; files touched by sessions come first. */
const MAX_FILES = 300;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * Compares the working tree with the last commit. Files that are no text or too large are in no review. Runs `git`.
 *
 * @param repository its folder
 * @throws {SessionError} `invalid` if Git fails
 * @throws the signal's reason if aborted
 */
export async function reviewChanges(catalog: Catalog, repository: string, options: ReviewOptions = {}): Promise<Review> {
  const { signal, onProgress } = options;
  const changed = await touchedFirst(catalog, repository, await workingChanges(repository, signal));
  const wanted = changed.slice(0, MAX_FILES);
  const texts = await blobTexts(
    repository,
    wanted.flatMap(({ before }) => before ?? []),
    signal,
  );
  const files: ReviewedFile[] = [];
  for (const [index, changedFile] of wanted.entries()) {
    signal?.throwIfAborted();
    const { before: blob } = changedFile;
    const before = blob === undefined ? '' : texts.get(blob);
    const reviewed = before === undefined ? undefined : await reviewFile(catalog, repository, changedFile, before, options);
    if (reviewed) files.push(reviewed);
    onProgress?.(index + 1, wanted.length);
  }
  return { repository, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), left: changed.length - wanted.length };
}

/** `undefined` for a file that is no text, too large, or the same but for its line breaks. */
async function reviewFile(
  catalog: Catalog,
  repository: string,
  { path, before: blob, isDeleted }: ChangedFile,
  before: string,
  options: ReviewOptions,
): Promise<ReviewedFile | undefined> {
  const file = join(repository, path);
  const reviewed = { file, path, ...defined({ blob }) };
  if (isDeleted) return { ...reviewed, isDeleted, ranges: [] };
  const text = await currentText(file, options);
  if (text === undefined || linesOf(before).join('\n') === linesOf(text).join('\n')) return undefined;
  return { ...reviewed, ranges: await reviewText(catalog, file, { before, text }, options.signal) };
}

/** Returns the added and changed lines of a text by their origins. Runs `git` for the file's commits. */
export async function reviewText(
  catalog: Catalog,
  file: string,
  { before, text }: { readonly before: string; readonly text: string },
  signal?: AbortSignal,
): Promise<ReviewedRange[]> {
  const added = await new Yielder(signal).run(workSteps(addedLines(before, text)));
  return byOrigin(added, await lineOrigins(catalog, file, { text, ...defined({ signal }) }));
}

/** Splits ranges by what wrote them. Both are in order and don't overlap. */
function byOrigin(added: readonly LineRange[], origins: readonly LineOrigin[]): ReviewedRange[] {
  const found: ReviewedRange[] = [];
  for (const range of added) {
    let from = range.from;
    for (const origin of intersection(origins, [range])) {
      if (origin.from > from) found.push({ from, to: origin.from - 1 });
      found.push({ from: origin.from, to: origin.to, origin });
      from = origin.to + 1;
    }
    if (from <= range.to) found.push({ from, to: range.to });
  }
  return found;
}

async function touchedFirst(catalog: Catalog, repository: string, files: readonly ChangedFile[]): Promise<ChangedFile[]> {
  if (files.length <= MAX_FILES) return [...files];
  const touched = new Set<ChangedFile>();
  for (const file of files) if ((await catalog.touching(join(repository, file.path))).length > 0) touched.add(file);
  return [...touched, ...files.filter((file) => !touched.has(file))];
}

/** The file's text; `undefined` if it's no text, too large, gone or no regular file. */
async function currentText(file: string, { editorText, signal }: ReviewOptions): Promise<string | undefined> {
  const text =
    editorText?.(file) ??
    (await readSmallFile(file, { maxBytes: MAX_FILE_BYTES, followLink: false }).then(
      (bytes) => bytes.toString('utf8'),
      () => undefined,
    ));
  signal?.throwIfAborted();
  return text === undefined || text.includes('\0') || text.length > MAX_FILE_BYTES ? undefined : text;
}
