/** Session text as it may be shown: no terminal colours, nothing that changes how its surroundings read. */

// CSI (colours, cursor); OSC (titles, links) and the other strings, which end with BEL or ST, and are only left out if they
// do: what a program began and never ended was read by the model, and must be seen; and the short escapes.
const CSI = '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]';
const STRING = '(?:\\u001b[\\]P^_X]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]{0,4096}(?:\\u0007|\\u001b\\\\|\\u009c)';
const SHORT = '\\u001b(?:[78@-OQ-WYZ\\\\a-z=>]|[()#][0-9A-B]?)';
const ESCAPES = new RegExp(`${CSI}|${STRING}|${SHORT}`, 'g');

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

/** Copies of ASCII that no font draws: a model reads them, a person does not. In flags they stand after a black one. */
const TAGS = /(\u{1f3f4}?)([\u{e0020}-\u{e007e}]+)(\u{e007f}?)/gu;

/** Takes out what only a terminal understands: colours, titles, links, cursor moves. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001b') || /[\u0090-\u009f]/.test(text) ? text.replace(ESCAPES, '') : text;
}

/** Makes visible what reorders the text around it, and what nobody would see: `⟦RLO⟧`. */
export function withVisibleBidi(text: string): string {
  const shown = text.replace(BIDI_CHARACTERS, (character) => `⟦${BIDI[character] ?? ''}⟧`);
  if (!shown.includes('\udb40')) return shown;
  return shown.replace(TAGS, (whole, flag: string, tags: string) => (flag === '' ? `⟦${Array.from(tags, (tag) => String.fromCharCode(tag.codePointAt(0)! - 0xe0000)).join('')}⟧` : whole));
}

// eslint-disable-next-line no-control-regex -- control characters are what this is about
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Terminal colours and titles go; line ends become `\n`; control and bidi characters become visible. */
export function plain(text: string): string {
  return withVisibleBidi(
    withoutEscapes(text)
      .replace(/\r\n?/g, '\n')
      .replace(CONTROLS, (character) => {
        const code = character.charCodeAt(0);
        return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '\ufffd';
      }),
  );
}
