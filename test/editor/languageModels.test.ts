// Texts that a language model writes: asked for by mouse and keyboard, with a model of another extension.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { eventually } from './waiting';

const BOX = '.quick-input-widget:visible';

describe('language models', () => {
  before(() => vscode.commands.executeCommand('sessionTree.sessions.focus'));
  editorSuite();

  const doors = () =>
    session({ cwd: own.cwd })
      .user('Which way?', { id: 'ask' })
      .assistant('Left or right.', { id: 'answer' })
      .user('Right.', { id: 'right' })
      .assistant('A door.', { id: 'door' });
  const pressSparkle = (name: string) => driver.click(`${BOX} .quick-input-titlebar [aria-label="${name}"]`);
  const chooseStub = async (): Promise<string> => {
    const item = `${BOX} .quick-input-list .monaco-list-row:has-text("Stub Model")`;
    await driver.waitFor(item);
    const text = await driver.text(item);
    await driver.screenshot('language-model.png');
    await driver.press('Enter');
    return text;
  };

  it('summarize the abandoned branch where one branches', async () => {
    const path = await own.put('doors', doors());
    const done = run('branchHere', { row: 'entry', path, entryId: 'answer' });
    await pressSparkle('Let a Language Model Summarize the Abandoned Branch…');
    assert.match(await chooseStub(), /messages: 2, tokens: about \d+/);
    await done;
    const last = (await readFile(path, 'utf8')).trimEnd().split('\n').at(-1) ?? '';
    assert.match(last, /"type":"branch_summary".*"summary":"It was about \*\*doors\*\*\..*language model Stub Model/);
    assert.deepEqual(await run('undo'), { did: 'inverse', path });
  });

  it('suggest a name, which the person can change', async () => {
    const path = await own.put('doors', doors());
    const done = run('rename', { row: 'session', path });
    await pressSparkle('Let a Language Model Suggest a Name…');
    await chooseStub();
    await eventually('the suggestion', async () => (await driver.find(`${BOX} input`).inputValue()) === 'Doors, left and right');
    await driver.press('Enter');
    await done;
    assert.match(await readFile(path, 'utf8'), /"name":"Doors, left and right"/);
  });

  it('write a recap, which loads nothing', async () => {
    const path = await own.put('doors', doors());
    const done = run('recap', { row: 'session', path });
    await chooseStub();
    await done;
    const shown = (): Promise<string[]> => Promise.all(driver.page.frames().map((frame) => driver.text('body', frame).catch(() => '')));
    const text = await eventually('the preview', async () => (await shown()).find((one) => one.includes('Written by Stub Model')));
    await driver.screenshot('recap.png');
    assert.match(text, /It was about doors\. !\[x\]\(https:/);
  });
});
