/** Tokens that begin a construct in some grammar, and repeatable ones: a quadratic function scans them again and again. */

const C1 = [0x85, 0x90, 0x98, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f].map((code) => String.fromCharCode(code));
const ASCII = ' !"#$%&\'()*+,-./0:;<=>?@A[\\]^_`a{|}~'.split('');

export const OPENERS: readonly string[] = [
  ...ASCII,
  ...C1,
  ...['\t', '\n', '\r', '\r\n', '\0', '\u0007', '\u001b', '\u007f', '\u00a0', '\u2028', '\ufeff'],
  ...['\u001b[', '\u001b[1', '\u001b]', '\u001bP', '\u001b(', '\u009b1', '\u0090\n', '\u009d\u0090'],
  ...['\u202e', '\u2066', '\u061c', '\u200b', '\u{1f3f4}', '\u{e0041}', '\u{1f3f4}\u{e0041}', '\ud83c', '\udf33', '\ud83c\ud83c', '日', 'é', 'e\u0301', '\u0301', 'ﬁ', 'İ'],
  ...['![', '](', '[a](', '<a', '<!--', '<?', '<![CDATA[', '</', '&#', '&lt;', '$(', '$$', '\\(', '\\[', '\\`', '`a', '``', '**', '*a ', '_a', '~~', '# ', ' #', '> ', '- ', '1. ', '| ', '|-', '://', 'http://', 'www.', 'a@', '@a.', '//a', '{a', '/*', '"""', '/a', ':1', 'a.', 'a-', 'a:', '-"', '"\\', '()', ' \n', '\n ', '= '],
];

/** Returns texts that repeat an opener up to `length` characters and end with a character that continues none of them. */
export function textsOf(opener: string, length: number): string[] {
  const run = (unit: string): string => unit.repeat(Math.ceil(length / unit.length));
  return [`x${run(opener)}x`, `a ${run(`${opener}a`)}\n!`];
}
