/** Translates errors and problems, with arguments cut so that the sentence stays readable. */
import * as vscode from 'vscode';
import {
  FILTER_FACTS,
  NO_MESSAGES,
  NO_PROMPT,
  plainLine,
  plainRowWithRole,
  SessionError,
  uiArgs,
  uiLine,
  uiPath,
  type EntryHead,
  type Filter,
  type MessageArgs,
  type Problem,
  type SessionSummary,
  shortPath,
} from '../core/index';

/** Returns a problem as one line of safe text in the display language. */
export const localizeProblem = ({ template, args }: Pick<Problem, 'template' | 'args'>): string =>
  uiLine(vscode.l10n.t(template, uiArgs(withShortPaths(args))));

/** Returns a problem as `localizeProblem` does, with long paths cut. For notifications; the log has the full paths. */
export const localizeForNotification = ({ template, args }: Pick<Problem, 'template' | 'args'>): string =>
  localizeProblem({
    template,
    args: withTexts(args, (text) => (ABSOLUTE_PATH.test(text) ? uiPath(shortPath(text), MAX_PATH_LENGTH) : text)),
  });

const ABSOLUTE_PATH = /^(?:[/\\]|[A-Za-z]:[/\\])/;
/** UTF-16 units of a path in a notification: little more than a line of it. */
const MAX_PATH_LENGTH = 80;

/** Returns arguments with `~` for the home folder in paths. */
const withShortPaths = (args: MessageArgs): MessageArgs => withTexts(args, shortPath);

const withTexts = (args: MessageArgs, change: (text: string) => string): MessageArgs =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]));

/** Returns a session's title for reading, without Markdown marks; the stand-ins for a session without text are translated. */
export const localizeTitle = (title: string): string =>
  title === NO_MESSAGES
    ? vscode.l10n.t('(no messages)')
    : title === NO_PROMPT
      ? vscode.l10n.t('(no prompt)')
      : plainLine(title, MAX_TITLE_LENGTH);

/** Returns the title of a session in a list. A session may have messages, but none from a person. */
export const localizeSessionTitle = ({ title, messageCount }: Pick<SessionSummary, 'title' | 'messageCount'>): string =>
  localizeTitle(title === NO_MESSAGES && messageCount > 0 ? NO_PROMPT : title);

/** UTF-16 units; lists cut titles further. */
const MAX_TITLE_LENGTH = 1000;

/** Returns the text of an entry's row with its role, as `plainRowWithRole` does, in the display language. */
export const localizeRow = (row: Pick<EntryHead, 'type' | 'role' | 'text'>, length?: number): string =>
  plainRowWithRole(row, (message, args) => vscode.l10n.t(message, args), length);

/** Returns a filter's name as menus and lists show it. */
export const localizeFilter = (filter: Filter): string => FILTER_FACTS[filter].label((message, args) => vscode.l10n.t(message, args));

/** Returns an error as one line of safe text, translated if it's a `SessionError`. */
export function localizeError(error: unknown): string {
  if (error instanceof SessionError) return localizeProblem(error);
  return uiLine(error instanceof Error ? error.message : String(error));
}
