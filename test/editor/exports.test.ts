// Tests of exports, shares, imports and recoveries from a person's view: what is shown, and the files that come of it.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { entryId, session, type SessionBuilder } from '../fixtures/build';
import { TOKENS } from '../fixtures/plantedSecrets';
import { drag } from './drag';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { pressButton, showsMessage } from './messages';
import { answerDialogs, replace } from './replacements';
import { linesOf } from './temporarySessions';
import { menu, row, showProject } from './treeRows';
import { eventually, untilEqual, untilMatches } from './waiting';

const LIST = '.quick-input-list .monaco-list-row';
const REPORT = '.editor-group-container .view-lines';

describe('A session that is taken along', () => {
  const token = TOKENS['ghp']!();
  editorSuite();
  before(() => vscode.commands.executeCommand('sessionTree.sessions.focus'));

  const talk = (): SessionBuilder => session({ cwd: own.cwd }).user(`Which way? ${token}`).assistant('To jane@corp.example.io.');
  const saveAs = (name: string): string => {
    const path = join(own.cwd, name);
    replace(vscode.window, { showSaveDialog: () => Promise.resolve(vscode.Uri.file(path)) });
    return path;
  };
  /** Waits for the list of findings, and returns its rows. */
  const review = async (): Promise<string> => {
    await driver.waitFor('.quick-input-widget:visible input[placeholder^="Select what to replace"]');
    return driver.plainText(LIST);
  };

  it('is reviewed, and saved as Markdown without what was found', async () => {
    const target = saveAs('out.md');
    await own.put('talk', talk());
    await showProject();
    await menu('Which way?', 'Share', 'Export Session…');
    await driver.pick('to read, here or on GitHub');
    const found = await review();
    assert.match(found, /Which way\? \[redacted:github-token-1\]/);
    assert.match(found, /github-token · 2 places|github-token · 1 place/);
    assert.match(found, /\[redacted:email-1\]/);
    assert.ok(!found.includes(token));
    await driver.press('Enter');
    await showsMessage(/Exported to .*out\.md\. Texts replaced: \d+\./);
    const text = await readFile(target, 'utf8');
    assert.ok(text.includes('redacted:github-token-1') && !text.includes(token) && !text.includes('jane@'));
    await pressButton('Open');
    await untilMatches(() => driver.plainText(REPORT), /Which way\?/);
  });

  it('is saved in the form of the last export, and as many branches of it, by Enter alone', async () => {
    await own.put('talk', talk().user('To the left').branchFrom(entryId(2)).user('To the right'));
    await showProject();
    for (const name of ['all.md', 'again.md']) {
      const target = saveAs(name);
      await menu('Which way?', 'Share', 'Export Session…');
      if (name === 'all.md') await driver.pick('All Branches · to read, here or on GitHub');
      else {
        await driver.waitFor(`${LIST}.focused >> text=Markdown`);
        await driver.press('Enter');
      }
      await review();
      await driver.press('Enter');
      await showsMessage(new RegExp(`Exported to .*${name}`));
      const text = await readFile(target, 'utf8');
      assert.ok(text.includes('To the left') && text.includes('To the right') && !text.includes(token), text);
    }
  });

  it('is left out in parts: the list of findings goes to an entry, marks it, and stays at its row', async () => {
    const target = saveAs('parts.md');
    await own.put('talk', talk());
    await showProject();
    await menu('Which way?', 'Share', 'Export Session…');
    await driver.pick('to read, here or on GitHub');
    await review();
    const mail = driver.find(`${LIST}:has-text("[redacted:email-1]")`);
    await mail.hover();
    await mail.locator('.action-label').nth(1).click();
    await driver.waitFor(`${LIST}.focused >> text=entry is left out`);
    // The list has the focus again after each click. Before that, Enter would press the button.
    await driver.waitFor('.quick-input-widget:visible input:focus');
    await mail.locator('.action-label').nth(0).click();
    await eventually('the context', () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.includes('Which')),
    );
    await driver.click('.quick-input-widget:visible .monaco-button >> text=OK');
    await showsMessage(/Exported to .*parts\.md/);
    const text = await readFile(target, 'utf8');
    assert.ok(text.includes('Which way?') && !text.includes('redacted:email'), text);
  });

  it('is one of a project, which is saved in a folder with an index page', async () => {
    replace(vscode.window, { showOpenDialog: () => Promise.resolve([vscode.Uri.file(own.cwd)]) });
    await own.put('one', talk());
    await own.put('two', `${session({ cwd: own.cwd, id: 'two' }).user(`Again ${token}`).text()}torn`);
    await showProject();
    await menu(basename(own.cwd), 'Export Sessions…');
    await driver.pick('to read in any browser');
    assert.match(await review(), /github-token · 2 places/);
    await driver.press('Enter');
    await showsMessage(/Exported 2 sessions to .*Not exported, or not whole: 1\./);
    const folder = join(
      own.cwd,
      (await readdir(own.cwd)).find((name) => name.startsWith('sessions-'))!,
    );
    const names = await readdir(folder);
    assert.deepEqual([names.length, names.includes('index.html')], [3, true]);
    for (const name of names) assert.ok(!(await readFile(join(folder, name), 'utf8')).includes(token), name);
    await pressButton('Show Report');
    await untilMatches(() => driver.plainText(REPORT), /Not whole[^]*two\.jsonl[^]*Lines that couldn’t be read: 1\./);
  });

  it('is shared only after a question, and the message has the link', async () => {
    const requests: { url: string; body: string }[] = [];
    const signedIn = { id: 'x', accessToken: 'a token', account: { id: '1', label: 'jane' }, scopes: ['gist'] };
    replace(vscode.authentication, { getSession: () => Promise.resolve(signedIn) });
    replace(globalThis as { fetch: unknown }, {
      fetch: (url: string, { body }: { body: string }) => {
        requests.push({ url, body });
        return Promise.resolve(Response.json({ id: 'abcdef0123456789' }, { status: 201 }));
      },
    });
    await own.put('talk', talk());
    await showProject();
    for (const answer of [undefined, 'Share']) {
      const asked = answerDialogs(answer);
      await menu('Which way?', 'Share', 'Share Session as Gist…');
      await review();
      await driver.press('Enter');
      await untilMatches(() => asked.join(), /gist of jane[^]*Anyone with the link can see it/);
    }
    await showsMessage(/Shared as a secret gist: https:\/\/pi\.dev\/session\/#abcdef0123456789/);
    assert.deepEqual(
      requests.map(({ url }) => url),
      ['https://api.github.com/gists'],
    );
    assert.ok(requests[0]!.body.includes('[redacted:github-token-1]') && !requests[0]!.body.includes(token));
    await pressButton('Copy Link');
    await untilEqual(async () => vscode.env.clipboard.readText(), 'https://pi.dev/session/#abcdef0123456789');
  });

  it('is imported into the project that the menu was opened on', async () => {
    const file = join(own.cwd, 'elsewhere.jsonl');
    await writeFile(file, session({ cwd: '/elsewhere', id: 'elsewhere' }).user('From afar').text());
    replace(vscode.window, { showOpenDialog: () => Promise.resolve([vscode.Uri.file(file)]) });
    await own.put('talk', talk());
    await showProject();
    await menu(basename(own.cwd), 'Import Session…');
    await showsMessage(/Imported “From afar”/);
    await driver.waitFor(row('From afar'));
    const name = (await readdir(own.folder)).find((one) => one !== 'talk.jsonl')!;
    const lines = await linesOf(join(own.folder, name));
    assert.deepEqual([lines[0]!['cwd'], lines[0]!['id'] === 'elsewhere'], [own.cwd, false]);
  });

  it('is imported from the palette, and has the focus then', async () => {
    const file = join(own.cwd, 'elsewhere.jsonl');
    await writeFile(file, session({ cwd: '/elsewhere', id: 'elsewhere' }).user('From afar').text());
    replace(vscode.window, { showOpenDialog: () => Promise.resolve([vscode.Uri.file(file)]) });
    await own.put('talk', talk());
    await showProject();
    await driver.click(row(basename(own.cwd)));
    void run('importSession');
    await driver.waitFor('.quick-input-widget input');
    await driver.type(basename(own.cwd));
    await driver.waitFor(`.quick-input-list .monaco-list-row.focused >> text=${basename(own.cwd)}`);
    await driver.press('Enter');
    await driver.waitFor('.part.sidebar .monaco-list:focus .monaco-list-row.focused >> text=From afar');
  });

  it('is imported into the project that it’s dropped on', async () => {
    const file = join(own.cwd, 'dropped.jsonl');
    await writeFile(file, session({ cwd: '/elsewhere', id: 'elsewhere' }).user('From afar').text());
    await own.put('talk', talk());
    await showProject();
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    await drag('.tab.active', row(basename(own.cwd)), '.sidebar .monaco-list-row.drop-target');
    await showsMessage(/Imported “From afar”/);
    await driver.waitFor(row('From afar'));
    const name = (await readdir(own.folder)).find((one) => one !== 'talk.jsonl')!;
    assert.equal((await linesOf(join(own.folder, name)))[0]!['cwd'], own.cwd);
  });

  it('is recovered beside the damaged file, which stays as it was', async () => {
    const damaged = `${talk().text()}{"type":"mess\n${talk().text().split('\n')[1]!.replace('e0000001', 'e0000009')}\n`;
    const path = await own.put('talk', damaged);
    await showProject();
    await menu('Which way?', 'Fork', 'Recover Session');
    await showsMessage(/Copied all whole lines of “Which way\?.*” to a new session\. The report lists the others\./);
    const name = (await readdir(own.folder)).find((one) => one !== 'talk.jsonl')!;
    assert.ok((await linesOf(join(own.folder, name))).length > 2);
    assert.equal(await readFile(path, 'utf8'), damaged);
    await pressButton('Show Report');
    await untilMatches(() => driver.plainText(REPORT), /[Ll]ine 4/);
  });
});
