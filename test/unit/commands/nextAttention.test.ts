import assert from 'node:assert/strict';
import type { SessionSummary } from '../../../src/core/index';
import { runCommands } from './runCommands';

describe('The next session that needs input', () => {
  it('is opened after the active one, in turn; others aren’t', async () => {
    const shown: string[] = [];
    let active: string | undefined;
    const { run } = runCommands({
      runningSessions: () => ['/s/a', '/s/busy', '/s/b'].map((path) => ({ path }) as SessionSummary),
      needsInput: (path) => path !== '/s/busy',
      activeRef: () => (active === undefined ? undefined : { path: active }),
      showContext: ({ path }) => {
        shown.push(path);
        return Promise.resolve({ messages: 1 });
      },
    });
    for (const path of [undefined, '/s/a', '/s/b', '/s/busy']) {
      active = path;
      await run('sessionTree.nextAttention');
    }
    assert.deepEqual(shown, ['/s/a', '/s/b', '/s/a', '/s/a']);
    active = '/s/a';
    assert.deepEqual(await run('sessionTree.nextAttention'), { path: '/s/b' });
  });

  it('is none if no program waits, which is said', async () => {
    const { run, editor } = runCommands();
    assert.equal(await run('sessionTree.nextAttention'), undefined);
    assert.match(JSON.stringify(editor.messages), /No session in this window’s folders needs input\./);
  });
});
