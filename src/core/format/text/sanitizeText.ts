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
 * Characters that no font draws, but that a model may read:
 * - Tags, which are copies of ASCII. Only the flag of a region may use them: a black flag, the region's code (`gbeng`) and a cancel tag
 *   (UTS #51, 1.4.9).
 * - Several variation selectors in a row. A character has one at most, and there are as many as a byte has values.
 * - What Unicode reserves for such characters (`Default_Ignorable_Code_Point`).
 *
 * Longer runs are several.
 */
const HIDDEN =
  /(\u{1f3f4}?)([\u{e0020}-\u{e007e}]{1,4096})(\u{e007f}?)|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,4096}|[\u2065\ufff0-\ufff8\u{e0000}-\u{e001f}\u{e007f}-\u{e00ff}\u{e01f0}-\u{e0fff}]{1,4096}/gu;
const REGION = /^[a-z]{2}[a-z0-9]{1,3}$/;
/** Characters in each text in which {@link HIDDEN} has a match: selectors only if the one before is one, too. An alternative takes longer. */
const MAYBE_HIDDEN = '\\udb40-\\udb43\\u2065\\ufff0-\\ufff8\\ufe00-\\ufe0f';
const NO_SINGLE_SELECTOR = '(?:(?<![\\ufe00-\\ufe0f])|(?<=[\\ufe00-\\ufe0f]{2}))';
const HAS_HIDDEN = new RegExp(`[${MAYBE_HIDDEN}]${NO_SINGLE_SELECTOR}`);
/** Bytes of a text that selectors encode. */
const ASCII = /^[\t\n -~]+$/;

/** Removes terminal escape sequences: colors, titles, links, cursor moves. */
export function stripTerminalEscapes(text: string): string {
  return text.includes('\u001b') || /[\u0090-\u009f]/.test(text) ? text.replace(ESCAPES, '') : text;
}

/**
 * Makes invisible characters and those that reorder text visible, for example as `⟦RLO⟧`.
 *
 * @param escape prepares the text that such characters stand for, for a text that is HTML
 */
export function withVisibleBidi(text: string, escape = (hidden: string): string => hidden): string {
  return withVisibleHidden(text.replace(BIDI_CHARACTERS, visible), escape);
}

function withVisibleHidden(text: string, escape?: (hidden: string) => string): string {
  if (!HAS_HIDDEN.test(text)) return text;
  return text.replace(HIDDEN, (whole: string, flag?: string, tags?: string, cancel?: string) =>
    visibleHidden(whole, flag, tags, cancel, escape),
  );
}

function visibleHidden(whole: string, flag = '', tags = '', cancel = '', escape = (hidden: string): string => hidden): string {
  if (tags !== '') {
    const ascii = tags.replace(/./gu, (tag) => String.fromCharCode(tag.charCodeAt(1) - 0xdc00));
    return flag !== '' && cancel !== '' && REGION.test(ascii) ? whole : `${flag}⟦${escape(ascii)}⟧`;
  }
  // The first one selects how an emoji is drawn.
  const kept = /^[\ufe0e\ufe0f]/.exec(whole)?.[0] ?? '';
  const codes = Array.from(whole.slice(kept.length), (character) => character.codePointAt(0) ?? 0);
  const ascii = codes.map((code) => String.fromCharCode(byteOfSelector(code))).join('');
  if (ASCII.test(ascii)) return `${kept}⟦${escape(ascii)}⟧`;
  const [first = 0] = codes;
  return `${kept}⟦${codes.length === 1 ? `U+${first.toString(16).toUpperCase()}` : `${String(codes.length)} invisible characters`}⟧`;
}

/** Returns the byte that a variation selector encodes; 0 for another character. */
const byteOfSelector = (code: number): number =>
  code >= 0xe0100 && code <= 0xe01ef ? code - 0xe00f0 : code >= 0xfe00 && code <= 0xfe0f ? code - 0xfe00 : 0;

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
const SPECIAL = new RegExp(
  `[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${MAYBE_HIDDEN}${Object.keys(BIDI).join('')}]${NO_SINGLE_SELECTOR}`,
);
const LONGEST_SPECIAL = 2;

/**
 * Cleans text for display: removes terminal escapes, normalizes line breaks to `\n`, and makes control, bidi and
 * invisible characters visible.
 */
export function sanitizeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return withVisibleHidden(stripTerminalEscapes(text).replace(SIGNS, visible));
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
  if (!(yield* hasMatch(text, SPECIAL, LONGEST_SPECIAL))) return text;
  const stripped = yield* replaceSteps(text, ESCAPES, () => '');
  const shown = yield* replaceSteps(stripped, SIGNS, ([sign]) => visible(sign));
  return yield* replaceSteps(shown, HIDDEN, ([whole, flag, tags, cancel]) => visibleHidden(whole, flag, tags, cancel));
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
