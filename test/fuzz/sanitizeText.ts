/** Compares `sanitizeText` with a reference implementation that goes through the text character by character. */
import assert from 'node:assert/strict';
import { sanitizeText, withVisibleBidi } from '../../src/core/format/text/sanitizeText';
import { DANGEROUS, type FuzzTarget, type Random } from './target';

const ALPHABET: readonly string[] = [
  ...DANGEROUS,
  ...[
    '\u001b',
    '\u001b',
    '[',
    ']',
    'P',
    '^',
    '_',
    'X',
    '\\',
    '(',
    'B',
    '0',
    '1;3',
    ';',
    ' ',
    'm',
    'M',
    '~',
    '7',
    '\u0007',
    '\u0090',
    '\u0098',
    '\u009b',
    '\u009c',
    '\u009d',
    '\u009e',
    '\u009f',
    '\u0085',
    '\n',
    '\r',
    '\t',
    '\u007f',
    'x'.repeat(4096),
  ],
  ...[
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u{1f3f4}',
    '\u{e0067}',
    '\u{e0062}\u{e0065}',
    '\u{e007f}',
    '\u{e0020}',
    '\ud83c',
    '\udff4',
    '\udb40',
    '\udc67',
    '\ufe0f',
    '\ufe00\u{e0158}\u{e0155}',
    '\u{e0101}',
    '\u{e0001}',
    '\u{e0fff}',
    '\u2065',
    '\ufff8',
    '\udb43',
  ],
];

const STRINGS = ']P^_X';
const STRINGS_8 = '\u0090\u0098\u009d\u009e\u009f';
const isIn = (character: string, from: string, to: string): boolean => character !== '' && character >= from && character <= to;

/** Returns the end of the escape sequence that begins at `at`; `at` if none does. */
function endOfEscape(text: string, at: number): number {
  const first = text.charAt(at);
  const second = first === '\u001b' ? text.charAt(at + 1) : '';
  if (first === '\u009b' || second === '[') {
    let end = at + (first === '\u009b' ? 1 : 2);
    while (isIn(text.charAt(end), '0', '?')) end++;
    while (isIn(text.charAt(end), ' ', '/')) end++;
    if (isIn(text.charAt(end), '@', '~')) return end + 1;
  } else if (STRINGS_8.includes(first) || (second !== '' && STRINGS.includes(second))) {
    const from = at + (second === '' ? 1 : 2);
    let end = from;
    while (end < text.length && !`\u0007\u001b\n\u009b\u009c${STRINGS_8}`.includes(text.charAt(end))) end++;
    if (end - from <= 4096 && (text.charAt(end) === '\u0007' || text.charAt(end) === '\u009c')) return end + 1;
    if (end - from <= 4096 && text.startsWith('\u001b\\', end)) return end + 2;
  }
  if (second === '') return at;
  if ('()#'.includes(second)) return at + (/[0-9A-B]/.test(text.charAt(at + 2)) ? 3 : 2);
  return /[78@-OQ-WYZ\\a-z=>]/.test(second) ? at + 2 : at;
}

function withoutEscapes(text: string): string {
  let out = '';
  for (let at = 0; at < text.length;) {
    const end = endOfEscape(text, at);
    if (end === at) out += text.charAt(at++);
    at = Math.max(at, end);
  }
  return out;
}

/** Returns control characters as their symbols, and those of eight bits as replacement characters. */
const visible = (character: string): string => {
  const code = character.charCodeAt(0);
  if (character.length > 1 || isIn(character, ' ', '~') || '\t\n'.includes(character) || code > 0x9f) return character;
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
};

/** Characters that cleaned text must not contain. Tag characters may follow a black flag, and one variation selector any character. */
const FORBIDDEN =
  // eslint-disable-next-line no-control-regex -- they are what this looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0020}-\u{e007e}]|\u{1f3f4}[\u{e0020}-\u{e007e}]{6}|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}|[\u2065\ufff0-\ufff8\u{e0000}-\u{e001f}\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}]|(?<![\u{e0020}-\u{e007e}])\u{e007f}/u;

export const target: FuzzTarget = {
  name: 'text cleaning',
  cases: 2_000,
  run(random: Random): void {
    const text = random.text(20, ALPHABET);
    const cleaned = sanitizeText(text);
    const say = (what: string): string => `${what}: ${JSON.stringify(text)} became ${JSON.stringify(cleaned)}`;
    assert.doesNotMatch(cleaned, FORBIDDEN, say('Something that must not be shown is left'));
    assert.equal(sanitizeText(cleaned), cleaned, say('Cleaned text changes when it is cleaned again'));
    assert.equal(
      cleaned,
      withVisibleBidi(Array.from(withoutEscapes(text).replaceAll('\r\n', '\n').replaceAll('\r', '\n'), visible).join('')),
      say('Other escapes are taken out than the reference takes'),
    );
  },
};
