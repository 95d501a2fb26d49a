/** The extension's log. Each record begins on a new line; no text can forge a record or the end of one. */
import * as vscode from 'vscode';
import { keepRecent, uiLine } from '../core/index';

export interface Log {
  readonly show: (preserveFocus?: boolean) => void;
  readonly dispose: () => void;
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Writes a warning, unless it's among the last 1,000 different warnings. */
  readonly warnOnce: (text: string) => void;
  /** Writes an error with its stack. `doing` names the action that failed. */
  readonly error: (error: unknown, doing?: string) => void;
}

/** UTF-16 units of a record's first line. */
const MAX_TEXT_LENGTH = 4000;
/** UTF-16 units at the end of a stack, where its calls are. */
const MAX_STACK_LENGTH = 10_000;
/** Different warnings that `warnOnce` remembers. */
const MAX_REMEMBERED_WARNINGS = 1000;

export function openLog(name: string): Log {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  const warnings = new Map<string, true>();
  return {
    info: (text) => channel.info(uiLine(text, MAX_TEXT_LENGTH)),
    warn: (text) => channel.warn(uiLine(text, MAX_TEXT_LENGTH)),
    warnOnce: (text) => {
      const line = uiLine(text, MAX_TEXT_LENGTH);
      if (warnings.has(line)) return;
      keepRecent(warnings, line, true, () => 1, MAX_REMEMBERED_WARNINGS);
      channel.warn(line);
    },
    error: (error, doing) =>
      channel.error(
        [uiLine(`${doing === undefined ? '' : `${doing}: `}${String(error)}`, MAX_TEXT_LENGTH), ...stackCalls(error)].join('\n'),
      ),
    show: (preserveFocus) => channel.show(preserveFocus),
    dispose: () => channel.dispose(),
  };
}

/** Returns the calls of an error's stack, indented as in the stack, so that none looks like a record. */
function stackCalls(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '').slice(-MAX_STACK_LENGTH) : '';
  return stack
    .split('\n')
    .filter((call) => /^ {4}at /.test(call))
    .map((call) => `    ${uiLine(call)}`);
}
