/**
 * Queries of any kind: they find the same with and without an index, nothing throws, and nothing in them acts as SQL or
 * as the index's query language.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  completions,
  searchTruncation,
  parseSearchQuery,
  prefixBeingTyped,
  prefixValues,
} from '../../src/core/catalog/search/query/queryPrefixes';
import { findQueryProblems } from '../../src/core/catalog/search/query/queryProblems';
import { openCatalog } from '../../src/core/catalog/catalog';
import { MAX_QUERY_WORDS, parseQuery } from '../../src/core/catalog/search/query/searchQuery';
import { CatalogReader } from '../../src/core/catalog/database/catalogReader';
import { CACHE_KB } from '../../src/core/catalog/database/readingConnection';
import { search, type SearchOptions } from '../../src/core/catalog/search/search';
import type { Catalog, SearchHit } from '../../src/core/index';
import { generateSession } from '../fixtures/generate';
import { scanSearch } from '../fixtures/scanSearch';
import type { FuzzTarget, Random } from './target';

/** Text with a meaning in the index, in SQL, or as a prefix of the search, and words that the sessions have. */
const PIECES: readonly string[] = [
  '"',
  '""',
  '*',
  '-',
  '--',
  '(',
  ')',
  '+',
  '^',
  ':',
  '{',
  '}',
  ',',
  ';',
  "'",
  '\\',
  '\0',
  '\n',
  ' ',
  ' ',
  ' ',
  'AND',
  'OR',
  'NOT',
  'NEAR',
  'NEAR(cart total, 2)',
  'text:',
  'words:',
  'rowid:',
  'rank',
  'UNION SELECT',
  '/*',
  '?1',
  'role:',
  'tool:',
  'file:',
  'label:',
  'project:',
  'role:user',
  'tool:bash',
  'file:src',
  'label:"',
  'cart',
  'total',
  'line',
  'break',
  'ca',
  'c',
  'é',
  'e\u0301',
  '日本',
  'ß',
  'İ',
  '\ud800',
  '🌳',
  '１',
  'x'.repeat(5000),
  'a '.repeat(40),
  '"cart total"',
];

interface OpenedCatalog {
  readonly catalog: Catalog;
  readonly cacheDir: string;
}

async function makeCatalog(): Promise<OpenedCatalog> {
  const folder = mkdtempSync(join(tmpdir(), 'session-tree-queries-'));
  const root = join(folder, 'sessions');
  mkdirSync(join(root, 'p'), { recursive: true });
  for (let seed = 1; seed <= 12; seed++) writeFileSync(join(root, 'p', `${seed}.jsonl`), generateSession(seed).builder.text());
  const cacheDir = join(folder, 'cache');
  const catalog = await openCatalog({ roots: [root], cacheDir, background: false });
  await catalog.refresh();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { catalog, cacheDir };
}

/** Kept by the target for the whole process, which its threads don't keep running. */
function openedOnce(): () => Promise<OpenedCatalog> {
  let made: Promise<OpenedCatalog> | undefined;
  return () => (made ??= makeCatalog());
}
const open = openedOnce();

/** Searches for words alone: the catalog also takes prefixes. */
async function searchWords(cacheDir: string, words: string, options: SearchOptions): Promise<SearchHit[]> {
  const reader = new CatalogReader({ cacheDir }, CACHE_KB.search);
  try {
    const hits = await search({ reader, isSearched: () => true, cwdOf: () => undefined }, words, options);
    return hits.filter(({ elsewhere }) => elsewhere === undefined);
  } finally {
    reader.close();
  }
}

export const target: FuzzTarget = {
  name: 'search queries',
  cases: 60,
  async run(random: Random): Promise<void> {
    const text = Array.from({ length: 1 + random.int(1 + random.int(60)) }, () =>
      random.int(12) === 0 ? String.fromCharCode(random.int(0x10000)) : random.pick(PIECES),
    ).join(random.pick(['', ' ', ' ']));
    const shownQuery = JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
    const query = parseQuery(text);
    const words = [...(query?.all ?? []), ...(query?.none ?? [])].reduce((sum, term) => sum + term.words.length, 0);
    assert.ok(words <= MAX_QUERY_WORDS, `${words} words of ${shownQuery}`);
    const typed = parseSearchQuery(text);
    searchTruncation(text);
    prefixValues(text);
    findQueryProblems(text, { tools: ['bash', 'read'], folders: ['/work/demo', ''] });
    const typing = prefixBeingTyped(text);
    if (typing) completions(typing.value, ['bash', 'read']);
    const { cacheDir } = await open();
    const options = { limit: 100, ...(typed.files ? { files: typed.files } : {}), ...(typed.labels ? { labels: typed.labels } : {}) };
    for (const words of [text, typed.query]) {
      const found = await searchWords(cacheDir, words, options);
      const judged = await scanSearch(cacheDir, words, options);
      if (!judged) continue;
      assert.deepEqual(
        found.map(({ path, entryId }) => `${path} ${entryId}`),
        judged,
        `with an index and without: ${shownQuery}`,
      );
    }
  },
};
