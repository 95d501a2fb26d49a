// Answers in the person's place: the editor refuses modal dialogs in tests, and the system's dialogs can't be reached.
import * as vscode from 'vscode';

const restore: (() => void)[] = [];

/** Replaces functions, such as those of the editor's API, until the test ends. */
export function replace<T extends object>(owner: T, answers: { [Name in keyof T]?: unknown }): void {
  const real = Object.fromEntries(Object.keys(answers).map((name) => [name, owner[name as keyof T]]));
  Object.assign(owner, answers);
  restore.push(() => Object.assign(owner, real));
}

/** Restores what was replaced. The frame of the suites calls it after each test. */
export function restoreReplaced(): void {
  for (const back of restore.splice(0).reverse()) back();
}

/** Answers modal dialogs with a button until the test ends, or cancels them. Returns the texts of those that come. */
export function answerDialogs(answer?: string): readonly string[] {
  const asked: string[] = [];
  const real = vscode.window.showWarningMessage as (...args: unknown[]) => unknown;
  replace(vscode.window, {
    showWarningMessage: (text: string, options: unknown, ...items: unknown[]) => {
      const { modal, detail } = (typeof options === 'object' ? options : {}) as vscode.MessageOptions;
      if (modal !== true) return real(text, options, ...items);
      asked.push(`${text} ${detail ?? ''} [${items.join(', ')}]`);
      return Promise.resolve(items.includes(answer) ? answer : undefined);
    },
  });
  return asked;
}
