/** The command that exports a session to a file, after a review of what is replaced. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import {
  EXPORT_FORMATS,
  exportSession,
  freeExportPath,
  rootOf,
  SessionError,
  tips,
  uiLine,
  type ExportFormat,
  type Session,
} from '../../core/index';
import { showSaveDialog } from '../../ui/quickInput';
import { withCancellableProgress } from '../handler/cancellableProgress';
import { flag, optionalOneOf, requiredString, sessionRefOf, type CommandArguments } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';
import { choose } from '../handler/prompts';
import { groupFindings } from './findingGroups';
import { redactionSettings } from './redactionSettings';
import { reviewFindings, type Reviewed } from './reviewFindings';

type Answer = CommandContract['sessionTree.exportSession']['answer'];
type Branches = 'active' | 'all';

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = { html: 'html', markdown: 'md', jsonl: 'jsonl' };
const LABELS: Readonly<Record<ExportFormat, string>> = { html: 'HTML', markdown: 'Markdown', jsonl: 'JSONL' };

export function exportCommands(deps: CommandDeps, notifier: Notifier) {
  const exportOne: CommandHandler<Answer> = {
    title: vscode.l10n.t('Export Session'),
    runWithArguments: async (args) => {
      const { path, entryId } = sessionRefOf(args);
      const format = optionalOneOf(args, 'format', EXPORT_FORMATS);
      if (format === undefined) requiredString(args, 'format');
      const branches = optionalOneOf(args, 'branches', ['active', 'all']);
      const target = requiredString(args, 'target');
      assertOutside(deps, target);
      return exportSession(await deps.session(path), {
        format: format ?? 'jsonl',
        target,
        overwrite: flag(args, 'overwrite'),
        redact: isRedacted(args) && redactionSettings(),
        ...(entryId === undefined ? {} : { entryId }),
        ...(branches === undefined ? {} : { branches }),
      });
    },
    runInteractive: async (call) => {
      const ref = await call.resolveRef();
      const session = await deps.session(ref.path);
      const format = await chooseFormat(call.title);
      const range = await chooseBranches(call.title, session, ref);
      const groups = await withCancellableProgress(vscode.l10n.t('Looking for secrets…'), (progress) =>
        groupFindings(session, { ...range, ...redactionSettings(), ...progress }),
      );
      const reviewed = groups.length === 0 ? NOTHING_FOUND : await reviewFindings(deps, session, groups, call.title);
      const target = await askTarget(call.title, session, format);
      assertOutside(deps, target);
      const { keep, also, leaveOut } = reviewed;
      const { path, redacted, problems } = await withCancellableProgress(vscode.l10n.t('Exporting the session…'), (progress) =>
        exportSession(session, {
          ...range,
          ...progress,
          format,
          target,
          leaveOut,
          redact: { ...redactionSettings(), keep, also },
          overwrite: true,
          translate: (template, args) => vscode.l10n.t(template, args),
        }),
      );
      const done = vscode.l10n.t('Exported to {path}. Texts replaced: {count}.', { path, count: redacted.length });
      const missing = problems.length === 0 ? '' : ` ${vscode.l10n.t('Lines that couldn’t be read: {count}.', { count: problems.length })}`;
      notifier.info(`${done}${missing}`, {
        title: vscode.l10n.t('Open'),
        run: () => vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path)),
      });
    },
  };
  return { 'sessionTree.exportSession': exportOne };
}

const NOTHING_FOUND: Reviewed = { keep: [], also: [], leaveOut: [] };

/** Redacting is the default. @throws {SessionError} `invalid` */
const isRedacted = (args: CommandArguments): boolean =>
  !Object.hasOwn(args, 'redact') || args['redact'] === undefined || flag(args, 'redact');

/** An export in a session folder would be listed as a session. @throws {SessionError} `invalid` */
function assertOutside(deps: CommandDeps, target: string): void {
  if (rootOf(target, deps.roots()))
    throw new SessionError('invalid', 'Choose a location outside the session folders: {path}', { path: target });
}

const chooseFormat = (title: string): Promise<ExportFormat> =>
  choose<ExportFormat>(title, vscode.l10n.t('Select a format'), [
    { label: 'HTML', description: vscode.l10n.t('to read in any browser, with the tree'), value: 'html' },
    { label: 'Markdown', description: vscode.l10n.t('to read, here or on GitHub'), value: 'markdown' },
    { label: 'JSONL', description: vscode.l10n.t('to continue: its program opens it'), value: 'jsonl' },
  ]);

/** Asks which branches, if there are several. */
async function chooseBranches(title: string, session: Session, { entryId }: SessionRef): Promise<{ branches: Branches; entryId?: string }> {
  const here = entryId === undefined || entryId === session.leafId ? {} : { entryId };
  if (tips(session).length < 2 && here.entryId === undefined) return { branches: 'all' };
  const active = here.entryId === undefined ? vscode.l10n.t('Active Branch') : vscode.l10n.t('Branch up to This Entry');
  const branches = await choose<Branches>(title, vscode.l10n.t('Select what to export'), [
    { label: active, value: 'active' },
    { label: vscode.l10n.t('All Branches'), value: 'all' },
  ]);
  return branches === 'all' ? { branches } : { branches, ...here };
}

/** Asks where to save; the dialog asks before it replaces a file. @throws {vscode.CancellationError} */
async function askTarget(title: string, session: Session, format: ExportFormat): Promise<string> {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? homedir();
  const extension = EXTENSIONS[format];
  const uri = await showSaveDialog({
    title,
    defaultUri: vscode.Uri.file(await freeExportPath(folder, fileName(session), extension)),
    filters: { [LABELS[format]]: [extension] },
  });
  if (!uri) throw new vscode.CancellationError();
  if (uri.scheme !== 'file') throw new SessionError('invalid', 'Exports can only be saved on the machine where the sessions are.', {});
  return uri.fsPath;
}

/** Returns a file name without anything that was said, which could be a secret: the day and the id. */
const fileName = ({ header }: Session): string =>
  uiLine(`session-${header.timestamp.slice(0, 10)}-${header.id.slice(-8)}`, 60).replaceAll(/[^\w.-]+/g, '-');
