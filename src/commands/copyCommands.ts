/** Commands that copy a text of the selected rows. With plain arguments they return it instead. */
import * as vscode from 'vscode';
import type { EntryRef, SessionRef } from '../contract';
import { entryPlainText, readBodies } from '../core/index';
import type { CommandDeps } from './handler/commandDeps';
import type { CommandHandler } from './handler/commandHandler';
import { linkToSession } from './open/sessionLink';
import { entryRefOf, sessionRefOf } from './handler/commandArguments';

export function copyCommands(deps: CommandDeps) {
  const idOf = async ({ path, entryId }: SessionRef): Promise<string> => entryId ?? (await deps.session(path)).header.id;

  const entryText = async ({ path, entryId }: EntryRef): Promise<string> => {
    const entries = await readBodies(await deps.session(path), [entryId]);
    return entries.map(entryPlainText).join('\n');
  };

  /** Makes a command that copies one line for each row. */
  const copyLines = (title: string, textOf: (ref: SessionRef) => Promise<string>): CommandHandler<string> => ({
    title,
    runWithArguments: (args) => textOf(sessionRefOf(args)),
    runInteractive: async (call) => {
      const texts: string[] = [];
      for (const ref of await call.resolveRefs()) texts.push(await textOf(ref));
      await vscode.env.clipboard.writeText(texts.join('\n'));
    },
  });

  const copyText: CommandHandler<string> = {
    title: vscode.l10n.t('Copy Text'),
    runWithArguments: (args) => entryText(entryRefOf(args)),
    runInteractive: async (call) => {
      const { ref } = await call.resolveEntry();
      const others = (await call.resolveRefs()).filter(
        (other): other is EntryRef => other.entryId !== undefined && other.entryId !== ref.entryId,
      );
      const texts: string[] = [];
      for (const each of [ref, ...others]) texts.push(await entryText(each));
      await vscode.env.clipboard.writeText(texts.join('\n\n'));
    },
  };

  const copyFilePath = copyLines(vscode.l10n.t('Copy Path'), (ref) => Promise.resolve(ref.path));
  const copyPath: CommandHandler<string> = {
    ...copyFilePath,
    runInteractive: async (call) => {
      const folders = call.rows.flatMap((row) => (row.row === 'project' && row.cwd !== '' ? [row.cwd] : []));
      if (folders.length === 0) await copyFilePath.runInteractive(call);
      else await vscode.env.clipboard.writeText(folders.join('\n'));
    },
  };

  return {
    'sessionTree.copyPath': copyPath,
    'sessionTree.copyId': copyLines(vscode.l10n.t('Copy ID'), idOf),
    'sessionTree.copyText': copyText,
    'sessionTree.copyLink': copyLines(vscode.l10n.t('Copy Link'), (ref) => Promise.resolve(linkToSession(vscode.env.uriScheme, ref))),
  };
}
