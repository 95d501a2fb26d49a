import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The rules of the house: who may import whom. The first rule that fits a file is its rule. */
const RULES: readonly { readonly files: RegExp; readonly may: RegExp; readonly packages: readonly string[]; readonly node: boolean }[] = [
  { files: /^core\/format\//, may: /^core\/format\//, packages: [], node: false },
  { files: /^core\/files\//, may: /^core\/(format|files)\//, packages: ['nanoid'], node: true },
  { files: /^core\/catalog\//, may: /^core\/(format|files|catalog)\//, packages: [], node: true },
  { files: /^core\/index$/, may: /^core\//, packages: [], node: true },
  { files: /^contract$/, may: /^core\/index$/, packages: [], node: false },
  { files: /^context\/page\//, may: /^(context\/(page|shared)\/|core\/format\/)/, packages: ['highlight.js', 'dompurify', '@tanstack/virtual-core'], node: false },
  { files: /^context\/shared\/markdown\w*$/, may: /^(core\/format\/text\/sanitizeText|context\/shared\/markdown\w*)$/, packages: ['markdown-it'], node: false },
  { files: /^context\/shared\//, may: /^(context\/shared\/|core\/(index$|format\/))/, packages: [], node: false },
  { files: /^ui\//, may: /^(ui\/|core\/index$)/, packages: ['vscode'], node: false },
  ...['tree', 'context', 'documents', 'commands', 'watch', 'writing', 'editorCatalog'].map((folder) => ({
    files: new RegExp(`^${folder}/`),
    may: new RegExp(`^(${folder}/(?!page/)|ui/|core/index$|contract$)`),
    packages: ['vscode'],
    node: true,
  })),
  { files: /^extension$/, may: /^(tree|context|documents|commands|watch|writing|editorCatalog|ui)\/|^core\/index$|^contract$/, packages: ['vscode'], node: true },
];

const SOURCE = resolve(__dirname, '../../../src');

interface Import {
  readonly from: string;
  readonly to: string;
  readonly local: boolean;
}

function modules(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => name.split(sep).join('/').replace(/\.ts$/, ''));
}

function importsOf(module: string): Import[] {
  const text = readFileSync(join(SOURCE, `${module}.ts`), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const found: Import[] = [];
  const add = (to: string): void => {
    const local = to.startsWith('.');
    const path = local ? relative(SOURCE, resolve(SOURCE, dirname(module), to)).split(sep).join('/') : to;
    found.push({ from: module, to: path, local });
  };
  for (const match of text.matchAll(/^(?:import|export)\b[^;'"]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm)) add((match[1] ?? match[2] ?? match[3])!);
  return found;
}

/** What code outside `ui` may call of `vscode.window`: it shows no text, or only texts of ours. Of a terminal's options only those without a text are allowed. */
const OF_THE_WINDOW = [
  'activeTerminal', 'activeTextEditor', 'visibleTextEditors', 'tabGroups', 'showTextDocument', 'showOpenDialog', 'createTerminal', 'createWebviewPanel',
  'registerUriHandler', 'registerFileDecorationProvider', 'registerWebviewPanelSerializer',
];

describe('the house', () => {
  const imports = modules().flatMap(importsOf);

  it('sees imports at all', () => {
    assert.ok(imports.some(({ from, to }) => from === 'core/index' && to === 'core/format/session/session'));
    assert.ok(imports.length > 60);
  });

  it('has a rule for every module', () => {
    assert.deepEqual(modules().filter((name) => !RULES.some(({ files }) => files.test(name))), []);
  });

  it('keeps the rules of who may know whom', () => {
    const broken = imports.filter(({ from, to, local }) => {
      const rule = RULES.find(({ files }) => files.test(from))!;
      if (local) return !rule.may.test(to);
      if (to.startsWith('node:')) return !rule.node;
      return !rule.packages.some((name) => to === name || to.startsWith(`${name}/`));
    });
    assert.deepEqual(broken.map(({ from, to }) => `${from} → ${to}`), []);
  });

  it('shows text through `ui` alone, where nothing in it becomes a link or an icon', () => {
    const found = modules()
      .filter((name) => !name.startsWith('ui/'))
      .flatMap((name) => {
        const text = readFileSync(join(SOURCE, `${name}.ts`), 'utf8');
        const calls = [...text.matchAll(/\bvscode\s*\.\s*window\b(?:\s*\.\s*(\w+))?/g)].map(([, call = 'window itself']) => call);
        return [
          ...calls.filter((call) => !OF_THE_WINDOW.includes(call)),
          // By another name the editor's API could be called without being seen here.
          ...(/from 'vscode'/.test(text.replace(/^import (?:\* as vscode|type .*) from 'vscode';$/gm, '')) ? ['vscode by another name'] : []),
          ...(/=\s*vscode\s*[;,)]|=\s*vscode\.(window|commands)\s*[;,)]|vscode\s*\[/.test(text) ? ['vscode as a value'] : []),
          ...(/\bcommands\s*\.\s*registerCommand\b/.test(text) ? ['registerCommand'] : []),
          // Its arguments are from sessions; `localizeProblem` makes them short and safe.
          ...(/\bt\(\s*[\w.]+\.template\b/.test(text) ? ['a sentence of its own'] : []),
          ...(/createTerminal\((?!\{ cwd, \.\.\.shell \}\))/.test(text) ? ['a terminal with other options'] : []),
        ].map((call) => `${name}: ${call}`);
      });
    assert.deepEqual(found, []);
  });

  it('has no import cycles, type-only imports included', () => {
    const next = new Map<string, string[]>();
    for (const { from, to, local } of imports) if (local) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (name: string, path: readonly string[]): void => {
      if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name].join(' → '));
      else if (!done.has(name)) for (const to of next.get(name) ?? []) walk(to, [...path, name]);
      done.add(name);
    };
    for (const name of next.keys()) walk(name, []);
    assert.deepEqual(cycles, []);
  });
});
