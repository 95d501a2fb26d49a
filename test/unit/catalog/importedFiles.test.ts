import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { ImportedFiles } from '../../../src/core/files/read/importedFiles';
import { findMissingLine } from '../../../src/core/files/read/missingLine';
import type { Catalog, Root } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { addEvent, addSession, createDatabase } from '../../fixtures/openclawDatabase';

describe('Files beside OpenClaw’s database', () => {
  const test = testCatalog();
  const folder = testFolder();
  let database: DatabaseSync;
  let roots: Root[] = [];
  const stored = (id: string): string => join(folder.path, 'a.sqlite', `${id}.jsonl`);
  const file = (id: string): string => join(folder.path, 'files', `${id}.jsonl`);
  const usage = (output: number): object => ({ input: 1, output, cacheRead: 0, cacheWrite: 0, cost: { total: output } });
  const built = session()
    .user('Разговор')
    .assistant('да', { message: { usage: usage(10) } })
    .user('more')
    .assistant('そうです', { message: { usage: usage(100) } });
  const lines = built.lines();

  beforeEach(() => {
    mkdirSync(join(folder.path, 'files'));
    database = createDatabase(join(folder.path, 'a.sqlite'));
    roots = [join(folder.path, 'files'), join(folder.path, 'a.sqlite')].map((path) => ({ path, dialect: 'openclaw', flat: true }));
  });
  afterEach(() => database.close());

  const write = (id: string, all: readonly string[]): void => writeFileSync(file(id), `${all.join('\n')}\n`);

  /** Returns the files that are rows, with the sessions that they have diverged from. */
  async function filesIn(catalog: Catalog): Promise<Record<string, string | undefined>> {
    const rows = (await catalog.sessions()).filter(({ path }) => path.startsWith(join(folder.path, 'files')));
    return Object.fromEntries(rows.map(({ path, divergedFrom }) => [basename(path, '.jsonl'), divergedFrom] as const));
  }

  it('are hidden if the database has all of their lines, whatever their spacing and their header', async () => {
    for (const id of ['same', 'shorter', 'spaced', 'moved']) addSession(database, { id, lines });
    write('same', lines);
    writeFileSync(file('shorter'), lines.slice(0, 2).join('\n'));
    write('spaced', [lines[0]!.replace('{', '{"more":true,'), ...lines.slice(1).map((line) => line.replaceAll('":', '" :\t'))]);
    write('moved', [lines[0]!, '', ...lines.slice(1).toReversed()]);
    write('other', lines);
    assert.deepEqual(await filesIn(await test.open({}, { roots })), { other: undefined });
  });

  it('are shown as copies that diverged if the database lacks a line or has another, until it has all', async () => {
    for (const id of ['longer', 'other', 'damaged']) addSession(database, { id, lines: lines.slice(0, 3) });
    write('longer', lines.slice(0, 4));
    write('other', [...lines.slice(0, 2), lines[2]!.replace('да', 'нет')]);
    write('damaged', [...lines.slice(0, 3), '{"cut": ']);
    execFileSync('mkfifo', [file('fifo')]);
    addSession(database, { id: 'fifo', lines });
    const catalog = await test.open({}, { roots });
    const diverged = { damaged: stored('damaged'), longer: stored('longer'), other: stored('other') };
    assert.deepEqual(await filesIn(catalog), { ...diverged, fifo: undefined });
    assert.match((await catalog.sessions()).find(({ path }) => path === file('fifo'))!.problem!.message, /regular file/);
    addEvent(database, 'longer', 3, lines[3]!);
    addEvent(database, 'other', 3, lines[3]!);
    await catalog.refresh();
    rmSync(file('fifo'));
    const { longer, ...others } = diverged;
    assert.deepEqual([longer, await filesIn(catalog)], [stored('longer'), { ...others, fifo: undefined }]);
    appendFileSync(file('longer'), `${lines[4]!}\n`);
    await catalog.refresh();
    assert.deepEqual(await filesIn(catalog), diverged);
    database.exec("DELETE FROM session_windows WHERE session_id = 'longer'; DELETE FROM transcript_events WHERE session_id = 'longer'");
    await catalog.refresh();
    assert.deepEqual(await filesIn(catalog), { ...others, longer: undefined });
  });

  it('that diverged count with the answers that they alone have', async () => {
    addSession(database, { id: 'one', lines: lines.slice(0, 3) });
    write('one', lines);
    const catalog = await test.open({}, { roots });
    const costs = (await catalog.usage({ by: 'session' })).map(({ cost }) => cost);
    assert.equal(
      costs.reduce((sum, cost) => sum + cost, 0),
      110,
    );
  });

  it('are compared again only if they change, or if the database gets the missing line', async () => {
    addSession(database, { id: 'whole', lines: lines.slice(0, 3) });
    addSession(database, { id: 'part', lines: lines.slice(0, 3) });
    write('whole', lines.slice(0, 2));
    write('part', [...lines.slice(0, 3), lines[4]!]);
    const compared: string[] = [];
    const imported = new ImportedFiles((path, row) => {
      compared.push(basename(path, '.jsonl'));
      return findMissingLine(path, row);
    });
    const list = async (): Promise<string[]> => {
      compared.length = 0;
      const { files } = await imported.leaveOut(await listFiles(roots, assert.ifError), true);
      return files.flatMap(({ path, isStored }) => (isStored ? [] : [basename(path, '.jsonl')]));
    };
    assert.deepEqual([await list(), compared.sort()], [['part'], ['part', 'whole']]);
    assert.deepEqual([await list(), compared], [['part'], []]);
    for (const id of ['whole', 'part']) addEvent(database, id, 3, lines[3]!);
    assert.deepEqual([await list(), compared], [['part'], []]);
    addEvent(database, 'part', 4, lines[4]!);
    assert.deepEqual([await list(), compared], [[], ['part']]);
    appendFileSync(file('whole'), '{"type":"custom","id":"new"}\n');
    assert.deepEqual([await list(), compared], [['whole'], ['whole']]);
  });
});
