import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { createScanBuffers } from '../../../src/core/catalog/index/scanSession';
import { scanNewFile } from '../../../src/core/catalog/worker/scan/scannedFile';
import { openCatalog } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

describe('removed data', () => {
  const test = testCatalog();
  const { path, open } = test;

  const bytes = (): string =>
    readdirSync(test.cacheDir)
      .map((name) => readFileSync(join(test.cacheDir, name), 'latin1'))
      .join('');

  const secret = (): SessionBuilder =>
    session()
      .user('zanzibarsecret')
      .label(entryId(1), 'labelsecret')
      .tool('toolsecret', {})
      .tool('read', { path: 'filesecret.ts' })
      .name('namesecret');
  const SECRETS = ['zanzibarsecret', 'labelsecret', 'filesecret', 'namesecret', 'toolsecret'];

  it('is overwritten in the open database when the file is gone', async () => {
    const opened = await open({ a: secret(), b: session().user('keepsake') });
    for (const word of [...SECRETS, 'keepsake']) assert.ok(bytes().includes(word), word);
    rmSync(path('a'));
    await opened.refresh([path('a')]);
    for (const word of SECRETS) assert.ok(!bytes().includes(word), word);
    assert.deepEqual(await opened.search('', { labels: [''] }), []);
    assert.deepEqual(await opened.tools(), []);
    assert.ok(bytes().includes('keepsake'));
  });

  it('is overwritten with the names that only it had', async () => {
    const [folder, message] = [join(test.root, '--foldersecret--'), { model: 'modelsecret' }];
    const [inner, words] = [join(folder, 'c.jsonl'), ['cwdsecret', 'foldersecret', 'modelsecret']];
    const sessionIn = (cwd: string): SessionBuilder => session({ cwd }).user('x').assistant('y', { message });
    mkdirSync(folder, { recursive: true });
    writeFileSync(inner, sessionIn('/work/cwdsecret').text());
    const opened = await open({ a: sessionIn('/work/cwdsecret'), b: session({ cwd: '/work/keepsake' }).user('x') });
    for (const word of [...words, 'keepsake']) assert.ok(bytes().includes(word), word);
    rmSync(path('a'));
    await opened.refresh();
    for (const word of words) assert.ok(bytes().includes(word), `another session has ${word}`);
    // Longer and in its place, with all lines where they were, so it counts as grown.
    writeFileSync(inner, sessionIn('/work/elsewhere').user('z').text());
    await opened.refresh();
    assert.ok(!bytes().includes('cwdsecret'), 'a session has moved');
    assert.equal(opened.files().get(inner)?.row.summary.cwd, '/work/elsewhere');
    await opened.forget([inner]);
    for (const word of words) assert.ok(!bytes().includes(word), word);
    assert.ok(bytes().includes('keepsake'));
    await opened.forget();
    assert.ok(!bytes().includes('keepsake'));
  });

  it('is overwritten by the next process if one is killed in between', async () => {
    await (await open({ a: secret(), b: session().user('keepsake') })).close();
    rmSync(path('a'));
    const database = new WritableDatabase({ cacheDir: test.cacheDir });
    const indexer = database.open();
    indexer.begin();
    indexer.remove(path('a'));
    indexer.commit();
    database.close();
    assert.ok(bytes().includes('zanzibarsecret'), 'the index of words has it until it is merged');
    const next = await open();
    assert.equal((await next.search('keepsake')).length, 1);
    await next.close();
    for (const word of SECRETS) assert.ok(!bytes().includes(word), word);
    assert.ok(bytes().includes('keepsake'));
  });

  it('is overwritten when the file is rewritten, and nothing is merged when it grows', async () => {
    const many = (text: string): SessionBuilder =>
      Array.from({ length: 3000 }).reduce<SessionBuilder>((built) => built.user(text), session());
    const opened = await open({ small: secret(), large: many('largesecret'), other: session({ cwd: '' }).user('othersecret') });
    const merged = (): Buffer => readFileSync(join(test.cacheDir, 'catalog.sqlite'));
    const before = merged();
    const lineOf = (id: string): string =>
      `${JSON.stringify({ type: 'message', id, parentId: null, message: { role: 'user', content: 'x' } })}\n`;
    for (const name of ['small', 'large']) {
      appendFileSync(path(name), lineOf('added'));
      await opened.refresh([path(name)]);
    }
    assert.ok(merged().equals(before), 'all is in the WAL');
    // In its place and longer, first with lines of the same lengths.
    writeFileSync(path('large'), many('anothertext').text() + lineOf('added') + lineOf('more'));
    await opened.refresh([path('large')]);
    assert.ok(!bytes().includes('largesecret'));
    assert.ok(bytes().includes('zanzibarsecret'));
    writeFileSync(path('small'), session().user('another text that is longer than the one before'.repeat(50)).text());
    await opened.refresh([path('small')]);
    for (const word of SECRETS) assert.ok(!bytes().includes(word), word);
    writeFileSync(path('small'), secret().user('and a text that makes it longer again'.repeat(100)).text());
    await opened.refresh([path('small')]);
    assert.ok(bytes().includes('zanzibarsecret'));
    writeFileSync(path('other'), 'no session');
    await opened.refresh([path('other')]);
    assert.ok(!bytes().includes('othersecret'));
    writeFileSync(`${path('small')}.new`, session().user('y').text());
    renameSync(`${path('small')}.new`, path('small'));
    await opened.refresh();
    for (const word of SECRETS) assert.ok(!bytes().includes(word), word);
  });

  it('is overwritten when a file goes while it is read', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `of${String(index).padStart(3, '0')}`);
    const words = 'one of many words '.repeat(5000);
    await (await open(Object.fromEntries(names.map((name) => [name, session().user(`secret${name}`)])))).close();
    for (const name of names) writeFileSync(path(name), session().user(words).text());
    let isGone = false;
    const onProgress = (): void => {
      if (!isGone) for (const name of names) rmSync(path(name));
      isGone = true;
    };
    const opened = await open({}, { background: false, onProgress });
    const lost = names.filter((name) => !opened.files().has(path(name)));
    assert.ok(lost.length > 0, 'some were gone before they were read');
    assert.deepEqual(
      lost.filter((name) => bytes().includes(`secret${name}`)),
      [],
    );
  });

  it('is not found through a trash folder beside the sessions', async () => {
    const opened = await open({ a: secret() });
    mkdirSync(join(test.root, '.session-tree-trash', 'one'), { recursive: true });
    renameSync(path('a'), join(test.root, '.session-tree-trash', 'one', 'a.jsonl'));
    await opened.refresh();
    for (const word of SECRETS) assert.ok(!bytes().includes(word), word);
    assert.deepEqual(await opened.search('zanzibarsecret'), []);
  });

  it('is found again after the next refresh, with the touched files', async () => {
    const opened = await open({ a: secret() });
    await opened.forget([path('a')]);
    await opened.refresh();
    assert.deepEqual(
      (await opened.touching('/work/demo/filesecret.ts')).map(({ kind }) => kind),
      ['read'],
    );
    await opened.forget();
    await opened.refresh();
    assert.deepEqual(
      (await opened.touching('/work/demo/filesecret.ts')).map(({ kind }) => kind),
      ['read'],
    );
    assert.equal((await opened.search('', { files: ['filesecret'] })).length, 1);
  });

  it('is reported to other catalogs of the same database, until they are opened again', async () => {
    const [one, two] = [await open({ a: secret() }), await openCatalog({ roots: [test.root], cacheDir: test.cacheDir })];
    try {
      assert.deepEqual([one.externalReset(), two.externalReset()], [undefined, undefined]);
      await one.forget([path('a')]);
      assert.deepEqual([one.externalReset(), two.externalReset()], [undefined, undefined], 'others notice a part when they refresh');
      await one.forget();
      assert.deepEqual([one.externalReset(), two.externalReset()], [undefined, 'cleared']);
      await one.refresh();
      assert.deepEqual([one.externalReset(), two.externalReset()], [undefined, 'cleared']);
      await one.close();
      for (const name of readdirSync(test.cacheDir)) rmSync(join(test.cacheDir, name));
      const three = await open();
      assert.deepEqual([three.externalReset(), two.externalReset()], [undefined, 'replaced']);
    } finally {
      await two.close();
    }
  });

  it('is stored again by a window that had stored it before another one removed it', async () => {
    const inFolder = (): SessionBuilder => session({ cwd: '/work/once' }).user('x');
    const one = await open({ a: inFolder() });
    const two = await openCatalog({ roots: [test.root], cacheDir: test.cacheDir });
    try {
      await two.forget([path('a')]);
    } finally {
      await two.close();
    }
    rmSync(path('a'));
    writeFileSync(path('b'), inFolder().text());
    await one.refresh();
    await one.close();
    const [row] = await (await open({}, { background: false })).sessions();
    assert.deepEqual([row?.path, row?.cwd], [path('b'), '/work/once']);
  });

  it('is stored again with its names, which another window removed between two transactions', async () => {
    await (await open({ a: session({ cwd: '/work/once' }).user('x') })).close();
    const [one, two] = [0, 1].map(() => new WritableDatabase({ cacheDir: test.cacheDir }));
    try {
      const [first, second] = [one!, two!].map((database) => database.open());
      const store = async (): Promise<void> => {
        const { result } = await scanNewFile(
          0,
          { path: path('a'), dialect: 'pi' },
          { buffers: createScanBuffers(), check: () => undefined },
        );
        assert.ok('packed' in result);
        first!.begin();
        first!.put({ path: path('a'), version: result.packed.version }, result.packed);
        first!.commit();
      };
      const remove = (): void => {
        second!.begin();
        second!.remove(path('a'));
        second!.commit();
        second!.purge();
      };
      remove();
      await store();
      remove();
      await store();
      assert.equal(second!.find(path('a'))?.known.row.summary.cwd, '/work/once');
    } finally {
      one!.close();
      two!.close();
    }
  });

  it('is reported to the catalog that made the database', async () => {
    const one = await open({ a: secret() });
    const two = await openCatalog({ roots: [test.root], cacheDir: test.cacheDir });
    try {
      await two.forget();
    } finally {
      await two.close();
    }
    assert.equal(one.externalReset(), 'cleared');
  });

  it('has nothing from the roots of other catalogs', async () => {
    await (await open({ a: secret() })).close();
    const other = await open({}, { roots: [join(test.root, '..', 'elsewhere')] });
    assert.deepEqual(
      [
        await other.labels(),
        await other.touching('/work/demo/filesecret.ts'),
        await other.usage({ by: 'project' }),
        await other.search('zanzibarsecret'),
      ],
      [[], [], [], []],
    );
    for (const word of SECRETS) assert.ok(bytes().includes(word), word);
  });
});
