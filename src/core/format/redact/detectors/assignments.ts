/** Finds the values of names of secrets, such as passwords and keys. */
import { isExample } from './exampleSecrets';
import { findName, isKeyName, kindOfValue, MAX_BEFORE_NAME, NAME_SUFFIX, ruleOfName } from './secretNames';
import { isPlainPassword, isSecretValue } from './secretValues';
import type { Detector } from './span';

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
  String.raw`${NAME_SUFFIX}(?:\*{0,3}\\{0,4}["'\x60\])]{0,2}${DETAIL}(?:[ \t]{0,8}${SIGNS}|${IS})|${ATTRIBUTES}|(?<row>\x60?[ \t]{0,40}\|[ \t]{1,40})|(?<pair>["'\x60][ \t]?,[ \t]?(?=["'\x60]))|\((?=["'\x60]))`,
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
  let next = 0;
  for (let found = findName(text, next); found; found = findName(text, next)) {
    const { name, start: nameStart, end: nameEnd } = found;
    next = nameEnd;
    BETWEEN.lastIndex = nameEnd;
    const between = BETWEEN.exec(text);
    if (!between) {
      const value = isKeyName(name) ? undefined : nextWord(text, nameEnd);
      if (value) add({ ...value, rule: 'password', kind: 'uncertain' });
      continue;
    }
    if (!isTogether(text, nameStart, between.groups)) continue;
    const value = valueAt(text, name, nameStart, BETWEEN.lastIndex);
    // Names of algorithms are short.
    if (!value || (between.groups?.['pair'] !== undefined && value.end - value.start < 8)) continue;
    const before = text.slice(Math.max(0, nameStart - MAX_BEFORE_NAME), nameStart);
    add({ ...value, rule: ruleOfName(name), kind: kindOfValue(before, name, text.slice(value.start, value.end)) });
    next = value.end;
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
