/**
 * Queries of any kind: they find the same with and without an index, nothing throws, and nothing in them acts as SQL or
 * as the index's query language.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completions, searchTruncation, parseSearchQuery, prefixBeingTyped, prefixValues } from '../../src/commands/search/queryPrefixes';
import { findQueryProblems } from '../../src/commands/search/queryProblems';
import { openCatalogWith } from '../../src/core/catalog/catalog';
import { MAX_QUERY_WORDS, parseQuery } from '../../src/core/catalog/search/searchQuery';
import type { Catalog } from '../../src/core/index';
import { generateSession } from '../fixtures/generate';
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

interface Catalogs {
  readonly indexed: Catalog;
  readonly scanned: Catalog;
}

async function makeCatalogs(): Promise<Catalogs> {
  const folder = mkdtempSync(join(tmpdir(), 'session-tree-queries-'));
  const root = join(folder, 'sessions');
  mkdirSync(join(root, 'p'), { recursive: true });
  for (let seed = 1; seed <= 12; seed++) writeFileSync(join(root, 'p', `${seed}.jsonl`), generateSession(seed).builder.text());
  const open = async (indexed: boolean): Promise<Catalog> => {
    const catalog = await openCatalogWith({ roots: [root], cacheDir: join(folder, 'cache'), background: false }, indexed);
    await catalog.refresh();
    return catalog;
  };
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { indexed: await open(true), scanned: await open(false) };
}

/** Kept by the target for the whole process, which its threads don't keep running. */
function catalogs(): () => Promise<Catalogs> {
  let made: Promise<Catalogs> | undefined;
  return () => (made ??= makeCatalogs());
}
const open = catalogs();

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
    const { indexed, scanned } = await open();
    const options = { limit: 100, ...(typed.files ? { files: typed.files } : {}), ...(typed.labels ? { labels: typed.labels } : {}) };
    for (const words of [text, typed.query])
      assert.deepEqual(
        await indexed.search(words, options),
        await scanned.search(words, options),
        `with an index and without: ${shownQuery}`,
      );
  },
};
