/** Asks for the input of the Agent Trace commands: files, or a range of commits. */
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { repositoryOf, resolveCommit, SessionError, shortPath } from '../../../core/index';
import { showInformation } from '../../../ui/safe/messages';
import { showSaveDialog } from '../../../ui/safe/quickInput';
import { workspaceFolderPaths } from '../../../ui/workspaceFolders';
import { askText, choose } from '../../handler/prompts';
import { activeUri } from '../../open/activeUri';

export interface CommitRange {
  readonly repository: string;
  /** Empty for the beginning. */
  readonly from: string;
  readonly to: string;
}

/** Git runs in a repository that an untrusted workspace may have brought along. @throws {SessionError} `invalid` */
export function assertTrusted(): void {
  if (!vscode.workspace.isTrusted)
    throw new SessionError('invalid', 'Git doesn’t run in untrusted workspaces. Trust this workspace first.', {});
}

/** Returns the active file's path, if it's on the disk. */
function activeFile(): string | undefined {
  const uri = activeUri();
  return uri?.scheme === 'file' ? uri.fsPath : undefined;
}

/** Lets the person pick the active file or a range of commits, if there is a choice. */
export async function chooseFilesOrCommits(title: string): Promise<readonly string[] | CommitRange> {
  const file = activeFile();
  const isRange =
    file === undefined ||
    (await choose(title, vscode.l10n.t('Select what to export'), [
      { label: vscode.l10n.t('This File'), description: basename(file), value: false },
      { label: vscode.l10n.t('Range of Commits…'), description: vscode.l10n.t('the lines that each commit added'), value: true },
    ]));
  return isRange ? askRange(title) : [file];
}

/** Asks for the repository, if there are several, and for the commits. @throws {vscode.CancellationError} */
export async function askRange(title: string): Promise<CommitRange> {
  assertTrusted();
  const repository = await chooseRepository(title);
  const text = await askText({
    title,
    prompt: vscode.l10n.t('Range of commits, such as main..HEAD for those after main. Start with .. to include the first commit'),
    value: 'HEAD~1..HEAD',
    validateInput: async (value) => {
      const { from, to } = parseRange(value);
      for (const name of from === '' ? [to] : [from, to])
        if ((await resolveCommit(repository, name)) === undefined)
          return vscode.l10n.t('“{name}” isn’t a commit of this repository.', { name });
      return undefined;
    },
  });
  return { repository, ...parseRange(text) };
}

/** Parses `from..to`; a single name is where to begin. */
export function parseRange(text: string): { from: string; to: string } {
  const [from = '', to = ''] = text.split('..').map((name) => name.trim());
  return { from, to: to === '' ? 'HEAD' : to };
}

/** @throws {SessionError} `not-found` if neither the active file nor a workspace folder is in a repository */
export async function chooseRepository(title: string): Promise<string> {
  const file = activeFile();
  const folders = workspaceFolderPaths();
  const places = [...(file === undefined ? [] : [dirname(file)]), ...folders];
  const found = new Set(
    (await Promise.all(places.map((folder) => repositoryOf(join(folder, '.git'))))).filter((path) => path !== undefined),
  );
  const [first, ...more] = found;
  if (first === undefined)
    throw new SessionError('not-found', 'Neither the active file nor a folder of this window is in a Git repository.', {});
  if (more.length === 0) return first;
  return choose(
    title,
    vscode.l10n.t('Select a repository'),
    [...found].map((path) => ({ label: basename(path), description: shortPath(path), value: path })),
  );
}

/** Asks where to save; the dialog asks before it replaces a file. @throws {vscode.CancellationError} */
export async function askTarget(title: string, folder: string): Promise<string> {
  const uri = await showSaveDialog({
    title,
    defaultUri: vscode.Uri.file(join(folder, 'agent-trace.jsonl')),
    filters: { [vscode.l10n.t('Agent Trace records')]: ['jsonl'] },
  });
  if (!uri) throw new vscode.CancellationError();
  if (uri.scheme !== 'file') throw new SessionError('invalid', 'Records can only be saved on the machine where the sessions are.', {});
  return uri.fsPath;
}

/** Shows the message that no line comes from a session. */
export function showNothing(): void {
  void showInformation(vscode.l10n.t('None of these lines come from a session, so there’s nothing to export.'));
}
