import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readHeader, readSessionInfos } from '../../../src/core/files/api/listSessions';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('Lists of sessions for other programs', () => {
  const folder = testFolder();

  it('stop when they are canceled, before a session and while one is read', async () => {
    const paths = [await folder.write('a.jsonl', session().user('one').text()), join(folder.path, 'none.jsonl')];
    const canceled = { signal: AbortSignal.abort() };
    await assert.rejects(readSessionInfos(paths, canceled), { name: 'AbortError' });
    const canceling = new AbortController();
    const seen: number[] = [];
    const listing = readSessionInfos(paths, { signal: canceling.signal }, (loaded) => {
      seen.push(loaded);
      canceling.abort();
    });
    await assert.rejects(listing, { name: 'AbortError' });
    assert.deepEqual(seen, [1]);
  });

  it('report what can’t be read, and list the others', async () => {
    const [good, none] = [await folder.write('a.jsonl', session().user('one').text()), join(folder.path, 'none.jsonl')];
    const problems: string[] = [];
    const infos = await readSessionInfos([none, good], {
      signal: new AbortController().signal,
      onProblem: (path) => problems.push(path),
    });
    assert.deepEqual([infos.map(({ path }) => path), problems], [[good], [none]]);
  });

  it('find the header behind other lines, and in a file without a line break', async () => {
    const [header = ''] = session({ cwd: '/demo' }).user('one').text().split('\n');
    const cwdOf = async (text: string): Promise<string | undefined> => (await readHeader(await folder.write('h.jsonl', text)))?.cwd;
    assert.equal(await cwdOf(header), '/demo');
    assert.equal(await cwdOf(`\n{"type":"title"}\nno object\n${header}\n`), '/demo');
    assert.equal(await cwdOf('{"type":"title"}'), undefined);
  });

  it('have the text of messages, and none of what isn’t one', async () => {
    const path = await folder.write('a.jsonl', session().user('one').bash('ls').assistant('two').text());
    const [info] = await readSessionInfos([path], {});
    assert.deepEqual([info?.firstMessage, info?.allMessagesText], ['one', 'one two']);
  });
});
