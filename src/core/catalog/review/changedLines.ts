/** The lines that a change added or changed, and the messages that wrote them. */
import { join } from 'node:path';
import { Yielder } from '../../files/concurrency/eventLoop';
import type { ChangedFile } from '../../files/git/commitChanges';
import { blobTexts } from '../../files/git/fileCommits';
import { isMissing } from '../../files/io/fileErrors';
import { readSmallFile } from '../../files/io/smallFile';
import { defined } from '../../format/values/defined';
import { SessionError } from '../../format/entry/problem';
import { addedLines, intersection } from '../../format/lineOrigins/addedLines';
import { workSteps } from '../../format/lineOrigins/work';
import type { Catalog } from '../catalogApi';
import { fileEvents } from '../origins/events/fileEvents';
import { lineOrigins, type LineOrigin } from '../origins/lineOrigins';
import { originsOfText } from '../origins/originsOfText';

/** A changed file, and its added and changed lines by their writers. */
export interface ChangedLines {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly isDeleted: boolean;
  /** The number of lines. */
  readonly added: number;
  /** In order, not overlapping. */
  readonly origins: readonly LineOrigin[];
}

/** The files of a change. */
export interface FilesOfChange {
  readonly repository: string;
  readonly files: readonly ChangedFile[];
  /** The time of the commit at its end, in milliseconds since 1970; `undefined` if it ends on the disk. */
  readonly endTime: number | undefined;
  /** False for files that no session wrote. */
  readonly isTouched: (file: ChangedFile) => boolean;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Commits' times are in seconds. */
const COMMIT_PRECISION_MS = 999;
/** Files whose texts are in memory at a time. */
const CHUNK = 100;

/**
 * Finds the added and changed lines of files. Files that are no text, or too large, are left out.
 *
 * @throws the signal's reason if aborted
 */
export async function changedLines(
  catalog: Catalog,
  { repository, files, endTime, isTouched }: FilesOfChange,
  signal?: AbortSignal,
): Promise<ChangedLines[]> {
  const found: ChangedLines[] = [];
  for (let at = 0; at < files.length; at += CHUNK) {
    const part = files.slice(at, at + CHUNK);
    const texts = await blobTexts(
      repository,
      part.flatMap(({ before, after }) => [before, after].filter((blob) => blob !== undefined)),
      signal,
    );
    for (const file of part) {
      signal?.throwIfAborted();
      if (file.isDeleted) {
        found.push({ path: file.path, isDeleted: true, added: 0, origins: [] });
        continue;
      }
      const before = file.before === undefined ? '' : texts.get(file.before);
      const text = endTime === undefined ? await textOf(join(repository, file.path)) : texts.get(file.after ?? '');
      if (before === undefined || text === undefined || text.length > MAX_FILE_BYTES) continue;
      const ranges = await new Yielder(signal).run(workSteps(addedLines(before, text)));
      const path = join(repository, file.path);
      const origins = ranges.length === 0 || !isTouched(file) ? [] : await originsOf(catalog, { path, text, endTime }, signal);
      const added = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
      // Line breaks alone don't count.
      if (added > 0 || before.length > text.length)
        found.push({ path: file.path, isDeleted: false, added, origins: intersection(origins, ranges) });
    }
  }
  return found;
}

async function originsOf(
  catalog: Catalog,
  { path, text, endTime }: { readonly path: string; readonly text: string; readonly endTime: number | undefined },
  signal: AbortSignal | undefined,
): Promise<LineOrigin[]> {
  if (endTime === undefined) return lineOrigins(catalog, path, { text, ...defined({ signal }) });
  const { events } = await fileEvents(catalog, path, { signal });
  return originsOfText(events, { file: path, text, until: endTime + COMMIT_PRECISION_MS, signal });
}

/** The text of a regular file; `undefined` if it's no text, too large, or was removed a moment ago. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    const text = (await readSmallFile(file, { maxBytes: MAX_FILE_BYTES, followLink: false })).toString('utf8');
    return text.includes('\0') ? undefined : text;
  } catch (error) {
    if (isMissing(error) || error instanceof SessionError) return undefined;
    throw error;
  }
}
