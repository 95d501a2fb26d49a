/** Work on many files, some of which may be on a disk that doesn't answer. */
import { SessionError } from '../../format/entry/problem';
import { withDeadline } from './deadline';

/** Milliseconds that one folder may take while a list of all folders is awaited. */
const LIST_MS = 4000;

/**
 * Runs `work` for each item: sequentially within a group, concurrently across groups, so a disk that hangs delays only
 * its own group. A failing item doesn't stop the others.
 *
 * @param bounded wraps the work of one group, for example with a deadline.
 * @throws all failures as one: the error itself if there is only one, otherwise an `AggregateError`.
 */
export async function runGrouped<T>(
  items: Iterable<T>,
  groupOf: (item: T) => string,
  work: (item: T) => Promise<unknown>,
  bounded: (group: string, work: Promise<void>) => Promise<void> = (_, running) => running,
): Promise<void> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(groupOf(item));
    if (group) group.push(item);
    else groups.set(groupOf(item), [item]);
  }
  const failed: unknown[] = [];
  const runGroup = async (group: readonly T[]): Promise<void> => {
    for (const item of group) await work(item).catch((error: unknown) => failed.push(error));
  };
  await Promise.all([...groups].map(([name, group]) => bounded(name, runGroup(group)).catch((error: unknown) => failed.push(error))));
  throwAll(failed);
}

/**
 * Limits the time for an operation in a folder that may not answer.
 *
 * @throws {SessionError} `not-found` after four seconds, so that other folders can still be listed.
 */
export const withListDeadline = <T>(folder: string, work: Promise<T>): Promise<T> =>
  withDeadline(
    work,
    LIST_MS,
    () => new SessionError('not-found', 'This folder isn’t responding, so its sessions aren’t listed: {path}', { path: folder }),
  );

/** Awaits all promises; see {@link runGrouped} for the error. */
export async function settleAll(works: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(works);
  throwAll(settled.flatMap((work) => (work.status === 'rejected' ? errorsOf(work.reason) : [])));
}

/**
 * Returns the single failures of an operation on many files, which are thrown as one: the errors of an
 * `AggregateError`, or the error itself.
 */
export const errorsOf = (error: unknown): readonly unknown[] => (error instanceof AggregateError ? (error.errors as unknown[]) : [error]);

function throwAll(failed: readonly unknown[]): void {
  if (failed.length === 0) return;
  throw failed.length === 1 ? failed[0] : new AggregateError(failed, failed.map(String).join('; '));
}
