// Makes the .vsix in the project's root and checks that it contains exactly the expected files.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createVSIX, listFiles } from '@vscode/vsce';
import { BUDGET, publishedFile, repositoryOf } from './published.mjs';

const MUST = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SUPPORT.md',
  'dist/ThirdPartyNotices.txt',
  'dist/extension.js',
  'dist/catalogWorker.js',
  'dist/databaseWorker.js',
  'dist/processWorker.js',
  'dist/redactionWorker.js',
  'dist/cli.js',
  'dist/mcp.js',
  'dist/core.js',
  'dist/core.mjs',
  'dist/uninstall.js',
  'dist/page.js',
  'dist/markdown-it.js',
  'dist/modelWindows.json',
  'dist/scanner.js',
  'dist/secretlint.js',
  'dist/page.css',
  'dist/export.css',
  'dist/page.texts.json',
  'media/icon.svg',
  'media/icon.png',
  'media/skills/session-history/SKILL.md',
];
const MAY = [
  /^dist\/[\w-]+-[a-z0-9]{8}\.js$/,
  /^media\/[\w-]+\.svg$/,
  /^media\/walkthrough\/[\w-]+\.(webp|svg|md)$/,
  /^l10n\/bundle\.l10n\.[\w-]+\.json$/,
  /^package\.nls\.[\w-]+\.json$/,
];
/** The package's files are prepared in this folder. */
const STAGE = join('out', 'vsix');

rmSync(STAGE, { recursive: true, force: true });
execFileSync(process.execPath, ['esbuild.mjs', '--production', `--outdir=${join(STAGE, 'dist')}`], { stdio: 'inherit' });
const listed = async (cwd) => (await listFiles({ cwd, dependencies: false })).map((file) => file.replaceAll('\\', '/')).sort();
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const manifestKeys = Object.keys(JSON.parse(readFileSync('package.nls.json', 'utf8')));
const release = { manifest, repository: repositoryOf(manifest, process.env), manifestKeys };
// The build in dist/, if there is one, isn't for the package.
for (const file of (await listed('.')).filter((path) => !path.startsWith('dist/'))) {
  mkdirSync(dirname(join(STAGE, file)), { recursive: true });
  writeFileSync(join(STAGE, file), publishedFile(file, readFileSync(file), release));
}
copyFileSync('.vscodeignore', join(STAGE, '.vscodeignore'));

const files = await listed(STAGE);
const missing = MUST.filter((file) => !files.includes(file));
const extra = files.filter((file) => !MUST.includes(file) && !MAY.some((pattern) => pattern.test(file)));
if (missing.length + extra.length > 0) {
  console.error(
    `The package's contents are wrong. Missing: ${missing.join(', ') || 'nothing'}. Not to ship: ${extra.join(', ') || 'nothing'}.`,
  );
  process.exit(1);
}
for (const file of files.filter((path) => path.startsWith('dist/'))) {
  if (/^\/\/# sourceMappingURL=/m.test(readFileSync(join(STAGE, file), 'utf8')))
    throw new Error(`${file} names a source map that does not ship.`);
}

const { name, version } = manifest;
const packagePath = resolve(`${name}-${version}.vsix`);
const warnings = [];
const { warn } = console;
console.warn = (...args) => {
  // The code is bundled; most of its files are loaded when they're first needed.
  if (!/vscode-bundle-extension/.test(args.join(' '))) warnings.push(args);
  warn(...args);
};
await createVSIX({
  cwd: STAGE,
  packagePath,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
  allowStarActivation: false,
});
console.warn = warn;
if (warnings.length > 0) throw new Error('vsce has warnings.');
const { size } = statSync(packagePath);
console.log(`${name}-${version}.vsix: ${files.length} files, ${Math.round(size / 1024)} KB`);
if (size > BUDGET) {
  console.error(`The package is larger than its budget of ${BUDGET} bytes (test/vsix/published.mjs).`);
  process.exit(1);
}
