/**
 * The text that a reader sees where a program shows a recorded one: without terminal escapes, characters that nothing draws, and the
 * breaks that continue a line, which can divide a secret. The marks of Markdown are apart, since code has the same characters.
 */
import { TERMINAL_ESCAPE } from '../text/sanitizeText';
import type { Steps } from '../session/steps';
import { changedLines, DerivedTextBuilder, MATCHES_OF_STEP, type DerivedText } from './derivedText';

/**
 * Controls other than NUL, white space and line breaks; characters that Unicode ignores by default, such as zero-width spaces and
 * soft hyphens, unless they belong to a picture before them; the breaks of lines that a shell continues; and those of long lines in mail
 * (quoted-printable, RFC 2045, section 6.7).
 */
const INVISIBLE = String.raw`[\u0001-\u0008\u000e-\u001f\u007f-\u009f\ufff9-\ufffb]|(?<!\p{Extended_Pictographic})\p{DI}|[\\^\u0060]\r?\n|(?<=[^\n]{70})=\r?\n`;
/** Matches every text that has such a character. Nearly none does, so the expression itself needn't be run. */
const SPECIAL = new RegExp(
  String.raw`[\u0001-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43]|[\\^\u0060=]\r?\n`,
);
const UNSEEN = new RegExp(`${TERMINAL_ESCAPE}|${INVISIBLE}`, 'gu');

/**
 * Marks of emphasis and code, backslashes before punctuation, tags, the quotes where code joins two texts, and the breaks of mail after
 * any number of characters, between characters of tokens. A setting without a value ends like a line of mail, too.
 */
const MARK =
  /(?<=[\w.+/-])(?:\*{1,3}|~~|`{1,3}|\\(?=[!-/:-@[-`{-~])|(?:<\/?[A-Za-z][^<>\n]{0,80}>){1,4}|(["'])[ \t]{0,8}[+.]?[ \t]{0,8}\1|=[ \t]{0,8}\r?\n)(?=[\w.+/-])/g;

/** Returns the text as it's seen; `undefined` if it's the same. */
export function* seenText(text: string): Steps<DerivedText | undefined> {
  if (!SPECIAL.test(text)) return undefined;
  let builder: DerivedTextBuilder | undefined;
  let from = 0;
  let count = 0;
  for (const { index, 0: unseen } of text.matchAll(UNSEEN)) {
    if (++count % MATCHES_OF_STEP === 0) yield;
    builder ??= new DerivedTextBuilder(text);
    builder.copy(from, index);
    from = index + unseen.length;
  }
  builder?.copy(from, text.length);
  return builder?.finish();
}

/** Returns the lines in which marks of Markdown divide words, without these marks; `undefined` if there are none. */
export function withoutMarks(text: string): Steps<DerivedText | undefined> {
  return changedLines(text, MARK, () => '');
}
