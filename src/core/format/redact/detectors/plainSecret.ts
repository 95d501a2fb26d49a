/**
 * The secret that a finding stands for, in one form however it's written: the same secret has one placeholder in plain text, in an
 * address, in JSON and in Base64.
 */
import type { Span } from './span';

/** Characters of HTML's named references. Those of characters that aren't seen are empty. */
const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  lowbar: '_',
  UnderBar: '_',
  hyphen: '-',
  dash: '-',
  period: '.',
  sol: '/',
  colon: ':',
  equals: '=',
  plus: '+',
  commat: '@',
  shy: '',
  zwj: '',
  zwnj: '',
  ZeroWidthSpace: '',
  NoBreak: '',
};
/** The source of an expression for the references to characters in HTML. */
export const HTML_REFERENCE = `&(?:${Object.keys(NAMED).join('|')}|#\\d{2,7}|#[xX][0-9A-Fa-f]{2,6});`;
/** Escapes of addresses in UTF-8, of HTML and of programming languages. */
const ESCAPES = new RegExp(
  String.raw`(?:%[0-9A-Fa-f]{2})+|${HTML_REFERENCE}|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|[01][0-7]{2}|["'\\/])`,
  'g',
);
/** An address in an address has escapes of escapes. */
export const MAX_DEPTH = 3;
const PRINTABLE = /^[\x20-\x7e]+$/;
/** A longer one has no name and password. */
const MAX_CREDENTIALS = 400;
/** Stands for a password where the name is the token. */
const NO_PASSWORD = /^(?:x-oauth-basic|)$/;

/** @param text the text that was found, as it stands there */
export function plainSecret(text: string, { kind, rule, secret = text }: Pick<Span, 'kind' | 'rule' | 'secret'>): string {
  const plain = withoutEscapes(secret);
  if (kind === 'own') return plain.toLowerCase();
  if (kind !== 'personal') return kind === 'uncertain' ? plain : (passwordIn(plain) ?? plain);
  // Names of folders for projects have dashes between the parts of a path.
  return rule === 'home'
    ? plain
        .toLowerCase()
        .replace(/^[a-z]:/, '')
        .split(/[\\/-]+/)
        .filter(Boolean)
        .join('/')
    : plain.toLowerCase();
}

function withoutEscapes(text: string): string {
  let plain = text;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const decoded = plain.replaceAll(ESCAPES, characterOf);
    if (decoded === plain) break;
    plain = decoded;
  }
  return plain;
}

/** Returns the characters of an escape. */
export function characterOf(escape: string): string {
  if (escape.startsWith('%')) return fromUtf8(escape);
  if (escape.startsWith('&')) {
    const name = escape.slice(1, -1);
    if (!name.startsWith('#')) return NAMED[name] ?? ' ';
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0x10ffff ? ' ' : String.fromCodePoint(code);
  }
  if (/^\\\d/.test(escape)) return String.fromCharCode(parseInt(escape.slice(1), 8));
  const code = parseInt(escape.replace(/^\\.\{?/, ''), 16);
  return escape.length === 2 ? escape.charAt(1) : code > 0x10ffff ? ' ' : String.fromCodePoint(code);
}

function fromUtf8(escape: string): string {
  try {
    return decodeURIComponent(escape);
  } catch {
    // Bytes of another encoding.
    return escape;
  }
}

/** Returns the password in the Base64 of a name and a password with a colon between them. */
function passwordIn(base64: string): string | undefined {
  const [name, password] = credentialsIn(base64) ?? [];
  return password === undefined || NO_PASSWORD.test(password) ? name : password;
}

/** Returns the name and the password in the Base64 of both with a colon between them; `undefined` if it isn't that. */
export function credentialsIn(base64: string): readonly [name: string, password: string] | undefined {
  if (base64.length > MAX_CREDENTIALS || !/^[A-Za-z0-9+/]{8,}={0,2}$/.test(base64) || base64.replace(/=+$/, '').length % 4 === 1)
    return undefined;
  const text = atob(base64.replace(/=+$/, ''));
  const colon = text.indexOf(':');
  return colon < 0 || !PRINTABLE.test(text) ? undefined : [text.slice(0, colon), text.slice(colon + 1)];
}
