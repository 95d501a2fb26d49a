import assert from 'node:assert/strict';
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { archiveIn, ompText, writeArchived } from '../fixtures/archive';
import { session } from '../fixtures/build';
import { openContext } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { menu, rows, showClosed, showProject } from './treeRows';
import { eventually, untilMatches } from './waiting';

describe('Sessions that oh-my-pi has pinned or archived', function () {
  const agent = join(homedir(), '.omp', 'agent');
  const folder = join(agent, 'sessions', '-kept');
  const pins = join(agent, 'session-pins.json');
  editorSuite({ tall: true });
  afterEach(async () => {
    for (const path of [folder, pins, archiveIn(agent)]) await rm(path, { recursive: true, force: true });
    await run('refresh');
  });

  const names = async (): Promise<string[]> => (await rows()).flatMap(({ name, level }) => (level === 2 ? [name] : []));
  const accessibleNames = async (): Promise<string[]> =>
    (await driver.evaluate(
      `[...document.querySelectorAll('.part.sidebar .monaco-list-row[aria-level="2"]')]
        .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => row.getAttribute('aria-label'))`,
    )) as string[];

  it('come first and last in their project, say so, and follow the program; an archived one is opened and not written to', async () => {
    const [older, newer] = [join(folder, 'older.jsonl'), join(folder, 'newer.jsonl')];
    await mkdir(dirname(older), { recursive: true });
    const start = (id: string, hour: number): string =>
      ompText(session({ id, cwd: own.cwd }).user(id, { message: { timestamp: Date.UTC(2026, 0, 1, hour) } }), id);
    await writeFile(older, start('Older', 1));
    await writeFile(newer, start('Newer', 2));
    // Otherwise they'd count as running.
    for (const path of [older, newer]) await utimes(path, 0, 0);
    await showClosed();
    const project = own.cwd.split('/').at(-1)!;
    await eventually('the project', async () => (await rows()).some(({ name }) => name === project));
    await driver.find(`.part.sidebar .monaco-list-row >> text=${project}`).click();
    await eventually('both sessions', async () => (await names()).join() === 'Newer,Older');

    await writeFile(pins, JSON.stringify(['Older', 'Old']));
    await eventually('the pinned one first', async () => (await names()).join() === 'Older,Newer');
    const lines = session({ id: 'Old', cwd: own.cwd }).user('What was put aside?').assistant('This.');
    const archived = writeArchived(agent, '-kept/old', lines);
    const before = await readFile(archived);
    await eventually('the archived one last', async () => (await names()).join() === 'Older,Newer,Put aside');
    const spoken = async (index: number): Promise<string> => (await accessibleNames())[index] ?? '';
    await untilMatches(() => spoken(0), /^Older, session, unanswered, pinned,/);
    await untilMatches(() => spoken(1), /^Newer, session, unanswered, (?!pinned|archived)/);
    await untilMatches(() => spoken(2), /^Put aside, session, read-only, pinned · archived,/);
    await driver.screenshot('archived.png');

    const ref = { path: archived };
    const frame = await openContext(ref);
    await driver.waitFor('article >> text=This.', {}, frame);
    for (const [command, args] of [
      ['sessionTree.rename', { ...ref, name: 'x' }],
      ['sessionTree.delete', ref],
    ] as const) {
      await assert.rejects(
        async () => vscode.commands.executeCommand(command, args),
        (error) => (error as { code?: unknown }).code === 'read-only',
      );
    }
    assert.deepEqual(await readFile(archived), before);
    await rm(archived);
    await eventually('it is gone', async () => (await names()).join() === 'Older,Newer');
  });
});

describe('Pins of sessions', () => {
  editorSuite({ tall: true });

  it('put a session first from its menu, until it’s unpinned, and change no file', async () => {
    const put = (name: string, minute: number): Promise<string> =>
      own.put(
        name,
        session({ cwd: own.cwd, id: `pinned-${name}` }).user(name, { message: { timestamp: Date.UTC(2026, 0, 1, 1, minute) } }),
      );
    const path = await put('Older', 1);
    await put('Newer', 2);
    const before = await readFile(path);
    await showProject();
    const names = async (): Promise<string> => (await rows()).flatMap(({ name, level }) => (level === 2 ? [name] : [])).join();
    await eventually('both sessions', async () => (await names()) === 'Newer,Older');
    await menu('Older', 'Pins, Tags, Notes', 'Pin');
    await eventually('the pinned one first', async () => (await names()) === 'Older,Newer');
    await untilMatches(
      async () => (await rows()).find(({ name }) => name === 'Older')?.spoken ?? '',
      /^Older, session, unanswered, pinned,/,
    );
    await driver.screenshot('pinned.png');
    await menu('Older', 'Pins, Tags, Notes', 'Unpin');
    await eventually('the newer one first', async () => (await names()) === 'Newer,Older');
    await run('pin', { path });
    await eventually('the pinned one first', async () => (await names()) === 'Older,Newer');
    await run('unpin', [{ path }]);
    assert.deepEqual(await readFile(path), before);
  });
});
