/** Commits of a repository with the files that each changed, and the files that differ from the last commit. */
import { SessionError } from '../../format/entry/problem';
import { runGit } from './runGit';

/** A file that differs between two states of a repository. */
export interface ChangedFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  /** The path before, if it was renamed. */
  readonly renamedFrom: string | undefined;
  /** The content before; absent for new files. */
  readonly before: string | undefined;
  /** The content afterwards; absent for deleted files, and where it is only on the disk. */
  readonly after: string | undefined;
  readonly isDeleted: boolean;
}

export interface CommitChanges {
  readonly hash: string;
  /** When it was committed, in milliseconds since 1970. */
  readonly time: number;
  /** The first line of its message. */
  readonly subject: string;
  readonly files: readonly ChangedFile[];
}

/** Commits of a range; more are refused. */
const MAX_RANGE = 1000;
/** Characters of a revision's name. */
const MAX_NAME = 250;
/** Comparing many commits takes longer than Git's other answers. */
const RANGE_TIMEOUT_MS = 60_000;
const MAX_FILES = 5000;
const HASH = /^[0-9a-f]{40,64}$/;
const NO_BLOB = /^0+$/;
export const DIFF_OPTIONS = ['--raw', '--no-abbrev', '-z', '-M', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

/** Returns the hash of the commit that a name, such as `HEAD~3` or `main`, refers to; `undefined` if there is none. */
export async function resolveCommit(repository: string, name: string, signal?: AbortSignal): Promise<string | undefined> {
  if (name.length > MAX_NAME || /\p{Cc}/u.test(name)) return undefined;
  const output = await runGit(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], { signal });
  const hash = output?.toString('latin1').trim() ?? '';
  return HASH.test(hash) ? hash : undefined;
}

/** Returns when a commit was made, in milliseconds since 1970. @throws {SessionError} `invalid` if Git fails */
export async function commitTime(repository: string, hash: string, signal?: AbortSignal): Promise<number> {
  const output = await runGit(repository, ['show', '--no-patch', '--no-show-signature', '--format=%ct', hash, '--'], { signal });
  signal?.throwIfAborted();
  const time = Number(output?.toString('latin1').trim());
  if (!output || !Number.isFinite(time)) throw gitFailed(repository);
  return time * 1000;
}

/**
 * Returns the commits that `to` has and `from` hasn't (all, if `from` is empty), the oldest first, each compared with its parent. A
 * merge counts as having no changes.
 *
 * @throws {SessionError} `not-found` for names of no commit, `invalid` for too many commits or if Git fails
 */
export async function commitRange(repository: string, from: string, to: string, signal?: AbortSignal): Promise<CommitChanges[]> {
  const last = await namedCommit(repository, to, signal);
  const range = from === '' ? [last] : [last, `^${await namedCommit(repository, from, signal)}`];
  const count = await runGit(repository, ['rev-list', '--count', `--max-count=${MAX_RANGE + 1}`, ...range, '--'], { signal });
  if (Number(count?.toString('latin1')) > MAX_RANGE)
    throw new SessionError('invalid', 'The range has more than {count} commits. Choose a smaller one.', { count: MAX_RANGE });
  const output = await runGit(
    repository,
    ['log', '--reverse', '--no-show-signature', '--root', ...DIFF_OPTIONS, '--format=%x01%H %ct %s', ...range, '--'],
    { timeout: RANGE_TIMEOUT_MS, signal },
  );
  signal?.throwIfAborted();
  if (!output) throw gitFailed(repository);
  return parseCommits(output.toString('utf8'));
}

/**
 * Returns the files of the working tree that differ from the last commit, including untracked files that aren't
 * ignored. Git compares times and sizes, so the result may include a file whose text hasn't changed.
 *
 * @throws {SessionError} `invalid` if Git fails
 */
export async function workingChanges(repository: string, signal?: AbortSignal): Promise<ChangedFile[]> {
  const config = await withoutFilters(repository, signal);
  const hasCommit = (await resolveCommit(repository, 'HEAD', signal)) !== undefined;
  const changed = hasCommit ? await runGit(repository, [...config, 'diff-index', ...DIFF_OPTIONS, 'HEAD', '--'], { signal }) : Buffer.of();
  const untracked = await runGit(
    repository,
    [...config, 'ls-files', '-z', '--others', '--exclude-standard', ...(hasCommit ? [] : ['--cached'])],
    {
      signal,
    },
  );
  signal?.throwIfAborted();
  if (!changed || !untracked) throw gitFailed(repository);
  const others = new Set(untracked.toString('utf8').split('\0'));
  others.delete('');
  return [
    // A file that was only removed from Git's index is deleted and unknown.
    ...parseChanges(changed.toString('utf8').split('\0')).filter(({ path, isDeleted }) => !isDeleted || !others.has(path)),
    ...[...others]
      .slice(0, MAX_FILES)
      .map((path) => ({ path, renamedFrom: undefined, before: undefined, after: undefined, isDeleted: false })),
  ];
}

/** Returns the hash of a file's content in a commit; `undefined` if the commit doesn't have it. */
export async function blobIn(repository: string, commit: string, path: string, signal?: AbortSignal): Promise<string | undefined> {
  const output = await runGit(repository, ['ls-tree', '-z', commit, '--', path], { signal });
  const [, type, hash = ''] = /^\d+ (\w+) ([0-9a-f]+)\t/.exec(output?.toString('latin1') ?? '') ?? [];
  return type === 'blob' && HASH.test(hash) ? hash : undefined;
}

/** @throws {SessionError} `not-found` */
export async function namedCommit(repository: string, name: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = await resolveCommit(repository, name, signal);
  signal?.throwIfAborted();
  if (hash === undefined)
    throw new SessionError('not-found', '“{name}” isn’t a commit of this repository: {path}', { name, path: repository });
  return hash;
}

export const gitFailed = (repository: string): SessionError =>
  new SessionError('invalid', 'Git couldn’t read this repository: {path}', { path: repository });

/**
 * Returns the options that turn off the programs which the repository's configuration runs on the contents of files.
 *
 * @throws {SessionError} `invalid` if that isn't possible
 */
async function withoutFilters(repository: string, signal: AbortSignal | undefined): Promise<string[]> {
  const output = await runGit(repository, ['config', '-z', '--name-only', '--list'], { signal });
  signal?.throwIfAborted();
  if (!output) throw gitFailed(repository);
  const names = new Set(
    output
      .toString('utf8')
      .split('\0')
      .filter((name) => name.startsWith('filter.')),
  );
  // Git would take the rest of such a name for the value, and run the filter.
  const odd = [...names].find((name) => name.includes('='));
  if (odd !== undefined)
    throw new SessionError(
      'invalid',
      'This repository’s configuration has a filter that can’t be turned off, so its changes aren’t read: {name}',
      {
        name: odd,
      },
    );
  return [...names].flatMap((name) =>
    /\.(clean|smudge|process)$/.test(name) ? ['-c', `${name}=`] : name.endsWith('.required') ? ['-c', `${name}=false`] : [],
  );
}

/** Parses the output of `git log --raw -z` with headers that begin with U+0001. */
function parseCommits(output: string): CommitChanges[] {
  return output
    .split('\u0001')
    .slice(1)
    .flatMap((part) => {
      const [header = '', ...fields] = part.split('\0');
      const [, hash, time, subject = ''] = /^([0-9a-f]{40,64}) (\d+) (.*)$/s.exec(header.trim()) ?? [];
      return hash === undefined ? [] : [{ hash, time: Number(time) * 1000, subject, files: parseChanges(fields) }];
    });
}

/** Parses fields of `--raw -z`: a header, then a path, or two of a renamed file. Only regular files count. */
export function parseChanges(fields: readonly string[]): ChangedFile[] {
  const found: ChangedFile[] = [];
  for (let at = 0; at < fields.length && found.length < MAX_FILES; at++) {
    const [oldMode, newMode = '', before = '', after = '', status = ''] = (fields[at] ?? '').trim().split(' ');
    if (!oldMode?.startsWith(':') || status === '') continue;
    const first = fields[++at] ?? '';
    const isRenamed = status.startsWith('R') || status.startsWith('C');
    const path = isRenamed ? (fields[++at] ?? '') : first;
    const isDeleted = status.startsWith('D');
    if (!(isDeleted ? oldMode.slice(1) : newMode).startsWith('100') || path === '') continue;
    const blob = (hash: string): string | undefined => (HASH.test(hash) && !NO_BLOB.test(hash) ? hash : undefined);
    found.push({ path, renamedFrom: isRenamed ? first : undefined, before: blob(before), after: blob(after), isDeleted });
  }
  return found;
}
