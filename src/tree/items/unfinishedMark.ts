/** The mark of a session whose last turn left something to do: its icon, and words for rows and hovers. */
import * as vscode from 'vscode';
import type { Unfinished } from '../../core/index';
import { themeIcon } from './icons';
import { subagentStateText } from './rowText';

const { t } = vscode.l10n;

const ICONS: Readonly<Record<Unfinished, readonly [icon: string, color?: string]>> = {
  error: ['error', 'errorForeground'],
  interrupted: ['debug-pause', 'charts.yellow'],
  unanswered: ['debug-disconnect', 'charts.yellow'],
  question: ['question', 'charts.orange'],
  todos: ['checklist', 'charts.blue'],
};

export const unfinishedIcon = (unfinished: Unfinished): vscode.ThemeIcon => themeIcon(...ICONS[unfinished]);

/** A word or two for rows. */
export function unfinishedWord(unfinished: Unfinished): string {
  switch (unfinished) {
    case 'error':
      return subagentStateText('failed') ?? '';
    case 'interrupted':
    case 'unanswered':
      return subagentStateText(unfinished) ?? '';
    case 'question':
      return t({ message: 'asks you', comment: 'State of a session whose last answer ends with a question to the person' });
    case 'todos':
      return t({ message: 'open todos', comment: 'State of a session whose list of todos has open ones' });
  }
}

/** The reason, as a sentence. */
export function unfinishedReason(unfinished: Unfinished): string {
  switch (unfinished) {
    case 'error':
      return t('Unfinished: the last turn ended with an error');
    case 'interrupted':
      return t('Unfinished: the last answer was interrupted');
    case 'unanswered':
      return t('Unfinished: the last message has no answer');
    case 'question':
      return t('Unfinished: the last answer asks you something');
    case 'todos':
      return t('Unfinished: the list of todos has open ones');
  }
}
