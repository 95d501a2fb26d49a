import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { bytesOfText, haveWords, lineOfText, textCount } from '../../../src/core/catalog/index/words/lineWords';
import { createScanBuffers, scanSession, type ScanBuffers } from '../../../src/core/catalog/index/scanSession';
import { wordsOf } from '../../../src/core/catalog/index/storedTexts';
import { LineTable } from '../../../src/core/catalog/encoding/lineTable';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';

const LONG = 512;

/** Texts whose cuts are at odd places. */
const TEXTS: readonly string[] = [
  '',
  ' \n\t ',
  `${' '.repeat(LONG)}middle${' '.repeat(LONG)}`,
  'a'.repeat(2 * LONG),
  'a'.repeat(2 * LONG + 1),
  `${'x'.repeat(LONG - 1)}😀${'y'.repeat(LONG - 1)}`,
  `${'x'.repeat(LONG - 1)}😀😀${'y'.repeat(LONG - 1)}`,
  '😀'.repeat(3 * LONG),
  '\\'.repeat(5 * LONG),
  `${'\\'.repeat(5 * LONG)}n`,
  '"\n\\u0041\u0001'.repeat(LONG),
  `${'\ud83d'.repeat(2000)}\ude00${'\ude00'.repeat(2000)}`,
  'Größe Ἀθῆναι привет שלום '.repeat(300),
  '日本語のテスト สวัสดีครับ '.repeat(200),
  `${'첫 '.repeat(LONG)}\u1112\u1161\u11ab${' 끝'.repeat(LONG)}`,
  `${'word '.repeat(300)}İstanbul ${'ΟΔΟΣ '.repeat(300)}`,
];

const sessionWith = (text: string) =>
  session()
    .user('one')
    .tool('read', { path: 'x' }, text)
    .customMessage('x', text)
    .customMessage('x', [{ type: 'text', text }, { type: 'image' }]);

describe('what the model read', () => {
  const folder = testFolder();
  const test = testCatalog();

  const withoutScanner = (buffers: ScanBuffers): ScanBuffers => ({ ...buffers, read: { ...buffers.read, scanner: undefined } });

  async function wordsIn(path: string, buffers: ScanBuffers): Promise<string[][]> {
    const { index, session: read } = await scanSession(path, { dialect: 'pi', buffers, check: () => undefined });
    const { words, lines, version } = index;
    assert.ok(haveWords(words));
    const later = wordsOf({ path, version, title: read.name ?? '', lines: new LineTable(lines).textLines() }, buffers, () => undefined);
    assert.ok(later);
    return [words, later].map((all) =>
      Array.from(
        { length: textCount(all) },
        (_, at) => `${lineOfText(all, at)} ${Buffer.from(bytesOfText(all, at)).toString('latin1').split(/\s+/).join(' ')}`,
      ),
    );
  }

  it('has the same words in both passes, whether its line is scanned or parsed', async () => {
    const buffers = createScanBuffers();
    for (const [index, text] of TEXTS.entries()) {
      const path = join(folder.path, `${index}.jsonl`);
      // Escaped as some programs write it.
      const escaped = sessionWith(text)
        .text()
        .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      for (const content of [sessionWith(text).text(), escaped]) {
        writeFileSync(path, content);
        const [first, ...others] = [...(await wordsIn(path, buffers)), ...(await wordsIn(path, withoutScanner(buffers)))];
        assert.equal(first?.length, /\S/.test(text.slice(0, LONG) + text.slice(-LONG)) ? 5 : 2, `${index}`);
        for (const other of others) assert.deepEqual(other, first, `${index}`);
      }
    }
  });

  it('is found in the first and in the last 512 characters of long results', async () => {
    const result = `Αρχή beginning ${'- '.repeat(LONG)} middle ${'- '.repeat(LONG)} AssertionError: expected конец`;
    const catalog = await test.open({
      a: session().user('run the tests').tool('bash', { command: 'npm test' }, result).bash('ls', result),
    });
    const roles = async (query: string): Promise<string[]> => (await catalog.search(query)).map(({ role }) => role).sort();
    for (const query of ['αρχή', 'beginning', 'assertione', '"expected конец"', 'beginning конец'])
      assert.deepEqual(await roles(query), ['bashExecution', 'toolResult'], query);
    assert.deepEqual(await roles('middle'), []);
    const [hit] = await catalog.search('assertionerror', { roles: ['toolResult'] });
    assert.deepEqual(
      hit?.marks.map(([start, end]) => hit.snippet.slice(start, end)),
      ['AssertionError'],
    );
    assert.equal(hit.entryId, entryId(3));
  });

  it('comes behind what was said, however often it has the words and however new it is', async () => {
    const said = session().user('An appendix at the very end of a text with a lot of words mentions the turbine once');
    const read = session();
    for (let count = 0; count < 2100; count++) read.tool('bash', {}, 'turbine turbine turbine turbine');
    const catalog = await test.open({ said });
    writeFileSync(test.path('read'), read.customMessage('x', 'turbine').bash('echo', 'turbine').text());
    await catalog.refresh();
    const hits = await catalog.search('turbine', { limit: 3000 });
    assert.deepEqual([hits[0]?.path, hits.length], [test.path('said'), 2103]);
    assert.deepEqual([...new Set(hits.slice(1).map(({ role }) => role))].sort(), ['bashExecution', 'custom_message', 'toolResult']);
  });

  it('is listed without words only if its role is wanted', async () => {
    const catalog = await test.open({
      a: session({ cwd: '/work' }).user('one').tool('bash', { command: 'x' }, 'two').bash('three', 'four'),
    });
    const roles = async (wanted?: string[]): Promise<string[]> =>
      (await catalog.search('', { project: '/work', ...(wanted ? { roles: wanted } : {}) })).map(({ role }) => role).sort();
    assert.deepEqual(await roles(), ['assistant', 'bashExecution', 'user']);
    assert.deepEqual(await roles(['toolResult']), ['toolResult']);
  });
});
