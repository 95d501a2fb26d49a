/** The commands that show or hide annotations: of the current line, and of all lines of the active file. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { SessionError } from '../../core/index';
import { showInformation } from '../../ui/safe/messages';
import { withCancellableProgress } from '../handler/cancellableProgress';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandArguments } from '../handler/commandArguments';
import type { CommandHandler } from '../handler/commandHandler';

type Answer = CommandContract['sessionTree.toggleSessionBlame']['answer'];

export function annotationCommands({ annotations }: CommandDeps) {
  const blame: CommandHandler<Answer> = {
    title: vscode.l10n.t('Toggle Session Blame'),
    runWithArguments: async (args) => ({ on: await annotations.toggleBlame(wanted(args)) }),
    runInteractive: async (call) => void (call.answer = { on: await annotations.toggleBlame() }),
  };
  const file = (title: string, kind: 'sessions' | 'heatmap'): CommandHandler<Answer> => ({
    title,
    runWithArguments: async (args) => ({ on: (await annotations.toggleFile(activeFile(), kind, wanted(args))) === 'shown' }),
    runInteractive: async (call) => {
      const document = activeFile();
      const result = await withCancellableProgress(vscode.l10n.t('Finding the origins of lines…'), async ({ signal }) => {
        signal.addEventListener('abort', () => void annotations.toggleFile(document, kind, false));
        const toggled = await annotations.toggleFile(document, kind);
        signal.throwIfAborted();
        return toggled;
      });
      call.answer = { on: result === 'shown' };
      if (result === 'no origins') void showInformation(vscode.l10n.t('No session is known to have written a line of this file.'));
    },
  });
  return {
    'sessionTree.toggleSessionBlame': blame,
    'sessionTree.toggleSessionAnnotations': file(vscode.l10n.t('Toggle Session Annotations'), 'sessions'),
    'sessionTree.toggleSessionHeatmap': file(vscode.l10n.t('Toggle Session Heatmap'), 'heatmap'),
  };
}

/** @throws {SessionError} `invalid` */
function wanted({ on }: CommandArguments): boolean | undefined {
  if (on === undefined || typeof on === 'boolean') return on;
  throw new SessionError('invalid', '“{name}” must be true or false.', { name: 'on' });
}

/** @throws {SessionError} `invalid` */
function activeFile(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme !== 'file') throw new SessionError('invalid', 'Open a file to see which sessions wrote its lines.');
  return document;
}
