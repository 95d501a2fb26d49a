/** Session text as it may be shown: no terminal colours, nothing that changes how its surroundings read. */

// CSI (colours, cursor), OSC (titles, links; ended by BEL or ST), and the two-character escapes.
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const ANSI = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\^_a-z=>()#][0-9A-B]?|\u009b[0-?]*[ -/]*[@-~]/g;
// eslint-disable-next-line no-control-regex -- as above
const ODD = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

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

/** Terminal colours and titles go; line ends become `\n`; control and bidi characters become visible. */
export function plain(text: string): string {
  return text
    .replace(ANSI, '')
    .replace(/\r\n?/g, '\n')
    .replace(ODD, (character) => {
      const name = BIDI[character];
      if (name !== undefined) return `⟦${name}⟧`;
      const code = character.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '\ufffd';
    });
}

/** The text in one line of at most `length` characters. */
export function oneLine(text: string, length: number): string {
  // Of a huge text only the beginning is looked at; a line is never made of all of it.
  const line = plain(text.slice(0, length * 4)).replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** Lengths in UTF-16 units: what is longer than both ends together is sent without its middle. */
export interface Ends {
  readonly start: number;
  readonly end: number;
}

/** Cuts at a line's end if there is one near. */
export function cut(text: string, { start, end }: Ends): { readonly text: string; readonly tail?: string; readonly omitted?: number } {
  if (text.length <= start + end) return { text };
  const from = boundary(text, start);
  const near = end === 0 ? -1 : text.indexOf('\n', text.length - end);
  const to = end === 0 ? text.length : near < 0 || near > text.length - end / 2 ? text.length - end : near + 1;
  return { text: text.slice(0, from), ...(end === 0 ? {} : { tail: text.slice(to) }), omitted: to - from };
}

/** The piece of a text from `from` on, at most `length` long, that ends with a line if it can. */
export function piece(text: string, from: number, to: number, length: number): string {
  return to - from <= length ? text.slice(from, to) : text.slice(from, boundary(text, from + length));
}

function boundary(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  if (line > at / 2 && at - line < 10_000) return line;
  // Never between the two halves of a character.
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at;
}
