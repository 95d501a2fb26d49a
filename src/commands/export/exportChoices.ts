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
import { showSaveDialog } from '../../ui/safe/quickInput';
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

/** The choices of a session's export. */
interface ExportChoice {
  readonly format: ExportFormat;
  readonly range: Range;
}

type Range = Pick<SessionRef, 'entryId'> & { readonly branches: Branches };

/** The formats as items of a list. */
const formatChoices = (): Choice<ExportFormat>[] =>
  EXPORT_FORMATS.map((value) => {
    const { label, describe } = FORMAT_FACTS[value];
    return { label, description: describe((template, args) => vscode.l10n.t(template, args)), value };
  });

/** Asks for the format of several sessions; that of the last export is active. @param more further choices */
export async function chooseFormat<More extends string = never>(
  { lastExport }: Pick<CommandDeps, 'lastExport'>,
  title: string,
  ...more: readonly Choice<More>[]
): Promise<ExportFormat | More> {
  const choices: readonly Choice<ExportFormat | More>[] = [...formatChoices(), ...more];
  const last = choices.find(({ value }) => value === lastExport.get('format'))?.value;
  const chosen = await choose(title, vscode.l10n.t('Select a format'), choices, last);
  await lastExport.set('format', chosen);
  return chosen;
}

/** Asks for the format and, if there are several, the branches in one list; the last choice is active, but not its branches on the row of an entry. @param more further choices */
export async function chooseExport<More extends string>(
  { lastExport }: Pick<CommandDeps, 'lastExport'>,
  title: string,
  session: Session,
  ref: SessionRef,
  more: readonly Choice<More>[],
): Promise<ExportChoice | More> {
  const ranges = await rangesOf(session, ref);
  const groups = ranges.map(({ label, value: range }) =>
    formatChoices().map(({ description = '', value: format, ...item }) => ({
      ...item,
      description: ranges.length === 1 ? description : `${label} · ${description}`,
      value: { format, range },
    })),
  );
  const all = groups.flat().filter(({ value }) => value.format === lastExport.get('format'));
  const branches = ref.entryId === undefined ? lastExport.get('branches') : undefined;
  const last = all.find(({ value }) => value.range.branches === branches) ?? all[0];
  const lists: readonly (readonly Choice<ExportChoice | More>[])[] = [...groups, more];
  const chosen = await choose(title, vscode.l10n.t('Select a format'), withLines(lists), last?.value);
  if (typeof chosen === 'string') return chosen;
  await lastExport.set('format', chosen.format);
  if (ranges.length > 1) await lastExport.set('branches', chosen.range.branches);
  return chosen;
}

/** Joins lists with a line between two of them. */
function withLines<T>(lists: readonly (readonly Choice<T>[])[]): Choice<T>[] {
  // A separator can't be chosen, so it needs no value.
  const line = { label: '', kind: vscode.QuickPickItemKind.Separator } as Choice<T>;
  return lists.filter((list) => list.length > 0).flatMap((list, index) => (index === 0 ? list : [line, ...list]));
}

/** Asks which branches to share, if there are several. The active one comes first, whatever was chosen last. */
export async function chooseBranches(title: string, session: Session, ref: SessionRef): Promise<Range> {
  const ranges = await rangesOf(session, ref);
  const [first] = ranges;
  if (ranges.length === 1) return first.value;
  return choose(title, vscode.l10n.t('Select what to export'), ranges);
}

/** Returns the active branch, or the one up to an entry, and all branches; only these if there is nothing to choose. */
async function rangesOf(session: Session, { entryId }: SessionRef): Promise<readonly [Choice<Range>, ...Choice<Range>[]]> {
  const here = entryId === undefined || entryId === session.leafId ? {} : { entryId };
  const all: Choice<Range> = { label: vscode.l10n.t('All Branches'), value: { branches: 'all' } };
  const tips = await new Yielder(undefined).run(tipPlaces(headsOf(session)));
  if (tips.length < 2 && here.entryId === undefined) return [all];
  const label = here.entryId === undefined ? vscode.l10n.t('Active Branch') : vscode.l10n.t('Branch up to This Entry');
  return [{ label, value: { branches: 'active', ...here } }, all];
}

/**
 * Returns the folder of the last export, or else the folder for downloads: in a project, a transcript would soon be committed with
 * everything else.
 */
async function defaultFolder({ lastExport }: Pick<CommandDeps, 'lastExport'>): Promise<string> {
  for (const folder of [lastExport.get('folder'), join(homedir(), 'Downloads')]) {
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
  await deps.lastExport.set('folder', dirname(path));
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
  await deps.lastExport.set('folder', folder);
  return target;
}

async function localPath(deps: CommandDeps, uri: vscode.Uri | undefined): Promise<string> {
  if (!uri) throw new vscode.CancellationError();
  if (uri.scheme !== 'file') throw new SessionError('invalid', 'Exports can only be saved on the machine where the sessions are.', {});
  await assertOutside(deps, uri.fsPath);
  return uri.fsPath;
}
