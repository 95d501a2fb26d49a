// Collects every sentence that the extension may show into l10n/bundle.l10n.json, for translators, and brings the
// translations (l10n/bundle.l10n.*.json, package.nls.*.json) into the same order, without sentences that are gone. With
// --check it only reports whether the first file is current; test/unit/vsix/translations.test.ts checks the translations.
// A sentence is the first literal of `l10n.t(…)`, or of a `t(…)` that was destructured from it, or a template of the
// core: in `new SessionError(code, …)`, `translate(…)`, and the table of problems.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const BUNDLE = 'l10n/bundle.l10n.json';
/** Index of the argument that is a sentence, by the called function. */
const CALLS = [
  [/\bl10n\.t$|^t$/, 0],
  [/^(SessionError|ActionableError)$/, 1],
  [/(^|\.)(translate|say)$/, 0],
];
/** Tables whose values are sentences. */
const TABLES = new Set(['TEMPLATES', 'RANGE_TEMPLATES', 'TIMEOUT_MESSAGES']);

/** Texts by their key in the bundle: the text itself, or with a comment for translators `text/comment`, as the editor looks it up. */
const found = new Map();
for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.ts')) continue;
  const path = join('src', name);
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
}
const text = `${JSON.stringify(Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
const current = readFileSync(BUNDLE, 'utf8');
if (!process.argv.includes('--check')) {
  writeFileSync(BUNDLE, text);
  console.log(`${BUNDLE}: ${found.size} sentences`);
  for (const [english, translation] of translations()) arrange(english, translation);
} else if (current !== text) {
  console.error(`${BUNDLE} is not current: npm run strings writes it anew.`);
  process.exitCode = 1;
}

/** Yields each file of translations with the file of the sentences it translates. */
function* translations() {
  for (const name of readdirSync('l10n').sort()) {
    if (/^bundle\.l10n\.[a-z-]+\.json$/.test(name)) yield [BUNDLE, join('l10n', name)];
  }
  for (const name of readdirSync('.').sort()) {
    if (/^package\.nls\.[a-z-]+\.json$/.test(name)) yield ['package.nls.json', name];
  }
}

/** Brings a file of translations into the order of the English file, and reports what it lacks. */
function arrange(english, translation) {
  const keys = Object.keys(JSON.parse(readFileSync(english, 'utf8')));
  const translated = JSON.parse(readFileSync(translation, 'utf8'));
  const missing = keys.filter((key) => translated[key] === undefined);
  const kept = keys.filter((key) => translated[key] !== undefined);
  writeFileSync(translation, `${JSON.stringify(Object.fromEntries(kept.map((key) => [key, translated[key]])), null, 2)}\n`);
  if (missing.length > 0) console.log([`${translation} lacks ${missing.length}:`, ...missing].join('\n  '));
}

function visit(node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const callee = node.expression.getText();
    const call = CALLS.find(([pattern]) => pattern.test(callee));
    if (call) collect(node.arguments?.[call[1]]);
  }
  if (
    ts.isVariableDeclaration(node) &&
    TABLES.has(node.name.getText()) &&
    node.initializer &&
    ts.isObjectLiteralExpression(node.initializer)
  ) {
    for (const property of node.initializer.properties) if (ts.isPropertyAssignment(property)) collect(property.initializer);
  }
  ts.forEachChild(node, visit);
}

function collect(node) {
  if (!node) return;
  if (ts.isIdentifier(node)) collect(constants(node.getSourceFile()).get(node.text));
  else if (ts.isStringLiteralLike(node)) found.set(node.text, node.text);
  else if (ts.isConditionalExpression(node)) {
    collect(node.whenTrue);
    collect(node.whenFalse);
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
