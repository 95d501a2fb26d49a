/** The command that shares a session as a secret gist: reviewed, confirmed each time, and in trusted workspaces only. */
import * as vscode from 'vscode';
import { defined, exportPage, isObject, SessionError, uiLine, type ExportedText } from '../../core/index';
import { withCancellableProgress } from '../handler/cancellableProgress';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { ActionableError, type Notifier } from '../handler/notifications';
import { confirm } from '../handler/prompts';
import { chooseBranches, exportTexts } from '../export/exportChoices';
import { reviewSession } from '../export/exportCommands';
import { redactionSettings } from '../export/redactionSettings';
import { createGist, MAX_GIST_BYTES, viewerLink, type Gist } from './gist';

const SCOPES = ['gist'];

/** For tests: the folder of the page's script and styles, the API's address, and the most bytes of a gist. */
interface TestOptions {
  readonly pageFolder?: string;
  readonly api?: string;
  readonly maxBytes?: number;
}

export function shareCommands(deps: CommandDeps, notifier: Notifier, { api, maxBytes = MAX_GIST_BYTES, ...page }: TestOptions = {}) {
  const handler: CommandHandler<never> = {
    title: vscode.l10n.t('Share Session'),
    runWithArguments: () =>
      Promise.reject(new SessionError('invalid', 'Only a person can share a session, from a menu or the Command Palette.', {})),
    runInteractive: async (call) => {
      assertTrusted();
      const ref = await call.resolveRef();
      const session = await deps.session(ref.path);
      const range = await chooseBranches(call.title, session, ref);
      const { keep, also, leaveOut, withoutFileImages } = await reviewSession(deps, session, range, 'html', call.title);
      const exported = await withCancellableProgress(vscode.l10n.t('Exporting the session…'), (progress) =>
        exportPage(session, {
          ...range,
          ...progress,
          ...page,
          ...exportTexts(),
          withoutFileImages,
          leaveOut: leaveOut.map(({ entryId }) => entryId),
          redact: { ...redactionSettings(), keep, also },
          maxBytes,
        }),
      );
      const { account, accessToken: token } = await signIn({ createIfNone: true });
      await confirmUpload(exported, account.label);
      // The answer may have taken long.
      assertTrusted();
      const gist = await upload(exported, token, api);
      report(gist, notifier);
    },
  };
  return { 'sessionTree.shareSession': handler };
}

/** @throws {SessionError} `invalid` */
function assertTrusted(): void {
  if (!vscode.workspace.isTrusted) throw new SessionError('invalid', 'Sessions can’t be shared from untrusted workspaces.', {});
}

/** @throws {vscode.CancellationError} if the person doesn't sign in */
async function signIn(options: vscode.AuthenticationGetSessionOptions): Promise<vscode.AuthenticationSession> {
  try {
    const session = await vscode.authentication.getSession('github', SCOPES, options);
    if (session) return session;
  } catch (error) {
    // The editor has no other sign of it.
    if (!/cancel|did not consent/i.test(String(error)))
      throw new SessionError('permission', 'Signing in to GitHub failed: {reason}', { reason: errorText(error) }, { cause: error });
  }
  throw new vscode.CancellationError();
}

const errorText = (error: unknown): string =>
  uiLine(isObject(error) && typeof error['message'] === 'string' ? error['message'] : String(error));

/** Asks for confirmation, and says which data is sent and who can see it. @throws {vscode.CancellationError} */
function confirmUpload({ head, bytes, redacted, problems }: ExportedText, account: string): Promise<void> {
  const detail = [
    vscode.l10n.t('“{title}” is uploaded to GitHub as a gist of {account}: {size} KB, as you reviewed it. Texts replaced: {count}.', {
      title: uiLine(head.title, 100),
      account: uiLine(account, 60),
      size: Math.ceil(bytes / 1000).toLocaleString('en-US'),
      count: redacted.length,
    }),
    ...(problems.length === 0 ? [] : [vscode.l10n.t('Lines that couldn’t be read: {count}.', { count: problems.length })]),
    '',
    vscode.l10n.t(
      'Anyone with the link can see it, without signing in. Secret gists aren’t listed, but the link is all that protects them.',
    ),
    vscode.l10n.t('You can delete it on gist.github.com. Copies that others made remain.'),
  ].join('\n');
  return confirm(vscode.l10n.t('Share this session with anyone who has the link?'), detail, vscode.l10n.t('Share'));
}

async function upload({ text: page, head }: ExportedText, token: string, api: string | undefined): Promise<Gist> {
  const description = uiLine(`Session: ${head.title}`, 200);
  try {
    return await withCancellableProgress(vscode.l10n.t('Uploading to GitHub…'), ({ signal }) =>
      createGist({ token, page, description, signal, ...defined({ api }) }),
    );
  } catch (error) {
    if (error instanceof vscode.CancellationError)
      throw new SessionError('invalid', 'The upload was canceled. Check gist.github.com to see if the gist was created anyway.', {});
    if (!(error instanceof SessionError) || error.code !== 'permission') throw error;
    throw new ActionableError(error.code, error.template, error.args, {
      title: vscode.l10n.t('Sign In Again'),
      run: () => signIn({ forceNewSession: true }),
    });
  }
}

function report({ id, url }: Gist, notifier: Notifier): void {
  const link = viewerLink(vscode.workspace.getConfiguration('sessionTree').get<unknown>('share.viewer'), id);
  const open = (address: string) => () => vscode.env.openExternal(vscode.Uri.parse(address, true));
  notifier.info(
    vscode.l10n.t('Shared as a secret gist: {link}', { link }),
    { title: vscode.l10n.t('Copy Link'), run: () => vscode.env.clipboard.writeText(link) },
    { title: vscode.l10n.t('Open'), run: open(link) },
    { title: vscode.l10n.t('Show on GitHub'), run: open(url) },
  );
}
