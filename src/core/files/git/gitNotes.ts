/** Notes that Git keeps for commits under a separate ref: the commits aren't changed. */
import { resolve } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import type { RootGuard } from '../locate/readOnlyRoots';
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

interface AddNoteOptions {
  /** Replaces the commit's note. Otherwise a commit with a note is refused. */
  readonly overwrite?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly assertChangeable?: RootGuard;
}

/**
 * Adds a note to a commit. Notes are files in Git's folder, so the guard of read-only session folders checks that.
 *
 * @param commit a hash
 * @throws {SessionError} `invalid` if Git refuses; as the guard
 */
export async function addNote(
  repository: string,
  commit: string,
  text: string,
  { overwrite = false, signal, assertChangeable = () => Promise.resolve() }: AddNoteOptions = {},
): Promise<void> {
  const folder = await runGit(repository, ['rev-parse', '--git-common-dir'], { signal });
  if (folder) await assertChangeable(resolve(repository, folder.toString().trimEnd()));
  const target = await runGit(repository, ['for-each-ref', '--format=%(symref)', `refs/notes/${NOTES_REF}`], { signal });
  // Git would add the note's commit to the branch that the ref leads to.
  if (target && target.toString().trim() !== '')
    throw new SessionError('invalid', 'The ref of this repository’s notes leads to another one, so nothing was added: {target}', {
      target: target.toString().trim(),
    });
  const args = [...notes, 'add', ...(overwrite ? ['--force'] : []), '--file=-', '--end-of-options', commit];
  const output = folder && target && HASH.test(commit) ? await runGit(repository, args, { input: text, signal }) : undefined;
  if (!output)
    throw new SessionError(
      'invalid',
      'Git couldn’t add a note to commit {commit}. Set your name and email address in Git’s configuration first.',
      {
        commit: commit.slice(0, 12),
      },
    );
}
