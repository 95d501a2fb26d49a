import assert from 'node:assert/strict';
import { newestFirst, pathsInProject } from '../../../src/commands/handler/sessions/newestFirst';
import { file } from '../tree/storedFiles';

describe('newestFirst', () => {
  const sessions = [2, 5, 1, 5, 4].map((hours, at) => {
    const listed = file(`/${String(at)}`, hours === 4 ? '/work/other' : '/work/app', hours);
    assert.ok(listed.kind === 'session');
    return listed.summary;
  });

  it('sorts sessions by their last activity, then by their path, and leaves the given list as it is', async () => {
    const before = [...sessions];
    const sorted = await newestFirst(sessions);
    assert.deepEqual(
      sorted.map(({ path }) => path),
      ['/3', '/1', '/4', '/0', '/2'],
    );
    assert.deepEqual(sessions, before);
  });

  it('gives the paths of a project in this order', async () => {
    assert.deepEqual(await pathsInProject({ sessions: () => sessions }, '/work/app'), ['/3', '/1', '/0', '/2']);
  });
});
