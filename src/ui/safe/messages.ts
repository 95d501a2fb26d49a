/** Notifications, dialogs, progress and the status bar. No text in them becomes a link or an icon. */
import * as vscode from 'vscode';
import { uiLine, uiText } from '../../core/index';

/** Resolves to the chosen action; `undefined` if the message is closed. */
type Show = (text: string, ...actions: string[]) => Thenable<string | undefined>;

export const showInformation: Show = (text, ...actions) =>
  vscode.window.showInformationMessage(uiLine(text), ...actions.map((action) => uiLine(action)));

export const showWarning: Show = (text, ...actions) =>
  vscode.window.showWarningMessage(uiLine(text), ...actions.map((action) => uiLine(action)));

export const showError: Show = (text, ...actions) =>
  vscode.window.showErrorMessage(uiLine(text), ...actions.map((action) => uiLine(action)));

/** Shows a modal dialog; `detail` may have several lines. Resolves to the chosen action; `undefined` if the dialog is closed. */
export function showModal(
  { question, detail = '' }: { readonly question: string; readonly detail?: string },
  ...actions: string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(
    uiLine(question),
    { modal: true, detail: uiText(detail) },
    ...actions.map((action) => uiLine(action)),
  );
}

/** @param duration in milliseconds */
export function setStatusBarMessage(text: string, duration: number): vscode.Disposable {
  return vscode.window.setStatusBarMessage(uiLine(text), duration);
}

interface ProgressStep {
  readonly message?: string;
  readonly increment?: number;
}

/** Like `vscode.window.withProgress`, with safe text. */
export function withProgress<T>(
  options: vscode.ProgressOptions,
  task: (progress: vscode.Progress<ProgressStep>, token: vscode.CancellationToken) => Thenable<T>,
): Thenable<T> {
  const title = options.title === undefined ? {} : { title: uiLine(options.title) };
  return vscode.window.withProgress({ ...options, ...title }, (progress, token) => {
    const report = (step: ProgressStep): void =>
      progress.report(step.message === undefined ? step : { ...step, message: uiLine(step.message) });
    return task({ report }, token);
  });
}
