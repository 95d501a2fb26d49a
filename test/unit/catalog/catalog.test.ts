import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  findRoots,
  openCatalog,
  readSession,
  SessionManager,
  summarize,
  type Catalog,
  type CatalogOptions,
  type CatalogRoot,
  type CatalogRow,
  type UsageFilter,
  type UsageKey,
} from '../../../src/core/index';
import { CatalogReader } from '../../../src/core/catalog/database/catalogReader';
import { CACHE_KB } from '../../../src/core/catalog/database/readingConnection';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { generateSession } from '../../fixtures/generate';
import { dice } from '../../fixtures/random';
import { scanSearch } from '../../fixtures/scanSearch';
import { writeSampleStore } from '../../fixtures/sampleStore';

describe('catalog', () => {
  const folder = testFolder();
  const opened: Catalog[] = [];
  afterEach(async () => {
    for (const catalog of opened.splice(0)) await catalog.close();
  });

  const root = (): string => join(folder.path, 'sessions');
  const cacheDir = (): string => join(folder.path, 'cache');
  const at = (name: string): string => join(root(), 'p', name);

  function put(name: string, lines: SessionBuilder | string): string {
    mkdirSync(join(root(), 'p'), { recursive: true });
    writeFileSync(at(name), typeof lines === 'string' ? lines : lines.text());
    return at(name);
  }

  async function open(options: Partial<CatalogOptions> = {}): Promise<Catalog> {
    const catalog = await openCatalog({ roots: [root()], cacheDir: cacheDir(), ...options });
    opened.push(catalog);
    return catalog;
  }

  /** Opens a catalog and reads everything. */
  async function ready(options: Partial<CatalogOptions> = {}): Promise<Catalog> {
    const catalog = await open(options);
    await catalog.refresh();
    return catalog;
  }

  const texts = async (catalog: Catalog, query: string): Promise<string[]> => (await catalog.search(query)).map((hit) => hit.snippet);

  describe('rows', () => {
    /** Compares a row with the summary of the session as it is read. */
    async function sameAsRead(row: CatalogRow): Promise<void> {
      const read = await readSession(row.path, { dialect: row.dialect }).catch(() => undefined);
      if (!read) {
        assert.ok(row.problem, row.path);
        return;
      }
      const { path, dialect, id, cwd, name, messageCount, problems, writable, isOld, suspectedTip } = summarize(read);
      assert.deepEqual(
        {
          path: row.path,
          dialect: row.dialect,
          id: row.id,
          cwd: row.cwd,
          name: row.name,
          messageCount: row.messageCount,
          problems: row.problems,
          writable: row.writable,
          isOld: row.isOld,
          suspectedTip: row.suspectedTip,
          complete: row.complete,
        },
        { path, dialect, id, cwd, name, messageCount, problems, writable, isOld, suspectedTip, complete: true },
      );
    }

    async function sameAsListed(rows: readonly CatalogRow[], dir: string): Promise<number> {
      const listed = await SessionManager.list('/work/demo', dir);
      for (const info of listed) {
        const row = rows.find(({ path }) => path === info.path);
        const { path, id, cwd, name, parentSessionPath, created, modified, messageCount, firstMessage } = row!;
        assert.deepEqual(
          {
            path,
            id,
            cwd,
            ...(name === undefined ? {} : { name }),
            ...(parentSessionPath === undefined ? {} : { parentSessionPath }),
            created,
            modified,
            messageCount,
            firstMessage,
            allMessagesText: info.allMessagesText,
          },
          info,
        );
      }
      return listed.length;
    }

    it('match the sample store, for all programs', async () => {
      const { home } = await writeSampleStore(folder.path);
      const roots = await findRoots({ env: {}, home });
      const catalog = await ready({ roots });
      const rows = await catalog.sessions();
      assert.ok(rows.length > 20);
      for (const row of rows) await sameAsRead(row);
    });

    it('match generated sessions, as `SessionManager` lists them', async () => {
      for (let seed = 1; seed <= 60; seed++) put(`${String(seed)}.jsonl`, generateSession(seed).builder);
      const rows = await (await ready()).sessions();
      for (const row of rows) await sameAsRead(row);
      assert.equal(await sameAsListed(rows, join(root(), 'p')), 60);
    });

    it('do not depend on the order of keys in a line', async () => {
      const random = dice(5);
      const shuffled = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(shuffled);
        if (typeof value !== 'object' || value === null) return value;
        const entries = Object.entries(value);
        for (let left = entries.length; left > 1; left--) entries.push(...entries.splice(random.below(left), 1));
        return Object.fromEntries(entries.map(([key, inner]) => [key, shuffled(inner)]));
      };
      const long = 'some "result" of a tool {"type":"message"} \n'.repeat(100);
      for (let seed = 1; seed <= 20; seed++) {
        const { builder } = generateSession(seed);
        builder.tool('read', { path: 'src/a.ts' }, long);
        builder.tool('read', { path: 'src/b.ts' }, long, { message: { usage: { input: 100, output: 7, cost: { total: 3 } } } });
        builder.tool('bash', { command: 'make' }, long, { message: { details: { diff: '+x' } } });
        put(`${String(seed)}.jsonl`, builder);
      }
      const before = await answers(await ready());
      rmSync(cacheDir(), { recursive: true });
      for (const name of readdirSync(join(root(), 'p'))) {
        const lines = readFileSync(at(name), 'utf8').split('\n').filter(Boolean);
        put(name, lines.map((line) => `${JSON.stringify(shuffled(JSON.parse(line)))}\n`).join(''));
      }
      assert.deepEqual(await answers(await ready()), before);
    });

    async function answers(catalog: Catalog): Promise<unknown> {
      const rows = (await catalog.sessions()).sort((a, b) => (a.path < b.path ? -1 : 1));
      const searched: unknown[] = [];
      for (const query of ['cart', 'tot* -cart', '"line break"', 'src', 'make', 'start']) {
        const hits = await catalog.search(query, { limit: 500 });
        assert.ok(hits.length > 5, query);
        // The texts of a tool's arguments are in the order of their keys.
        searched.push(
          hits.map(({ snippet, marks, ...hit }) => ({
            ...hit,
            words: snippet.split(' ').sort(),
            marked: marks.map(([start, end]) => snippet.slice(start, end)).sort(),
          })),
        );
      }
      return {
        rows,
        searched,
        usage: await catalog.usage({ by: 'session' }),
        models: await catalog.usage({ by: 'model' }),
        touching: (await catalog.touching('/work/demo/src/b.ts')).sort((a, b) => (a.path < b.path ? -1 : 1)),
        labels: (await catalog.labels()).sort((a, b) => (a.path + a.entryId < b.path + b.entryId ? -1 : 1)),
      };
    }

    it('have names before files are read completely, newest first', async () => {
      const filler = session().user('the newest').tool('read', { path: 'a' }, 'x'.repeat(300_000)).name('its name').text();
      put('b.jsonl', filler);
      put('a.jsonl', session({ timestamp: '2020-01-01T00:00:00.000Z' }).user('old', { message: { timestamp: 1_000_000 } }));
      const stop = new AbortController();
      const catalog = await open({ signal: stop.signal });
      const rows = await catalog.sessions();
      // Not before: a busy thread notices it while it lists the rows.
      stop.abort();
      assert.deepEqual(
        rows.map(({ name, firstMessage }) => [name, firstMessage]),
        [
          ['its name', 'the newest'],
          [undefined, 'old'],
        ],
      );
    });

    const HEARTBEAT =
      'Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.\nCurrent time: Monday, June 1st, 2026 — 9:00 AM (UTC)';
    const ompSession = (title: string): string =>
      `${JSON.stringify({ type: 'title', v: 1, title, source: 'auto' })}\n${session().user('Make the hull longer').text()}`;

    it('have titles without wrappers: of their beginnings, of whole files, and as stored', async () => {
      const sender = 'Sender (untrusted metadata):\n```json\n{\n  "label": "me"\n}\n```';
      const skill = `<skill name="review" location="/s">\n${'x'.repeat(5_000)}\n</skill>`;
      put('named.jsonl', session().user('asked').name(' a\n\u001b[1mname\u202e '));
      put('said.jsonl', session().user(`${sender}\n\n[Tue 2026-05-05 09:41 GMT+8] Fix\n\u001b[1mthe parser`));
      put('second.jsonl', session().user(sender).assistant('Hello').user(`${skill}\n\nonly src`));
      put('job.jsonl', session().user('[cron:0b5f6c1e-3f0e-4c43-9e2a-6f9d9c3b7a10 Morning report] Write it.'));
      put('skill.jsonl', session().user(skill));
      put('wrapper.jsonl', session().user(sender).user(sender));
      put('answer.jsonl', session().user(sender).assistant('').assistant('Hello **you**').assistant('And?'));
      put('heartbeat.jsonl', session().user(HEARTBEAT).assistant('HEARTBEAT_OK'));
      put('asked.jsonl', session().user(HEARTBEAT).assistant('HEARTBEAT_OK').user('Mind the sail'));
      put('long.jsonl', session().assistant('y'.repeat(5_000)));
      put('glyph.jsonl', ompSession('\u{f0093} HULL: Longer hull'));
      put('plane.jsonl', ompSession('\u{10fffd} 9'));
      put('glyph-only.jsonl', ompSession('\ue000'));
      put('text.jsonl', session().user(' \n').assistant([]));
      put('none.jsonl', session());
      put('bad.jsonl', 'x\n');
      const titles = {
        'named.jsonl': 'a name⟦RLO⟧',
        'said.jsonl': 'Fix the parser',
        'second.jsonl': 'only src',
        'job.jsonl': 'Morning report',
        'skill.jsonl': 'review',
        'wrapper.jsonl': 'Sender',
        'answer.jsonl': 'Hello **you**',
        'heartbeat.jsonl': 'Heartbeat',
        'asked.jsonl': 'Mind the sail',
        'long.jsonl': 'y'.repeat(200),
        'glyph.jsonl': 'HULL: Longer hull',
        'plane.jsonl': '9',
        'glyph-only.jsonl': 'Make the hull longer',
        'text.jsonl': '(no prompt)',
        'none.jsonl': '(no messages)',
        'bad.jsonl': '(no messages)',
      };
      const titlesOf = (rows: readonly CatalogRow[]): object => Object.fromEntries(rows.map(({ path, title }) => [basename(path), title]));
      const stop = new AbortController();
      const first = await open({ signal: stop.signal });
      assert.deepEqual(titlesOf(await first.sessions()), titles);
      stop.abort();
      await first.close();
      const whole = await ready();
      assert.deepEqual(titlesOf(await whole.sessions()), titles);
      const said = (await whole.sessions()).find(({ path }) => path === at('said.jsonl'));
      assert.ok(said?.firstMessage.startsWith(sender));
      await whole.close();
      assert.deepEqual(titlesOf(await (await open()).sessions()), titles);
      for (const [name, title] of Object.entries(titles).slice(0, -1)) assert.equal(summarize(await readSession(at(name))).title, title);
    });

    it('are found by a relative root, which starts at the working directory', async () => {
      put('a.jsonl', session().user('here'));
      const catalog = await ready({ roots: [relative(process.cwd(), root())] });
      assert.deepEqual(
        (await catalog.sessions()).map(({ path }) => path),
        [at('a.jsonl')],
      );
    });

    it('are sorted by their last activity, and those of the same time by their paths', async () => {
      put('b.jsonl', session().user('b'));
      put('newest.jsonl', session().user('one').user('two'));
      put('c.jsonl', session().user('c'));
      put('a.jsonl', session().user('a'));
      const names = async (catalog: Catalog): Promise<string[]> => (await catalog.sessions()).map(({ path }) => basename(path));
      const expected = ['newest.jsonl', 'c.jsonl', 'b.jsonl', 'a.jsonl'];
      const catalog = await ready();
      assert.deepEqual(await names(catalog), expected);
      await catalog.close();
      assert.deepEqual(await names(await open()), expected);
    });

    it('show at once which sessions are of an old version', async () => {
      put('first.jsonl', session({ version: 1 }).user('first'));
      put('second.jsonl', session({ version: 2 }).user('second'));
      put('third.jsonl', session().user('third'));
      put('none.jsonl', '{"type":"message"}\n');
      const stop = new AbortController();
      const catalog = await open({ signal: stop.signal });
      const rows = await catalog.sessions();
      // Not before: a busy thread notices it while it lists the rows.
      stop.abort();
      assert.deepEqual(
        new Map(rows.map(({ path, isOld, complete }) => [basename(path), [isOld, complete]])),
        new Map([
          ['first.jsonl', [true, false]],
          ['second.jsonl', [true, false]],
          ['third.jsonl', [false, false]],
          ['none.jsonl', [false, false]],
        ]),
      );
    });

    it('come at once for the newest of many files, and are reported as the rest follows', async () => {
      for (let n = 0; n < 60; n++) {
        put(`${String(n)}.jsonl`, session().user(`message ${String(n)}`));
        utimesSync(at(`${String(n)}.jsonl`), n, n);
      }
      const reported = new Set<string>();
      const catalog = await open({ onRows: (paths) => paths.forEach((path) => reported.add(path)) });
      const first = await catalog.sessions();
      const newest = Array.from({ length: 20 }, (_, index) => at(`${String(59 - index)}.jsonl`));
      assert.deepEqual(new Set(first.map(({ path }) => path)), new Set(newest));
      assert.ok(first.every(({ complete, firstMessage }) => !complete && firstMessage.startsWith('message ')));
      await catalog.refresh();
      assert.equal((await catalog.sessions()).length, 60);
      assert.equal(reported.size, 60);
    });

    it('have folders, of which that of the newest session comes first', async () => {
      // Each line is a second later.
      put('old.jsonl', session({ cwd: '/work/old' }).user('x').user('y'));
      put('older.jsonl', session({ cwd: '/work/new' }).user('x'));
      put('new.jsonl', session({ cwd: '/work/new' }).user('x').user('y').user('z'));
      assert.deepEqual(await (await ready()).folders(), ['/work/new', '/work/old']);
    });

    it('have the reason why a file can not be read', async () => {
      put('a.jsonl', '');
      put('b.jsonl', '{"v":4,"kind":"header"}\n');
      const catalog = await open();
      const { problems } = await catalog.refresh();
      assert.deepEqual(problems.map(({ path, code }) => [path, code]).sort(), [
        [at('a.jsonl'), 'not-a-session'],
        [at('b.jsonl'), 'not-a-session'],
      ]);
      assert.deepEqual(
        (await catalog.sessions()).map((row) => row.problem?.code),
        ['not-a-session', 'not-a-session'],
      );
    });
  });

  describe('refreshing', () => {
    it('reads no unchanged file', async () => {
      const path = put('a.jsonl', session().user('first words'));
      const catalog = await ready();
      await catalog.close();
      // Its new text must not be read.
      const { atime, mtime } = statSync(path);
      writeFileSync(path, readFileSync(path, 'utf8').replace('first', 'other'));
      utimesSync(path, atime, mtime);
      const stats = statSync(path);
      if (stats.mtimeMs !== mtime.getTime()) utimesSync(path, atime, mtime);
      const database = new DatabaseSync(join(cacheDir(), 'catalog.sqlite'));
      database.prepare('UPDATE sessions SET mtime = ?').run(statSync(path).mtimeMs);
      database.close();
      const again = await open();
      assert.equal((await again.sessions())[0]?.firstMessage, 'first words');
      assert.deepEqual((await again.refresh()).changed, []);
    });

    it('follows appends, small and large, in this process and the next', async () => {
      const lines = session().user('first').tool('read', { path: 'x' }, 'y'.repeat(400_000)).assistant('an answer');
      const path = put('a.jsonl', lines);
      for (let round = 1; round <= 3; round++) {
        const catalog = await ready();
        for (let step = 1; step <= 3; step++) {
          lines.user(`word${String(round)}x${String(step)}`).label(entryId(1), `label${String(round)}x${String(step)}`);
          appendFileSync(
            path,
            lines
              .lines()
              .slice(-2)
              .map((line) => `${line}\n`)
              .join(''),
          );
          assert.deepEqual((await catalog.refresh([path])).changed, [path]);
          assert.equal((await catalog.sessions())[0]?.messageCount, 4 + (round - 1) * 3 + step);
          assert.equal((await catalog.search(`word${String(round)}x${String(step)}`)).length, 1);
          assert.equal((await catalog.labels())[0]?.label, `label${String(round)}x${String(step)}`);
        }
        assert.equal((await catalog.search('answer')).length, 1);
        assert.equal((await catalog.search('word1x1')).length, 1);
        assert.deepEqual(await catalog.usage({ by: 'model' }), [
          { key: 'anthropic/claude-x', input: 20, output: 10, cacheRead: 4, cacheWrite: 2, cost: 0.074 },
        ]);
        await catalog.close();
      }
    });

    it('completes a last line that had no line break yet', async () => {
      const [header, first, second] = session().user('first').user('second one').lines();
      const path = put('a.jsonl', `${header!}\n${first!}\n${second!.slice(0, 40)}`);
      const catalog = await ready();
      assert.equal((await catalog.sessions())[0]?.messageCount, 1);
      appendFileSync(path, `${second!.slice(40)}\n`);
      await catalog.refresh();
      assert.equal((await catalog.sessions())[0]?.messageCount, 2);
      assert.equal((await catalog.search('second')).length, 1);
    });

    it('shows the stored rows at once, and then the changes on the disk', async () => {
      for (const name of ['a', 'b', 'c']) put(`${name}.jsonl`, session().user(`in ${name}`));
      await (await ready()).close();
      rmSync(at('a.jsonl'));
      put('b.jsonl', session().user('in b, which is longer now'));
      put('d.jsonl', session().user('in d'));
      const reported = new Set<string>();
      const catalog = await open({ onRows: (paths) => paths.forEach((path) => reported.add(path)) });
      const messages = async (): Promise<string[]> => (await catalog.sessions()).map(({ firstMessage }) => firstMessage).sort();
      assert.deepEqual(await messages(), ['in a', 'in b', 'in c']);
      const { changed } = await catalog.refresh();
      assert.deepEqual(await messages(), ['in b, which is longer now', 'in c', 'in d']);
      const other = ['a', 'b', 'd'].map((name) => at(`${name}.jsonl`));
      assert.deepEqual(changed.sort(), other);
      assert.deepEqual([...reported].sort(), other);
    });

    it('rereads a rewritten file', async () => {
      const path = put('a.jsonl', session().user('before'));
      const catalog = await ready();
      put('new', session().user('afterwards').user('and longer').user('than it was'));
      renameSync(at('new'), path);
      await catalog.refresh();
      assert.deepEqual([await texts(catalog, 'before'), await texts(catalog, 'afterwards')], [[], ['afterwards']]);
    });

    it('removes files that are gone, also those that went while no catalog was open', async () => {
      const path = put('a.jsonl', session().user('going'));
      put('b.jsonl', session().user('going too'));
      put('c.jsonl', session().user('staying, not going'));
      const catalog = await ready();
      rmSync(path);
      assert.deepEqual((await catalog.refresh()).changed, [path]);
      await catalog.close();
      rmSync(at('b.jsonl'));
      const again = await ready();
      assert.deepEqual(await texts(again, 'going'), ['staying, not going']);
      assert.equal((await again.sessions()).length, 1);
    });

    it('notices that a file is gone when another one came', async () => {
      const path = put('a.jsonl', session().user('going'));
      const catalog = await ready();
      rmSync(path);
      put('b.jsonl', session().user('coming'));
      assert.deepEqual((await catalog.refresh()).changed.sort(), [path, at('b.jsonl')]);
      assert.equal((await catalog.sessions()).length, 1);
    });

    it('reads a title that was changed in place, also before the row is complete', async () => {
      const text = (title: string): string =>
        session({ dialect: 'omp' })
          .user('x')
          .tool('read', { path: 'x' }, 'y'.repeat(9_000_000))
          .text()
          .replace(/^/, `${JSON.stringify({ type: 'title', v: 1, title })}\n`);
      const path = put('a.jsonl', text('before'));
      await (await ready()).close();
      writeFileSync(path, text('behind'));
      utimesSync(path, new Date(), new Date(Date.now() + 5000));
      assert.equal((await (await open({ background: false })).session(path)).name, 'behind');
    });

    it('finds what another window has indexed', async () => {
      put('a.jsonl', session().user('first'));
      const [one, two] = [await ready(), await ready()];
      put('b.jsonl', session().user('second'));
      await one.refresh();
      await two.refresh();
      assert.deepEqual([await texts(one, 'second'), await texts(two, 'second')], [['second'], ['second']]);
    });
  });

  describe('labels, files and usage', () => {
    it('lists the current labels, newest first', async () => {
      put(
        'a.jsonl',
        session().user('x').user('y').label(entryId(1), 'first').label(entryId(2), 'gone').label(entryId(1), 'renamed').label(entryId(2)),
      );
      assert.deepEqual(await (await ready()).labels(), [
        { path: at('a.jsonl'), entryId: entryId(1), label: 'renamed', timestamp: Date.parse('2026-01-02T10:00:04.000Z') },
      ]);
    });

    it('reads the labels of many sessions in slices, each once', async () => {
      const count = 600;
      for (let n = 0; n < count; n++) put(`${n}.jsonl`, session().user('x').label(entryId(1), `label ${n}`).label(entryId(2), 'same'));
      const catalog = await ready();
      const reader = new CatalogReader({ cacheDir: cacheDir() }, CACHE_KB.list);
      const slices = [...reader.labelSlices()];
      reader.close();
      assert.ok(slices.length > 2, `${slices.length} slices`);
      const labels = await catalog.labels();
      assert.equal(new Set(labels.map(({ path, label }) => `${path} ${label}`)).size, labels.length);
      assert.equal(labels.filter(({ label }) => label.startsWith('label ')).length, count);
    });

    it('finds the entries that read or wrote a file, relative to the project', async () => {
      put(
        'a.jsonl',
        session({ cwd: '/work/shop' })
          .tool('read', { path: 'src/../a.ts' })
          .tool('edit', { file_path: '/work/shop/a.ts' })
          .tool('grep', { pattern: 'x', path: 'a.ts' }),
      );
      const catalog = await ready();
      assert.deepEqual(await catalog.touching('/work/shop/a.ts'), [
        { path: at('a.jsonl'), entryId: entryId(1), kind: 'read' },
        { path: at('a.jsonl'), entryId: entryId(3), kind: 'write' },
      ]);
      assert.deepEqual(await catalog.touching('/work/a.ts'), []);
    });

    it('keeps the touched files of the other sessions when one changes', async () => {
      const reading = (file: string): SessionBuilder => session({ cwd: '/work/shop' }).tool('read', { path: file });
      for (const name of ['a', 'b', 'c']) put(`${name}.jsonl`, reading('same.ts'));
      const catalog = await ready();
      const touching = async (file: string): Promise<string[]> => (await catalog.touching(file)).map(({ path }) => path).sort();
      assert.deepEqual(await touching('/work/shop/same.ts'), [at('a.jsonl'), at('b.jsonl'), at('c.jsonl')]);
      for (const name of ['b', 'a', 'c']) {
        put(`${name}.jsonl`, reading('a-file-with-another-name.ts'));
        await catalog.refresh();
        const changed = await touching('/work/shop/a-file-with-another-name.ts');
        assert.ok(changed.includes(at(`${name}.jsonl`)));
        assert.equal((await touching('/work/shop/same.ts')).length, 3 - changed.length);
      }
    });

    it('include the files of nested calls and of summaries', async () => {
      const path = put(
        'nested.jsonl',
        session({ cwd: '/work/shop' })
          .user('a')
          .tool('code', { code: 'x' }, 'done', {
            message: {
              nestedCalls: { calls: [{ name: 'write', arguments: { path: 'nested.ts' } }, null, { name: 'read' }], complete: true },
            },
          })
          .compaction('s', entryId(1), { details: { readFiles: ['nested.ts', 7], modifiedFiles: ['y'.repeat(5000), 'sum.ts'] } })
          .branchSummary('b', { details: { readFiles: ['sum.ts'], modifiedFiles: 'none' } }),
      );
      const catalog = await ready();
      assert.deepEqual(await catalog.touching('/work/shop/nested.ts'), [
        { path, entryId: entryId(3), kind: 'write' },
        { path, entryId: entryId(4), kind: 'read' },
      ]);
      assert.deepEqual(await catalog.touching('/work/shop/sum.ts'), [
        { path, entryId: entryId(4), kind: 'write' },
        { path, entryId: entryId(5), kind: 'read' },
      ]);
    });

    it('sums up usage', async () => {
      const day = Date.parse('2026-01-03T12:00:00Z');
      put(
        'a.jsonl',
        session({ cwd: '/work/a' })
          .assistant('one')
          .assistant('two', { message: { timestamp: day } }),
      );
      put('b.jsonl', session({ cwd: '/work/b' }).assistant('three', { message: { model: 'other' } }));
      const catalog = await ready();
      const counts = async (by: UsageKey, filter: UsageFilter = {}): Promise<unknown> =>
        (await catalog.usage({ by, ...filter })).map(({ key, input }) => [key, input]);
      assert.deepEqual(await counts('program'), [['pi', 30]]);
      assert.deepEqual(await counts('day', { since: day }), [['2026-01-03', 10]]);
      assert.deepEqual(await counts('day', { until: day - 86_400_000 }), [['2026-01-02', 20]]);
      assert.deepEqual(await counts('model', { project: '/work/b' }), [['anthropic/other', 10]]);
      assert.deepEqual(await counts('project', { model: 'anthropic/claude-x' }), [['/work/a', 20]]);
      assert.deepEqual(await counts('day'), [
        ['2026-01-02', 20],
        ['2026-01-03', 10],
      ]);
      assert.deepEqual(await counts('project'), [
        ['/work/a', 20],
        ['/work/b', 10],
      ]);
      assert.deepEqual(await counts('model'), [
        ['anthropic/claude-x', 20],
        ['anthropic/other', 10],
      ]);
      assert.deepEqual(await counts('session'), [
        [at('a.jsonl'), 20],
        [at('b.jsonl'), 10],
      ]);
    });

    it('count what sessions have in common once, whatever names the parent', async () => {
      const base = (id: string, given: object = {}): SessionBuilder =>
        session({ id, cwd: '/work/a', timestamp: `2026-01-0${id}T00:00:00.000Z`, ...given })
          .user('x')
          .assistant('one');
      put('one.jsonl', base('1').assistant('two'));
      put('two.jsonl', base('2', { parentSession: at('one.jsonl') }).assistant('own', { id: 'own-two' }));
      put('three.jsonl', base('3', { parentSession: '2' }).assistant('own', { id: 'own-three' }));
      put('four.jsonl', base('4', { parentSession: '/gone/one.jsonl' }));
      // These two name each other.
      put('five.jsonl', base('5', { cwd: '/work/b', parentSession: '6' }).assistant('own', { id: 'own-five' }));
      put('six.jsonl', base('6', { cwd: '/work/b', parentSession: '5' }));
      const catalog = await ready();
      const counts = async (filter: UsageFilter): Promise<unknown> =>
        (await catalog.usage({ by: 'project', ...filter })).map(({ key, input }) => [key, input]);
      assert.deepEqual(await counts({ ownForks: false }), [
        ['/work/a', 70],
        ['/work/b', 30],
      ]);
      assert.deepEqual(await counts({}), [
        ['/work/a', 40],
        ['/work/b', 10],
      ]);
    });

    it('count what a fork has copied if its parent is gone', async () => {
      const base = (id: string, given: object = {}): SessionBuilder =>
        session({ id, cwd: `/work/${id}`, timestamp: `2026-01-0${id}T00:00:00.000Z`, ...given })
          .user('x')
          .assistant('one');
      put('one.jsonl', base('1').assistant('two'));
      put('two.jsonl', base('2', { parentSession: at('one.jsonl') }).assistant('own', { id: 'own-two' }));
      put('three.jsonl', base('3', { parentSession: at('two.jsonl') }).assistant('own', { id: 'own-three' }));
      put('four.jsonl', base('4', { parentSession: at('two.jsonl') }).assistant('own', { id: 'own-four' }));
      const catalog = await ready();
      rmSync(at('one.jsonl'));
      rmSync(at('four.jsonl'));
      await catalog.refresh();
      assert.deepEqual(
        (await catalog.usage({ by: 'project' })).map(({ key, input }) => [key, input]),
        [
          ['/work/2', 20],
          ['/work/3', 10],
        ],
      );
    });
  });

  describe('session text', () => {
    it('is readable by its owner alone', async function () {
      if (process.platform === 'win32') this.skip();
      put('a.jsonl', session().user('x'));
      await ready();
      assert.equal(statSync(cacheDir()).mode & 0o777, 0o700);
      for (const name of readdirSync(cacheDir())) assert.equal(statSync(join(cacheDir(), name)).mode & 0o777, 0o600, name);
    });

    it('leaves the database when it is forgotten', async () => {
      put('a.jsonl', session().user('zanzibarsecret one').label(entryId(1), 'labelsecret').tool('read', { path: 'filesecret.ts' }));
      put('b.jsonl', session().user('keepsake two'));
      const catalog = await ready();
      await catalog.forget([at('a.jsonl')]);
      assert.deepEqual(await texts(catalog, 'zanzibarsecret'), []);
      await catalog.close();
      const bytes = (): string =>
        readdirSync(cacheDir())
          .map((name) => readFileSync(join(cacheDir(), name), 'latin1'))
          .join('');
      for (const word of ['zanzibarsecret', 'labelsecret', 'filesecret']) assert.ok(!bytes().includes(word), word);
      assert.ok(bytes().includes('keepsake'));
      const again = await open();
      await again.forget();
      assert.deepEqual(await again.sessions(), []);
      await again.close();
      assert.ok(!bytes().includes('keepsake'));
      assert.ok(existsSync(at('b.jsonl')));
    });
  });

  describe('failures', () => {
    for (const [what, spoil] of [
      ['is not a database', (path: string) => writeFileSync(path, 'this is no database at all, but it is long enough to be looked at')],
      ['is damaged', (path: string) => writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 5000), Buffer.alloc(20_000, 7)]))],
      [
        'is of another version',
        (path: string) => {
          const database = new DatabaseSync(path);
          database.exec('PRAGMA user_version = 99');
          database.close();
        },
      ],
      [
        'lacks a table',
        (path: string) => {
          const database = new DatabaseSync(path);
          database.exec('DROP TABLE labels');
          database.close();
        },
      ],
    ] as const) {
      it(`rebuilds a database that ${what}`, async () => {
        put('a.jsonl', session().user('some words').label(entryId(1), 'x'));
        await (await ready()).close();
        spoil(join(cacheDir(), 'catalog.sqlite'));
        put('b.jsonl', session().user('more words'));
        const catalog = await open();
        await catalog.refresh();
        assert.equal((await catalog.sessions()).length, 2);
        assert.equal((await catalog.search('words')).length, 2);
        assert.equal((await catalog.labels()).length, 1);
      });
    }

    it('lists the rest beside a folder that can not be listed, and reports the folder', async () => {
      put('a.jsonl', session().user('here'));
      const impossible = join(folder.path, 'x'.repeat(300));
      const catalog = await open({ roots: [impossible, root()] });
      assert.deepEqual(
        (await catalog.refresh()).problems.map(({ path }) => path),
        [impossible],
      );
      assert.equal((await catalog.sessions()).length, 1);
    });

    it('reports a root that is missing, but not a place where a program may have sessions', async () => {
      put('a.jsonl', session().user('here'));
      const missing = join(folder.path, 'nowhere');
      const file = join(folder.path, 'a file');
      writeFileSync(file, '');
      const roots: CatalogRoot[] = [missing, 'no such folder', file, { path: join(folder.path, 'no-pi'), mayBeMissing: true }, root()];
      const catalog = await open({ roots });
      assert.deepEqual(
        // Roots are listed at the same time, so their order isn't fixed.
        new Map((await catalog.refresh()).problems.map(({ path, code }) => [path, code])),
        new Map([
          [missing, 'not-found'],
          [join(process.cwd(), 'no such folder'), 'not-found'],
          [file, 'not-found'],
        ]),
      );
      assert.equal((await catalog.sessions()).length, 1);
    });

    it('is not blocked by a circle of links', async () => {
      put('a.jsonl', session().user('here'));
      symlinkSync(root(), join(root(), 'circle'));
      symlinkSync(at('b.jsonl'), at('b.jsonl'));
      const { problems } = await (await open()).refresh();
      assert.equal((await opened[0]!.sessions()).filter((row) => !row.problem && row.complete).length, 1);
      assert.ok(problems.every(({ path }) => path === at('b.jsonl')));
    });

    it('rejects if the folder for the database can not be made', async () => {
      writeFileSync(join(folder.path, 'file'), '');
      await assert.rejects(openCatalog({ roots: [root()], cacheDir: join(folder.path, 'file', 'cache') }));
    });

    it('stops when it is aborted, and continues the next time', async () => {
      for (let seed = 1; seed <= 40; seed++)
        put(
          `${String(seed)}.jsonl`,
          session()
            .user(`common ${String(seed)}`)
            .tool('read', { path: 'x' }, 'y'.repeat(200_000)),
        );
      const stop = new AbortController();
      const catalog = await open({ signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) });
      await assert.rejects(catalog.refresh(), /enough/);
      await catalog.close();
      const again = await ready();
      assert.equal((await again.search('common')).length, 40);
    });

    it('reads no file completely without a refresh, reports rows as they come, and continues after it was aborted', async () => {
      const lines = session().text() + session().user('many lines '.repeat(30)).lines()[1]!.concat('\n').repeat(1500);
      for (let seed = 1; seed <= 40; seed++) put(`${String(seed)}.jsonl`, lines);
      const enough = new AbortController();
      const complete = (): string[] => [...catalog.files().values()].flatMap((file) => (file.complete ? [file.path] : []));
      const completed = new Set<string>();
      const onRows = (paths: readonly string[]): void => {
        for (const path of paths.filter((path) => catalog.files().get(path)?.complete)) completed.add(path);
        if (completed.size > 0) enough.abort(new Error('enough'));
      };
      const catalog = await open({ background: false, onRows });
      assert.deepEqual(complete(), []);
      await assert.rejects(catalog.refresh(undefined, { signal: enough.signal }), /enough/);
      const before = complete();
      assert.ok(before.length > 0 && before.length < 40, String(before.length));
      assert.deepEqual(before.sort(), [...completed].sort());
      completed.clear();
      await catalog.refresh();
      assert.deepEqual([completed.size, complete().length], [40 - before.length, 40], 'what was read is not read again');
    });

    it('reads many bytes with two threads, each file once', async () => {
      for (let seed = 1; seed <= 24; seed++)
        put(
          `${String(seed)}.jsonl`,
          seed === 7
            ? ''
            : session()
                .user(`common ${String(seed)}`)
                .tool('read', { path: 'x' }, 'y'.repeat(1_000_000)),
        );
      const progress: number[] = [];
      const catalog = await open({ onProgress: (done) => progress.push(done) });
      const { changed, problems } = await catalog.refresh();
      assert.deepEqual([changed.length, problems.map(({ path }) => path), progress.at(-1)], [24, [at('7.jsonl')], 24]);
      assert.equal((await catalog.search('common', { limit: 100 })).length, 23);
      assert.ok((await catalog.sessions()).every((row) => row.complete));
    });

    it('is complete after two processes built it at once, and one was killed', async () => {
      for (let seed = 1; seed <= 60; seed++)
        put(
          `${String(seed)}.jsonl`,
          session()
            .user(`common ${String(seed)}`)
            // Enough for two threads.
            .tool('read', { path: 'x' }, 'y'.repeat(300_000)),
        );
      const script = `const { openCatalog } = require(${JSON.stringify(join(__dirname, '../../../bundled/index.js'))}); openCatalog({ roots: [${JSON.stringify(root())}], cacheDir: ${JSON.stringify(cacheDir())}, onProgress: (done) => { if (process.argv[1] === 'die' && done > 5) process.kill(process.pid, 'SIGKILL'); } }).then(async (c) => { await c.refresh(); await c.close(); });`;
      const run = promisify(execFile);
      const results = await Promise.allSettled(['die', 'live', 'live'].map((how) => run(process.execPath, ['-e', script, how])));
      assert.deepEqual(
        results.slice(1).map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      );
      const catalog = await ready();
      assert.equal((await catalog.search('common', { limit: 100 })).length, 60);
      const database = new DatabaseSync(join(cacheDir(), 'catalog.sqlite'));
      database.exec(`INSERT INTO words (words, rank) VALUES ('integrity-check', 1)`);
      assert.equal(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok');
      assert.equal(database.prepare('SELECT count(*) AS n FROM words').get()?.['n'], 180);
      database.close();
    });
  });

  it('finds the same as a reading of all texts', async () => {
    for (let seed = 1; seed <= 40; seed++) put(`${String(seed)}.jsonl`, generateSession(seed).builder);
    const catalog = await ready();
    const words = new Set<string>();
    for (const row of await catalog.sessions()) for (const word of row.firstMessage.split(/\W+/)) if (word) words.add(word);
    let hits = 0;
    for (const query of [...[...words].slice(0, 20), 'the -cart', '"not found"', 'ma*']) {
      const found = (await catalog.search(query, { limit: 500 })).map(({ path, entryId: id }) => `${path} ${id}`);
      hits += found.length;
      assert.deepEqual(found, await scanSearch(cacheDir(), query, { limit: 500 }), query);
    }
    assert.ok(hits > 50);
  });
});
