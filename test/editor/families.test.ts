import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { openContext, untilFrameShows } from './contextPage';
import { refuses } from './refusals';
import { answerDialogs, changeSetting } from './replacements';
import { rows, showClosed, showProject } from './treeRows';
import { eventually, untilEqual, untilMatches } from './waiting';

const COUNT = 15;
/** A name as pi gives it: the folder's sessions stay listed without the file. */
const FAMILY = '2026-01-01T01-00-00-000Z_family';

const FAILED = { message: { stopReason: 'error', errorMessage: 'no' } };

/** The file by which pi shows that it has a session. */
const lockPath = (path: string): string => join(dirname(path), `.${basename(path)}.lock`);

const NAMES = Array.from({ length: COUNT }, (_, index) => `Größe ${String(index)}`);

describe('A family of subagents', () => {
  editorSuite({ tall: true });

  /** A time of the parent's calls. */
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 1, 0, second)).toISOString();
  const childPath = (parent: string, index: number): string =>
    join(parent.slice(0, -'.jsonl'.length), `run${String(index)}`, 'run-0', 'session.jsonl');

  /** @param running true for sessions without answers, each with a program's lock, whose calls have no results */
  async function putFamily({ running = false } = {}): Promise<string> {
    const builder = session({ cwd: own.cwd, id: 'family-parent', timestamp: at(0) }).user('Start fifteen agents');
    const parent = join(own.folder, `${FAMILY}.jsonl`);
    // The first call has started another session, which only one test has.
    const other = join(own.folder, 'outside.jsonl');
    for (let index = 0; index < COUNT; index++) {
      const id = `call-${String(index)}`;
      const files = [childPath(parent, index), ...(index === 0 ? [other] : [])];
      builder.assistant([{ type: 'toolCall', id, name: 'subagent', arguments: { agent: 'scout' } }], {
        timestamp: at(index * 2 + 1),
        message: { stopReason: 'toolUse' },
      });
      if (running) continue;
      builder.message(
        {
          role: 'toolResult',
          toolCallId: id,
          toolName: 'subagent',
          content: [{ type: 'text', text: 'done' }],
          details: { results: files.map((sessionFile) => ({ agent: 'scout', sessionFile })) },
          isError: false,
        },
        { timestamp: at(index * 2 + 2) },
      );
    }
    if (!running) builder.assistant('All are done.');
    for (let index = 0; index < COUNT; index++) {
      const path = childPath(parent, index);
      await mkdir(dirname(path), { recursive: true });
      const child = session({ cwd: own.cwd, id: `child-${String(index)}`, timestamp: at(index * 2 + 1) });
      child.user(`Größe ${String(index)}`, { id: 'task' });
      if (running) await writeFile(lockPath(path), `${String(process.ppid)}:${String(Date.now())}\n`);
      else child.assistant('Found it.', { id: `answer-${String(index)}`, ...(index === 3 ? FAILED : {}) });
      await writeFile(path, child.text());
      await utimes(path, new Date(at(60)), new Date(at(60)));
    }
    await own.put(FAMILY, builder);
    return parent;
  }

  const childRows = async () => (await rows()).filter(({ spoken }) => /^Größe \d+, subagent session/.test(spoken));
  const parentText = async (): Promise<string> => (await rows()).find(({ name }) => name === 'Start fifteen agents')?.description ?? '';

  it('is a calm list below its parent, which counts it; a call leads to its session and back', async () => {
    const parent = await putFamily();
    await showClosed();
    await showProject();
    await untilMatches(parentText, /15 subagents: 1 failed/);
    await untilMatches(parentText, /with subagents/);
    assert.match((await rows()).find(({ name }) => name === 'Start fifteen agents')?.spoken ?? '', /15 subagents: 1 failed/);
    await run('revealSession', { path: childPath(parent, 7) });
    const children = async (): Promise<string[]> => (await childRows()).map(({ name }) => name);
    await untilEqual(children, NAMES);
    const failed = (await rows()).find(({ name }) => name === 'Größe 3');
    assert.match(failed?.spoken ?? '', /subagent session.*failed.*agent scout/);
    await driver.screenshot('family.png');
    // One that grows stays where it is.
    await appendFile(childPath(parent, 2), session(null).user('more', { id: 'more', parentId: 'answer-2' }).text());
    await eventually('the appended message', async () =>
      /running|unanswered/.test((await rows()).find(({ spoken }) => spoken.startsWith('Größe 2, subagent'))?.description ?? ''),
    );
    assert.deepEqual(await children(), NAMES);
    const callId = 'e0000003';
    assert.deepEqual(await run('goToSubagent', { path: parent, entryId: callId }), [{ path: childPath(parent, 0) }]);
    assert.deepEqual(await run('goToCall', { path: childPath(parent, 0) }), { path: parent, entryId: callId });
    await changeSetting('sessionTree.hideSubagents', true);
    try {
      await eventually('no children', async () => (await children()).length === 0);
    } finally {
      await changeSetting('sessionTree.hideSubagents', undefined);
    }
  });

  it('that run and grow keeps the order of its rows and the selected one while their states change', async () => {
    const parent = await putFamily({ running: true });
    await showClosed();
    await showProject();
    await run('revealSession', { path: childPath(parent, 7) });
    await untilMatches(parentText, /15 subagents: 15 running/);
    const selected = (): Promise<readonly string[]> => driver.texts('.part.sidebar .monaco-list-row.selected .label-name');
    await untilEqual(selected, ['Größe 7']);
    await untilEqual(async () => (await childRows()).map(({ name }) => name), NAMES);
    /** Waits for the texts of the rows. Meanwhile no row moves, and none goes. */
    const untilAll = (what: string, isExpected: (spoken: string, index: number) => boolean): Promise<true> =>
      eventually(what, async () => {
        const shown = await childRows();
        assert.deepEqual([shown.map(({ name }) => name), await selected()], [NAMES, ['Größe 7']]);
        return shown.every(({ spoken }, index) => isExpected(spoken, index));
      });
    const append = (index: number, id: string, parentId: string, given: object): Promise<void> =>
      appendFile(
        childPath(parent, index),
        session(null)
          .assistant(id, { id, parentId, ...given })
          .text(),
      );
    const indexes = NAMES.map((_, index) => index);
    // The last one grows first.
    for (const index of indexes.toReversed()) await append(index, 'more', 'task', { message: { stopReason: 'toolUse' } });
    await untilAll('the appended messages', (spoken) => /Running: .* 2 messages/.test(spoken));
    const isEnded = (index: number): boolean => index % 3 === 1;
    for (const index of indexes.toReversed().filter(isEnded)) {
      await append(index, 'end', 'more', index === 10 ? FAILED : {});
      // A file that has just grown would still count as running.
      await utimes(childPath(parent, index), new Date(at(60)), new Date(at(60)));
      await rm(lockPath(childPath(parent, index)));
    }
    await untilAll('the states', (spoken, index) =>
      isEnded(index) ? !/Running/.test(spoken) && /failed/.test(spoken) === (index === 10) : /Running: .* 2 messages/.test(spoken),
    );
    await untilMatches(parentText, /15 subagents: 10 running, 1 failed/);
    await driver.screenshot('family-running.png');
  });

  it('goes to the trash as a whole after one question, and comes back with one undo; its sessions are found while they are hidden', async () => {
    const parent = await putFamily();
    const outside = await own.put(
      'outside',
      session({ cwd: own.cwd, id: 'outside', timestamp: at(1), parentSession: parent }).user('Größe außerhalb'),
    );
    const paths = [parent, childPath(parent, 0), childPath(parent, 14), outside];
    const areThere = (): boolean[] => paths.map(existsSync);
    await showClosed();
    await showProject();
    await eventually('the family', async () =>
      /16 subagents/.test((await rows()).find(({ name }) => name === 'Start fifteen agents')?.description ?? ''),
    );
    await changeSetting('sessionTree.hideSubagents', true);
    try {
      const found = await run('goToSession', { query: 'Größe 14' });
      assert.deepEqual(found, [{ path: childPath(parent, 14) }]);
      const { message } = await refuses('not-found', run('revealSession', { path: childPath(parent, 14) }));
      assert.match(message, /hidden by the view’s settings for programs, empty sessions and subagents/);
    } finally {
      await changeSetting('sessionTree.hideSubagents', undefined);
    }
    const asked = answerDialogs('Move All to Trash');
    await run('delete', { row: 'session', path: parent });
    assert.deepEqual(asked, [
      'Move “Start fifteen agents” to the trash? Sessions of subagents: 16. [Move All to Trash, Without Subagents]',
    ]);
    assert.deepEqual(areThere(), [false, false, false, false]);
    await run('undo', {});
    assert.deepEqual(areThere(), [true, true, true, true]);
    await run('delete', { path: parent, withSubagents: false });
    assert.deepEqual(areThere(), [false, true, true, true]);
    await eventually('the remaining sessions', async () => (await rows()).some(({ name }) => name === 'Größe 0'));
    assert.deepEqual(await run('goToSession', { query: 'Größe 14' }), [{ path: childPath(parent, 14) }]);
    await run('emptyTrash', {});
  });

  it('opens a session from the call in the context, and the call from the session', async () => {
    const parent = await putFamily();
    const frame = await openContext({ path: parent });
    await frame.locator('main button[aria-label="Go to Subagent’s Session"]').last().click();
    await untilFrameShows('pi-session-tree', 'h1:has-text("Größe 14")');
    const child = await driver.frame('pi-session-tree');
    await driver.screenshot('family-child.png');
    await driver.find('header button[data-key=call]', child).click();
    await untilFrameShows('pi-session-tree', 'h1:has-text("Start fifteen agents")');
  });
});
