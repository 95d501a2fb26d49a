/** The commits of a file as events: those whose texts say something about the edits around them. */
import { blobTexts, fileCommits, repositoryOf, type FileCommit } from '../../../files/git/fileCommits';
import type { SessionEdit } from './sessionEdits';
import { MAX_NAMES, type TimedEvent } from './timedEvent';

export interface Commits {
  readonly repository: string;
  readonly list: readonly FileCommit[];
}

export async function commitsOf(file: string, signal: AbortSignal | undefined): Promise<Commits> {
  const repository = await repositoryOf(file);
  return repository === undefined ? { repository: '', list: [] } : { repository, list: await fileCommits(repository, file, signal) };
}

/** The file's former names, and when it was renamed in the repository. */
export function formerNames(commits: readonly FileCommit[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { renamedFrom, time } of commits) if (renamedFrom !== undefined && names.size < MAX_NAMES) names.set(renamedFrom, time);
  return names;
}

/** A commit whose text of the file is wanted, and the time that counts. */
export type WantedCommit = Pick<FileCommit, 'time' | 'blob'>;

/**
 * Returns the commits before the first edit, and the last ones between two edits; with `isFull` the first ones there, too.
 *
 * @param point a time that counts like that of an edit, in milliseconds since 1970
 */
export function wantedCommits(list: readonly FileCommit[], edits: readonly SessionEdit[], isFull: boolean, point?: number): WantedCommit[] {
  const inOrder = [...list].sort((a, b) => a.time - b.time);
  const first = edits[0]?.time ?? Infinity;
  const wanted: WantedCommit[] = [];
  // A rebase gives old commits a new time; the time of the change is the older one.
  if ((inOrder[0]?.time ?? first) > first) {
    const rebased = inOrder.filter(({ authorTime }) => authorTime < first).at(-1);
    if (rebased) wanted.push({ time: rebased.authorTime, blob: rebased.blob });
  }
  const times = edits.map(({ time }) => time);
  if (point !== undefined) times.push(point);
  times.sort((a, b) => a - b);
  for (const [index, commit] of inOrder.entries()) {
    const next = times.find((time) => time >= commit.time) ?? Infinity;
    const isFirst = isFull && (inOrder[index - 1]?.time ?? -Infinity) < (times.findLast((time) => time < commit.time) ?? -Infinity);
    if (isFirst || (inOrder[index + 1]?.time ?? Infinity) > next) wanted.push(commit);
  }
  return wanted;
}

/** @param texts of blobs, by their hashes */
export function commitEvents(wanted: readonly WantedCommit[], texts: ReadonlyMap<string, string>): TimedEvent[] {
  return wanted.flatMap(({ time, blob }): TimedEvent[] => {
    if (blob === undefined) return [{ time, event: { kind: 'text', text: '', isWhole: true }, isAbsent: true }];
    const text = texts.get(blob);
    return text === undefined ? [] : [{ time, event: { kind: 'text', text, isWhole: true } }];
  });
}

export async function commitTexts(
  { repository, list }: Commits,
  edits: readonly SessionEdit[],
  isFull: boolean,
  point: number | undefined,
  signal: AbortSignal | undefined,
): Promise<TimedEvent[]> {
  const wanted = wantedCommits(list, edits, isFull, point);
  const blobs = wanted.flatMap(({ blob }) => blob ?? []);
  return commitEvents(wanted, await blobTexts(repository, blobs, signal));
}
