/** Names of secrets in texts, such as `password`, `api_key` and `DB_PASSWORD`, and how certain their values are secrets. */
import { isUuid } from '../idsAndTimes';
import type { Span } from '../span';

/**
 * Names of secrets in any case, and the words for a password in several languages. The text behind a name mostly shows what
 * its value is.
 */
const NAME =
  /pass(?:wor[dt]|wd|phrase|code)?|pwd|pw|psk|bw_session|secret|token|credentials?|key|kennwort|mot de passe|contrase[ñn]a|senha|пароль|密[码碼]|口令|パスワード|비밀번호|암호/gi;
/** The word before `key` in the name of a secret key. The last one: https://learn.microsoft.com/azure/azure-monitor/app/connection-strings. */
const KEY_OF = /(?:api|access|auth|private|account|signing|encryption|master|service|shared|storage|license|sas|instrumentation)[_ -]?$/i;
const MAX_KEY_OF = 16;
/** The endings of a name, as the source of an expression. */
export const NAME_SUFFIX = 's?(?:[_-]?(?:key|value|string|base64|base|b64|plain|prod|dev|live|test|new|old|\\d{1,3})){0,3}';
const ENDS_WITH_SUFFIX = new RegExp(`^${NAME_SUFFIX}$`, 'i');
/** Names that are also parts of words. */
const SHORT = new Set(['pwd', 'pw', 'psk']);
/** UTF-16 units of a longer text that isn't a name. */
const MAX_NAME = 200;

/** A name in a text. */
interface SecretName {
  /** In lowercase. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the next name at a position or behind it. */
export function findName(text: string, from: number): SecretName | undefined {
  NAME.lastIndex = from;
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    const { index: start } = match;
    const name = match[0].toLowerCase();
    const before = text.charAt(start - 1);
    if (
      name === 'key'
        ? KEY_OF.test(text.slice(Math.max(0, start - MAX_KEY_OF), start)) || (before === '_' && match[0] === 'KEY')
        : name === 'pass'
          ? /[_-]/.test(before)
          : !SHORT.has(name) || !/[a-z\d]/i.test(before)
    )
      return { name, start, end: NAME.lastIndex };
  }
  return undefined;
}

/** Returns the name in that of a field whose text is a secret, such as `apiKey`, and the text before it. */
export function secretName(key: string): { readonly name: string; readonly before: string } | undefined {
  if (key.length > MAX_NAME) return undefined;
  for (let found = findName(key, 0); found; found = findName(key, found.end))
    if (ENDS_WITH_SUFFIX.test(key.slice(found.end))) return { name: found.name, before: key.slice(0, found.start) };
  return undefined;
}

const KEY_NAME = /^(?:secret|token|credential|key|bw_session)/i;
/** True for names that are followed by random texts. Passwords are any text. */
export const isKeyName = (name: string): boolean => KEY_NAME.test(name);

/** Returns the rule for the values of a name. @param name as from {@link secretName} */
export const ruleOfName = (name: string): 'secret' | 'password' => (isKeyName(name) ? 'secret' : 'password');

/** Names of secrets and of other values, such as the pages of a list. The words before them decide; variables of a shell hold secrets. */
const MAY_BE_ID = /^(?:token|credential)/;
const OF_SECRET =
  /(?:access|account|api|app|auth|bearer|bot|client|deploy|login|personal|private|refresh|secret|security|server|service|session|user)[_ -]?$/i;
const IN_SHELL = /[A-Z\d]_$/;
/** Feishu's Base calls the ID of a document an app token. Elsewhere, an app token is a secret. */
const OF_APP = /(?<![a-z])app[_ -]?$/i;
/** Words before `token` in the name of a document's, a page's or a list's. */
const OF_DOCUMENT =
  /(?:block|continuation|cursor|doc|docx|document|file|folder|image|img|media|next|node|obj|object|page|pagination|parent|prev|previous|resume|sheet|slide|space|spreadsheet|start|sync|table|view|wiki)[_ -]?$/i;
/** UTF-16 units before a name that {@link certaintyOf} examines. */
export const MAX_BEFORE_NAME = 16;

/**
 * Returns how certain a secret is that was recognized by its name: programs write UUIDs as tokens of anything, some services issue
 * them as secrets, and others call the ids of documents tokens.
 *
 * @param text the text before the name
 */
export function certaintyOf(text: string, name: string, value: string): Pick<Span, 'kind' | 'unlessInAddress'> {
  const before = text.slice(-MAX_BEFORE_NAME);
  if (name === 'token' && OF_APP.test(before) && !IN_SHELL.test(before)) return { kind: 'context', unlessInAddress: true };
  if (!MAY_BE_ID.test(name) || OF_SECRET.test(before) || IN_SHELL.test(before)) return { kind: 'context' };
  return isUuid(value) || OF_DOCUMENT.test(before) ? { kind: 'uncertain' } : { kind: 'context', unlessInAddress: true };
}
