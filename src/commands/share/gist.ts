/** Creates secret gists with GitHub's API. Doesn't import the editor's API. */
import { asString, beginning, isObject, SessionError } from '../../core/index';

/** The address of GitHub's API. Tests use another address. */
const GITHUB_API = 'https://api.github.com';

/**
 * Bytes of a file that a gist can show: beyond, GitHub gives it only to Git
 * (https://docs.github.com/en/rest/gists/gists#truncation).
 */
export const MAX_GIST_BYTES = 10_000_000;

/** The name under which viewers such as pi's look for the page. */
const FILE_NAME = 'session.html';

/** Milliseconds for the whole upload. */
const TIMEOUT = 120_000;
/** UTF-16 units of a reason that GitHub gives. */
const MAX_REASON = 200;

export interface Gist {
  readonly id: string;
  /** The address on GitHub, where its owner can delete it. */
  readonly url: string;
}

interface GistOptions {
  readonly token: string;
  readonly page: string;
  readonly description: string;
  readonly signal: AbortSignal;
  readonly api?: string;
}

/**
 * Uploads a page as a secret gist. The token goes to the API alone: redirects aren't followed.
 *
 * @throws {SessionError} `permission` if GitHub refuses the sign-in; `invalid` if it refuses the gist; `not-found` if it can't be reached.
 * @throws the signal's reason if aborted. The gist may have been created by then.
 */
export async function createGist({ token, page, description, signal, api = GITHUB_API }: GistOptions): Promise<Gist> {
  const response = await fetch(`${api}/gists`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'User-Agent': 'pi-session-tree',
      'X-GitHub-Api-Version': '2022-11-28',
    },
    body: JSON.stringify({ description, public: false, files: { [FILE_NAME]: { content: page } } }),
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw unreachable(error);
  });
  const answer: unknown = await response.json().catch((error: unknown) => {
    signal.throwIfAborted();
    if (response.ok) throw unreachable(error);
  });
  if (!response.ok) throw refusal(response.status, isObject(answer) ? asString(answer['message']) : undefined);
  const id = isObject(answer) ? asString(answer['id']) : undefined;
  if (id === undefined || !/^[0-9a-f]{8,64}$/i.test(id))
    throw new SessionError('invalid', 'GitHub didn’t return a gist. Check gist.github.com to see if it was created.', {});
  return { id, url: `https://gist.github.com/${id}` };
}

function unreachable(error: unknown): SessionError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const text = 'GitHub couldn’t be reached ({reason}). Look at gist.github.com whether the gist was created before you try again.';
  return new SessionError('not-found', text, { reason: beginning(reason, MAX_REASON) }, { cause: error });
}

function refusal(status: number, message = ''): SessionError {
  const reason = beginning(message, MAX_REASON) || String(status);
  switch (status) {
    case 401:
      return new SessionError('permission', 'GitHub didn’t accept the sign-in, so nothing was shared. Sign in again.', {});
    case 403:
    case 404:
    case 429:
      // GitHub answers 404 to a token that may not create gists.
      return new SessionError('permission', 'GitHub doesn’t let this account create a gist now, so nothing was shared: {reason}', {
        reason,
      });
    case 413:
    case 422:
      return new SessionError('invalid', 'GitHub refused the gist, so nothing was shared. It may be too large: {reason}', { reason });
    default:
      return new SessionError('invalid', 'GitHub couldn’t create the gist: {reason}', { reason });
  }
}

/** The viewer of pi's own `/share`. It reads the part after `#` in the browser, and loads the gist from GitHub. */
export const DEFAULT_VIEWER = 'https://pi.dev/session/#{id}';

/** Returns the link by the setting `sessionTree.share.viewer`, in which `{id}` stands for the gist's id; else by pi's viewer. */
export function viewerLink(setting: unknown, id: string): string {
  return linkBy(setting, id) ?? DEFAULT_VIEWER.replace('{id}', id);
}

function linkBy(setting: unknown, id: string): string | undefined {
  if (typeof setting !== 'string' || !setting.includes('{id}')) return undefined;
  const link = setting.trim().replaceAll('{id}', id);
  return URL.canParse(link) && new URL(link).protocol === 'https:' ? link : undefined;
}
