// Builds the product into dist/, or the folder that --outdir=… names, and the core for other programs with its types. With --tests it
// builds the tests into out/ instead of the types, file by file, so that coverage and stack traces name real files.
import { build, context, transform } from 'esbuild';
import { minify } from 'terser';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { directImports } from './build/directImports.mjs';
import { mergeChunks } from './build/mergeChunks.mjs';
import { writeNotices } from './build/notices.mjs';
import { pageTexts } from './build/pageTexts.mjs';
import { assemble, MODULE_PATH, moduleSource } from './src/core/format/wasm/assemble.mjs';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');
const watching = flags.has('--watch');
const DIST = process.argv.find((flag) => flag.startsWith('--outdir='))?.slice('--outdir='.length) ?? 'dist';

const program = await assemble();

/**
 * A module whose default export is a function that returns the bytes of the WebAssembly. They're compressed, because Base64
 * makes them larger, and are only decompressed when they're first needed, which a start doesn't wait for.
 */
const WASM_MODULE = `import { brotliDecompressSync } from 'node:zlib';
  let bytes;
  export default () => (bytes ??= brotliDecompressSync(Buffer.from('${brotliCompressSync(program).toString('base64')}', 'base64')));`;

/** @type {import('esbuild').Plugin} Bundles the module instead of WebAssembly that is imported. */
const wasm = {
  name: 'wasm',
  setup: (build) => {
    build.onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, namespace: 'wasm' }));
    build.onLoad({ filter: /.*/, namespace: 'wasm' }, () => ({ contents: WASM_MODULE }));
  },
};

/** The files that the extension and the command line share, because they're large, by what is imported from them. */
const SHARED_FILES = [
  { file: 'secretlint.js', filter: /^@secretlint\/secretlint-rule-preset-recommend$/ },
  { file: 'scanner.js', filter: /\.wasm$/ },
  { file: 'modelWindows.json', filter: /\/modelWindows\.json$/ },
];

/** @type {import('esbuild').Plugin} Loads them from beside the importing file. */
const sharedFiles = {
  name: 'shared files',
  setup: (build) => {
    for (const { file, filter } of SHARED_FILES) build.onResolve({ filter }, () => ({ path: `./${file}`, external: true }));
  },
};

/** The file with markdown-it, and its global name in a page. The extension and the page share it, because it's large. */
const MARKDOWN = { file: 'markdown-it.js', name: 'markdownIt' };

/**
 * @type {import('esbuild').Plugin} Loads markdown-it from its file beside the importing one when it's first used. The
 * extension needs it only for searches in a context view, which would open later.
 */
const requiredMarkdown = {
  name: 'required markdown-it',
  setup: (build) => {
    const path = `./${MARKDOWN.file}`;
    build.onResolve({ filter: /^markdown-it$/ }, (named) => ({ path: named.path, namespace: 'required' }));
    build.onResolve({ filter: /./, namespace: 'required' }, () => ({ path, external: true }));
    build.onLoad({ filter: /./, namespace: 'required' }, () => ({
      contents: `module.exports = function (options) { return new (require('${path}').default)(options); }`,
    }));
  },
};

/** @type {import('esbuild').Plugin} Imports markdown-it from the script before this one. */
const globalMarkdown = {
  name: 'global markdown-it',
  setup: (build) => {
    build.onResolve({ filter: /^markdown-it$/ }, ({ path }) => ({ path, namespace: 'global' }));
    build.onLoad({ filter: /.*/, namespace: 'global' }, () => ({ contents: `module.exports = ${MARKDOWN.name};` }));
  },
};

/**
 * @type {import('esbuild').Plugin} Wraps the editor's API for imports once, instead of once for each importing file,
 * which takes a quarter of a millisecond each.
 */
const editor = {
  name: 'editor',
  setup: (build) => {
    build.onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
      namespace === 'editor' ? { path, external: true } : { path, namespace: 'editor' },
    );
    build.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({ contents: `export * from 'vscode';` }));
  },
};

/**
 * @type {import('esbuild').Plugin} Splits a build into chunks that its entry points share, and chunks that are loaded
 * when they're needed, all of them CommonJS, which the oldest supported editor requires. esbuild itself splits only ES
 * modules, and into more chunks than are needed. A banner and a footer are added to the entry points; with a banner that names
 * their interpreter they're programs.
 */
const chunks = {
  name: 'chunks',
  setup: (build) => {
    const { entryPoints, outdir, sourcemap, minify, charset, platform, target, banner, footer } = build.initialOptions;
    const isProgram = banner?.js?.startsWith('#!') === true;
    Object.assign(build.initialOptions, {
      format: 'esm',
      splitting: true,
      write: false,
      sourcemap: sourcemap && 'inline',
      banner: {},
      footer: {},
    });
    build.onEnd(async ({ outputFiles = [] }) => {
      const files = await mergeChunks(
        outputFiles,
        (Array.isArray(entryPoints) ? entryPoints.map((path) => parse(path).name) : Object.keys(entryPoints)).map((name) => `${name}.js`),
        Boolean(sourcemap),
        // Programs have many commands that each load a little. The core as a whole is none of them.
        isProgram ? [`${CORE}.js`] : undefined,
      );
      await Promise.all(
        files.map(async ({ name, text, isEntry }) => {
          const path = join(outdir, name);
          const { code, map } = await transform(withObjectOfExports(text), {
            format: 'cjs',
            logOverride: { 'commonjs-variable-in-esm': 'silent' },
            sourcemap: sourcemap && 'external',
            minify,
            charset,
            platform,
            target,
            // Node reads a CommonJS file faster without its loader of ES modules, which wouldn't find the getters' names.
            supported: { 'dynamic-import': false },
            banner: isEntry ? banner?.js : undefined,
            footer: isEntry ? footer?.js : undefined,
          });
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, map ? `${code}//# sourceMappingURL=${basename(path)}.map\n` : await shorter(code));
          if (map) await writeFile(`${path}.map`, map);
          if (isEntry && isProgram) await chmod(path, 0o755);
        }),
      );
    });
  },
};

/** Returns minified code that takes less room when it's compressed: esbuild chooses names without regard to that. */
async function shorter(code) {
  if (!production) return code;
  const { code: short } = await minify(code, { ecma: 2022, compress: false, mangle: true, format: { ascii_only: true, shebang: true } });
  return short;
}

/**
 * Returns a chunk whose exports are the getters of one object. esbuild would put half a kilobyte of helpers into each of
 * the many chunks. Chunks don't import each other in circles, so the object may follow the imports.
 */
function withObjectOfExports(text) {
  // Rollup lets a chunk pass on what another one has.
  const passed = [];
  const own = text.replace(/\bexport\s*\{([^{}]*)\}\s*from\s*("[^"]+"|'[^']+');?/g, (_, list, from) => {
    const names = list.split(',').map((item) => {
      const [name, exported = name] = item.trim().split(/\s+as\s+/);
      const local = `passed_${passed.length}`;
      passed.push(`${local} as ${exported}`);
      return `${name} as ${local}`;
    });
    return `import { ${names.join(', ')} } from ${from};`;
  });
  const end = /\bexport\s*\{([^{}]*)\};?(?=\s*(?:\/\/# sourceMappingURL=.*\s*)?$)/;
  const all = end.test(own) ? own : own.replace(/(?=(?:\/\/# sourceMappingURL=.*\s*)?$)/, 'export { };');
  return all.replace(end, (_, ownList) => {
    const list = [...passed, ...(ownList.trim() === '' ? [] : [ownList])].join(',');
    if (list === '') return '';
    const getters = list.split(',').map((item) => {
      const [local, name = local] = item.trim().split(/\s+as\s+/);
      return `get ${name}() { return ${local}; }`;
    });
    return `module.exports = { __esModule: true, ${getters.join(', ')} };`;
  });
}

/** @type {import('esbuild').Plugin} Leaves out the languages of zod's messages, which are more than half of it: only models read them. */
const englishMessages = {
  name: 'english messages',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

/**
 * @type {import('esbuild').Plugin} Gives the MCP server the smaller of its two validators of JSON schemas: it checks only what clients
 * answer to questions, and this server asks none.
 */
const smallValidator = {
  name: 'small validator',
  setup: (build) => {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({ path, namespace: 'shims' }));
    build.onLoad({ filter: /./, namespace: 'shims' }, () => ({
      contents: `import process from 'node:process';
        export { process };
        export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';`,
      resolveDir: import.meta.dirname,
    }));
  },
};

/**
 * The core for other programs. The package has no room for all of its code a second time, so there it shares the code of the
 * command line; every other build writes it as one module.
 */
const CORE = 'core';

/** Writes the core that shares code as an ES module, whose exports can be imported by name. */
function writeCoreModule() {
  const names = Object.keys(createRequire(import.meta.url)(resolve(DIST, `${CORE}.js`))).filter((name) => name !== '__esModule');
  writeFileSync(join(DIST, `${CORE}.mjs`), `import core from './${CORE}.js';\nexport const { ${names.sort().join(', ')} } = core;\n`);
}

/** Webviews are Chromium. An export opens in any browser of 2024 or later. */
const BROWSERS = ['chrome132', 'firefox128', 'safari17.5'];

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  sourcemap: !production,
  minify: production,
  logLevel: 'warning',
  charset: 'utf8',
  metafile: true,
  // Its other form loads its parts by names that a bundle doesn't have.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [wasm],
};

/** The programs of the threads, which start them from the folder of their own code. */
const THREADS = [
  'src/core/catalog/worker/catalogWorker.ts',
  'src/core/files/presence/processWorker.ts',
  'src/core/files/redact/redactionWorker.ts',
];
/** Another one. It's small, and would split the code that the start loads into more files if it shared it. */
const DATABASE_THREAD = 'src/core/files/database/thread/databaseWorker.ts';

/** @type {import('esbuild').BuildOptions[]} */
const outputs = [
  // The extension, and the threads that it and the core start. The oldest supported editor runs extensions on Node 22.
  {
    ...shared,
    // V8 keeps source with characters beyond Latin-1 in two bytes for each character, in each thread.
    charset: 'ascii',
    entryPoints: ['src/extension.ts', ...THREADS],
    outdir: DIST,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    platform: 'node',
    target: 'node22',
    plugins: [sharedFiles, editor, requiredMarkdown, directImports, chunks],
  },
  {
    ...shared,
    charset: 'ascii',
    entryPoints: [DATABASE_THREAD],
    outdir: DIST,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
  },
  // The command line, the MCP server and what runs after uninstalling, apart from the extension, whose start would have to load more files if they shared code.
  {
    ...shared,
    charset: 'ascii',
    entryPoints: {
      cli: 'src/cli/cli.ts',
      mcp: 'src/cli/mcp.ts',
      uninstall: 'src/agents/install/uninstall.ts',
      ...(production ? { [CORE]: 'src/core/index.ts' } : {}),
    },
    outdir: DIST,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    platform: 'node',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    define: { SESSION_TREE_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) },
    plugins: [sharedFiles, directImports, smallValidator, englishMessages, chunks],
  },
  ...(production
    ? []
    : [
        {
          ...shared,
          entryPoints: ['src/core/index.ts'],
          outfile: join(DIST, `${CORE}.mjs`),
          platform: 'node',
          target: 'node22',
          format: 'esm',
          define: { __dirname: 'import.meta.dirname' },
        },
      ]),
  {
    ...shared,
    entryPoints: ['src/context/page/page.ts', 'src/context/page/page.css', 'src/context/page/export.css'],
    outdir: DIST,
    platform: 'browser',
    target: BROWSERS,
    format: 'iife',
    plugins: [globalMarkdown, pageTexts],
  },
  ...[
    { entryPoints: { secretlint: '@secretlint/secretlint-rule-preset-recommend' } },
    { entryPoints: { scanner: 'scanner.wasm' } },
    { entryPoints: ['src/core/format/context/modelWindows.json'], loader: { '.json': 'copy' } },
  ].map((output) => ({ ...shared, ...output, outdir: DIST, platform: 'node', target: 'node22', format: 'cjs' })),
  {
    ...shared,
    entryPoints: ['markdown-it'],
    outfile: join(DIST, MARKDOWN.file),
    target: BROWSERS,
    format: 'iife',
    globalName: MARKDOWN.name,
    footer: { js: `if (typeof module === 'object') module.exports = ${MARKDOWN.name};` },
  },
];

if (flags.has('--tests')) {
  rmSync('out', { recursive: true, force: true });
  const sourcesIn = (root, ending = '.ts') =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => join(root, name))
      .filter(
        (name) =>
          name.endsWith(ending) && !name.endsWith('.d.ts') && !name.startsWith(dirname(MODULE_PATH)) && !name.includes('node_modules'),
      );
  const path = join('out', MODULE_PATH);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, moduleSource(program));
  const unbundled = {
    outdir: 'out',
    outbase: '.',
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
  };
  outputs.push(
    // Its `import()` is of these files, whose names in the imports have no ending. That of the tests is of ES modules.
    { ...unbundled, entryPoints: sourcesIn('src'), supported: { 'dynamic-import': false } },
    { ...unbundled, entryPoints: sourcesIn('test') },
    { ...unbundled, entryPoints: sourcesIn('src/core', '.json'), loader: { '.json': 'copy' } },
  );
  // Tests start processes and threads from these, some of them hundreds of times, so the modules of each are in one file.
  // The threads of a program are beside it.
  outputs.push({
    ...shared,
    entryPoints: [
      'test/fixtures/doomed.ts',
      'test/fixtures/restoreChild.ts',
      'test/unit/scale/queryProcess.ts',
      'src/core/index.ts',
      ...THREADS,
      DATABASE_THREAD,
    ],
    outdir: 'out/bundled',
    entryNames: '[name]',
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    metafile: false,
  });
}

rmSync(DIST, { recursive: true, force: true });
if (watching) {
  for (const output of outputs) await (await context(output)).watch();
} else {
  const results = await Promise.all(outputs.map((output) => build(output)));
  if (production) writeCoreModule();
  writeNotices(
    join(DIST, 'ThirdPartyNotices.txt'),
    results.flatMap(({ metafile }) => metafile ?? []),
  );
  if (!flags.has('--tests') && !production) {
    const { writeDeclarations } = await import('./build/declarations.mjs');
    await writeDeclarations();
  }
}
