/** Finds the values of names of secrets, such as passwords and keys. */
import { isExample } from '../exampleSecrets';
import { certaintyOf, findName, isKeyName, MAX_BEFORE_NAME, NAME_SUFFIX, ruleOfName } from './secretNames';
import { hasManySigns, isPhrase, isPlainPassword, isSecretValue } from '../secretValues';
import type { Detector } from '../span';

/** A type between a name and the sign of its value, which is in quotes, such as `: &'static str =`. */
const TYPE = String.raw`[ \t]?(?:(?:string|str)[ \t]?=|[&'\w<>\[\] ]{1,30}=[ \t]?(?=["'\x60]))`;
/** The text before a quote in some languages: a prefix of a text, a brace of an element, a cast. */
const BEFORE_QUOTE = String.raw`(?:[bfru]{1,2}|\{|<[a-z]{1,12}>)(?=["'\x60])`;
/** The mark of a text that begins in the next line: https://yaml.org/spec/1.2.2/#81-block-scalar-styles. */
const BLOCK = String.raw`[|>][+-]?\r?\n[ \t]{1,20}`;
/** A sign of an assignment, with the mark of bold text. */
const SIGNS = String.raw`(?::=|=>|=(?!=)|[:：](?!:)(?:${TYPE})?|>)\*{0,3}[ \t]{0,8}(?:${BLOCK}|${BEFORE_QUOTE})?`;
/** The current value, as in `[None]`, or the account that the value is for. */
const DETAIL = String.raw`(?:[ \t]\[[^\]\n]{0,60}\]|[ \t]for[ \t][^\s:=]{1,60})?`;
const IS = String.raw`[ \t](?:is|ist|est|es|é|è):?[ \t]{1,3}|[は是为為]`;
/** Other attributes of an element between its name and its value. */
const ATTRIBUTES = String.raw`["'](?:\s[\w-]{1,20}=["'][^"'\n]{0,40}["']){0,3}\s{1,4}(?:value|content)[ \t]?=[ \t]?`;
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
/** The beginning of a quoted value. In JSON that is itself a string, its quotes have backslashes. */
const OPENING = /(\\{0,7})(["'`])/y;
/** UTF-16 units of a quoted value. */
const MAX_QUOTED = 4096;
const PLAIN = /[^"'`\\\r\n]{1,4096}/y;
const BACKSLASHES = /\\{1,64}/y;
/** The value behind a quote that isn't closed in its line, because it's longer or because the text was cut. */
const OPEN_VALUE = /[^\s"'`\\]{8,400}/y;
/** UTF-16 units of a value that are examined; it may be longer. */
const MAX_JUDGED = 400;
/** Letters and signs of languages without spaces end a value, and so do the next pair of an address and the next command. */
const WORD_PART =
  /(?:[^\s"'`,;(){}[\]<>\\&\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]|&(?!&|amp;|[A-Za-z_][\w.%-]{0,40}=)){1,400}/y;
/**
 * The rest of a value after punctuation that is part of it, but not the next pair of a list, a written line break or the end
 * of a tag.
 */
const NO_REST = String.raw`(?![,;][A-Za-z_]{2,40}[=:]|\\{1,4}[nrtu]|</)`;
const REST = new RegExp(
  String.raw`(?:${NO_REST}[,;(){}[\]<>\\](?:${NO_REST}[^\s"'\x60A-Za-z0-9]){0,8}(?=[A-Za-z0-9])[^\s"'\x60,;(){}[\]<>\\]*)+`,
  'y',
);
/** UTF-16 units of such a rest. */
const MAX_REST = 64;
/** Code that goes on behind a value in the same line. */
const CODE = /=>|\)[.;{)]|\(\)|\}[),;}]|[,;][A-Za-z_$][\w$]{0,64}[.=(]|(?:^|[^\w$])(?:function|return|var|let|const|if)(?![\w$])/;
const TOKEN_REST = /[A-Za-z0-9+/=_.-]*/y;
/** A call in code, such as `hash(`, and a whole one with names as arguments. */
const CALL = /^[A-Za-z_$][\w$.]*\(/;
const WHOLE_CALL = /[A-Za-z_$][\w$.]{2,64}\((?:[A-Za-z_$][\w$.]{0,64}(?:,[ \t]?[A-Za-z_$][\w$.]{0,64}){0,4})?\)(?![\w#@!%^*$-])/y;
/** The sign of an assignment at the end of what is between a name and its value. */
const SIGN = /[=:：]\*{0,3}[ \t]{0,8}(?:[|>][+-]?\r?\n[ \t]{1,20})?$/;
/** A name and its sign, as a shell and its files have them. */
const SHELL_NAME = /^[A-Z\d_]+=$/;
/** The beginning of a line of such a file, up to the name, and the value in it. */
const SHELL_LINE = /(?:^|[\r\n]|\\n)[ \t]*(?:[+-][ \t]{0,4})?(?:export[ \t]{1,4}|set[ \t]{1,4}|\$env:)?[A-Z\d_]*$/;
const SHELL_VALUE = /[^\s"'`\\]{1,400}(?<![,;])/y;
/** The beginning of a line of a file of properties, up to the name. */
const PROPERTY_LINE = /(?:^|[\r\n])[ \t]*[\w.-]*$/;
/** A pair of a connection string, the beginning of the next name, and a value. */
const CONNECTION_PAIR = /^[ \t]?[A-Za-z][A-Za-z ]{1,30}=[^(){}]*$/;
const CONNECTION_NAME = /^[ \t]?(?:[A-Za-z]{1,20}[_ ]?)?$/;
const CONNECTION_VALUE = /\{[^}\r\n]{1,200}\}|[^\s;"'`]{1,200}/y;
/** UTF-16 units before a name that tell in what it stands. */
const MAX_BEFORE = 160;
/** The name of a Wi-Fi network's password: https://w1.fi/cgit/hostap/plain/wpa_supplicant/wpa_supplicant.conf. */
const PSK = /^psk=$/i;
/** A name in quotes and its sign, as in JSON, where a value without quotes is a number or a word. */
const QUOTED_NAME = /["'`]\]?[ \t]{0,8}[=:]/;

interface Place {
  readonly start: number;
  readonly end: number;
}
interface Value extends Place {
  readonly isUncertain?: boolean;
}

/** Returns the position after what a sticky expression matches at a place; the place itself if it doesn't. */
function endAt(form: RegExp, text: string, from: number): number {
  form.lastIndex = from;
  return form.test(text) ? form.lastIndex : from;
}

/** Returns what is between the quote at a place and the one that closes it. @returns `undefined` if there's no quote. */
function quotedAt(text: string, from: number): (Place & { readonly isOpen: boolean }) | undefined {
  OPENING.lastIndex = from;
  const [opening, { length: level } = '', quote = ''] = OPENING.exec(text) ?? [];
  if (opening === undefined) return undefined;
  const start = from + opening.length;
  for (let at = start; at - start <= MAX_QUOTED; at++) {
    const behind = endAt(PLAIN, text, at);
    at = endAt(BACKSLASHES, text, behind);
    const slashes = at - behind;
    const character = text.charAt(at);
    if (character === '' || character === '\n' || character === '\r') break;
    // More backslashes escape a quote in the value, unless they are themselves escaped.
    if (character === quote && (slashes <= level || (slashes - level) % (2 * (level + 1)) === 0))
      return { start, end: at - Math.min(slashes, level), isOpen: false };
  }
  return { start, end: endAt(OPEN_VALUE, text, start), isOpen: true };
}

/** Finds the secret that begins after the sign of a name. */
function valueAt(text: string, name: string, nameStart: number, from: number): Value | undefined {
  const between = text.slice(nameStart, from);
  const isShell = SHELL_NAME.test(between);
  const quoted = quotedAt(text, from);
  if (quoted) {
    const { start, end, isOpen } = quoted;
    const value = text.slice(start, end);
    if (!isOpen && PSK.test(between) && value.length >= 8 && !isExample(value)) return { start, end };
    if (!isOpen && isPhrase(value) && (!isKeyName(name) || hasManySigns(value)))
      return { start, end, isUncertain: !isShell && !hasManySigns(value) };
    if (!isSecretValue(name, value, true) && !(isShell && isPlainPassword(name, value))) return undefined;
    return { start, end: isOpen ? endAt(TOKEN_REST, text, end) : end };
  }
  const before = text.slice(Math.max(0, nameStart - MAX_BEFORE), nameStart);
  const known =
    isShell && SHELL_LINE.test(before) ? SHELL_VALUE : between.endsWith('=') && isInConnection(before) ? CONNECTION_VALUE : undefined;
  const knownEnd = known ? endAt(known, text, from) : from;
  const whole = text.slice(from, knownEnd);
  if (knownEnd > from && isSecretValue(name, whole, false)) return { start: from, end: endAt(TOKEN_REST, text, knownEnd) };
  if (!isShell && endAt(WHOLE_CALL, text, from) > from) return undefined;
  const first = endAt(WORD_PART, text, from);
  const part = text.slice(from, first);
  if (!SIGN.test(between)) return isSecretValue(name, part, false) ? { start: from, end: endAt(TOKEN_REST, text, first) } : undefined;
  const hasRest = !QUOTED_NAME.test(between) && (isShell || !isKeyName(name));
  const endOf = (place: number): number => (hasRest ? endOfRest(text, place) : place);
  if (isSecretValue(name, part, false) || (isShell && isPlainPassword(name, part)))
    return { start: from, end: endOf(endAt(TOKEN_REST, text, first)) };
  // The first part may be too short to judge, and code looks like that, too.
  if (!/^[A-Z]{2}/.test(between) && !/\d/.test(part) && !PROPERTY_LINE.test(before)) return undefined;
  const end = endOf(first);
  const judged = text.slice(from, Math.min(end, from + MAX_JUDGED));
  if (end <= first || (CALL.test(judged) && /[),]/.test(text.charAt(end)))) return undefined;
  return isSecretValue(name, judged, false) ? { start: from, end } : undefined;
}

/** True for the text before a name in a connection string, such as `Server=db;User `. */
function isInConnection(before: string): boolean {
  const last = before.lastIndexOf(';');
  const pair =
    before
      .slice(0, Math.max(0, last))
      .split(/[;"'\r\n]/)
      .at(-1) ?? '';
  return CONNECTION_PAIR.test(pair) && CONNECTION_NAME.test(before.slice(last + 1));
}

/** Returns the end of a value whose first part ends at a place: behind punctuation that is part of it. */
function endOfRest(text: string, from: number): number {
  const limited = text.slice(from, from + MAX_REST + 1);
  const rest = limited.slice(0, endAt(REST, limited, 0));
  return rest.length > MAX_REST || CODE.test(rest) ? from : from + rest.length;
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
    const { start, end, isUncertain } = value;
    add({
      start,
      end,
      rule: ruleOfName(name),
      ...(isUncertain ? { kind: 'uncertain' } : certaintyOf(before, name, text.slice(start, end))),
    });
    next = end;
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
