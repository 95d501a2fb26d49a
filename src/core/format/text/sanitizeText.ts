/** Cleans session text for display: no terminal escapes, and nothing that changes how its surroundings read. */
import type { Steps } from '../session/steps';
import { hasMatch } from './searchSteps';

// CSI (colors, cursor moves), strings (OSC titles and links, DCS, SOS, PM, APC) that end with BEL or ST, and short escapes:
// ECMA-48, 5.3 to 5.6. A string that doesn't end, or in which another one begins, stays visible: the model read its text.
// No sequence can contain the character that begins one, so a failing match ends before the next one starts.
const CSI = '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]';
const STRING =
  '(?:\\u001b[\\]P^_X]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u0090\\u0098\\u009b-\\u009f\\n]{0,4096}(?:\\u0007|\\u001b\\\\|\\u009c)';
const SHORT = '\\u001b(?:[78@-OQ-WYZ\\\\a-z=>]|[()#][0-9A-B]?)';
/** The source of an expression for terminal escape sequences. */
export const TERMINAL_ESCAPE = `${CSI}|${STRING}|${SHORT}`;
const ESCAPES = new RegExp(TERMINAL_ESCAPE, 'g');

const BIDI: Readonly<Record<string, string>> = {
  '\u061c': 'ALM',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
};
const BIDI_CHARACTERS = new RegExp(`[${Object.keys(BIDI).join('')}]`, 'g');

/**
 * Tag characters are copies of ASCII that no font draws, but that a model reads. Only the flag of a region may use them:
 * a black flag, the region's code (`gbeng`) and a cancel tag (UTS #51, 1.4.9).
 */
const TAGS = /(\u{1f3f4}?)([\u{e0020}-\u{e007e}]+)(\u{e007f}?)/gu;
const REGION = /^[a-z]{2}[a-z0-9]{1,3}$/;

/** Removes terminal escape sequences: colors, titles, links, cursor moves. */
export function stripTerminalEscapes(text: string): string {
  return text.includes('\u001b') || /[\u0090-\u009f]/.test(text) ? text.replace(ESCAPES, '') : text;
}

/** Makes invisible characters and those that reorder text visible, for example as `⟦RLO⟧`. */
export function withVisibleBidi(text: string): string {
  const shown = text.replace(BIDI_CHARACTERS, visible);
  return shown.includes('\udb40') ? shown.replace(TAGS, visibleTags) : shown;
}

function visibleTags(whole: string, flag: string, tags: string, cancel: string): string {
  const ascii = tags.replace(/./gu, (tag) => String.fromCharCode(tag.charCodeAt(1) - 0xdc00));
  return flag !== '' && cancel !== '' && REGION.test(ascii) ? whole : `${flag}⟦${ascii}⟧`;
}

/** Line breaks, and the control and bidi characters that are made visible. */
const SIGNS = new RegExp(`\\r\\n?|[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f${Object.keys(BIDI).join('')}]`, 'g');

function visible(sign: string): string {
  const name = BIDI[sign];
  if (name !== undefined) return `⟦${name}⟧`;
  const code = sign.charCodeAt(0);
  if (code === 0x0d) return '\n';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '\ufffd';
}

/** Matches every text that {@link sanitizeText} may change. Nearly none does, so the other expressions needn't be compiled and run. */
const SPECIAL = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\udb40${Object.keys(BIDI).join('')}]`);

/**
 * Cleans text for display: removes terminal escapes, normalizes line breaks to `\n`, and makes control and bidi
 * characters visible.
 */
export function sanitizeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return stripTerminalEscapes(text).replace(SIGNS, visible).replace(TAGS, visibleTags);
}

/** UTF-16 units that are cleaned at once. */
const SHORT_TEXT = 32 * 1024;
/** Replacements that take about a millisecond. */
const REPLACEMENTS_OF_STEP = 4_000;

/** Does the same as {@link sanitizeText}, in steps. */
export function* sanitizeSteps(text: string): Steps<string> {
  if (text.length <= SHORT_TEXT) return sanitizeText(text);
  // Joining a long text before this may have taken some milliseconds.
  yield;
  if (!(yield* hasMatch(text, SPECIAL, 1))) return text;
  const stripped = yield* replaceSteps(text, ESCAPES, () => '');
  const shown = yield* replaceSteps(stripped, SIGNS, ([sign]) => visible(sign));
  return yield* replaceSteps(shown, TAGS, ([whole, flag = '', tags = '', cancel = '']) => visibleTags(whole, flag, tags, cancel));
}

function* replaceSteps(text: string, pattern: RegExp, replacement: (match: RegExpExecArray) => string): Steps<string> {
  const pieces: string[] = [];
  let parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(from, match.index), replacement(match));
    from = match.index + match[0].length;
    if (parts.length < 2 * REPLACEMENTS_OF_STEP) continue;
    pieces.push(parts.join(''));
    parts = [];
    yield;
  }
  if (pieces.length > 0) yield;
  return from === 0 ? text : [...pieces, ...parts, text.slice(from)].join('');
}
