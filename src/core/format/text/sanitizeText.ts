/** Cleans session text for display: no terminal escapes, and nothing that changes how its surroundings read. */

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
  const shown = text.replace(BIDI_CHARACTERS, (character) => `⟦${BIDI[character] ?? ''}⟧`);
  if (!shown.includes('\udb40')) return shown;
  return shown.replace(TAGS, (whole, flag: string, tags: string, cancel: string) => {
    const ascii = tags.replace(/./gu, (tag) => String.fromCharCode(tag.charCodeAt(1) - 0xdc00));
    return flag !== '' && cancel !== '' && REGION.test(ascii) ? whole : `${flag}⟦${ascii}⟧`;
  });
}

// eslint-disable-next-line no-control-regex -- control characters are what it matches
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Matches every text that {@link sanitizeText} may change. Nearly none does, so the other expressions needn't be compiled and run. */
const SPECIAL = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\udb40${Object.keys(BIDI).join('')}]`);

/**
 * Cleans text for display: removes terminal escapes, normalizes line breaks to `\n`, and makes control and bidi
 * characters visible.
 */
export function sanitizeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return withVisibleBidi(
    stripTerminalEscapes(text)
      .replace(/\r\n?/g, '\n')
      .replace(CONTROLS, (character) => {
        const code = character.charCodeAt(0);
        return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '\ufffd';
      }),
  );
}
