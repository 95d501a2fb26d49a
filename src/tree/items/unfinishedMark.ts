/** The reason why a session is unfinished, in words. */
import * as vscode from 'vscode';
import type { Unfinished } from '../../core/index';

const { t } = vscode.l10n;

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
