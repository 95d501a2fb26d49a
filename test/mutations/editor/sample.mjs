// Prints a random sample of faults of the folders of the editor, as rows for `faults.mjs`:
// node test/mutations/editor/sample.mjs --seed 1 --count 100
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { allDeclarations } from '../sourceTokens.mjs';
import { placesOf, withSwitches } from './switches.mjs';

const src = join(import.meta.dirname, '..', '..', '..', 'src');
export const FOLDERS = ['tree', 'commands', 'context', 'documents', 'editorCatalog', 'fileVersions', 'lineOrigins', 'watch', 'writing'];

const OPPOSITES = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '>='],
  ['>', '<='],
  ['<=', '>'],
  ['>=', '<'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
]);

/**
 * Lists the possible faults in a text.
 * @returns {{ in: string, find: string, replace: string }[]}
 */
export function possibleFaults(text) {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const declarations = allDeclarations(text);
  const found = [];
  const add = (node, replace) => {
    const inner = declarations.filter(({ start, end }) => start <= node.getStart() && node.getEnd() <= end).at(-1);
    if (!inner) return;
    const find = node.getText().replaceAll(/\s*\n\s*/g, ' ');
    const name = inner.names.find((one) => placesOf({ in: one, find }, text).length === 1);
    if (name === undefined || find.length > 150 || find.includes('//')) return;
    const fault = { number: 0, in: name, find, replace: replace.replaceAll(/\s*\n\s*/g, ' ') };
    try {
      withSwitches(text, [fault]);
      found.push(fault);
    } catch {
      // No switch is possible at this position.
    }
  };
  (function visit(node) {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isIfStatement(node) || ts.isWhileStatement(node))
      add(node.expression, ts.isWhileStatement(node) ? 'false' : `!(${node.expression.getText()})`);
    else if (ts.isConditionalExpression(node))
      add(node, `${node.condition.getText()} ? ${node.whenFalse.getText()} : ${node.whenTrue.getText()}`);
    else if (ts.isExpressionStatement(node)) add(node, '');
    else if (ts.isReturnStatement(node) && node.expression) add(node, 'return undefined as never;');
    else if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText();
      if (operator === '&&' || operator === '||' || operator === '??') {
        add(node, node.left.getText());
        add(node, node.right.getText());
      } else if (OPPOSITES.has(operator)) add(node, `${node.left.getText()} ${OPPOSITES.get(operator)} ${node.right.getText()}`);
    } else if (ts.isStringLiteral(node) && node.text !== '' && !ts.isCallExpression(node.parent)) add(node, "''");
    else if (ts.isNumericLiteral(node)) add(node, node.text === '0' ? '1' : '0');
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) add(node, '[]');
    else if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      ['filter', 'sort', 'slice', 'reverse', 'trim', 'toSorted'].includes(node.expression.name.text)
    )
      add(node, node.expression.expression.getText());
    ts.forEachChild(node, visit);
  })(source);
  return found;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function* numbers(seed) {
  for (let state = seed >>> 0; ;) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/**
 * Takes faults at random: from each folder in proportion to its size, but at least five.
 * @returns {{ file: string, in: string, find: string, replace: string }[]}
 */
export function sampleFaults(seed, count) {
  const random = numbers(seed);
  const all = new Map(
    FOLDERS.map((folder) => {
      const files = readdirSync(join(src, folder), { recursive: true })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
        .sort();
      return [
        folder,
        files.flatMap((name) =>
          possibleFaults(readFileSync(join(src, folder, name), 'utf8')).map((fault) => ({
            file: `${folder}/${name.slice(0, -3)}`,
            ...fault,
          })),
        ),
      ];
    }),
  );
  const total = [...all.values()].reduce((sum, { length }) => sum + length, 0);
  return FOLDERS.flatMap((folder) => {
    const left = all.get(folder);
    const wanted = Math.max(5, Math.round((count * left.length) / total));
    return Array.from({ length: Math.min(wanted, left.length) }, () => left.splice(Math.floor(random.next().value * left.length), 1)[0]);
  });
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' } } });
  for (const { file, in: within, find, replace } of sampleFaults(Number(values.seed), Number(values.count)).sort((a, b) =>
    a.file < b.file ? -1 : 1,
  )) {
    console.log(`  [${[file, within, find, replace].map((text) => JSON.stringify(text)).join(', ')}],`);
  }
}
