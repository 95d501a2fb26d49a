// The sentences that a module may show, as keys of l10n/bundle.l10n.json. A sentence is the first literal of `l10n.t(…)`, or
// of a `t(…)` that was destructured from it, or a template of the core: in `new SessionError(code, …)`, in the
// `super(code, …)` of its subclasses, in `translate(…)`, and in the table of problems.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Index of the argument that is a sentence, by the called function. */
const CALLS = [
  [/\bl10n\.t$|^t$/, 0],
  [/^(SessionError|SessionInUseError|ActionableError|super)$/, 1],
  [/(^|\.)translate$/, 0],
];
/** Tables whose values are sentences. */
const TABLES = new Set(['TEMPLATES', 'RANGE_TEMPLATES', 'TIMEOUT_MESSAGES']);

/**
 * Returns the sentences in modules.
 * @param {Iterable<string>} paths of TypeScript files
 * @returns {Map<string, string>} texts by their key in the bundle: the text itself, or with a comment for translators
 *   `text/comment`, as the editor looks it up
 * @throws {Error} if a text with a comment isn't a literal
 */
export function sourceTexts(paths) {
  const found = new Map();
  for (const path of paths) visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true), found);
  return found;
}

function visit(node, found) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const callee = node.expression.getText();
    const call = CALLS.find(([pattern]) => pattern.test(callee));
    if (call) collect(node.arguments?.[call[1]], found);
  }
  if (
    ts.isVariableDeclaration(node) &&
    TABLES.has(node.name.getText()) &&
    node.initializer &&
    ts.isObjectLiteralExpression(node.initializer)
  ) {
    for (const property of node.initializer.properties) if (ts.isPropertyAssignment(property)) collect(property.initializer, found);
  }
  ts.forEachChild(node, (child) => visit(child, found));
}

function collect(node, found) {
  if (!node) return;
  if (ts.isIdentifier(node)) collect(constants(node.getSourceFile()).get(node.text), found);
  else if (ts.isStringLiteralLike(node)) found.set(node.text, node.text);
  else if (ts.isConditionalExpression(node)) {
    collect(node.whenTrue, found);
    collect(node.whenFalse, found);
  } else if (ts.isObjectLiteralExpression(node)) {
    const message = property(node, 'message');
    found.set(`${message}/${property(node, 'comment')}`, message);
  }
}

/** Returns the text of a property of `l10n.t({ message, args, comment })`. @throws {Error} if it isn't a literal */
function property(node, name) {
  const found = node.properties.find((each) => ts.isPropertyAssignment(each) && each.name.getText() === name);
  if (!found || !ts.isStringLiteralLike(found.initializer)) throw new Error(`${name} isn't a literal in ${node.getText()}`);
  return found.initializer.text;
}

/** Returns the sentences in a module. */
function constants(source) {
  const named = new Map();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer && ts.isStringLiteralLike(initializer)) named.set(name.getText(), initializer);
    }
  }
  return named;
}
