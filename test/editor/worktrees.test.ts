import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { rows, showClosed, showProject } from './treeRows';
import { eventually } from './waiting';

describe('Sessions in the worktrees of a repository', () => {
  editorSuite({ tall: true });

  it('are in one project with the worktrees’ names, and refuse to run where the worktree is gone', async () => {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', own.cwd, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '-m', 'x');
    const worktrees = join(own.cwd, '..', `wt-${own.cwd.slice(-6)}`);
    const linked = join(worktrees, 'größer');
    git('worktree', 'add', '--quiet', linked, '-b', 'b');
    try {
      const put = (name: string, cwd: string, minute: number): Promise<string> =>
        own.put(name, session({ cwd, id: `wt-${name}` }).user(name, { message: { timestamp: Date.UTC(2026, 0, 1, 1, minute) } }));
      await put('Main', own.cwd, 1);
      const path = await put('Linked', linked, 2);
      await showClosed();
      await showProject();
      const shown = async (): Promise<string> =>
        (await rows())
          .flatMap(({ name, description, level }) => (level === 2 ? [`${name} ${description.replace(/^.* · /, '')}`] : []))
          .join();
      await eventually('both sessions', async () => /^Linked größer,Main (?!größer)/.test(await shown()));
      const spoken = (await rows()).find(({ name }) => name === 'Linked')?.spoken ?? '';
      assert.match(spoken, /, in worktree größer,/);
      await driver.screenshot('worktrees.png');
      await rm(linked, { recursive: true });
      await assert.rejects(async () => run('resume', { path }), { code: 'not-found', message: /worktree no longer exists/ });
    } finally {
      await rm(worktrees, { recursive: true, force: true });
    }
  });
});
