/** Reads JSON5, in which people write settings: JSON with comments, trailing commas, keys without quotes, and single quotes. */

/** Each alternative takes at least one character and never has to go back, so the time grows with the length only. */
const TOKEN =
  /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]+|\\[\s\S])*(?:"|\\?$)|'(?:[^'\\]+|\\[\s\S])*(?:'|\\?$)|[{}[\]:,]|[^\s{}[\]:,"'/]+|\//g;

const NUMBER = /^[+-]?(?:Infinity|NaN|0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;

/** Escapes of one character. Any other character that is escaped is the character. */
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' };

/**
 * Returns the value of a JSON5 text. Numbers that JSON can't have are 0.
 *
 * @throws {SyntaxError}
 */
export function parseLooseJson(text: string): unknown {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !token.startsWith('//') && !token.startsWith('/*'));
  return JSON.parse(tokens.map((token, at) => strictToken(token, tokens[at - 1], tokens[at + 1])).join(' '));
}

/** Returns a token as JSON has it. */
function strictToken(token: string, before: string | undefined, next: string | undefined): string {
  if (token === ',' && (next === '}' || next === ']')) return before !== undefined && '{[,'.includes(before) ? token : '';
  if (token.startsWith('"') || token.startsWith("'")) return JSON.stringify(unquoted(token));
  if (next === ':' && !'{}[]:,'.includes(token)) return JSON.stringify(token);
  return NUMBER.test(token) && !isJsonNumber(token) ? '0' : token;
}

const isJsonNumber = (token: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(token);

function unquoted(token: string): string {
  const end = token.length - 1;
  let escapes = 0;
  while (token[end - 1 - escapes] === '\\') escapes++;
  if (end === 0 || token[end] !== token[0] || escapes % 2 === 1) throw new SyntaxError('Unterminated string');
  return token
    .slice(1, end)
    .replace(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|(\r\n|[\s\S]))/gi,
      (_, two: string | undefined, four: string | undefined, character: string) => {
        const code = two ?? four;
        if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
        return /^[\r\n\u2028\u2029]/.test(character) ? '' : (ESCAPED[character] ?? character);
      },
    );
}
