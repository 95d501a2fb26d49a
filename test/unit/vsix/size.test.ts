import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { transform } from 'esbuild';

interface Published {
  readonly BUDGET: number;
  readonly publishedFile: (file: string, content: Buffer, release: object) => Buffer | string;
}

/**
 * The size that is computed here, as a share of the package's. The tests' build isn't minified, and minifying its files one by
 * one keeps the names that they share: 1,080,547 bytes where the package had 1,045,548. `npm run package` checks the package.
 */
const ESTIMATE = 1.033;

/** Bytes of a file's two headers in the archive, without its name, which each of them has. */
const HEADERS = 30 + 46;

/** Returns the paths of the files that `.vscodeignore` lets into the package. */
function shippedFiles(): string[] {
  const patterns = readFileSync(resolve('.vscodeignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '[^/]*')}$`));
  return ['', 'dist/', 'l10n/', 'media/', 'media/walkthrough/', 'media/skills/session-history/']
    .flatMap((folder) => readdirSync(resolve(folder)).map((name) => `${folder}${name}`))
    .filter((file) => patterns.some((pattern) => pattern.test(file)));
}

describe('The package', () => {
  it('is within its budget', async function () {
    // Minifies all code, which takes long on a busy machine.
    this.timeout(60_000);
    const { BUDGET, publishedFile } = (await import(pathToFileURL(resolve('test/vsix/published.mjs')).href)) as Published;
    const json = (path: string): object => JSON.parse(readFileSync(resolve(path), 'utf8')) as object;
    const release = { manifest: json('package.json'), manifestKeys: Object.keys(json('package.nls.json')) };
    const files = shippedFiles();
    assert.ok(files.includes('dist/extension.js') && files.includes('media/icon.png') && files.includes('dist/core.mjs'), files.join('\n'));
    const sizes = await Promise.all(
      files.map(async (file) => {
        const content = readFileSync(resolve(file));
        const [, loader] = /\.(js|css)$/.exec(file) ?? [];
        const isCode = loader === 'js' || loader === 'css';
        const shipped = isCode
          ? (await transform(content, { loader, minify: true, charset: 'utf8' })).code
          : publishedFile(file, content, release);
        return deflateRawSync(shipped, { level: 6 }).length + HEADERS + 2 * file.length;
      }),
    );
    const size = sizes.reduce((sum, each) => sum + each, 0);
    const largest = files
      .map((file, index) => `${file}: ${sizes[index]}`)
      .sort((a, b) => Number(b.split(': ')[1]) - Number(a.split(': ')[1]));
    const limit = BUDGET * ESTIMATE;
    assert.ok(size <= limit, `${size} bytes of ${limit}. The largest files:\n${largest.slice(0, 12).join('\n')}`);
  });
});
