// Replacements that last until the test ends: functions, settings, and answers in the person's place. The editor refuses
// modal dialogs in tests, and the system's dialogs can't be reached.
import * as vscode from 'vscode';

const endings: (() => unknown)[] = [];

/** Does something when the test ends. */
export function atEnd(work: () => unknown): void {
  endings.push(work);
}

/** Replaces functions, such as the editor's API, until the test ends. */
export function replace<T extends object>(owner: T, answers: { [Name in keyof T]?: unknown }): void {
  const real = Object.fromEntries(Object.keys(answers).map((name) => [name, owner[name as keyof T]]));
  Object.assign(owner, answers);
  atEnd(() => Object.assign(owner, real));
}

/** Changes a setting of the person until the test ends. */
export async function changeSetting(name: string, value: unknown): Promise<void> {
  const update = (to: unknown): Thenable<void> => vscode.workspace.getConfiguration().update(name, to, vscode.ConfigurationTarget.Global);
  atEnd(() => update(undefined));
  await update(value);
}

/** Does what was kept for the end of the test, the last first. The frame of the suites calls it. */
export async function endTest(): Promise<void> {
  for (const work of endings.splice(0).reverse()) await work();
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
