/** The comments of a person's reviews, kept for each repository in the extension's own storage. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isFlag, isListOf, isObjectOf, isOneOf, isOptional, isText, isWhole } from '../../format/values/checks';
import { isObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { withLock } from '../storage/crossWindowLocks';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { makePrivateFolder } from '../storage/privateFolder';
import { isTimeOrderedId, MAX_VALUE_BYTES, readPrivateJson, writePrivateFile } from '../storage/privateStorage';

/** The way of a prompt to its session. `later` waits until the session is free. */
export type SentHow = 'resume' | 'terminal' | 'fork' | 'later';

/** A prompt that a comment went in. */
export interface SentComment {
  /** The session, which is a new one for a fork. */
  readonly path: string;
  /** The end of the branch that it went to. */
  readonly entryId: string;
  readonly how: SentHow;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The lines when it was sent. */
  readonly lines: string;
}

/** The answer to a comment. */
export interface CommentAnswer {
  /** The session, the prompt in it, and the end of the answer. */
  readonly path: string;
  readonly promptId: string;
  readonly entryId: string;
  /** The beginning of what the model said. */
  readonly text: string;
}

/** A comment on lines, as it's kept. */
export interface KeptComment {
  readonly id: string;
  /** An absolute path. */
  readonly file: string;
  /** The first and the last line, from 1. */
  readonly from: number;
  readonly to: number;
  /** The lines themselves, by which they're found again. */
  readonly lines: string;
  readonly text: string;
  readonly isResolved: boolean;
  /** True if the file no longer has the lines. */
  readonly isOutdated?: boolean | undefined;
  readonly sent?: readonly SentComment[] | undefined;
  readonly answer?: CommentAnswer | undefined;
}

const isSent = isObjectOf<SentComment>({
  path: isNormalAbsolutePath,
  entryId: isText,
  how: isOneOf(['resume', 'terminal', 'fork', 'later']),
  at: isWhole,
  lines: isText,
});

const isAnswer = isObjectOf<CommentAnswer>({ path: isNormalAbsolutePath, promptId: isText, entryId: isText, text: isText });

const isKept = isObjectOf<KeptComment>({
  id: isTimeOrderedId,
  file: isNormalAbsolutePath,
  from: isWhole,
  to: isWhole,
  lines: isText,
  text: isText,
  isResolved: isFlag,
  isOutdated: isOptional(isFlag),
  sent: isOptional(isListOf(isSent)),
  answer: isOptional(isAnswer),
});

const fileOf = (folder: string, repository: string): string =>
  join(folder, `${createHash('sha256').update(repository).digest('hex').slice(0, 32)}.json`);

/**
 * Returns the comments on files of a repository. Values of another shape are left out.
 *
 * @throws {SessionError} if the file can't be read
 */
export async function readComments(folder: string, repository: string): Promise<readonly KeptComment[]> {
  const stored = await readPrivateJson(fileOf(folder, repository));
  if (!isObject(stored) || stored['repository'] !== repository || !Array.isArray(stored['comments'])) return [];
  return stored['comments'].filter((one): one is KeptComment => isKept(one) && one.from >= 1 && one.to >= one.from);
}

/**
 * Changes the comments of a repository, while no other window does. Returns what is kept then.
 *
 * @throws {SessionError} `invalid` if they are too much to be kept, and if the storage can't be used
 */
export async function changeComments(
  folder: string,
  repository: string,
  change: (comments: readonly KeptComment[]) => readonly KeptComment[],
): Promise<readonly KeptComment[]> {
  await makePrivateFolder(folder);
  return withLock(folder, repository, async () => {
    const before = await readComments(folder, repository);
    const comments = change(before);
    if (comments === before) return before;
    const text = JSON.stringify({ repository, comments });
    if (Buffer.byteLength(text) > MAX_VALUE_BYTES)
      throw new SessionError('invalid', 'There are too many comments in this repository. Delete some first: {path}', { path: repository });
    await writePrivateFile(fileOf(folder, repository), text);
    return comments;
  });
}
