/** The small files by which a repository names other places, and the refusals to run Git there. */
import { resolve } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { isUnc } from '../../format/text/remotePath';
import { isMissing } from '../io/fileErrors';
import { readSmallText } from '../io/smallFile';

/** Throws if a path may be on another computer. */
export type PlaceCheck = (path: string) => Promise<void>;

export const MAX_CONFIG_BYTES = 1024 * 1024;

/** Returns the text of a regular file; an empty one if it's missing. @throws {SessionError} `invalid` for anything else */
export const smallText = (repository: string, path: string): Promise<string> =>
  readSmallText(path, { maxBytes: MAX_CONFIG_BYTES, followLink: false }).catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw cannotCheck(repository);
  });

/** Returns the path that a text in `folder` names. The path of a share is kept as one on every system. */
export const placeNamed = (folder: string, text: string): string => (isUnc(text) ? text : resolve(folder, text));

export const leadsAway = (path: string): SessionError =>
  new SessionError(
    'invalid',
    'Git doesn’t run in this repository, because its configuration or “.git” names a place that may be on another computer: {path}',
    { path },
  );

export const cannotCheck = (path: string): SessionError =>
  new SessionError('invalid', 'Git doesn’t run in this repository, because what its configuration names can’t be checked: {path}', {
    path,
  });

export const isNotOwn = (path: string): SessionError =>
  new SessionError(
    'invalid',
    'Git doesn’t run in this folder, because its “.git” leads to a repository that doesn’t list it as a worktree or a submodule: {path}',
    { path },
  );
