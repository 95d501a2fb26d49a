import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { importSession, isWithoutHeader, readSession, recoverSession } from '../../../../src/core/index';
import { projectFolderName } from '../../../../src/core/format/write/sessionNames';
import { session } from '../../../fixtures/build';
import { testFolder } from '../../../fixtures/folder';
import { linesOf, refuses, snapshot } from '../../../fixtures/writes';

describe('A session without a header', () => {
  const folder = testFolder();
  const NAME = '2026-09-21T14-13-20-123Z_0199f8a1-0000-7000-8000-00000000000a.jsonl';
  const lines = (): string => session(null).user('Keep this question').assistant('Keep this answer').tool('bash', { command: 'ls' }).text();
  const neighbor = (cwd: string): string => session({ cwd }).user('beside').text();

  it('is recovered with the project of its neighbors, and the time and ID of its name', async () => {
    await folder.write('a.jsonl', neighbor('/work/boat'));
    await folder.write('b.jsonl', neighbor('/work/boat'));
    await folder.write('c.jsonl', 'no session');
    const file = await folder.write(NAME, lines());
    await assert.rejects(readSession(file), isWithoutHeader);
    const before = await snapshot(folder.path);
    const { path, notes } = await recoverSession(file);
    assert.deepEqual((await snapshot(folder.path))[NAME], before[NAME]);
    const recovered = await readSession(path);
    assert.deepEqual([recovered.header.cwd, recovered.header.timestamp], ['/work/boat', '2026-09-21T14:13:20.123Z']);
    assert.deepEqual([dirname(path), recovered.problems], [folder.path, []]);
    const copied = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(1, -1);
    assert.deepEqual(copied, lines().trimEnd().split('\n'));
    assert.match(notes.map(({ message }) => message).join(), /^The file has no session header/);
    const origin = (await linesOf(path)).at(-1)?.['data'] as { readonly sessionId: string };
    assert.equal(origin.sessionId, '0199f8a1-0000-7000-8000-00000000000a');
  });

  it('asks for its project if the neighbors differ, and has the time of its first entry', async () => {
    await folder.write('a.jsonl', neighbor('/work/boat'));
    await folder.write('b.jsonl', neighbor('/work/sail'));
    const file = await folder.write('odd.jsonl', lines());
    await refuses(folder.path, 'invalid', () => recoverSession(file));
    const { path } = await recoverSession(file, { askForProject: () => Promise.resolve('/work/chosen') });
    const { header, entries } = await readSession(path);
    assert.deepEqual([header.cwd, header.timestamp], ['/work/chosen', entries[0]?.timestamp]);
    assert.equal((await readSession((await recoverSession(file, { targetCwd: '/work/given' })).path)).header.cwd, '/work/given');
  });

  it('is imported into a project, also behind a title and a torn header', async () => {
    const title = JSON.stringify({ type: 'title', v: 1, title: 'Longer hull', source: 'auto', updatedAt: '', pad: '' });
    const file = await folder.write(NAME, `${title}\n{"type":"session","version":3,"id":"01\n${lines()}`);
    const { path } = await importSession(file, { targetCwd: folder.path, sessionDir: folder.path });
    const imported = await readSession(path);
    assert.deepEqual([imported.header.cwd, imported.entries.length], [folder.path, 5]);
  });

  it('has messages, unlike files of other programs', async () => {
    await folder.write('a.jsonl', neighbor('/work/boat'));
    const file = await folder.write('other.jsonl', '{"type":"event","id":"a"}\n{"type":"user","uuid":"b"}\n');
    await refuses(folder.path, 'not-a-session', () => recoverSession(file));
  });

  it('has a folder of one name, whatever its project is called', () => {
    const at = { home: '/home/ada', temp: '/tmp' };
    for (const dialect of ['pi', 'omp', 'gsd', 'jensen'] as const)
      for (const cwd of [
        '..',
        '.',
        '',
        '/',
        '/..',
        '/home/ada/..',
        '/home/ada/.',
        '/tmp/..',
        'C:\\..',
        'CON',
        'C:',
        'a%2Fb',
        '---',
        '/a/../..',
        '/home/ada/a/',
        '/home/ada//',
      ])
        assert.match(projectFolderName(cwd, dialect, at), /^-[^/\\:]*$/, JSON.stringify([dialect, cwd]));
  });
});
