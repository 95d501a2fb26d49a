/** The commits of a file, across renames, and its texts in them. */
import { lstat, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { lastOf } from '../../format/entry/lookups';
import { runGit } from './runGit';

export interface FileCommit {
  readonly hash: string;
  /** When it was committed, in milliseconds since 1970. A rebased commit has the time of the rebase. */
  readonly time: number;
  /** When the change was first committed. */
  readonly authorTime: number;
  /** The file's content; absent where the commit deleted it. */
  readonly blob: string | undefined;
  /** The absolute path before the commit, if the commit renamed the file. */
  readonly renamedFrom: string | undefined;
}

const MAX_COMMITS = 500;
const MAX_PARENTS = 64;
const NO_BLOB = /^0+$/;
const HASH = /^[0-9a-f]{40,64}$/;

/** Returns the folder with the repository's `.git`; `undefined` outside of repositories. */
export async function repositoryOf(file: string): Promise<string | undefined> {
  const folders = [dirname(resolve(file))];
  for (let parent = dirname(lastOf(folders)); parent !== lastOf(folders) && folders.length < MAX_PARENTS; parent = dirname(parent))
    folders.push(parent);
  // At once: each call waits for a thread.
  const found = await Promise.all(folders.map((folder) => lstat(join(folder, '.git')).catch(() => undefined)));
  return folders.find((_, at) => found[at]);
}

/** Returns a text that changes with each commit and checkout; `undefined` if there is no such text. */
export async function repositoryState(repository: string): Promise<string | undefined> {
  const found = await Promise.all(['logs/HEAD', 'HEAD'].map((name) => stat(join(repository, '.git', name)).catch(() => undefined)));
  return found[0] ? JSON.stringify(found.map((one) => [one?.size, one?.mtimeMs, one?.ino])) : undefined;
}

/** Returns the file's commits, the newest first; none if Git fails. @throws {SessionError} `invalid` if Git doesn't run in the repository */
export async function fileCommits(repository: string, file: string, signal?: AbortSignal): Promise<FileCommit[]> {
  // The file's own folder may be gone.
  const output = await runGit(
    repository,
    [
      'log',
      '--follow',
      '--raw',
      '--no-abbrev',
      '-z',
      '-M',
      `--max-count=${MAX_COMMITS}`,
      '--no-ext-diff',
      '--no-textconv',
      '--no-show-signature',
      '--format=%x01%H %ct %at',
      '--',
      relative(repository, file).replaceAll(sep, '/'),
    ],
    { signal },
  );
  return output ? parseLog(output.toString('utf8'), repository) : [];
}

/** Parses the output of `git log --raw -z` with headers that begin with U+0001. */
function parseLog(output: string, repository: string): FileCommit[] {
  const commits: FileCommit[] = [];
  for (const part of output.split('\u0001').slice(1)) {
    const [header = '', ...fields] = part.split('\0').map((field) => field.trim());
    const [hash = '', time, authorTime] = header.split(' ');
    const at = fields.findIndex((field) => field.startsWith(':'));
    const [, , , blob = '', status = ''] = (fields[at] ?? '').split(' ');
    if (!HASH.test(hash) || !HASH.test(blob)) continue;
    const from = fields[at + 1];
    commits.push({
      hash,
      time: Number(time) * 1000,
      authorTime: Number(authorTime) * 1000,
      blob: NO_BLOB.test(blob) ? undefined : blob,
      renamedFrom: status.startsWith('R') && from ? join(repository, from) : undefined,
    });
  }
  return commits;
}

/** Returns the texts of blobs by their hashes; blobs that Git doesn't have, or that aren't text, are missing. */
export async function blobTexts(repository: string, blobs: readonly string[], signal?: AbortSignal): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (blobs.length === 0) return texts;
  const output = await runGit(repository, ['cat-file', '--batch'], { input: `${[...new Set(blobs)].join('\n')}\n`, signal });
  for (let at = 0; output && at < output.length;) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const [hash = '', type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    const bytes = output.subarray(at, at + Number(size));
    if (!bytes.includes(0)) texts.set(hash, bytes.toString('utf8'));
    at += Number(size) + 1;
  }
  return texts;
}
