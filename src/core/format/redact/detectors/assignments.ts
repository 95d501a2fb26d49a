/** Finds the values of names of secrets, such as passwords and keys. */
import { isExample } from './exampleSecrets';
import { isTime, isUuid } from './idsAndTimes';
import type { Detector, Span } from './span';

/**
 * Names of secrets in any case, and the words for a password in several languages. The text behind a name mostly shows what
 * its value is.
 */
const NAME =
  /pass(?:wor[dt]|wd|phrase|code)?|pwd|pw|secret|token|credentials?|key|kennwort|mot de passe|contrase[ñn]a|senha|пароль|密[码碼]|口令|パスワード|비밀번호|암호/gi;
/** The word before `key` in the name of a secret key. */
const KEY_OF = /(?:api|access|auth|private|account|signing|encryption|master|service|shared|storage|license)[_ -]?$/i;
const MAX_KEY_OF = 12;
const SUFFIX = 's?(?:[_-]?(?:key|value|string|base64|b64|plain|prod|dev|live|test|new|old|\\d{1,3})){0,3}';
/** A sign of an assignment, with the mark of bold text. */
const SIGNS = String.raw`(?::=|=>|=(?!=)|[:：](?!:)(?:[ \t]?(?:string|str)[ \t]?=)?|>)\*{0,3}[ \t]{0,8}`;
/** The current value, as in `[None]`, or the account that the value is for. */
const DETAIL = String.raw`(?:[ \t]\[[^\]\n]{0,60}\]|[ \t]for[ \t][^\s:=]{1,60})?`;
const IS = String.raw`[ \t](?:is|ist|est|es|é|è):?[ \t]{1,3}|[は是为為]`;
/** Other attributes of an element between its name and its value. */
const ATTRIBUTES = String.raw`["'](?:\s[\w-]{1,20}=["'][^"'\n]{0,40}["']){0,3}\s{1,4}value[ \t]?=[ \t]?`;
/**
 * The text between a name and its value: a sign, a type and a sign, the end of a tag, a word, or the separator in a table
 * row, a call or an element.
 */
const BETWEEN = new RegExp(
  String.raw`${SUFFIX}(?:\*{0,3}\\{0,4}["'\x60\])]{0,2}${DETAIL}(?:[ \t]{0,8}${SIGNS}|${IS})|${ATTRIBUTES}|(?<row>\x60?[ \t]{0,40}\|[ \t]{1,40})|(?<pair>["'\x60][ \t]?,[ \t]?(?=["'\x60]))|\((?=["'\x60]))`,
  'iy',
);
/** A first argument up to its name. */
const FIRST_ARGUMENT = /\([ \t]?["'`][\w.:-]{0,60}$/;
const MAX_FIRST_ARGUMENT = 64;
/** UTF-16 units before a name in which its row of a table begins. */
const MAX_ROW = 200;
/** A word after the name of a password alone, as in a sentence. */
const NEXT_WORD =
  /s?[ \t]["'`]?(?=[^\s"'`]{0,60}[A-Za-z])(?=[^\s"'`]{0,60}\d[^\s"'`]{0,60}\d)([A-Za-z0-9!#$%&*+?@^_~-]{8,64})(?![^\s"'`.,;:!?)])/iy;
const ENDS_WITH_SUFFIX = new RegExp(`^${SUFFIX}$`, 'i');
const QUOTED = /(\\{0,4}["'`])([^"'`\n\r\\]{1,4096})\1/y;
/** The beginning of a longer quoted value, or of one that was cut. */
const OPEN_QUOTE = /\\{0,4}["'`](?=[A-Za-z0-9+/=_.-]{400})/y;
/** UTF-16 units of a value that are examined; it may be longer. */
const MAX_JUDGED = 400;
/** Letters and signs of languages without spaces end a value. */
const WORD_PART = /[^\s"'`,;(){}[\]<>\\\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]{1,400}/y;
/**
 * The rest of a value after punctuation that is part of it, but not the next pair of a list, a written line break or the end
 * of a tag.
 */
const NO_REST = String.raw`(?![,;][A-Za-z_]{2,40}[=:]|\\{1,4}[nrtu]|</)`;
const REST = new RegExp(
  String.raw`(?:${NO_REST}[,;(){}[\]<>\\](?:${NO_REST}[^\s"'\x60A-Za-z0-9]){0,8}(?=[A-Za-z0-9])[^\s"'\x60,;(){}[\]<>\\]*)+`,
  'y',
);
const TOKEN_REST = /[A-Za-z0-9+/=_.-]*/y;
/** A call in code, such as `hash(`, and a whole one with names as arguments. */
const CALL = /^[A-Za-z_$][\w$.]*\(/;
const WHOLE_CALL = /[A-Za-z_$][\w$.]{2,64}\((?:[A-Za-z_$][\w$.]{0,64}(?:,[ \t]?[A-Za-z_$][\w$.]{0,64}){0,4})?\)(?![\w#@!%^*$-])/y;
/** The sign of an assignment at the end of what is between a name and its value. */
const SIGN = /[=:：]\*{0,3}[ \t]{0,8}$/;
/** A name and its sign, as a shell and its files have them. */
const SHELL_NAME = /^[A-Z\d_]+=$/;
/** The beginnings of texts about a password. */
const ABOUT = /^(?:reset|forg[eo]t|change|update|confirm|enter|show|hide|no|with|must|should|invalid|wrong)/i;

/** Names that are followed by random texts. Passwords are any text. */
const IS_KEY = /^(?:secret|token|credential|key)/i;
/** Words in the place of a password, in code, forms and messages. */
const WORD =
  /^(?:pass(?:word|wd|phrase|code)?s?|pwd|string|text|hidden|required?|optional|invalid|incorrect|missing|wrong|true|false|null|none|undefined|nil|empty|unknown|number|boolean|object|any|bool|str|int|char|varchar|bytes?|prompt|ask|env|file|stdin|forgotten|forgot|reset|confirm|new|old|current|current-password|new-password|secret|secrets|token|tokens|bearer|basic|default|access|refresh|user(?:name)?|email|login|admin|root|postgres|value|test|demo|off|on|yes|no)$/i;
/** True for a word that is no password, but often in the place of one. */
export const isPasswordWord = (value: string): boolean => WORD.test(value);
const PATH = /^(?:[.~]|\/[a-z0-9._-]+(?:\/|$))/;
/** A type or an encoding, and a call of a function. */
const TYPE = /^(?:u?int\d+(?:clamped)?(?:array)?|float\d+(?:array)?|base\d\d(?:url)?|sha\d{1,3}|utf-?\d{1,2}(?:le)?)$/i;
const MEMBER = /^[A-Za-z_$][\w$]*(?:[.:][A-Za-z_$][\w$]*)+$/;

/** UTF-16 units of a field that is a secret as a whole. */
const MAX_VALUE = 64 * 1024;

/** Returns the rule for the values of a name. @param name as from {@link secretName} */
export const ruleOfName = (name: string): 'secret' | 'password' => (IS_KEY.test(name) ? 'secret' : 'password');

/** Names of secrets and of other values, such as the pages of a list. The words before them decide; variables of a shell hold secrets. */
const MAY_BE_ID = /^(?:token|credential)/;
const OF_SECRET =
  /(?:access|account|api|app|auth|bearer|bot|client|deploy|login|personal|private|refresh|secret|security|server|service|session|user)[_ -]?$/i;
const IN_SHELL = /[A-Z\d]_$/;
const MAX_OF_SECRET = 12;

/**
 * Returns how certain a secret is that {@link isSecretValue} has recognized: programs write UUIDs as tokens of
 * anything, and some services issue them as secrets.
 *
 * @param before the text before the name
 */
export const kindOfValue = (before: string, name: string, value: string): Span['kind'] =>
  isUuid(value) && MAY_BE_ID.test(name) && !OF_SECRET.test(before.slice(-MAX_OF_SECRET)) && !IN_SHELL.test(before)
    ? 'uncertain'
    : 'context';

/** True if a value with a name like `password` or `api_key` is a secret. */
export function isSecretValue(name: string, value: string, isQuoted: boolean): boolean {
  if (value.length < 4 || value.length > MAX_VALUE || /\s/.test(value) || WORD.test(value) || isExample(value)) return false;
  if (
    /^(?:https?|file):\/\/|^arn:aws/i.test(value) ||
    isMember(value) ||
    TYPE.test(value) ||
    PATH.test(value) ||
    /^v?\d+[.:-]\d+[\d.:-]*$/.test(value)
  )
    return false;
  return IS_KEY.test(name) ? isKey(value, isQuoted) : isPassword(value, isQuoted);
}

/** The end of a session's file, whose name may have a secret. */
const SESSION_FILE = '.jsonl';

/** True for the name of a member in code, such as `config.token`. */
const isMember = (value: string): boolean =>
  MEMBER.test(value) && !value.endsWith(SESSION_FILE) && !value.split(/[.:]/).some((part) => part.length >= 16 && /\d.*\d/.test(part));

function isPassword(value: string, isQuoted: boolean): boolean {
  const hasNumber = /\d/.test(value);
  if (/[A-Za-z]/.test(value) && hasNumber) return value.length >= (isQuoted ? 4 : 6);
  if (hasNumber || /[!@#$%^&*+=?]/.test(value)) return value.length >= 6;
  if (!isQuoted || /pass|secret|token/i.test(value)) return false;
  return value.length >= 12 || (value.length >= 8 && /[a-z][A-Z]/.test(value));
}

/** True for a password of letters alone in a variable, where other texts are rare. */
const isPlainPassword = (name: string, value: string): boolean =>
  !IS_KEY.test(name) &&
  /^[A-Za-z]{6,64}$/.test(value) &&
  /[a-z]/.test(value) &&
  !WORD.test(value) &&
  !ABOUT.test(value) &&
  !isExample(value);

function isKey(value: string, isQuoted: boolean): boolean {
  if (value.length < (isQuoted ? 8 : 12) || !/[A-Za-z]/.test(value) || isTime(value)) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  if (digits === 0 && value.length < 32)
    return isQuoted && value.length >= 16 && /^[A-Za-z+/=]+$/.test(value) && !/token|secret|key|auth|name|user|id/i.test(value);
  if (value.length >= 32 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /^[A-Za-z0-9+/=_-]+$/.test(value)) return true;
  return (
    (isQuoted && digits >= 3) ||
    value.split(/[-_.:/]+/).some((part) => (part.length >= 8 && digits >= 2) || (part.length >= 16 && /\d/.test(part)))
  );
}

/** Finds the next name in a text from `NAME.lastIndex` on. */
function nextName(text: string): string | undefined {
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    const { index } = match;
    const name = match[0].toLowerCase();
    const before = text.charAt(index - 1);
    if (
      name === 'key'
        ? KEY_OF.test(text.slice(Math.max(0, index - MAX_KEY_OF), index))
        : name === 'pass'
          ? /[_-]/.test(before)
          : (name !== 'pwd' && name !== 'pw') || !/[a-z\d]/i.test(before)
    )
      return name;
  }
  return undefined;
}

/** Returns the name in that of a field whose text is a secret, such as `apiKey` and `DB_PASSWORD`, and what is before it. */
export function secretName(key: string): { readonly name: string; readonly before: string } | undefined {
  if (key.length > 200) return undefined;
  NAME.lastIndex = 0;
  for (let name = nextName(key); name !== undefined; name = nextName(key))
    if (ENDS_WITH_SUFFIX.test(key.slice(NAME.lastIndex))) return { name, before: key.slice(0, NAME.lastIndex - name.length) };
  return undefined;
}

/** Returns the position after what a sticky expression matches at a place; the place itself if it doesn't. */
function endAt(form: RegExp, text: string, from: number): number {
  form.lastIndex = from;
  return form.test(text) ? form.lastIndex : from;
}

/** Finds the secret that begins after the sign of a name. */
function valueAt(
  text: string,
  name: string,
  nameStart: number,
  from: number,
): { readonly start: number; readonly end: number } | undefined {
  QUOTED.lastIndex = from;
  const [quoted, quote = '', value = ''] = QUOTED.exec(text) ?? [];
  const isShell = SHELL_NAME.test(text.slice(nameStart, from));
  if (quoted !== undefined) {
    const start = from + quote.length;
    return isSecretValue(name, value, true) || (isShell && isPlainPassword(name, value)) ? { start, end: start + value.length } : undefined;
  }
  if (!isShell && endAt(WHOLE_CALL, text, from) > from) return undefined;
  const start = endAt(OPEN_QUOTE, text, from);
  const first = endAt(WORD_PART, text, start);
  if (start > from || !SIGN.test(text.slice(nameStart, from)))
    return isSecretValue(name, text.slice(start, first), start > from) ? { start, end: endAt(TOKEN_REST, text, first) } : undefined;
  const end = (): number => endAt(REST, text, endAt(TOKEN_REST, text, first));
  const part = text.slice(start, first);
  if (isSecretValue(name, part, false) || (isShell && isPlainPassword(name, part))) return { start, end: end() };
  // The first part may be too short to judge, and code looks like that, too.
  if (!/^[A-Z]{2}/.test(text.slice(nameStart, from)) && !/\d/.test(text.slice(start, first))) return undefined;
  const judged = text.slice(start, start + MAX_JUDGED);
  const whole = judged.slice(0, endAt(REST, judged, first - start));
  if (whole.length <= first - start || (CALL.test(whole) && text.charAt(start + whole.length) === ')')) return undefined;
  return isSecretValue(name, whole, false) ? { start, end: end() } : undefined;
}

/** Finds values by their names. */
export const findAssignments: Detector = (text, add) => {
  NAME.lastIndex = 0;
  for (let name = nextName(text); name !== undefined; name = nextName(text)) {
    const nameStart = NAME.lastIndex - name.length;
    const nameEnd = NAME.lastIndex;
    BETWEEN.lastIndex = nameEnd;
    const between = BETWEEN.exec(text);
    if (!between) {
      const value = IS_KEY.test(name) ? undefined : nextWord(text, nameEnd);
      if (value) add({ ...value, rule: 'password', kind: 'uncertain' });
      continue;
    }
    if (!isTogether(text, nameStart, between.groups)) continue;
    const value = valueAt(text, name, nameStart, BETWEEN.lastIndex);
    // Names of algorithms are short.
    if (!value || (between.groups?.['pair'] !== undefined && value.end - value.start < 8)) continue;
    const before = text.slice(Math.max(0, nameStart - MAX_OF_SECRET), nameStart);
    add({ ...value, rule: ruleOfName(name), kind: kindOfValue(before, name, text.slice(value.start, value.end)) });
    NAME.lastIndex = value.end;
  }
};

/** False if the separator between a name and a value belongs in a row or a call, and this isn't one. */
function isTogether(text: string, nameStart: number, groups: Readonly<Record<string, string | undefined>> = {}): boolean {
  if (groups['pair'] !== undefined) return FIRST_ARGUMENT.test(text.slice(Math.max(0, nameStart - MAX_FIRST_ARGUMENT), nameStart));
  if (groups['row'] === undefined) return true;
  const limit = Math.max(0, nameStart - MAX_ROW - 1);
  const line = limit + text.slice(limit, nameStart).lastIndexOf('\n') + 1;
  return nameStart - line <= MAX_ROW && /^\s*\|/.test(text.slice(line, nameStart));
}

function nextWord(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  NEXT_WORD.lastIndex = from;
  const value = NEXT_WORD.exec(text)?.[1];
  if (value === undefined || isExample(value) || /^[\da-f]+$/i.test(value)) return undefined;
  return { start: NEXT_WORD.lastIndex - value.length, end: NEXT_WORD.lastIndex };
}
