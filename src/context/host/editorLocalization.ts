/** Texts of context views in the editor's language. */
import * as vscode from 'vscode';
import { localizeProblem } from '../../ui/localize';
import type { Localization } from '../shared/localization';

export const editorLocalization: Localization = {
  language: vscode.env.language,
  localize: ({ message, args, comment = [] }) => {
    const options = { message, args: Object.fromEntries(Object.entries(args ?? {})), comment };
    return vscode.l10n.t(options);
  },
  problem: localizeProblem,
};
