/** Notes that Git keeps beside commits, under a ref of their own: the commits stay as they are. */
import { SessionError } from '../../format/entry/problem';
import { runGit } from './runGit';

/** The ref's name below `refs/notes/`. */
export const NOTES_REF = 'agent-trace';
const HASH = /^[0-9a-f]{40,64}$/;
const notes = ['notes', `--ref=${NOTES_REF}`];

/** Returns the hashes of the commits that have a note. @throws {SessionError} `invalid` if Git fails */
export async function notedCommits(repository: string, signal?: AbortSignal): Promise<Set<string>> {
  const output = await runGit(repository, [...notes, 'list'], { signal });
  signal?.throwIfAborted();
  if (!output) throw new SessionError('invalid', 'Git couldn’t read this repository: {path}', { path: repository });
  return new Set(
    output
      .toString('latin1')
      .split('\n')
      .flatMap((line) => line.split(' ')[1] ?? []),
  );
}

/**
 * Adds a note to a commit.
 *
 * @param commit a hash
 * @param options `overwrite`: replaces the commit's note; else a commit that has one is refused
 * @throws {SessionError} `invalid` if Git refuses
 */
export async function addNote(
  repository: string,
  commit: string,
  text: string,
  { overwrite = false, signal }: { readonly overwrite?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const args = [...notes, 'add', ...(overwrite ? ['--force'] : []), '--file=-', '--end-of-options', commit];
  const output = HASH.test(commit) ? await runGit(repository, args, { input: text, signal }) : undefined;
  if (!output)
    throw new SessionError(
      'invalid',
      'Git couldn’t add a note to commit {commit}. Set your name and email address in Git’s configuration first.',
      {
        commit: commit.slice(0, 12),
      },
    );
}
