import assert from 'node:assert/strict';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { entryId, session } from '../fixtures/build';
import { addEvent, addPackedEvent, addSession, createDatabase, insert } from '../fixtures/openclawDatabase';
import { openContext } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { open, rows, showClosed } from './treeRows';
import { eventually } from './waiting';

describe('Sessions in OpenClaw’s database', function () {
  const path = join(homedir(), '.openclaw', 'agents', 'stored', 'agent', 'openclaw-agent.sqlite');
  editorSuite({ tall: true });
  beforeEach(() => mkdir(dirname(path), { recursive: true }));
  afterEach(async () => {
    await rm(join(homedir(), '.openclaw', 'agents', 'stored'), { recursive: true, force: true });
    await run('refresh');
  });

  const names = async (): Promise<string[]> => (await rows()).map(({ name, level }) => `${'  '.repeat(level - 1)}${name}`);

  it('are rows under their names, follow what OpenClaw writes, and are only read', async () => {
    const lines = session({ cwd: own.cwd, id: 'chat' }).user('What is stored?').assistant('Everything.').user('Even this?').lines();
    const database = createDatabase(path);
    addSession(database, { id: 'chat', key: 'agent:stored:main', lines: lines.slice(0, 2), node: { display_name: 'Main chat' } });
    addPackedEvent(database, 'chat', 2, lines[2]!);
    addSession(database, {
      id: 'task',
      key: 'agent:stored:subagent:one',
      lines: session({ cwd: own.cwd, id: 'task' }).user('Sub task').lines(),
      node: { display_name: 'A task', spawned_by: 'agent:stored:main' },
    });
    insert(database, 'session_progress_cards', {
      session_key: 'agent:stored:main',
      markdown: '# Crane\n[click](command:workbench.action.quit)',
      steps_json: '[{"step": "Lift it", "status": "in_progress"}]',
      revision: 1,
      created_at: 1,
      updated_at: 1,
    });
    database.close();
    const before = await readFile(path);
    await showClosed();
    const project = own.cwd.split('/').at(-1)!;
    await eventually('the project', async () => (await names()).includes(project));
    await driver.find(`.part.sidebar .monaco-list-row >> text=${project}`).click();
    await eventually('the session', async () => (await names()).includes('  Main chat'));
    await open('Main chat');
    await eventually('its entries', async () => (await names()).some((name) => name.includes('What is stored?')));
    await eventually('its subagent', async () => (await names()).some((name) => name.includes('A task')));
    await eventually('its progress in the hover', async () => {
      await driver.awayFromRows();
      await driver.find('.part.sidebar .monaco-list-row >> text=Main chat').hover();
      const hover = driver.find('.monaco-hover >> text=Lift it');
      return hover.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => undefined,
      );
    });
    assert.match(await driver.find('.monaco-hover').innerText(), /Progress: Crane\s+click\s+→ Lift it[\s\S]*agent stored/);
    await driver.screenshot('database.png');

    const ref = { path: join(path, 'chat.jsonl') };
    const frame = await openContext(ref);
    await driver.waitFor('article >> text=Everything.', {}, frame);
    await driver.waitFor('text=→ Lift it', {}, frame);
    await assert.rejects(
      async () => run('label', { ...ref, entryId: entryId(1), label: 'x' }),
      (error) => (error as { code?: unknown }).code === 'read-only',
    );
    await assert.rejects(
      async () => run('delete', ref),
      (error) => (error as { code?: unknown }).code === 'read-only',
    );
    assert.deepEqual(await readFile(path), before);

    const writing = createDatabaseConnection();
    addEvent(writing, 'chat', 3, lines[3]!);
    await driver.waitFor('article >> text=Even this?', {}, frame);
    writing.close();
    await driver.screenshot('database-context.png');
  });

  const createDatabaseConnection = (): ReturnType<typeof createDatabase> => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    return new DatabaseSync(path);
  };
});
