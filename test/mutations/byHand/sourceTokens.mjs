// Finds a piece of source text within a named function, whatever the formatting.
import ts from 'typescript';

/**
 * @typedef {object} Token
 * @property {string} text equal for tokens that mean the same, such as `'a'` and `"a"`
 * @property {number} start
 * @property {number} end
 */

/** The kinds after which a slash means division. After all others it begins a regular expression. */
const ENDS_OPERAND = new Set([
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.BigIntLiteral,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.RegularExpressionLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.CloseParenToken,
  ts.SyntaxKind.CloseBracketToken,
  ts.SyntaxKind.CloseBraceToken,
  ts.SyntaxKind.ThisKeyword,
  ts.SyntaxKind.SuperKeyword,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
]);
const LITERALS = new Set([ts.SyntaxKind.StringLiteral, ts.SyntaxKind.NumericLiteral, ts.SyntaxKind.BigIntLiteral]);

/**
 * Returns the tokens of a text, which needn't be a whole program. White space and comments aren't tokens, and neither
 * is a comma before a closing bracket.
 * @param {string} text
 * @returns {Token[]}
 */
export function tokensOf(text) {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  const tokens = [];
  /** The number of open braces within each open `${`. */
  const templates = [];
  let last;
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if ((kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken) && !ENDS_OPERAND.has(last))
      kind = scanner.reScanSlashToken();
    else if (kind === ts.SyntaxKind.CloseBraceToken && templates.at(-1) === 0) kind = scanner.reScanTemplateToken(false);
    else if (kind === ts.SyntaxKind.CloseBraceToken && templates.length > 0) templates[templates.length - 1]--;
    else if (kind === ts.SyntaxKind.OpenBraceToken && templates.length > 0) templates[templates.length - 1]++;
    if (kind === ts.SyntaxKind.TemplateHead) templates.push(0);
    else if (kind === ts.SyntaxKind.TemplateTail) templates.pop();

    const isClosing =
      kind === ts.SyntaxKind.CloseBraceToken || kind === ts.SyntaxKind.CloseBracketToken || kind === ts.SyntaxKind.CloseParenToken;
    if (isClosing && last === ts.SyntaxKind.CommaToken) tokens.pop();
    const canonical = LITERALS.has(kind) ? JSON.stringify([kind, scanner.getTokenValue()]) : scanner.getTokenText();
    tokens.push({ text: canonical, start: scanner.getTokenStart(), end: scanner.getTokenEnd() });
    last = kind;
  }
  return tokens;
}

/**
 * Finds the declarations of a name: functions, methods, accessors, constructors and properties, constants and variables
 * at the top level, and variables with a function as value. `Class.member` only finds the member of that class.
 * @param {string} text
 * @param {string} name
 * @returns {{ start: number, end: number }[]}
 */
export function declarationsOf(text, name) {
  return allDeclarations(text).filter(({ names }) => names.includes(name));
}

/** @returns {{ names: string[], start: number, end: number }[]} each after those that contain it */
const allDeclarations = remembered((text) => {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, className) => {
    const name = nameOf(node);
    if (name !== undefined)
      found.push({ names: className === undefined ? [name] : [name, `${className}.${name}`], start: node.getStart(), end: node.getEnd() });
    ts.forEachChild(node, (child) => visit(child, ts.isClassLike(node) ? node.name?.text : undefined));
  };
  visit(source);
  return found;
});

/** @returns {string | undefined} the name by which a mutation can refer to the node */
function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isFunctionDeclaration(node)) return node.body && node.name?.text;
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) return node.body && node.name.getText();
  if (ts.isPropertyDeclaration(node)) return node.name.getText();
  if (ts.isPropertyAssignment(node)) return isFunction(node.initializer) ? node.name.getText() : undefined;
  if (!ts.isVariableStatement(node)) return undefined;
  const [{ name, initializer }] = node.declarationList.declarations;
  return ts.isSourceFile(node.parent) || isFunction(initializer) ? name.getText() : undefined;
}

function isFunction(node) {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
}

const tokensOfSource = remembered(tokensOf);

/** A cache, because many mutations are in the same few files. */
function remembered(work) {
  const answers = new Map();
  return (text) => {
    if (!answers.has(text)) answers.set(text, work(text));
    return answers.get(text);
  };
}

/**
 * Finds the positions at which the tokens of a piece follow each other within some ranges of a text.
 * @param {string} text
 * @param {string} piece
 * @param {{ start: number, end: number }[]} ranges
 * @returns {{ start: number, end: number }[]}
 */
export function findPiece(text, piece, ranges) {
  const tokens = tokensOfSource(text);
  const wanted = tokensOf(piece);
  if (wanted.length === 0) return [];
  const found = [];
  for (let at = 0; at + wanted.length <= tokens.length; at++) {
    const [start, end] = [tokens[at].start, tokens[at + wanted.length - 1].end];
    if (
      ranges.some((range) => range.start <= start && end <= range.end) &&
      wanted.every((token, index) => token.text === tokens[at + index].text)
    )
      found.push({ start, end });
  }
  return found;
}
