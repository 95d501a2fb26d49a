/** VS Code's API of language models, which some editors built from its code don't have. */
import * as vscode from 'vscode';

/** Returns whether this editor offers language models to extensions. */
export const hasLanguageModels = (): boolean => typeof (vscode.lm as typeof vscode.lm | undefined)?.selectChatModels === 'function';
