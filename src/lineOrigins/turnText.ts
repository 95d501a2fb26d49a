/** The words of hovers and annotations for the turn that wrote a line, in the person's language. */
import * as vscode from 'vscode';
import { DIALECT_FACTS, modelName, type LineOrigin, type Turn } from '../core/index';
import { localizeTitle } from '../ui/localize';

const { t } = vscode.l10n;

/** Functions that the rest of the editor's texts use, too. */
export interface TextFunctions {
  /** @param time milliseconds since 1970 */
  readonly ago: (time: number, now: number) => string;
  /** @param time milliseconds since 1970 */
  readonly age: (time: number, now: number) => string;
  readonly dollars: (cost: number) => string;
  /** Returns one line of at most `length` characters, without links and icons. */
  readonly truncate: (text: string, length: number) => string;
  readonly joinParts: (...parts: readonly (string | undefined)[]) => string;
}

/** The prompt, or a text that replaces it. */
export const promptText = ({ prompt }: Turn): string => prompt ?? t('(no prompt)');

/** The session: title, program and model. */
export const sessionText = ({ title, dialect, model }: Turn, { joinParts, truncate }: TextFunctions): string =>
  joinParts(truncate(localizeTitle(title), 100), DIALECT_FACTS[dialect].label, model && truncate(modelName(model), 60));

/** The time and the cost of the turn, and its branch if it isn't the one that the session continues on. */
export function turnFacts(turn: Turn, time: number, { ago, dollars, joinParts, truncate }: TextFunctions): string {
  const { label, isActive, usage } = turn;
  const date = time === 0 ? '' : new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const passed = ago(time, Date.now());
  return joinParts(
    // A time long ago is a date in both forms.
    date.startsWith(passed) ? undefined : passed,
    date,
    label === undefined ? undefined : t('Label: {0}', truncate(label, 60)),
    isActive ? t('On the active branch') : t('Abandoned branch'),
    usage.cost > 0 ? t({ message: '{0} for this turn', args: [dollars(usage.cost)], comment: '{0} is a sum of dollars' }) : undefined,
  );
}

/** Returns how certain it is that the turn wrote the line. */
export function certaintyText(certainty: LineOrigin['certainty']): string {
  switch (certainty) {
    case 'exact':
      return t('This turn wrote the line as it is.');
    case 'likely':
      return t('This turn probably wrote the line; it was moved or indented since, or there are equal lines nearby.');
  }
}
