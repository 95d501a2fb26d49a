import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Allowed imports. The first rule that matches a module applies to it. */
const RULES: readonly { readonly files: RegExp; readonly may: RegExp; readonly packages: readonly string[]; readonly node: boolean }[] = [
  { files: /^core\/format\/restore\//, may: /^core\/format\//, packages: ['node-diff3'], node: false },
  { files: /^core\/format\//, may: /^core\/format\//, packages: [], node: false },
  {
    files: /^core\/files\//,
    may: /^core\/(format|files)\//,
    packages: ['nanoid', '@secretlint/secretlint-rule-preset-recommend'],
    node: true,
  },
  { files: /^core\/catalog\//, may: /^core\/(format|files|catalog)\//, packages: [], node: true },
  { files: /^core\/index$/, may: /^core\//, packages: [], node: true },
  { files: /^memory\//, may: /^(memory\/|core\/index$)/, packages: [], node: true },
  {
    files: /^mcp\//,
    may: /^(mcp|memory)\/|^core\/index$/,
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio', 'zod'],
    node: true,
  },
  { files: /^cli\//, may: /^(cli|memory)\/|^mcp\/server$|^core\/index$/, packages: ['commander'], node: true },
  { files: /^api$/, may: /^core\/index$|^contract$/, packages: ['vscode'], node: false },
  { files: /^contract$/, may: /^core\/index$/, packages: [], node: false },
  {
    files: /^context\/page\//,
    may: /^(context\/(page|shared|articles|snapshot|search)\/|core\/format\/)/,
    packages: ['highlight.js', 'dompurify', '@tanstack/virtual-core'],
    node: false,
  },
  {
    files: /^context\/shared\/markdown\w*$/,
    may: /^(core\/format\/text\/(fileLocation|sanitizeText)|context\/shared\/markdown\w*)$/,
    packages: ['markdown-it'],
    node: false,
  },
  {
    files: /^context\/(articles|snapshot|search)\//,
    may: /^(context\/(shared|articles|snapshot|search)\/|core\/format\/)/,
    packages: [],
    node: false,
  },
  { files: /^context\/shared\//, may: /^(context\/shared\/|core\/(index$|format\/))/, packages: [], node: false },
  { files: /^ui\//, may: /^(ui\/|core\/index$)/, packages: ['vscode'], node: false },
  { files: /^agents\//, may: /^(agents|memory|ui)\/|^core\/index$|^contract$/, packages: ['vscode', 'jsonc-parser'], node: true },
  ...['tree', 'context', 'documents', 'commands', 'watch', 'writing', 'editorCatalog', 'lineOrigins', 'fileVersions'].map((folder) => ({
    files: new RegExp(`^${folder}/`),
    may: new RegExp(`^(${folder}/(?!page/)|ui/|core/index$|contract$)`),
    packages: ['vscode'],
    node: true,
  })),
  {
    files: /^(extension$|activation\/)/,
    may: /^(activation|agents|tree|context|documents|commands|watch|writing|editorCatalog|lineOrigins|fileVersions|ui)\/|^core\/index$|^contract$|^api$/,
    packages: ['vscode'],
    node: true,
  },
];

/** The folders of the catalog from the lowest to the highest: each imports only folders before it. */
const CATALOG_FOLDERS = [
  'rows',
  'encoding',
  'index/words',
  'index',
  'database/sqlite',
  'database',
  'search/query',
  'search',
  'worker/protocol',
  'worker/scan',
  'worker',
  'copies',
  'refresh',
  'store',
  'origins/events',
  'origins',
  'restore',
  'review',
  'agentTrace',
].map((folder) => `core/catalog/${folder}`);

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
    const path = local
      ? relative(SOURCE, resolve(SOURCE, dirname(module), to))
          .split(sep)
          .join('/')
      : to;
    found.push({ from: module, to: path, local });
  };
  for (const match of text.matchAll(/^(?:import|export)\b[^;'"]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm))
    add((match[1] ?? match[2] ?? match[3])!);
  return found;
}

/** Members of `vscode.window` for code outside `ui`: they show no text, or only the extension's own. */
const ALLOWED_WINDOW_MEMBERS = [
  'activeTerminal',
  'activeTextEditor',
  'visibleTextEditors',
  'onDidChangeTextEditorViewColumn',
  'onDidChangeVisibleTextEditors',
  'tabGroups',
  'showTextDocument',
  'showOpenDialog',
  'createWebviewPanel',
  'registerUriHandler',
  'registerFileDecorationProvider',
  'registerWebviewPanelSerializer',
  'registerCustomEditorProvider',
  'state',
  'onDidChangeWindowState',
  'onDidChangeActiveTerminal',
  'onDidChangeActiveTextEditor',
  'onDidChangeTextEditorSelection',
  'onDidChangeVisibleTextEditors',
];

describe('Imports of modules', () => {
  const imports = modules().flatMap(importsOf);

  it('are found', () => {
    assert.ok(imports.some(({ from, to }) => from === 'core/index' && to === 'core/format/session/session'));
    assert.ok(imports.length > 60);
  });

  it('have a rule for every module', () => {
    assert.deepEqual(
      modules().filter((name) => !RULES.some(({ files }) => files.test(name))),
      [],
    );
  });

  it('keep the rules', () => {
    const broken = imports.filter(({ from, to, local }) => {
      const rule = RULES.find(({ files }) => files.test(from))!;
      if (local) return !rule.may.test(to);
      if (to.startsWith('node:')) return !rule.node;
      return !rule.packages.some((name) => to === name || to.startsWith(`${name}/`));
    });
    assert.deepEqual(
      broken.map(({ from, to }) => `${from} → ${to}`),
      [],
    );
  });

  it('lead from a folder of the catalog to lower ones', () => {
    const floorOf = (module: string): number => CATALOG_FOLDERS.indexOf(dirname(module));
    const inFolders = imports.filter(({ from }) => /^core\/catalog\/.*\//.test(from));
    assert.ok(inFolders.length > 100);
    const broken = inFolders.filter(({ from, to }) => floorOf(from) < 0 || floorOf(to) > floorOf(from));
    assert.deepEqual(
      broken.map(({ from, to }) => `${from} → ${to}`),
      [],
    );
  });

  it('let code be loaded later only where a message says if that fails', () => {
    const found = modules()
      // Programs end with the message.
      .filter((name) => !/^(?:core|cli|memory)\//.test(name))
      .flatMap((name) => {
        const text = readFileSync(join(SOURCE, `${name}.ts`), 'utf8').replaceAll(/\btypeof import\(/g, '');
        const all = text.match(/\bimport\(/g) ?? [];
        const safe = text.match(/\b(?:loadCode|this\.load)\(\(\) => import\(/g) ?? [];
        return all.length === safe.length ? [] : [name];
      });
    assert.deepEqual(found, []);
  });

  it('let one module run programs, which finds them in absolute folders', () => {
    const texts = new Map(modules().map((name) => [name, readFileSync(join(SOURCE, `${name}.ts`), 'utf8')]));
    const runner = 'core/files/programs/runProgram';
    const found = [...texts].filter(([, text]) => /child_process|\bprocess\.(binding|execve)\b|\bcluster\b/.test(text));
    assert.deepEqual(
      found.map(([name]) => name),
      [runner],
    );
    const text = texts.get(runner)!;
    assert.match(text, /const program = await findProgram\(name, host\);/);
    assert.match(text, /\? \['\/bin\/sh', .* program, \.\.\.args\]\]\s*: \[program, \[\.\.\.args\]\];/s);
    assert.equal([...text.matchAll(/\bexecFile\(\s*file,/g)].length, 1);
    // The editor looks for the program of a terminal, too, if that has a name alone.
    for (const [name, source] of texts)
      for (const [, shell = ''] of source.matchAll(/\bshellPath: (['"`][^,]*)/g)) assert.match(shell, /^['"`]\//, name);
  });

  it('let only `ui` show text in the editor, where nothing in it becomes a link or an icon', () => {
    const found = modules()
      .filter((name) => !name.startsWith('ui/'))
      .flatMap((name) => {
        const text = readFileSync(join(SOURCE, `${name}.ts`), 'utf8');
        const calls = [...text.matchAll(/\bvscode\s*\.\s*window\b(?:\s*\.\s*(\w+))?/g)].map(([, call = 'window itself']) => call);
        return [
          ...calls.filter((call) => !ALLOWED_WINDOW_MEMBERS.includes(call)),
          // Under another name, calls of the editor's API wouldn't be found here.
          ...(/from 'vscode'/.test(text.replace(/^import (?:\* as vscode|type .*) from 'vscode';$/gm, ''))
            ? ['vscode by another name']
            : []),
          ...(/=\s*vscode\s*[;,)]|=\s*vscode\.(window|commands)\s*[;,)]|vscode\s*\[/.test(text) ? ['vscode as a value'] : []),
          ...(/\bcommands\s*\.\s*registerCommand\b/.test(text) ? ['registerCommand'] : []),
          // The arguments of templates come from sessions; `localizeProblem` makes them short and safe.
          ...(/\bt\(\s*[\w.]+\.template\b/.test(text) ? ['a sentence of its own'] : []),
        ].map((call) => `${name}: ${call}`);
      });
    assert.deepEqual(found, []);
  });

  it('have no cycles, type-only imports included', () => {
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

describe('docs/ARCHITECTURE.md', () => {
  const root = resolve(SOURCE, '..');
  const text = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8');
  const named = new Set([...text.matchAll(/`((?:src|test|docs)(?:\/[\w.-]+)*)`/g)].map(([, path]) => path!));

  it('lists every folder of the source in a table', () => {
    const listed = new Set([...text.matchAll(/^\| `([^`]+)` \| \S/gm)].map(([, path]) => path!));
    const folders = readdirSync(SOURCE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
    const paths = folders.map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
    assert.ok(paths.length > 40);
    assert.deepEqual(
      paths.filter((path) => !listed.has(path)),
      [],
    );
  });

  it('lists every folder of the tests in a table', () => {
    const folders = readdirSync(join(root, 'test'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(
      folders.map(({ name }) => `test/${name}`).filter((path) => !named.has(path)),
      [],
    );
  });

  it('names no path that does not exist', () => {
    assert.ok(named.size > 100);
    assert.deepEqual(
      [...named].filter((path) => !existsSync(join(root, path))),
      [],
    );
  });
});

describe('Comments', () => {
  it('begin with their subject or verb', () => {
    const fragments = modules().flatMap((name) => {
      const text = readFileSync(join(SOURCE, `${name}.ts`), 'utf8');
      const found = text.matchAll(/(?:\/\*\*[\s*]*|(?<!\/\/.*\n[ \t]*)\/\/ )((?:Of|Told|What|Where|Whether|Which|Who|Why)\b.*)/g);
      return [...found].map(([, comment]) => `${name}: ${comment!}`);
    });
    assert.deepEqual(fragments, []);
  });
});
