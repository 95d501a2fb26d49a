import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Published {
  repositoryOf(manifest: object, env: Readonly<Record<string, string>>): string | undefined;
  publishedManifest(manifest: object, repository?: string): Record<string, unknown>;
  publishedMarkdown(text: string, release: { repository?: string; version: string }): string;
  publishedFile(file: string, content: Buffer, release: object): Buffer | string;
}
interface Notices {
  readonly bundledPackages: (files: readonly string[]) => string[];
}
const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(resolve(path)).href)) as T;

describe('The published package', () => {
  const repository = 'https://example.com/someone/tree';
  const version = '1.2.3';
  let published: Published;
  before(async () => (published = await load<Published>('test/vsix/published.mjs')));

  it('leads to the repository of the workflow, or of the manifest', () => {
    const env = { GITHUB_SERVER_URL: 'https://example.com', GITHUB_REPOSITORY: 'someone/tree' };
    assert.equal(published.repositoryOf({}, {}), undefined);
    assert.equal(published.repositoryOf({}, env), repository);
    assert.equal(published.repositoryOf({ repository: { url: 'git+https://example.com/a/b.git' } }, env), 'https://example.com/a/b');
  });

  it('has a manifest with the repository’s addresses and without what only development uses', () => {
    const manifest = { name: 'tree', private: true, scripts: {}, devDependencies: {}, allowScripts: {} };
    assert.deepEqual(published.publishedManifest(manifest), { name: 'tree' });
    assert.deepEqual(published.publishedManifest(manifest, repository), {
      name: 'tree',
      repository: { type: 'git', url: `${repository}.git` },
      bugs: { url: `${repository}/issues` },
      homepage: `${repository}#readme`,
    });
  });

  it('has each text of its manifest in every language, under a short key', () => {
    const read = (file: string): Buffer => readFileSync(resolve(file));
    const json = (text: Buffer | string): Record<string, unknown> => JSON.parse(text.toString()) as Record<string, unknown>;
    const manifest = json(read('package.json'));
    const release = { manifest, manifestKeys: Object.keys(json(read('package.nls.json'))) };
    const resolved = (text: string, texts: Record<string, unknown>): string =>
      text.replace(/"%([\w.-]+)%"/g, (_, key: string) => JSON.stringify(texts[key] ?? ''));
    const shipped = JSON.stringify(json(published.publishedFile('package.json', read('package.json'), release)));
    const expected = JSON.stringify(published.publishedManifest(manifest));
    const files = readdirSync(resolve('.')).filter((name) => /^package\.nls\..*json$/.test(name));
    assert.equal(files.length, 11);
    for (const file of files) {
      const texts = json(published.publishedFile(file, read(file), release));
      assert.equal(resolved(shipped, texts), resolved(expected, json(read(file))), file);
    }
  });

  const README = [
    '<picture>',
    '  <source media="(prefers-color-scheme: light)" srcset="media/light.png">',
    '  <img alt="a" src="media/dark.png">',
    '</picture>',
    '![b](media/b.png) [format](docs/FORMAT.md) [site](https://example.com/) [below](#below)',
  ].join('\n');

  it('has a README whose pictures and links lead to the release', () => {
    assert.equal(
      published.publishedMarkdown(README, { repository, version }),
      [
        '<picture>',
        `  <img alt="a" src="${repository}/raw/v1.2.3/media/dark.png">`,
        '</picture>',
        `![b](${repository}/raw/v1.2.3/media/b.png) [format](${repository}/blob/v1.2.3/docs/FORMAT.md) [site](https://example.com/) [below](#below)`,
      ].join('\n'),
    );
  });

  it('has a README without pictures and links that lead nowhere, if there is no repository', () => {
    assert.equal(published.publishedMarkdown(README, { version }), ' format [site](https://example.com/) [below](#below)');
    const text = published.publishedMarkdown(readFileSync(resolve('README.md'), 'utf8'), { version });
    assert.doesNotMatch(text, /\]\((?!https?:|#)|src="(?!https?:)/);
  });
});

describe('Third-party notices', () => {
  it('name the packages of bundled files, and the standard library of the compiled module', async () => {
    const { bundledPackages } = await load<Notices>('build/notices.mjs');
    const files = ['src/a.ts', 'node_modules/mdurl/index.mjs', 'node_modules\\@scope\\one\\b\\c.js', 'node_modules/a/node_modules/b/x.js'];
    assert.deepEqual(bundledPackages(files), [
      'node_modules/@scope/one',
      'node_modules/a/node_modules/b',
      'node_modules/assemblyscript',
      'node_modules/mdurl',
    ]);
  });

  it('hold the license of everything in the build', async () => {
    const { bundledPackages } = await load<Notices>('build/notices.mjs');
    const notices = readFileSync(resolve('dist/ThirdPartyNotices.txt'), 'utf8');
    const maps = readdirSync(resolve('dist'))
      .filter((name) => name.endsWith('.js.map'))
      .map((name) => JSON.parse(readFileSync(resolve('dist', name), 'utf8')) as { sources: string[] });
    const sources = maps.flatMap((map) => map.sources).map((path) => path.replace(/^(\.\.\/)+/, ''));
    // A package that is a bundle itself names its own sources, which aren't here.
    const folders = bundledPackages(sources.filter((path) => existsSync(resolve(path))));
    assert.ok(folders.length > 8, folders.join());
    for (const folder of folders) {
      const { name, version } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as { name: string; version: string };
      assert.ok(notices.includes(`\n${name} ${version}\n`), name);
    }
    assert.match(notices, /markdown-it[^]*Permission is hereby granted/);
  });
});
