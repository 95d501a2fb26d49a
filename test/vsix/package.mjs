// Makes the .vsix in the project's root and checks that it contains exactly the expected files.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createVSIX, listFiles } from '@vscode/vsce';

const LARGEST = 1024 * 1024;
const MUST = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'dist/extension.js',
  'dist/catalogWorker.js',
  'dist/processWorker.js',
  'dist/page.js',
  'dist/page.css',
  'media/icon.svg',
  'l10n/bundle.l10n.json',
];
const MAY = [/^media\/[\w-]+\.(png|svg)$/, /^l10n\/bundle\.l10n\.[\w-]+\.json$/];

execFileSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: 'inherit' });
const files = (await listFiles({ dependencies: false })).map((file) => file.replaceAll('\\', '/')).sort();
const missing = MUST.filter((file) => !files.includes(file));
const extra = files.filter((file) => !MUST.includes(file) && !MAY.some((pattern) => pattern.test(file)));
if (missing.length + extra.length > 0) {
  console.error(
    `The package's contents are wrong. Missing: ${missing.join(', ') || 'nothing'}. Not to ship: ${extra.join(', ') || 'nothing'}.`,
  );
  process.exit(1);
}
const texts = readdirSync('dist').filter((file) => files.includes(`dist/${file}`));
for (const file of texts) {
  if (/sourceMappingURL=/.test(readFileSync(`dist/${file}`, 'utf8')))
    throw new Error(`dist/${file} names a source map that does not ship.`);
}
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const packagePath = `${name}-${version}.vsix`;
await createVSIX({ packagePath, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
const { size } = statSync(packagePath);
console.log(`${packagePath}: ${files.length} files, ${Math.round(size / 1024)} KB`);
if (size > LARGEST) {
  console.error(`The package is larger than ${LARGEST} bytes.`);
  process.exit(1);
}
