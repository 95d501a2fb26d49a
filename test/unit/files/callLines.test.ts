import assert from 'node:assert/strict';
import { readCallLines } from '../../../src/core/files/read/callLines';
import { readSession } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('Lines of calls', () => {
  const folder = testFolder();

  const call = (id: string): object => ({ type: 'toolCall', id, name: 'write', arguments: { path: 'a' } });
  const result = (toolCallId: string, text: string): Record<string, unknown> => ({ role: 'toolResult', toolCallId, content: text });

  /** Returns the texts of the results of an entry’s calls. */
  async function resultsOf(builder: SessionBuilder, ...ids: string[]): Promise<(Record<string, unknown> | undefined)[]> {
    const path = await folder.write('s.jsonl', builder.text());
    const { byId } = await readSession(path);
    const lines = await readCallLines(
      path,
      ids.map((id) => byId.get(id)!),
      undefined,
    );
    return lines.map(
      (line) => line && Object.fromEntries([...line.results].map(([id, { message }]) => [id, (message as { content: unknown }).content])),
    );
  }

  it('have the results of all calls of a message, in any order', async () => {
    const builder = session()
      .assistant([call('a'), call('b')])
      .message(result('b', 'of b'))
      .message(result('a', 'of a'));
    assert.deepEqual(await resultsOf(builder, entryId(1)), [{ a: 'of a', b: 'of b' }]);
  });

  it('have results that are far away, and on the last line without a line break', async () => {
    const builder = session()
      .assistant([call('a')])
      .assistant([call('b')]);
    for (let count = 0; count < 5; count++) builder.user('x'.repeat(700_000));
    builder.message(result('a', 'y'.repeat(1_500_000))).message(result('b', 'of b'));
    const [a, b] = await resultsOf(builder, entryId(1), entryId(2));
    assert.deepEqual([String(a?.['a']).length, b], [1_500_000, { b: 'of b' }]);
  });

  it('have the first result after the call where ids repeat', async () => {
    const builder = session()
      .message(result('a', 'before'))
      .assistant([call('a')])
      .user('x'.repeat(20_000));
    builder
      .message(result('a', 'first'))
      .assistant([call('a')])
      .user('x'.repeat(20_000))
      .message(result('a', 'second'));
    assert.deepEqual(await resultsOf(builder, entryId(2), entryId(5)), [{ a: 'first' }, { a: 'second' }]);
  });

  it('have their own results where calls with the same id are near each other', async () => {
    const builder = session()
      .message(result('a', 'before'))
      .assistant([call('a')])
      .message(result('a', 'first'))
      .assistant([call('a'), call('b')])
      .message(result('b', 'of b'))
      .user('x'.repeat(70_000))
      .message(result('a', 'second'))
      .assistant([call('a')]);
    assert.deepEqual(await resultsOf(builder, entryId(2), entryId(4), entryId(8)), [{ a: 'first' }, { a: 'second', b: 'of b' }, {}]);
  });

  it('have results whose ids need escapes, and none from texts that look like one', async () => {
    const builder = session()
      .assistant([call('a"\\b'), call('c')])
      .user('{"toolCallId":"c"}')
      .message(result('a"\\b', 'yes'));
    builder.message({ role: 'custom', toolCallId: 'c', content: 'no' });
    assert.deepEqual(await resultsOf(builder, entryId(1)), [{ 'a"\\b': 'yes' }]);
  });

  it('are missing where the file has become shorter or has no entry', async () => {
    const path = await folder.write('s.jsonl', session().user('a').text());
    assert.deepEqual(
      await readCallLines(
        path,
        [
          { offset: 3, length: 20 },
          { offset: 10_000, length: 20 },
        ],
        undefined,
      ),
      [undefined, undefined],
    );
  });

  it('end with the signal', async () => {
    const path = await folder.write('s.jsonl', session().user('a').text());
    const aborted = AbortSignal.abort(new Error('enough'));
    await assert.rejects(readCallLines(path, [{ offset: 0, length: 20 }], aborted), /enough/);
  });
});
