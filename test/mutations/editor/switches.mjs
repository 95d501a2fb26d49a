// Puts faults into a source text, each behind a switch: `globalThis.sessionTreeFault === number` turns one on at run time.
import ts from 'typescript';
import { declarationsOf, findPiece } from '../sourceTokens.mjs';

/**
 * @typedef {object} Fault
 * @property {number} number
 * @property {string} file under src, without `.ts`
 * @property {string} in the function, method, property or top-level constant
 * @property {string} find occurs there exactly once
 * @property {string} replace
 * @property {string} [reason] why no test needs to notice it
 */

/** Returns where a fault is in its file's text; not exactly one place if the fault is stale. */
export function placesOf(fault, text) {
  return findPiece(text, fault.find, declarationsOf(text, fault.in));
}

/**
 * @param {string} text
 * @param {Fault[]} faults all of this text
 * @returns {string} TypeScript that parses, but whose types need not fit
 */
export function withSwitches(text, faults) {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const insertions = faults.flatMap((fault) => {
    const [{ start, end }] = placesOf(fault, text);
    const node = switchable(source, start, end);
    if (!node) throw new Error(`No expression or statement can be switched: ${fault.find}`);
    const [from, to] = [node.getStart(), node.getEnd()];
    const faulty = text.slice(from, start) + fault.replace + text.slice(end, to);
    const isOn = `globalThis.sessionTreeFault === ${fault.number}`;
    const [before, after] = ts.isStatement(node)
      ? [`if (${isOn}) { ${faulty} } else { `, ' }']
      : [`(${isOn} ? (${faulty.trim() === '' ? 'undefined' : faulty}) : (`, '))'];
    return [
      { at: from, text: before, size: to - from, opens: true },
      { at: to, text: after, size: to - from, opens: false },
    ];
  });
  // If several begin or end at the same position, the larger one encloses the smaller. Ends precede beginnings.
  insertions.sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens) || (a.opens ? b.size - a.size : a.size - b.size));
  let out = '';
  let last = 0;
  for (const insertion of insertions) {
    out += text.slice(last, insertion.at) + insertion.text;
    last = insertion.at;
  }
  return out + text.slice(last);
}

/** Returns the smallest node around a piece of text that a switch can replace. */
function switchable(source, start, end) {
  const around = [];
  (function visit(node) {
    if (node.getStart() > start || node.getEnd() < end) return;
    around.unshift(node);
    ts.forEachChild(node, visit);
  })(source);
  return around.find((node) => isValue(node) || isPlainStatement(node));
}

function isPlainStatement(node) {
  return (
    ts.isExpressionStatement(node) ||
    ts.isIfStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isIterationStatement(node, false)
  );
}

/** Returns true if a conditional expression can replace a node. */
function isValue(node) {
  const { parent } = node;
  if (!ts.isExpression(node) || ts.isOmittedExpression(node) || ts.isSpreadElement(node) || !parent || isInType(node)) return false;
  // The rest of a chain, and the object that a method is called on, belong together.
  if (
    (ts.isPropertyAccessExpression(parent) ||
      ts.isElementAccessExpression(parent) ||
      ts.isCallExpression(parent) ||
      ts.isNonNullExpression(parent)) &&
    parent.expression === node
  )
    return false;
  if (
    ts.isPropertyAccessExpression(parent) ||
    ts.isTaggedTemplateExpression(parent) ||
    (ts.isNewExpression(parent) && parent.expression === node)
  )
    return false;
  if (ts.isPrefixUnaryExpression(parent) && parent.operator !== ts.SyntaxKind.ExclamationToken && !ts.isNumericLiteral(node)) return false;
  if (ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent) || ts.isTypeOfExpression(parent)) return false;
  if (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  )
    return false;
  if ('name' in parent && parent.name === node) return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return (
    !ts.isShorthandPropertyAssignment(parent) &&
    !ts.isImportDeclaration(parent) &&
    !ts.isExportDeclaration(parent) &&
    !ts.isExpressionWithTypeArguments(parent) &&
    !ts.isEnumMember(parent) &&
    !ts.isComputedPropertyName(parent) &&
    !ts.isBindingElement(parent) &&
    !ts.isCatchClause(parent) &&
    !ts.isExportSpecifier(parent) &&
    !ts.isImportSpecifier(parent) &&
    !ts.isLabeledStatement(parent) &&
    !ts.isBreakOrContinueStatement(parent) &&
    !((ts.isForInStatement(parent) || ts.isForOfStatement(parent)) && parent.initializer === node) &&
    !(ts.isIdentifier(node) && ts.isDeclarationStatement(parent))
  );
}

function isInType(node) {
  for (let at = node; at && !ts.isStatement(at); at = at.parent)
    if (ts.isTypeNode(at) && !ts.isExpressionWithTypeArguments(at)) return true;
  return false;
}
