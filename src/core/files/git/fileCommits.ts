/** The commits of a file, across renames, and its texts in them. */
import { lstat, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { lastOf } from '../../format/values/lookups';
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

const LOG_OPTIONS = [
  '--raw',
  '--no-abbrev',
  '-z',
  '-M',
  '--no-ext-diff',
  '--no-textconv',
  '--no-show-signature',
  '--format=%x01%H %ct %at',
];

/** Returns the file's commits, the newest first; none if Git fails. @throws {SessionError} `invalid` if Git doesn't run in the repository */
export async function fileCommits(repository: string, file: string, signal?: AbortSignal): Promise<FileCommit[]> {
  // The file's own folder may be gone.
  const args = ['log', '--follow', `--max-count=${MAX_COMMITS}`, ...LOG_OPTIONS, '--', pathIn(repository, file)];
  const output = await runGit(repository, args, { signal });
  return output ? parseLog(output.toString('utf8'), repository).flatMap(({ changes }) => changes.slice(0, 1)) : [];
}

/** The bytes of the names that one call of Git gets, and its time in milliseconds. */
const MAX_ARGUMENT_BYTES = 64 * 1024;
const TIMEOUT_OF_MANY = 10_000;
const MAX_COMMITS_OF_MANY = 20_000;

/**
 * Returns the commits of many files by their absolute paths, the newest first. A renamed file's former commits are found if
 * its former name is one of the files.
 *
 * @throws {SessionError} `invalid` if Git doesn't run in the repository
 */
export async function commitsOfFiles(
  repository: string,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, FileCommit[]>> {
  const found = new Map<string, FileCommit[]>();
  for (const some of argumentLists(files.map((file) => pathIn(repository, file)))) {
    const args = ['log', `--max-count=${MAX_COMMITS_OF_MANY}`, ...LOG_OPTIONS, '--', ...some];
    const output = await runGit(repository, args, { timeout: TIMEOUT_OF_MANY, signal });
    for (const { changes } of output ? parseLog(output.toString('utf8'), repository) : []) {
      for (const { file, ...commit } of changes) {
        const list = found.get(file);
        if (!list) found.set(file, [commit]);
        else if (list.length < MAX_COMMITS) list.push(commit);
      }
    }
  }
  return found;
}

const pathIn = (repository: string, file: string): string => relative(repository, file).replaceAll(sep, '/');

function* argumentLists(names: readonly string[]): Generator<string[]> {
  let some: string[] = [];
  let bytes = 0;
  for (const name of names) {
    bytes += Buffer.byteLength(name) + 1;
    if (some.length > 0 && bytes > MAX_ARGUMENT_BYTES) {
      yield some;
      [some, bytes] = [[], Buffer.byteLength(name) + 1];
    }
    some.push(name);
  }
  if (some.length > 0) yield some;
}

/** Parses the output of `git log --raw -z` with headers that begin with U+0001: the changes of each commit, with the files' absolute paths. */
function parseLog(output: string, repository: string): { readonly changes: readonly (FileCommit & { readonly file: string })[] }[] {
  return output
    .split('\u0001')
    .slice(1)
    .map((part) => {
      const [header = '', ...fields] = part.split('\0').map((field) => field.trim());
      const [hash = '', time, authorTime] = header.split(' ');
      const changes: (FileCommit & { file: string })[] = [];
      for (let at = 0; at < fields.length && HASH.test(hash); at++) {
        const field = fields[at] ?? '';
        if (!field.startsWith(':')) continue;
        const [, , , blob = '', status = ''] = field.split(' ');
        const isPair = /^[RC]/.test(status);
        const [from, to] = [fields[at + 1], fields[at + (isPair ? 2 : 1)]];
        at += isPair ? 2 : 1;
        if (!HASH.test(blob) || !from || !to) continue;
        const commit = { hash, time: Number(time) * 1000, authorTime: Number(authorTime) * 1000 };
        const isRename = status.startsWith('R');
        changes.push({
          ...commit,
          file: join(repository, to),
          blob: NO_BLOB.test(blob) ? undefined : blob,
          renamedFrom: isRename ? join(repository, from) : undefined,
        });
        if (isRename) changes.push({ ...commit, file: join(repository, from), blob: undefined, renamedFrom: undefined });
      }
      return { changes };
    });
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
