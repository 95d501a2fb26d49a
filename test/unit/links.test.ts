import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import markdownIt from 'markdown-it';

const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'SUPPORT.md',
  'src/core/README.md',
  ...pagesIn('docs'),
  ...pagesIn('test/bench'),
];

function pagesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');

const tokensOf = (page: string): ReturnType<ReturnType<typeof markdownIt>['parse']> =>
  markdownIt({ html: true })
    .parse(readFileSync(page, 'utf8'), {})
    .flatMap((token) => [token, ...(token.children ?? [])]);

function anchorsOf(page: string): string[] {
  const tokens = tokensOf(page);
  return tokens.flatMap((token, index) => (token.type === 'heading_open' ? [anchorOf(tokens[index + 1]?.content ?? '')] : []));
}

/** Links and pictures of a page that don't lead to the web. */
function targetsOf(page: string): string[] {
  const tokens = tokensOf(page);
  const links = tokens.flatMap((token) => [token.attrGet('href'), token.attrGet('src')].filter((target) => typeof target === 'string'));
  const pictures = tokens.flatMap(({ type, content }) =>
    type.startsWith('html_') ? Array.from(content.matchAll(/\b(?:src|srcset)="([^"]+)"/g), ([, target]) => target ?? '') : [],
  );
  return [...links, ...pictures].filter((target) => !/^[a-z]+:/.test(target));
}

describe('The links of each page in Markdown', () => {
  for (const page of PAGES) {
    it(`lead to files and headings that exist: ${page}`, () => {
      const broken = targetsOf(page).filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
        return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
      });
      assert.deepEqual(broken, []);
    });
  }

  it('are found, as are pictures', () => {
    const targets = PAGES.flatMap(targetsOf);
    for (const one of ['docs/GUIDE.md', 'media/screenshot-dark.png', 'media/screenshot-light.png', '#the-sessions-view'])
      assert.ok(targets.includes(one), one);
  });
});
