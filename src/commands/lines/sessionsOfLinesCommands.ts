/** The command that lists the sessions that wrote lines of a file: the legend of annotations, and the list that a CodeLens opens. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { SessionError } from '../../core/index';
import { absoluteFile, lineNumber } from '../handler/commandArguments';
import { choose } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { openDocument } from './versionTarget';

type Answer = CommandContract['sessionTree.sessionsOfLines']['answer'];

export function sessionsOfLinesCommands(deps: CommandDeps) {
  const sessionsOf = async (file: string | undefined, from = 1, to = Infinity): Promise<Answer> => {
    const document = file === undefined ? undefined : openDocument(file);
    if (!document) throw new SessionError('invalid', 'Open a file to see which sessions wrote its lines.');
    return deps.annotations.sessionsOf(document, from, to);
  };
  const sessionsOfLines: CommandHandler<Answer> = {
    title: vscode.l10n.t('Sessions of These Lines'),
    runWithArguments: (args) => sessionsOf(absoluteFile(args), lineNumber(args, 'from'), lineNumber(args, 'to')),
    runInteractive: async (call) => {
      const uri = call.menuTarget instanceof vscode.Uri ? call.menuTarget : vscode.window.activeTextEditor?.document.uri;
      // A CodeLens passes its lines, menus pass something else.
      const [, from, to] = call.args;
      const lines = typeof from === 'number' && typeof to === 'number' ? { from, to } : undefined;
      const sessions = await sessionsOf(uri?.scheme === 'file' ? uri.fsPath : undefined, lines?.from, lines?.to);
      const [first, ...more] = sessions;
      if (!first) throw new SessionError('not-found', 'No session is known to have written a line of this file.');
      const choices = sessions.map((one) => ({
        label: `${one.letter} · ${one.title}`,
        description: [one.lines === 1 ? vscode.l10n.t('1 line') : vscode.l10n.t('{0} lines', one.lines), deps.ago(one.time)].join(' · '),
        iconPath: { light: dot(one.color.light), dark: dot(one.color.dark) },
        value: one,
      }));
      const placeholder = vscode.l10n.t('Select a session to open its context where it last wrote one of the lines');
      const { path, entryId } = lines && more.length === 0 ? first : await choose(call.title, placeholder, choices);
      call.ref = { path, entryId };
      await deps.showContext({ path, entryId });
    },
  };
  return { 'sessionTree.sessionsOfLines': sessionsOfLines };
}

/** @param color ours, as `#rrggbb` */
const dot = (color: string): vscode.Uri =>
  vscode.Uri.parse(
    `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5" fill="${color}"/></svg>`)}`,
  );
