/** Finds secrets by what is written around them: assignments, headers, addresses, arguments of commands. */
import { isExample } from './exampleSecrets';
import type { Detector } from './span';

/** Names of what is secret, in any case; what follows them says what the value is in most cases. */
const NAME = /pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|key/gi;
/** The part before `key` in the name of a secret one. */
const KEY_OF = /(?:api|access|auth|private|account|signing|encryption|master|service|shared|storage|license)[_-]?$/i;
const MAX_KEY_OF = 12;
const SUFFIX = 's?(?:[_-]?(?:key|value|string|base64|b64|plain|prod|dev|live|test|new|old|\\d{1,3})){0,3}';
/** The text between a name and its value: a sign, a type and a sign, the end of a tag, or a word. */
const BETWEEN = new RegExp(
  `${SUFFIX}(?:\\\\{0,4}["'\`\\])]{0,2}[ \\t]{0,8}(?::=|=>|=(?!=)|:(?!:)(?:[ \\t]?(?:string|str)[ \\t]?=)?|>)[ \\t]{0,8}|[ \\t]is:?[ \\t]{1,3})`,
  'iy',
);
const ENDS_WITH_SUFFIX = new RegExp(`^${SUFFIX}$`, 'i');
const QUOTED = /(\\{0,4}["'`])([^"'`\n\r\\]{1,4096})\1/y;
/** The beginning of a longer one, or of one that was cut. */
const OPEN_QUOTE = /\\{0,4}["'`](?=[A-Za-z0-9+/=_.-]{400})/y;
/** UTF-16 units that tell a value; it may be longer. */
const MAX_JUDGED = 400;
const WORD_PART = /[^\s"'`,;(){}[\]<>\\]{1,400}/y;
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
/** A call in code, such as `hash(`. */
const CALL = /^[A-Za-z_$][\w$.]*\(/;
/** The sign of an assignment at the end of what is between a name and its value. */
const SIGN = /[=:][ \t]{0,8}$/;

/** Names that are followed by any text, such as passwords: those of keys and tokens have random ones. */
const IS_PASSWORD = /^(?:pass|pwd)/i;
/** Words that stand where a password would, in code, forms and messages. */
const WORD =
  /^(?:pass(?:word|wd|phrase|code)?s?|pwd|string|text|hidden|required?|optional|invalid|incorrect|missing|wrong|true|false|null|none|undefined|nil|empty|unknown|number|boolean|object|any|bool|str|int|char|varchar|bytes?|prompt|ask|env|file|stdin|forgotten|forgot|reset|confirm|new|old|current|current-password|new-password|secret|secrets|token|tokens|bearer|basic|default|access|refresh|user(?:name)?|email|login|admin|root|postgres|value|test|demo|off|on|yes|no)$/i;
const PATH = /^(?:[.~]|\/[a-z0-9._-]+(?:\/|$))/;
const MEMBER = /^[A-Za-z_$][\w$]*(?:[.:][A-Za-z_$][\w$]*)+$/;

/** UTF-16 units of a field that is a secret as a whole. */
const MAX_VALUE = 64 * 1024;

/** True for a value that a name like `password` or `api_key` gives away as a secret. */
export function isSecretValue(name: string, value: string, isQuoted: boolean): boolean {
  if (value.length < 4 || value.length > MAX_VALUE || /\s/.test(value) || WORD.test(value) || isExample(value)) return false;
  if (/^(?:https?|file):\/\//i.test(value) || isMember(value) || PATH.test(value) || /^v?\d+[.:-]\d+[\d.:-]*$/.test(value)) return false;
  return IS_PASSWORD.test(name) ? isPassword(value, isQuoted) : isKey(value, isQuoted);
}

/** True for what code calls, such as `config.token`. */
const isMember = (value: string): boolean =>
  MEMBER.test(value) && !value.split(/[.:]/).some((part) => part.length >= 16 && /\d.*\d/.test(part));

function isPassword(value: string, isQuoted: boolean): boolean {
  const hasNumber = /\d/.test(value);
  if (/[A-Za-z]/.test(value) && hasNumber) return value.length >= (isQuoted ? 4 : 6);
  if (hasNumber || /[!@#$%^&*+=?]/.test(value)) return value.length >= 6;
  if (!isQuoted || /pass|secret|token/i.test(value)) return false;
  return value.length >= 12 || (value.length >= 8 && /[a-z][A-Z]/.test(value));
}

function isKey(value: string, isQuoted: boolean): boolean {
  if (value.length < (isQuoted ? 8 : 12) || !/[A-Za-z]/.test(value)) return false;
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
          : name !== 'pwd' || !/[a-z]/i.test(before)
    )
      return name;
  }
  return undefined;
}

/** True for the name of a field whose text is a secret, such as `apiKey` and `DB_PASSWORD`. */
export function secretName(key: string): string | undefined {
  if (key.length > 200) return undefined;
  NAME.lastIndex = 0;
  for (let name = nextName(key); name !== undefined; name = nextName(key))
    if (ENDS_WITH_SUFFIX.test(key.slice(NAME.lastIndex))) return name;
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
  if (quoted !== undefined) {
    const start = from + quote.length;
    return isSecretValue(name, value, true) ? { start, end: start + value.length } : undefined;
  }
  const start = endAt(OPEN_QUOTE, text, from);
  const first = endAt(WORD_PART, text, start);
  if (start > from || !SIGN.test(text.slice(nameStart, from)))
    return isSecretValue(name, text.slice(start, first), start > from) ? { start, end: endAt(TOKEN_REST, text, first) } : undefined;
  const end = (): number => endAt(REST, text, endAt(TOKEN_REST, text, first));
  if (isSecretValue(name, text.slice(start, first), false)) return { start, end: end() };
  // The first part may be too short to tell, and code looks like that, too.
  if (!/^[A-Z]{2}/.test(text.slice(nameStart, from)) && !/\d/.test(text.slice(start, first))) return undefined;
  const judged = text.slice(start, start + MAX_JUDGED);
  const whole = judged.slice(0, endAt(REST, judged, first - start));
  if (whole.length <= first - start || (CALL.test(whole) && text.charAt(start + whole.length) === ')')) return undefined;
  return isSecretValue(name, whole, false) ? { start, end: end() } : undefined;
}

const assignments: Detector = (text, add) => {
  NAME.lastIndex = 0;
  for (let name = nextName(text); name !== undefined; name = nextName(text)) {
    const nameStart = NAME.lastIndex - name.length;
    BETWEEN.lastIndex = NAME.lastIndex;
    if (!BETWEEN.exec(text)) continue;
    const value = valueAt(text, name, nameStart, BETWEEN.lastIndex);
    if (!value) continue;
    add({ ...value, rule: IS_PASSWORD.test(name) ? 'password' : 'secret', kind: 'context' });
    NAME.lastIndex = value.end;
  }
};

/** Forms with the secret in group 1. `words`: one of them must be in the text, in lower case. */
const FORMS: readonly {
  readonly rule: string;
  readonly words: readonly string[];
  readonly form: RegExp;
  readonly accepts?: (secret: string) => boolean;
}[] = [
  {
    rule: 'authorization',
    words: ['authorization', 'auth-token', 'access-token', 'private-token', 'api-key', 'subscription-key'],
    form: /\b(?:authorization|x-api-key|x-auth-token|x-access-token|private-token|api-key|x-goog-api-key|ocp-apim-subscription-key)\\{0,4}["']?\s{0,4}[:=]\s{0,4}\\{0,4}["']?(?:(?:bearer|basic|token|apikey|bot|digest)\s{1,4})?([A-Za-z0-9._~+/=-]{8,4000})/gi,
    accepts: (secret) => /\d/.test(secret) || secret.length >= 24,
  },
  {
    rule: 'bearer-token',
    words: ['bearer'],
    form: /\bbearer\s{1,4}([A-Za-z0-9._~+/=-]{16,4000})/gi,
    accepts: (secret) => /\d/.test(secret),
  },
  {
    rule: 'basic-auth',
    words: ['basic'],
    form: /\bbasic\s{1,4}([A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])/gi,
    accepts: (secret) => isCredentials(secret),
  },
  {
    rule: 'cookie',
    words: ['cookie'],
    form: /\b(?:set-)?cookie\\{0,4}["']?\s{0,4}:\s{0,4}\\{0,4}["']?([A-Za-z0-9_.-]{1,80}=[^\r\n"'\\]{8,4000})/gi,
  },
  {
    rule: 'password',
    words: ['://'],
    // Up to the last `@`: people don't always encode those of a password.
    form: /:\/\/[^\s:@/"'`<>\\]{0,100}:([^\s@/"'`<>\\]{1,200}(?:@[^\s@/"'`<>\\,;()[\]{}]{0,200}){0,4})@(?=[A-Za-z0-9[_$-])/g,
    accepts: (secret) => secret.length >= 3 && !WORD.test(secret),
  },
  { rule: 'token', words: ['://'], form: /:\/\/([A-Za-z0-9_-]{20,255})(?::x-oauth-basic)?@/g, accepts: (secret) => /\d/.test(secret) },
  { rule: 'password', words: ['curl'], form: /\bcurl\b[^\n\r|;]{0,200}?\s(?:-u|--user)[ =]{0,2}["']?[^\s:"']{1,64}:([^\s"']{4,128})/g },
  {
    rule: 'password',
    words: ['mysql', 'mariadb'],
    form: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n\r|;]{0,200}?\s-p([^\s"']{4,64})/g,
  },
  { rule: 'password', words: ['sshpass'], form: /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"']{4,128})/g },
  { rule: 'password', words: ['login'], form: /\blogin\s{1,4}\S{1,100}\s{1,40}password\s{1,4}(\S{4,128})/g },
  {
    rule: 'secret',
    words: ['-pass', '-token', '-secret', '-api', '-access', '-auth', '-client'],
    form: /(?:^|\s)--?(?:password|passwd|pass|token|secret|api-?key|access-?key|secret-?key|auth-?token|client-?secret)[ =]["']?([^\s"']{6,400})/gi,
    accepts: (secret) => !secret.startsWith('-') && (/\d/.test(secret) || /[!@#$%^&*]/.test(secret)) && !/^[./~]/.test(secret),
  },
  {
    rule: 'signature',
    words: ['sig', 'token=', 'key='],
    form: /[?&;](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token|access_token|api_?key|auth_?token|token|key)=([A-Za-z0-9%+/_=.-]{16,2000})/gi,
    accepts: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret),
  },
  {
    rule: 'docker-auth',
    words: ['auth'],
    form: /["']auth\\{0,4}["']\s{0,4}:\s{0,4}\\{0,4}["']([A-Za-z0-9+/]{8,400}={0,2})/g,
    accepts: (secret) => isCredentials(secret),
  },
  {
    rule: 'secret',
    words: ['client-key-data', 'tls.key'],
    form: /\b(?:client-key-data|tls\.key)\\{0,4}["']?\s{0,4}:\s{0,4}\\{0,4}["']?([A-Za-z0-9+/]{40,8000}={0,2})/g,
  },
];

const PRINTABLE = /^[\x20-\x7e]+$/;

/** True for the Base64 of a name and a password with a colon between them. */
function isCredentials(base64: string): boolean {
  if (base64.length % 4 === 1) return false;
  try {
    const text = atob(base64);
    return text.includes(':') && PRINTABLE.test(text);
  } catch {
    return false;
  }
}

/** Finds secrets by their surroundings. */
export const findInContext: Detector = (text, add) => {
  assignments(text, add);
  const lower = text.toLowerCase();
  for (const { rule, words, form, accepts } of FORMS) {
    if (!words.some((word) => lower.includes(word))) continue;
    for (const match of text.matchAll(form)) {
      const secret = match[1] ?? '';
      if (isExample(secret) || accepts?.(secret) === false) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      add({ start, end: start + secret.length, rule, kind: 'context' });
    }
  }
};
