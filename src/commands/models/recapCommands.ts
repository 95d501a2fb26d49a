/** The command that lets a language model write a recap of a session or of a branch. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { finishSteps, normalizeMarkdown, pathTo, SessionError } from '../../core/index';
import { hasLanguageModels } from '../../ui/languageModelApi';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import type { ReportDocuments } from '../handler/reportDocuments';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { RECAP } from './instructions';
import { askModel } from './languageModels';

type Answer = CommandContract['sessionTree.recap']['answer'];

export function recapCommands(deps: CommandDeps, reports: ReportDocuments) {
  const recap: CommandHandler<Answer> = {
    title: vscode.l10n.t('Recap with a Language Model'),
    runWithArguments: () =>
      Promise.reject(new SessionError('invalid', 'A model reads a session only if the person chooses that in the editor.', {})),
    runInteractive: async (call) => {
      if (!hasLanguageModels()) throw new SessionError('not-found', 'This editor offers no language models to extensions.', {});
      const { path, entryId } = await call.resolveRef();
      const session = await deps.session(path);
      const heads = pathTo(session, entryId ?? session.leafId);
      const { text, model } = await askModel(deps, { title: call.title, session, heads, instructions: RECAP });
      const title = sessionDisplayName(deps, path);
      const note = vscode.l10n.t('Written by {model}. It may be wrong.', { model });
      await reports.showMarkdown(vscode.l10n.t('Recap: {name}', { name: title }), `${safe(note)}\n\n---\n\n${safe(text)}\n`);
    },
  };
  return { 'sessionTree.recap': recap };
}

/** Returns Markdown that loads nothing and links nowhere. */
const safe = (text: string): string => finishSteps(normalizeMarkdown(text));
