/** Commands on one version of a file: they compare it with the current file or with the version before, or restore it in the editor. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { fileStateAt, SessionError, shortPath, turnOf, uiLine, type FileState } from '../../core/index';
import { localizeProblem } from '../../ui/localize';
import { setStatusBarMessage } from '../../ui/safe/messages';
import { flag } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { Answer, CommandHandler } from '../handler/commandHandler';
import { confirm } from '../handler/prompts';
import { truncateName } from '../handler/sessions/sessionNames';
import { restoreEdit } from './restoreEdit';
import { currentUri, isWorkspaceFile, resolveVersionTarget, versionTargetOf, type VersionTarget } from './versionTarget';

/** Milliseconds for which the message about unsaved text is shown. */
const STATUS_MESSAGE_DURATION = 8000;

interface Restored {
  readonly exact: boolean;
  /** False if the editor had the text already. */
  readonly isChanged: boolean;
}

interface ShowOptions {
  readonly preserveFocus: boolean;
}

export function fileVersionCommands(deps: CommandDeps) {
  const openFileAt = async (target: VersionTarget, options: ShowOptions): Promise<Answer<'sessionTree.openFileAt'>> => {
    const { ref, file } = target;
    const { uri, exact, isWhole } = await deps.fileAt(ref, file);
    const current = await currentUri(deps, file);
    const then = vscode.Uri.parse(uri);
    // Parts of a file can't be compared with all of it.
    if (!current || !isWhole) await vscode.window.showTextDocument(then, { ...options, preview: true });
    else {
      const texts = { name: basename(file), then: await momentOf(deps, target) };
      const title = exact ? vscode.l10n.t('{name}: {then} (exact) ↔ now', texts) : vscode.l10n.t('{name}: {then} (not exact) ↔ now', texts);
      await showDiff(then, current, title, options);
    }
    return { file, uri, exact };
  };

  const showFileChange = async (target: VersionTarget, options: ShowOptions): Promise<Answer<'sessionTree.showFileChange'>> => {
    const { ref, file } = target;
    const { before, after } = await deps.fileChange(ref, file);
    const exact = before.exact && after.exact;
    const texts = { name: basename(file), then: await momentOf(deps, target) };
    const title = exact
      ? vscode.l10n.t('{name}: {then} (exact)', texts)
      : after.isWhole
        ? vscode.l10n.t('{name}: {then} (not exact)', texts)
        : vscode.l10n.t('{name}: {then} (changed parts only)', texts);
    await showDiff(vscode.Uri.parse(before.uri), vscode.Uri.parse(after.uri), title, options);
    return { before: before.uri, after: after.uri, exact };
  };

  const restore = async (target: VersionTarget, confirmDoubts: (doubts: readonly SessionError[]) => Promise<void>): Promise<Restored> => {
    const state = await stateOf(deps, target);
    const { file } = target;
    const { text } = state;
    const exact = state.certainty === 'exact';
    const current = await currentUri(deps, file);
    if (!current) await assertNothingThere(deps, file);
    const uri = current ?? vscode.Uri.file(file).with({ scheme: 'untitled' });
    // A new document with a path is unsaved from the start, so nothing is opened before the person has agreed.
    await confirmDoubts(await doubtsOf(deps, uri, target, state));
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const change = restoreEdit(document.getText(), text, eol);
    if (!change) return { exact, isChanged: false };
    const { from, to } = change;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(from.line, from.character, to.line, to.character), change.text);
    if (!(await vscode.workspace.applyEdit(edit)))
      throw new SessionError('read-only', 'The editor can’t change this file: {path}', { path: file });
    editor.revealRange(new vscode.Range(from.line, 0, from.line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return { exact, isChanged: true };
  };

  const openAt: CommandHandler<Answer<'sessionTree.openFileAt'>> = {
    title: vscode.l10n.t('Open File at This Point'),
    runWithArguments: async (args) => openFileAt(await versionTargetOf(deps, args), { preserveFocus: false }),
    runInteractive: async (call) => {
      await openFileAt(await resolveVersionTarget(deps, call), { preserveFocus: call.preserveFocus });
    },
  };
  const showChange: CommandHandler<Answer<'sessionTree.showFileChange'>> = {
    title: vscode.l10n.t('Show the Change'),
    runWithArguments: async (args) => showFileChange(await versionTargetOf(deps, args), { preserveFocus: false }),
    runInteractive: async (call) => {
      await showFileChange(await resolveVersionTarget(deps, call), { preserveFocus: call.preserveFocus });
    },
  };
  const restoreVersion: CommandHandler<Answer<'sessionTree.restoreFileVersion'>> = {
    title: vscode.l10n.t('Restore This Version'),
    runWithArguments: async (args) => {
      const target = await versionTargetOf(deps, args);
      const force = flag(args, 'force');
      const { exact } = await restore(target, ([doubt]) => (doubt && !force ? Promise.reject(doubt) : Promise.resolve()));
      return { file: target.file, exact };
    },
    runInteractive: async (call) => {
      const target = await resolveVersionTarget(deps, call);
      const then = await momentOf(deps, target);
      const { isChanged } = await restore(target, async (doubts) => {
        if (doubts.length === 0) return;
        const question = vscode.l10n.t({
          message: 'Restore {path} to the version from “{then}”?',
          args: { path: shortPath(target.file), then },
          comment: '{then} is the prompt that led to the version, and its age',
        });
        await confirm(
          question,
          doubts.map(localizeProblem).join('\n'),
          vscode.l10n.t({ message: 'Restore', comment: 'Button: puts an earlier text into the editor' }),
        );
      });
      const name = basename(target.file);
      const done = isChanged
        ? vscode.l10n.t('Restored {name} without saving it. Use Undo to go back.', { name })
        : vscode.l10n.t('{name} already has this text.', { name });
      setStatusBarMessage(done, STATUS_MESSAGE_DURATION);
    },
  };
  return {
    'sessionTree.openFileAt': openAt,
    'sessionTree.showFileChange': showChange,
    'sessionTree.restoreFileVersion': restoreVersion,
  };
}

/** Reasons to ask before an earlier text replaces the editor's text. */
async function doubtsOf(deps: CommandDeps, uri: vscode.Uri, { file }: VersionTarget, state: WholeState): Promise<SessionError[]> {
  const doubts: SessionError[] = [];
  if (state.certainty === 'likely')
    doubts.push(
      state.reason === 'record'
        ? new SessionError('unsure', 'The text isn’t certain: it isn’t recorded in every detail.')
        : new SessionError('unsure', 'The text isn’t certain: commands or people may have changed the file in between.'),
    );
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty === true && open.getText() !== '')
    doubts.push(new SessionError('unsure', 'The file has unsaved changes, which will be replaced. Undo brings them back.'));
  if (!(await isWorkspaceFile(deps, file))) doubts.push(new SessionError('unsure', 'The file isn’t in a folder of this workspace.'));
  return doubts;
}

async function showDiff(left: vscode.Uri, right: vscode.Uri, title: string, options: ShowOptions): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, uiLine(title), { ...options, preview: true });
}

type WholeState = Exclude<FileState, { readonly certainty: 'parts' }>;

/** @throws {SessionError} `not-found` if nothing is known about the file at that time, or only its changed parts */
async function stateOf(deps: CommandDeps, { ref, file }: VersionTarget): Promise<WholeState> {
  const found = await fileStateAt(await deps.catalog.open(), file, ref, { git: vscode.workspace.isTrusted });
  if (!found) throw new SessionError('not-found', 'No session had written this file by that entry: {path}', { path: file });
  if (found.certainty !== 'parts') return found;
  throw found.reason === 'contradicted'
    ? new SessionError(
        'not-found',
        'Only the changed parts of this version are known, because something else changed the file in between. Use “Show the Change”, or restore another version.',
      )
    : new SessionError(
        'not-found',
        'Only the changed parts of this version are known, because the file’s whole text isn’t recorded. Use “Show the Change”, or restore another version.',
      );
}

/** @throws {SessionError} `invalid` if the path may be on another computer, or names a folder, a device or the like */
async function assertNothingThere({ untrustedPaths }: CommandDeps, file: string): Promise<void> {
  if (await untrustedPaths.isRefused(file))
    throw new SessionError('invalid', 'This file may be on another computer: {path}', { path: file });
  if ((await untrustedPaths.realPath(file)) !== undefined)
    throw new SessionError('invalid', 'This path isn’t a regular file: {path}', { path: file });
}

/** Describes when a version was made, in a few words: by its prompt. */
async function momentOf(deps: CommandDeps, { ref }: VersionTarget): Promise<string> {
  const { prompt, title, time } = turnOf(await deps.session(ref.path), ref.entryId);
  return [truncateName(prompt ?? title), deps.ago(time)].filter((part) => part !== '').join(' · ');
}
