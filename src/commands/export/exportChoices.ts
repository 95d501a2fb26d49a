/** Questions of an export: the format, the branches, and the place. */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import {
  EXPORT_FORMATS,
  FORMAT_FACTS,
  freeExportPath,
  headsOf,
  rootOf,
  SessionError,
  tipPlaces,
  titledExportName,
  Yielder,
  type ExportFormat,
  type ExportStyle,
  type Session,
} from '../../core/index';
import { showSaveDialog } from '../../ui/quickInput';
import { flag, type CommandArguments } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import { choose, type Choice } from '../handler/prompts';

type Branches = 'active' | 'all';

/** Returns the translations of an export's own texts into the editor's language, if there are any. */
export function exportTexts(): Pick<ExportStyle, 'translate' | 'language' | 'translations'> {
  const translations = vscode.l10n.bundle;
  return {
    translate: (template, args) => vscode.l10n.t(template, args),
    ...(translations === undefined ? {} : { language: vscode.env.language, translations }),
  };
}

/** Redacting is the default. @throws {SessionError} `invalid` */
export const isRedacted = (args: CommandArguments): boolean =>
  !Object.hasOwn(args, 'redact') || args['redact'] === undefined || flag(args, 'redact');

/**
 * An export in a session folder would be listed as a session. A link may lead there, too, and to a root that hasn't answered yet.
 *
 * @throws {SessionError} `invalid`; as `Writer.assertChangeable`
 */
export async function assertOutside(deps: Pick<CommandDeps, 'roots' | 'writer'>, target: string): Promise<void> {
  if (rootOf(target, deps.roots()))
    throw new SessionError('invalid', 'Choose a location outside the session folders: {path}', { path: target });
  await deps.writer.assertChangeable(target);
}

/** @param more further choices */
export const chooseFormat = <More extends string = never>(title: string, ...more: readonly Choice<More>[]): Promise<ExportFormat | More> =>
  choose<ExportFormat | More>(title, vscode.l10n.t('Select a format'), [
    ...EXPORT_FORMATS.map((value) => {
      const { label, describe } = FORMAT_FACTS[value];
      return { label, description: describe((template, args) => vscode.l10n.t(template, args)), value };
    }),
    ...more,
  ]);

/** Asks which branches, if there are several. */
export async function chooseBranches(
  title: string,
  session: Session,
  { entryId }: SessionRef,
): Promise<{ branches: Branches; entryId?: string }> {
  const here = entryId === undefined || entryId === session.leafId ? {} : { entryId };
  const tips = await new Yielder(undefined).run(tipPlaces(headsOf(session)));
  if (tips.length < 2 && here.entryId === undefined) return { branches: 'all' };
  const active = here.entryId === undefined ? vscode.l10n.t('Active Branch') : vscode.l10n.t('Branch up to This Entry');
  const branches = await choose<Branches>(title, vscode.l10n.t('Select what to export'), [
    { label: active, value: 'active' },
    { label: vscode.l10n.t('All Branches'), value: 'all' },
  ]);
  return branches === 'all' ? { branches } : { branches, ...here };
}

/**
 * Returns the folder of the last export, or else the folder for downloads: in a project, a transcript would soon be committed with
 * everything else.
 */
async function defaultFolder({ exportFolder }: Pick<CommandDeps, 'exportFolder'>): Promise<string> {
  for (const folder of [exportFolder.last(), join(homedir(), 'Downloads')]) {
    const stats = folder === undefined ? undefined : await stat(folder).catch(() => undefined);
    if (folder !== undefined && stats?.isDirectory()) return folder;
  }
  return homedir();
}

/**
 * Asks where to save; the dialog asks before it replaces a file.
 *
 * @param sessionTitle the session's title without secrets
 * @throws {vscode.CancellationError}
 */
export async function askTarget(
  deps: CommandDeps,
  title: string,
  session: Session,
  format: ExportFormat,
  sessionTitle: string,
): Promise<string> {
  const { label, extension } = FORMAT_FACTS[format];
  const uri = await showSaveDialog({
    title,
    defaultUri: vscode.Uri.file(await freeExportPath(await defaultFolder(deps), titledExportName(session.header, sessionTitle), extension)),
    filters: { [label]: [extension] },
  });
  const path = await localPath(deps, uri);
  await deps.exportFolder.remember(dirname(path));
  return path;
}

/** Asks for the folder to create the export's folder in. Returns the path of that new folder. @throws {vscode.CancellationError} */
export async function askFolder(deps: CommandDeps, title: string): Promise<string> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: vscode.l10n.t('Export Here'),
      canSelectFolders: true,
      canSelectFiles: false,
      defaultUri: vscode.Uri.file(await defaultFolder(deps)),
    })) ?? [];
  const folder = await localPath(deps, uri);
  const target = await freeExportPath(folder, `sessions-${new Date().toISOString().slice(0, 10)}`);
  await assertOutside(deps, join(target, 'index'));
  await deps.exportFolder.remember(folder);
  return target;
}

async function localPath(deps: CommandDeps, uri: vscode.Uri | undefined): Promise<string> {
  if (!uri) throw new vscode.CancellationError();
  if (uri.scheme !== 'file') throw new SessionError('invalid', 'Exports can only be saved on the machine where the sessions are.', {});
  await assertOutside(deps, uri.fsPath);
  return uri.fsPath;
}
