/** The extension's log: each record begins with a line of its own, whatever stands in its text. */
import * as vscode from 'vscode';
import { uiLine } from '../core/index';

export interface Log {
  readonly show: (preserveFocus?: boolean) => void;
  readonly dispose: () => void;
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
  /** With the stack. `doing`: what failed. */
  readonly error: (error: unknown, doing?: string) => void;
}

/** UTF-16 units of a record's text. */
const MAX_TEXT_LENGTH = 4000;
/** UTF-16 units at the end of a stack, where its calls are. */
const MAX_STACK_LENGTH = 10_000;

export function openLog(name: string): Log {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  return {
    info: (text) => channel.info(uiLine(text, MAX_TEXT_LENGTH)),
    warn: (text) => channel.warn(uiLine(text, MAX_TEXT_LENGTH)),
    error: (error, doing) => channel.error([uiLine(`${doing === undefined ? '' : `${doing}: `}${String(error)}`, MAX_TEXT_LENGTH), ...stackCalls(error)].join('\n')),
    show: (preserveFocus) => channel.show(preserveFocus),
    dispose: () => channel.dispose(),
  };
}

/** The calls of an error's stack, indented as in it, so that none looks like a record. */
function stackCalls(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '').slice(-MAX_STACK_LENGTH) : '';
  return stack.split('\n').filter((call) => /^ {4}at /.test(call)).map((call) => `    ${uiLine(call)}`);
}
