import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { exportSession, importSession, lineOrigins, readSession, sessionToMarkdown, type Catalog } from '../../../src/core/index';
import { testCatalog } from '../../fixtures/catalog';
import { linesOf } from '../../fixtures/writes';

const CASES = resolve('test', 'fixtures', 'reported');
const caseText = (name: string): string => readFileSync(join(CASES, `${name}.jsonl`), 'utf8');
const sessionFile = (text: string): { text(): string } => ({ text: () => text });
/** Replaces a text that is there, so that a changed case tests what it did. */
const changed = (name: string, ...changes: readonly (readonly [from: string, to: string])[]): string =>
  changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replaceAll(from, () => to);
  }, caseText(name));

describe('Sessions as people reported them', () => {
  const test = testCatalog();
  const openTexts = (texts: Readonly<Record<string, string>>): Promise<Catalog> =>
    test.open(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sessionFile(text)])), { background: false });

  it('are complete, searchable, and have the title that oh-my-pi or a person gave, without what was put around it', async () => {
    const flag = '\u{1f1f8}\u{1f1ea}';
    const expected = {
      'omp-title-umlaut': 'Längerer Rumpf',
      'omp-title-glyph': 'HULL: Longer hull',
      'openclaw-feishu': 'Order new rope',
      'openclaw-feishu-sender': 'Order new rope',
      'openclaw-heartbeat': 'Heartbeat',
      'a flag': `${flag} Längre skrov 船`,
      'a glyph of a higher plane': 'КОРПУС',
      'a group in Lark': 'Закажи верёвку: 5 м',
      'another heartbeat': 'Heartbeat',
    };
    const catalog = await openTexts({
      ...Object.fromEntries(
        Object.keys(expected)
          .slice(0, 5)
          .map((name) => [name, caseText(name)]),
      ),
      'a flag': changed('omp-title-umlaut', ['Längerer Rumpf', `${flag} Längre skrov 船`]),
      'a glyph of a higher plane': changed('omp-title-umlaut', ['Längerer Rumpf', '\u{10abcd}\u{f0001} \ue000\ufe0f КОРПУС']),
      'a group in Lark': changed('openclaw-feishu', ['Order new rope', 'Закажи верёвку: 5 м'], ['ou_9f8e7d6c', 'oc_9f8e7d6c']),
      'another heartbeat': changed('openclaw-heartbeat', ['Monday, June 1st, 2026 — 9:00 AM (UTC)', 'Tue 2026-06-02 21:30 GMT+8']),
    });
    const rows = await catalog.sessions();
    assert.deepEqual(Object.fromEntries(rows.map(({ path, title }) => [basename(path, '.jsonl'), title])), expected);
    for (const { path, complete, problem } of rows) assert.deepEqual([complete, problem], [true, undefined], path);
    const found = async (query: string): Promise<Set<string>> =>
      new Set((await catalog.search(query)).map(({ path }) => basename(path, '.jsonl')));
    assert.deepEqual(await found('Rumpf'), new Set(['omp-title-umlaut']));
    assert.deepEqual(await found('skrov'), new Set(['a flag']));
    assert.deepEqual(await found('верёвку'), new Set(['a group in Lark']));
  });

  it('name the files of patches in their rows, and have their lines’ origins', async () => {
    const catalog = await openTexts({
      sloppy: caseText('omp-sloppy'),
      other: changed('omp-sloppy', ['src/hull.ts', 'Größe/船 1.ts'], ['length', 'länge'], ['src/sail.ts', 'src/two words.ts']),
    });
    const texts = async (name: string): Promise<string[]> =>
      (await readSession(test.path(name))).entries.map(({ text }) => text).filter((text) => text.startsWith('[edit'));
    assert.deepEqual(await texts('sloppy'), ['[edit: src/hull.ts]', '[edit: src/sail.ts and 2 more]']);
    assert.deepEqual(await texts('other'), ['[edit: Größe/船 1.ts]', '[edit: src/two words.ts and 2 more]']);
    for (const [name, file, text, line] of [
      ['sloppy', 'src/hull.ts', 'const length = 9;', '00000010'],
      ['sloppy', 'src/sail.ts', 'const area = 12;', '00000012'],
      ['other', 'Größe/船 1.ts', 'const länge = 9;', '00000010'],
      ['other', 'src/two words.ts', 'const area = 12;', '00000012'],
    ] as const) {
      const path = `/home/ada/boat/${file}`;
      assert.deepEqual(await catalog.touching(path), [{ path: test.path(name), entryId: line, kind: 'write' }], path);
      const origins = await lineOrigins(catalog, path, { text: `export {};\n${text}\n` });
      assert.deepEqual(
        origins.map(({ from, to, entryId, path: session }) => [from, to, entryId, session]),
        [[2, 2, line, test.path(name)]],
        path,
      );
    }
    for (const file of ['rope', 'deck']) assert.equal((await catalog.touching(`/home/ada/boat/src/${file}.ts`)).length, 2, file);
  });

  it('show the blocks of a system prompt in order', async () => {
    await openTexts({
      init: caseText('omp-init-blocks'),
      objects: changed('omp-init-blocks', ['["You tie knots.",', '[{"type":"text","text":"Du knüpfst Knoten."},"",']),
    });
    for (const [name, first] of [
      ['init', 'You tie knots.'],
      ['objects', 'Du knüpfst Knoten.'],
    ] as const) {
      const text = await sessionToMarkdown(await readSession(test.path(name)));
      assert.match(text, new RegExp(`${first}\\s+Working folder: /home/ada/boat`), text);
    }
  });

  it('keep identifiers of documents in their exports, with their addresses', async () => {
    const [document, other] = ['ZqPbwXr5Ki2mLtkVn8cdEfGhJsb', 'HtRcdYs7Lq4pNwkXv2beFgJmKzd'];
    await openTexts({
      documents: caseText('redact-documents'),
      others: changed(
        'redact-documents',
        ['boats.feishu.cn/wiki', 'acme.larksuite.com/base'],
        ['boats.feishu.cn/docx', 'acme.larksuite.com/sheets'],
        ['"node_token', '"app_token'],
        ['"obj_token', '"spreadsheet_token'],
      ),
    });
    for (const name of ['documents', 'others'])
      for (const format of ['jsonl', 'markdown'] as const) {
        const target = join(test.root, `${name}.${format}`);
        const { redacted } = await exportSession(await readSession(test.path(name)), { format, target, redact: true });
        assert.deepEqual(new Set(redacted.map(({ rule }) => rule)), new Set(['home']), name);
        const text = await readFile(target, 'utf8');
        for (const id of [document, other]) assert.ok(text.includes(id), `${name}: ${id}`);
      }
  });

  it('are imported if they have no header, with all their lines', async () => {
    for (const text of [caseText('no-header'), changed('no-header', ['Keep this question', '船を直して']).replaceAll('\n', '\r\n')]) {
      await openTexts({ torn: text });
      const { path } = await importSession(test.path('torn'), { targetCwd: '/home/ada/boat', sessionDir: test.root });
      const { header, entries, problems } = await readSession(path);
      assert.deepEqual([header.cwd, header.timestamp, problems], ['/home/ada/boat', '2026-09-21T14:13:21.000Z', []]);
      assert.deepEqual(
        entries.slice(0, 4).map(({ id, parentId }) => [id, parentId]),
        [
          ['a0000001', null],
          ['a0000002', 'a0000001'],
          ['a0000004', 'a0000002'],
          ['a0000005', 'a0000004'],
        ],
      );
      const ids = (await linesOf(path)).map(({ id }) => id);
      assert.deepEqual(ids.slice(1, 5), ['a0000001', 'a0000002', 'a0000004', 'a0000005']);
    }
  });
});
