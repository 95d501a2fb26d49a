import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { until } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { atEnd, changeSetting } from './replacements';
import { menu, rows, showClosed, showProject } from './treeRows';
import { eventually, untilEqual } from './waiting';

describe('Sessions in the worktrees of a repository', () => {
  editorSuite({ tall: true });

  /** Adds a worktree and a session in each of both, the session in the worktree being newer. Returns the worktree, and its session. */
  async function addWorktree(): Promise<{ linked: string; path: string }> {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', own.cwd, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '-m', 'x');
    const worktrees = join(own.cwd, '..', `wt-${own.cwd.slice(-6)}`);
    atEnd(() => rm(worktrees, { recursive: true, force: true }));
    const linked = join(worktrees, 'größer');
    git('worktree', 'add', '--quiet', linked, '-b', 'b');
    // Equal answers would count once.
    const usage = (total: number) => ({ input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total } });
    const put = (name: string, cwd: string, minute: number): Promise<string> =>
      own.put(
        name,
        session({ cwd, id: `wt-${name}` })
          .user(name, { message: { timestamp: Date.UTC(2026, 0, 1, 1, minute) } })
          .assistant('Done.', { message: { usage: usage(3 + minute / 4), timestamp: Date.UTC(2026, 0, 1, 1, minute) } }),
      );
    await put('Main', own.cwd, 1);
    return { linked, path: await put('Linked', linked, 2) };
  }

  it('are in one project with the worktrees’ names, and refuse to run where the worktree is gone', async () => {
    const { linked, path } = await addWorktree();
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
  });

  it('are below a row for each worktree with the setting, which are expanded to reveal a session, and have a menu', async () => {
    const { linked, path } = await addWorktree();
    await showClosed();
    await showProject();
    await changeSetting('sessionTree.worktrees', 'level');
    const shown = async (): Promise<string[]> =>
      (await rows()).flatMap(({ name, description, level }) =>
        level === 1 || level > 3 ? [] : [`${level} ${name} ${/größer|main working tree/.exec(description)?.[0] ?? ''}`.trimEnd()],
      );
    const [main, other] = [`2 ${basename(own.cwd)} main working tree`, '2 größer'];
    await eventually('the worktrees', async () => (await shown()).filter((line) => line === main || line === other).length === 2);
    await run('revealSession', { path });
    await eventually('the session below its worktree', async () => (await shown()).join().includes(`${other},3 Linked`));
    assert.ok((await shown()).join().startsWith(main), 'the main working tree comes first');
    await driver.screenshot('worktree-level.png');
    await menu('größer, worktree', 'Copy Path');
    await untilEqual(async () => vscode.env.clipboard.readText(), linked, 'the worktree’s folder');
    await changeSetting('sessionTree.worktrees', 'names');
    await eventually('the names', async () => (await shown()).includes('2 Linked größer'));
  });

  it('are one project on the page with the usage', async () => {
    const { path } = await addWorktree();
    await eventually('the usage', async () => (await run<{ key?: string }[]>('usage', { by: 'session' })).some(({ key }) => key === path));
    await run('usage');
    const frame = await driver.frame('Usage');
    await driver.waitFor('h2 >> text=By Project', {}, frame);
    await driver.evaluate(
      `(() => { const range = document.querySelector('select'); range.value = 'all'; range.dispatchEvent(new Event('change')); })()`,
      frame,
    );
    await until(frame, `document.body.innerText.includes('$6.75')`);
    const text = (await driver.evaluate('document.body.innerText', frame)) as string;
    assert.doesNotMatch(text, /größer/);
    await driver.screenshot('worktrees-usage.png');
  });
});
