/**
 * Damaged databases: after any damage to the catalog's files, a catalog that is opened has all sessions, and once it was
 * cleared gives the same results as a new one, and so does the next. Nothing throws, hangs, or ends the process.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openCatalog } from '../../src/core/catalog/catalog';
import type { Catalog } from '../../src/core/index';
import { session } from '../fixtures/build';
import { generateSession } from '../fixtures/generate';
import { dice } from '../fixtures/random';
import type { FuzzTarget, Random } from './target';

const DATABASE = 'catalog.sqlite';

/** The test's material: sessions, folders of catalogs in several states, and the results of a new catalog. */
interface Store {
  readonly folder: string;
  readonly root: string;
  /** States of the database: closed normally; after a killed process, with everything in the WAL, or with a part in the file. */
  readonly states: readonly string[];
  /** A WAL from before a checkpoint, and one of another database. */
  readonly otherWals: readonly Buffer[];
  readonly answers: string;
}

const QUERIES = ['cart', 'cart -total', '"line break"', 'tot*', 'w1 ', 'w17 w3', 'later', 'zanzibar', 'label'];

/** Returns the results of all queries of a catalog. */
async function answersOf(catalog: Catalog, root: string): Promise<string> {
  const searches = await Promise.all(QUERIES.map((query) => catalog.search(query, { limit: 200 })));
  const narrowed = [
    await catalog.search('', { roles: ['user'], limit: 200 }),
    await catalog.search('', { labels: [''], limit: 200 }),
    await catalog.search('w1', { files: ['src'], limit: 200 }),
  ];
  const others = [
    await catalog.labels(),
    await catalog.tools(),
    await catalog.touching('/work/demo/src/cart.ts'),
    await catalog.usage({ by: 'day' }),
    await catalog.usage({ by: 'model' }),
    await catalog.usage({ by: 'session' }),
  ];
  const { entries, name } = await catalog.session(join(root, 'p', 'grown.jsonl'));
  // Stored objects have their properties in another order.
  const rows = (await catalog.sessions()).sort((a, b) => (a.path < b.path ? -1 : 1)).map((row) => Object.entries(row).sort());
  return JSON.stringify(
    { searches, narrowed, others, rows, name, entries: entries.map(({ id, parentId, text, time }) => [id, parentId, text, time]) },
    undefined,
    1,
  );
}

/** Opens a catalog, refreshes it, and runs all queries. */
async function answersIn(cacheDir: string, root: string): Promise<string> {
  const catalog = await openCatalog({ roots: [root], cacheDir, background: false });
  try {
    await catalog.refresh();
    return await answersOf(catalog, root);
  } finally {
    await catalog.close();
  }
}

/** Opens a damaged catalog, which has all sessions and answers all queries, and clears it. Returns the answers afterwards. */
async function answersAfterClearing(cacheDir: string, root: string): Promise<string> {
  const catalog = await openCatalog({ roots: [root], cacheDir, background: false });
  try {
    await catalog.refresh();
    await answersOf(catalog, root);
    const paths = (await catalog.sessions()).map(({ path }) => path);
    assert.deepEqual(
      paths.sort(),
      readdirSync(join(root, 'p'), { withFileTypes: true })
        .map(({ name }) => join(root, 'p', name))
        .sort(),
    );
    await catalog.forget();
    await catalog.refresh();
    return await answersOf(catalog, root);
  } finally {
    await catalog.close();
  }
}

/** Asserts equality. The message has only the first line that differs, because the results are long. */
function mustBeAlike(answers: string, expected: string, what: string): void {
  if (answers === expected) return;
  const [lines, wanted] = [answers.split('\n'), expected.split('\n')];
  const at = lines.findIndex((line, index) => line !== wanted[index]);
  assert.fail(`${what}: line ${at} of the answers: ${String(lines[at])} instead of ${String(wanted[at])}`);
}

const copyOf = (from: string, to: string): string => {
  cpSync(from, to, { recursive: true });
  return to;
};

async function makeStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'session-tree-damage-'));
  const [root, cache] = [join(folder, 'sessions'), join(folder, 'cache')];
  const at = (name: string): string => join(root, 'p', `${name}.jsonl`);
  mkdirSync(join(root, 'p'), { recursive: true });
  for (let seed = 1; seed <= 20; seed++) writeFileSync(at(String(seed)), generateSession(seed).builder.text());
  const random = dice(7);
  const words = (count: number): string => Array.from({ length: count }, () => `w${random.below(random.once(3) ? 4000 : 40)}`).join(' ');
  const grown = session().user('zanzibar');
  for (let index = 0; index < 400; index++) grown.user(words(70));
  writeFileSync(at('grown'), grown.text());
  const states: string[] = [];
  const open = (): Promise<Catalog> => openCatalog({ roots: [root], cacheDir: cache, background: false });
  const more = async (catalog: Catalog, text: string): Promise<void> => {
    appendFileSync(
      at('grown'),
      session()
        .user(text, { id: `id${text}` })
        .lines()[1]!
        .concat('\n'),
    );
    await catalog.refresh();
  };
  const first = await open();
  await first.refresh();
  await more(first, 'one');
  const wal = readFileSync(join(cache, `${DATABASE}-wal`));
  await first.close();
  const second = await open();
  await more(second, 'two');
  // An open read transaction keeps a checkpoint from copying everything into the file.
  const reader = new DatabaseSync(join(cache, DATABASE), { readOnly: true });
  reader.exec('BEGIN; SELECT * FROM sessions');
  await more(second, 'later');
  await second.close();
  states.push(copyOf(cache, join(folder, 'partial')));
  reader.close();
  const third = await open();
  await more(third, 'much later');
  states.push(copyOf(cache, join(folder, 'killed')));
  await third.close();
  states.push(copyOf(cache, join(folder, 'closed')));
  const answers = await answersIn(join(folder, 'fresh'), root);
  for (const state of states) {
    const whole = copyOf(state, join(folder, 'whole'));
    mustBeAlike(await answersIn(whole, root), answers, `undamaged: ${state}`);
    rmSync(whole, { recursive: true });
  }
  const foreign = join(folder, 'foreign');
  const other = await openCatalog({ roots: [root], cacheDir: foreign, background: false });
  await other.refresh();
  const otherWal = readFileSync(join(foreign, `${DATABASE}-wal`));
  await other.close();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { folder, root, states, otherWals: [wal, otherWal], answers };
}

/** Damages the files. @returns a description of the damage */
type Damage = (cache: string, random: Random, store: Store) => string;

const PAGE = 16 * 1024;

/** Changes some bytes of one of the files in place. */
const flipped: Damage = (cache, random) => {
  const names = readdirSync(cache).filter((name) => !name.endsWith('-lock'));
  const name = random.int(3) > 0 ? DATABASE : random.pick(names);
  const bytes = readFileSync(join(cache, name));
  const places = Array.from({ length: 1 + random.int(random.pick([1, 3, 30])) }, () => random.int(bytes.length));
  for (const place of places) bytes[place]! ^= 1 + random.int(255);
  writeFileSync(join(cache, name), bytes);
  return `${name} with other bytes at ${places.join(', ')}`;
};

/** Replaces a page by zeros or by another page. */
const wrongPage: Damage = (cache, random) => {
  const path = join(cache, DATABASE);
  const bytes = readFileSync(path);
  const [to, from] = [random.int(bytes.length / PAGE), random.int(bytes.length / PAGE + 1)];
  bytes.set(from * PAGE < bytes.length ? bytes.subarray(from * PAGE, (from + 1) * PAGE) : Buffer.alloc(PAGE), to * PAGE);
  writeFileSync(path, bytes);
  return `page ${to} with what is on page ${from}`;
};

const cut: Damage = (cache, random) => {
  const name = random.pick(readdirSync(cache));
  const size = readFileSync(join(cache, name)).length;
  const left = random.int(size + 1);
  truncateSync(join(cache, name), left);
  return `${name} cut to ${left} of ${size} bytes`;
};

const removed: Damage = (cache, random) => {
  const name = random.pick(readdirSync(cache));
  rmSync(join(cache, name));
  return `without ${name}`;
};

const otherWal: Damage = (cache, random, { otherWals }) => {
  writeFileSync(join(cache, `${DATABASE}-wal`), random.pick(otherWals));
  return 'with the WAL of another database, or of another time';
};

/** Replaces the file or the WAL by that of another state. */
const mixed: Damage = (cache, random, { states }) => {
  const name = `${DATABASE}${random.pick(['', '-wal'])}`;
  const from = random.pick(states);
  if (existsSync(join(from, name))) cpSync(join(from, name), join(cache, name));
  else rmSync(join(cache, name), { force: true });
  return `${name} as in ${from}`;
};

/** Replaces a file by something that isn't a file. */
const noFile: Damage = (cache, random) => {
  const name = `${DATABASE}${random.pick(['', '', '-lock', '-journal', '-wal', '-shm', '-lock-journal'])}`;
  const [path, kind] = [join(cache, name), random.pick(['folder', 'link', 'dangling', 'pipe'])];
  if (kind === 'link' && existsSync(path)) renameSync(path, join(cache, 'elsewhere'));
  else rmSync(path, { force: true });
  if (kind === 'folder') mkdirSync(path);
  else if (kind === 'link') symlinkSync(join(cache, 'elsewhere'), path);
  else if (kind === 'dangling') symlinkSync(join(cache, 'nowhere'), path);
  else execFileSync('mkfifo', [path]);
  return `${name} as a ${kind}`;
};

/** Runs foreign SQL. */
const planted: Damage = (cache, random) => {
  const sql = random.pick([
    'DROP TABLE labels; CREATE VIEW labels AS WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT n, 1 AS entry, 1 AS label, 1 AS time FROM endless',
    'CREATE TRIGGER harm AFTER UPDATE ON sessions BEGIN DELETE FROM labels; END',
    'CREATE TABLE more (x)',
    'ALTER TABLE labels RENAME COLUMN label TO other',
    'PRAGMA user_version = 99',
    'UPDATE sessions SET rest = \'"x"\'',
    'DELETE FROM names',
    'DELETE FROM words WHERE rowid IN (SELECT id FROM words_docsize LIMIT 3)',
    'INSERT INTO removed VALUES (7)',
  ]);
  const database = new DatabaseSync(join(cache, DATABASE));
  database.exec(sql);
  database.close();
  return sql;
};

const DAMAGES: readonly Damage[] = [flipped, flipped, flipped, flipped, wrongPage, cut, removed, otherWal, mixed, noFile, planted];

/** The material, made once in a process. */
function stores(): () => Promise<Store> {
  let made: Promise<Store> | undefined;
  return () => (made ??= makeStore());
}
const storeOnce = stores();

export const target: FuzzTarget = {
  name: 'catalog bytes',
  cases: 10,
  async run(random: Random): Promise<void> {
    const store = await storeOnce();
    const cache = copyOf(random.pick(store.states), mkdtempSync(join(store.folder, 'case-')));
    try {
      const what = random.pick(DAMAGES)(cache, random, store);
      const failed = (error: unknown): never => assert.fail(`${what}: ${String(error)}`);
      mustBeAlike(await answersAfterClearing(cache, store.root).catch(failed), store.answers, `${what}: cleared`);
      mustBeAlike(await answersIn(cache, store.root).catch(failed), store.answers, `${what}: opened again`);
    } finally {
      rmSync(cache, { recursive: true, force: true });
    }
  },
};
