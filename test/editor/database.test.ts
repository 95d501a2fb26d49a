import assert from 'node:assert/strict';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { entryId, session } from '../fixtures/build';
import { addEvent, addPackedEvent, addSession, createDatabase } from '../fixtures/openclawDatabase';
import type { Driver } from './driver';
import type { OwnSessions } from './temporarySessions';
import { useWindow } from './testWindow';
import { rows, showClosed, tallWindow, until } from './treeRows';

describe('Sessions in OpenClaw’s database', function () {
  const path = join(homedir(), '.openclaw', 'agents', 'stored', 'agent', 'openclaw-agent.sqlite');
  let driver: Driver;
  let own: OwnSessions;
  useWindow((window) => ({ driver, own } = window));
  beforeEach(async () => {
    await mkdir(dirname(path), { recursive: true });
    await tallWindow(driver);
  });
  afterEach(async () => {
    await rm(join(homedir(), '.openclaw', 'agents', 'stored'), { recursive: true, force: true });
    await vscode.commands.executeCommand('sessionTree.refresh');
  });

  const names = async (): Promise<string[]> => (await rows(driver)).map(({ name, level }) => `${'  '.repeat(level - 1)}${name}`);

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
    database.close();
    const before = await readFile(path);
    await showClosed(driver);
    const project = own.cwd.split('/').at(-1)!;
    await until('the project', async () => (await names()).includes(project));
    await driver.find(`.part.sidebar .monaco-list-row >> text=${project}`).click();
    await until('the session', async () => (await names()).includes('  Main chat'));
    await driver.find('.part.sidebar .monaco-list-row >> text=Main chat').click();
    await until('its entries', async () => (await names()).some((name) => name.includes('What is stored?')));
    await until('its subagent', async () => (await names()).some((name) => name.includes('A task')));
    await driver.screenshot('database.png');

    const ref = { path: join(path, 'chat.jsonl') };
    await vscode.commands.executeCommand('sessionTree.showContext', ref);
    const frame = await driver.frame('pi-session-tree');
    await driver.waitFor('article >> text=Everything.', {}, frame);
    await assert.rejects(
      async () => vscode.commands.executeCommand('sessionTree.label', { ...ref, entryId: entryId(1), label: 'x' }),
      (error) => (error as { code?: unknown }).code === 'read-only',
    );
    await assert.rejects(
      async () => vscode.commands.executeCommand('sessionTree.delete', ref),
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
