/**
 * Compares a commit with another one, or with the files on the disk. Reads the repository's objects alone: neither its index nor
 * its ignored files nor its attributes count.
 */
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { forEachConcurrent } from '../concurrency/forEachConcurrent';
import { isMissing } from '../io/fileErrors';
import { readSmallFile } from '../io/smallFile';
import { DIFF_OPTIONS, gitFailed, parseChanges, resolveCommit, type ChangedFile } from './commitChanges';
import { runGit } from './runGit';

/** Files of a commit; of larger ones only the files in question are compared with the disk. */
const MAX_TREE = 50_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Bytes that are read to compare files whose size is the same. */
const MAX_HASHED_BYTES = 512 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/**
 * Returns the commit at which a branch began: the last one that both its end and the remote's default branch have. Without a remote
 * it's `HEAD`; `undefined` if there is no commit.
 */
export async function startOfBranch(repository: string, end = 'HEAD', signal?: AbortSignal): Promise<string | undefined> {
  const head = await resolveCommit(repository, end, signal);
  signal?.throwIfAborted();
  const remote = head === undefined ? undefined : await defaultBranch(repository, signal);
  if (head === undefined || remote === undefined) return resolveCommit(repository, 'HEAD', signal);
  const output = await runGit(repository, ['merge-base', head, remote], { signal });
  signal?.throwIfAborted();
  return (output && (await resolveCommit(repository, output.toString('latin1').trim(), signal))) ?? head;
}

async function defaultBranch(repository: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const output = await runGit(repository, ['for-each-ref', '--format=%(refname)', '--count=1000', 'refs/remotes'], { signal });
  signal?.throwIfAborted();
  const names = (output?.toString('utf8') ?? '').split('\n');
  const heads = names.filter((name) => name.endsWith('/HEAD'));
  const likely = [...heads, ...names.filter((name) => name.endsWith('/main')), ...names.filter((name) => name.endsWith('/master'))];
  // Most people call their own remote so.
  const [name] = likely.sort((a, b) => Number(b.includes('/origin/')) - Number(a.includes('/origin/')));
  return name === undefined ? undefined : resolveCommit(repository, name, signal);
}

/** Returns the regular files that differ between two commits. @throws {SessionError} `invalid` if Git fails */
export async function changesBetween(repository: string, from: string, to: string, signal?: AbortSignal): Promise<ChangedFile[]> {
  const output = await runGit(repository, ['diff-tree', '-r', ...DIFF_OPTIONS, from, to, '--'], { timeout: TIMEOUT_MS, signal });
  signal?.throwIfAborted();
  if (!output) throw gitFailed(repository);
  return parseChanges(output.toString('utf8').split('\0'));
}

/** Files on the disk that differ from a commit. */
export interface DiskChanges {
  readonly files: readonly ChangedFile[];
  /** The number of files that weren't compared, because there are too many or they are too large. */
  readonly left: number;
}

/**
 * Returns the regular files on the disk that differ from a commit: those that it has, and the ones in question. Other new files aren't
 * looked for.
 *
 * @param from `undefined` for a repository without a commit
 * @param inQuestion paths relative to the repository, with `/`
 * @throws {SessionError} `invalid` if Git fails
 * @throws the signal's reason if aborted
 */
export async function changesOnDisk(
  repository: string,
  from: string | undefined,
  inQuestion: readonly string[],
  signal?: AbortSignal,
): Promise<DiskChanges> {
  const tree = from === undefined ? new Map<string, TreeFile>() : await filesOfCommit(repository, from, signal);
  const wanted = new Set(inQuestion);
  const known = [...tree.keys()];
  const compared = known.length > MAX_TREE ? known.filter((path) => wanted.has(path)) : known;
  const paths = [...new Set([...compared, ...wanted])].sort();
  const comparison: Comparison = { repository, tree, hashed: 0, left: known.length - compared.length };
  const found: (ChangedFile | undefined)[] = [];
  await forEachConcurrent(paths, async (path, at) => {
    signal?.throwIfAborted();
    found[at] = await compareFile(comparison, path);
  });
  return { files: found.filter((file) => file !== undefined), left: comparison.left };
}

interface TreeFile {
  readonly blob: string;
  readonly size: number;
}

interface Comparison {
  readonly repository: string;
  readonly tree: ReadonlyMap<string, TreeFile>;
  hashed: number;
  left: number;
}

async function filesOfCommit(repository: string, commit: string, signal: AbortSignal | undefined): Promise<Map<string, TreeFile>> {
  const output = await runGit(repository, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit], { timeout: TIMEOUT_MS, signal });
  signal?.throwIfAborted();
  if (!output) throw gitFailed(repository);
  return parseTree(output.toString('utf8'));
}

/** Parses the output of `git ls-tree -r -l -z`. Only regular files count. */
function parseTree(output: string): Map<string, TreeFile> {
  const files = new Map<string, TreeFile>();
  for (const line of output.split('\0')) {
    const [, blob, size, path] = /^100\d+ blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(line) ?? [];
    if (blob !== undefined && path !== undefined) files.set(path, { blob, size: Number(size) });
  }
  return files;
}

async function compareFile(comparison: Comparison, path: string): Promise<ChangedFile | undefined> {
  const { repository, tree } = comparison;
  const before = tree.get(path);
  const changed = { path, renamedFrom: undefined, before: before?.blob, after: undefined };
  const stats = await lstat(join(repository, path)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!stats) return before && { ...changed, isDeleted: true };
  if (!stats.isFile()) return undefined;
  if (before?.size !== stats.size) return { ...changed, isDeleted: false };
  if (stats.size > MAX_FILE_BYTES || comparison.hashed + stats.size > MAX_HASHED_BYTES) {
    comparison.left++;
    return undefined;
  }
  comparison.hashed += stats.size;
  const bytes = await readSmallFile(join(repository, path), { maxBytes: MAX_FILE_BYTES, followLink: false }).catch((error: unknown) => {
    // It was replaced a moment ago, or can't be read.
    if (error instanceof SessionError || isMissing(error)) return undefined;
    throw error;
  });
  if (!bytes) comparison.left++;
  return !bytes || hashOf(bytes, before.blob.length) === before.blob ? undefined : { ...changed, isDeleted: false };
}

/** The name that Git gives to a content. */
function hashOf(bytes: Buffer, length: number): string {
  const hash = createHash(length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
