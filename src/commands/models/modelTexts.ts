/** Texts that models write for inputs of commands: the summary of a branch that is left, and a session's name. */
import * as vscode from 'vscode';
import { abandonedEntries, oneLine, pathTo, withoutMarkdown, type Session } from '../../core/index';
import { hasLanguageModels } from '../../ui/languageModelApi';
import type { CommandDeps } from '../handler/commandDeps';
import { askText, askTextOr } from '../handler/prompts';
import { BRANCH_SUMMARY, SESSION_NAME } from './instructions';
import { askModel } from './languageModels';

/** UTF-16 units of a suggested name. */
const MAX_NAME = 100;

/**
 * Asks for the summary of the branch that a branch at an entry abandons. A button lets a model write it.
 *
 * @throws {vscode.CancellationError}
 */
export async function askBranchSummary(deps: CommandDeps, title: string, session: Session, entryId: string): Promise<string> {
  const options = {
    title,
    placeHolder: vscode.l10n.t('Summary'),
    prompt: vscode.l10n.t('Summarize the abandoned branch for the model (optional)'),
  };
  const head = session.byId.get(entryId);
  const heads = head ? abandonedEntries(session, head) : [];
  if (heads.length === 0 || !hasLanguageModels()) return askText(options);
  const tooltip = vscode.l10n.t('Let a Language Model Summarize the Abandoned Branch…');
  const typed = await askTextOr(options, { iconPath: new vscode.ThemeIcon('sparkle'), tooltip });
  if (typed !== null) return typed;
  const { text, model } = await askModel(deps, { title, session, heads, instructions: BRANCH_SUMMARY });
  return `${text}\n\n(This summary was written by the language model ${oneLine(model, MAX_NAME)}.)`;
}

/** Asks for a session's name. A button lets a model suggest one. @throws {vscode.CancellationError} */
export async function askSessionName(deps: CommandDeps, session: Session, options: vscode.InputBoxOptions): Promise<string> {
  if (session.leafId === null || !hasLanguageModels()) return askText(options);
  const button = { iconPath: new vscode.ThemeIcon('sparkle'), tooltip: vscode.l10n.t('Let a Language Model Suggest a Name…') };
  for (let value = options.value ?? ''; ;) {
    const typed = await askTextOr({ ...options, value }, button);
    if (typed !== null) return typed;
    const { title = '' } = options;
    const { text } = await askModel(deps, { title, session, heads: pathTo(session, session.leafId), instructions: SESSION_NAME });
    value = suggestedName(text);
  }
}

/** Returns the first line of an answer without the marks that models put around titles. */
export function suggestedName(answer: string): string {
  const line = answer.split('\n').find((part) => part.trim() !== '') ?? '';
  return oneLine(withoutMarkdown(line), MAX_NAME)
    .replace(/^["'“„«「]+|["'”“»」.。]+$/gu, '')
    .trim();
}
