/**
 * Texts and numbers in the reader's language. The extension host gives the editor's own translations, an exported page
 * the translations embedded in it. Without either, texts are English.
 */
import { formatMessage, uiArgs, type MessageArgs, type Problem } from '../../core/format/entry/problem';
import { uiLine } from '../../core/format/text/uiText';

/** A text with its arguments, and maybe a comment for translators. */
interface LocalizedText {
  readonly message: string;
  readonly args?: readonly (string | number)[] | MessageArgs;
  readonly comment?: string;
}

/** Returns the key of a text in the files of `l10n`, as the editor's `l10n.t` builds it. */
export const textKey = (message: string, comment = ''): string => (comment === '' ? message : `${message}/${comment}`);

export interface Localization {
  /** A language tag such as `de`. */
  readonly language: string;
  /** Translates a text, and replaces its placeholders: `{0}`, `{1}` … or `{name}`. */
  readonly localize: (text: LocalizedText) => string;
  /** Returns a problem or an error as one line of safe text. */
  readonly problem: (problem: Pick<Problem, 'template' | 'args'>) => string;
}

/** Returns the localization by a function that translates. */
export const localizationBy = (language: string, localize: Localization['localize']): Localization => ({
  language,
  localize,
  problem: ({ template, args }) => uiLine(localize({ message: template, args: uiArgs(args) })),
});

let current = localizationBy('en', ({ message, args = [] }) => formatMessage(message, Object.fromEntries(Object.entries(args))));

/** Sets the language of everything that follows. Called once, before anything is built. */
export function setLocalization(localization: Localization): void {
  current = localization;
}

export const language = (): string => current.language;

/** Returns a text in the reader's language, as `vscode.l10n.t` does. */
export const t = (text: string | LocalizedText, ...args: readonly (string | number)[]): string =>
  current.localize(typeof text === 'string' ? { message: text, args } : text);

/** Works like {@link t}, for texts with named placeholders. */
export const translate = (message: string, args: MessageArgs): string => current.localize({ message, args });

/** Returns a problem or an error as one line of safe text in the reader's language. */
export const localizeProblem: Localization['problem'] = (problem) => current.problem(problem);
