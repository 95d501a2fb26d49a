// Restricted Mode: a workspace can't set session folders before the person trusts it.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEditor, runCommand, until } from './editor.mjs';
import { makeHome } from './home.mjs';
import { exitOnSignals } from './processes.mjs';

exitOnSignals();

describe('a workspace that is not trusted', function () {
  this.timeout(240_000);
  let home, editor;
  beforeEach(async () => {
    home = await makeHome();
  });
  afterEach(async () => {
    await editor?.close();
    home.remove();
  });

  const put = async (name, content) => {
    const path = join(home.workspace, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, content);
  };
  const planted = (project) =>
    [
      { type: 'session', version: 3, id: project, timestamp: '2026-01-02T10:00:00.000Z', cwd: `/work/${project}` },
      { type: 'message', id: 'a', parentId: null, timestamp: '2026-01-02T10:00:01.000Z', message: { role: 'user', content: 'Planted' } },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');

  it('names no session folder, neither by pi’s settings nor by the editor’s', async () => {
    await put('.pi/settings.json', JSON.stringify({ sessionDir: 'one' }));
    await put('one/a.jsonl', planted('by-settings-of-pi'));
    await put('.vscode/settings.json', JSON.stringify({ 'sessionTree.roots': ['two'] }));
    await put('two/project/a.jsonl', planted('by-settings-of-the-editor'));
    editor = await openEditor(home, {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.emptyWindow': false,
    });
    await editor.showSessions();
    const { page } = editor;
    const command = (title) => runCommand(page, title);
    const projects = async () =>
      (await page.locator('.sidebar .pane-body .monaco-list-row .label-name').allInnerTexts())
        .filter((name) => name.startsWith('by-settings'))
        .sort();
    await page.locator('.part.statusbar >> text=Restricted Mode').waitFor();
    await command('Pi Session Tree: Refresh');
    // The view reports new sessions only after all folders were inspected.
    await mkdir(join(home.env.HOME, '.pi', 'agent', 'sessions', '--own--'), { recursive: true });
    await writeFile(join(home.env.HOME, '.pi', 'agent', 'sessions', '--own--', 'a.jsonl'), planted('an-own-one'));
    await command('Pi Session Tree: Refresh');
    await page.locator('.sidebar .monaco-list-row', { hasText: 'an-own-one' }).waitFor();
    assert.deepEqual(await projects(), []);

    await command('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    // The editor may reload the window.
    let seen;
    await until(
      async () => (seen = await projects().catch(() => [])).length === 2,
      () => `after trust there are: ${seen}`,
    );
    assert.deepEqual(seen, ['by-settings-of-pi', 'by-settings-of-the-editor']);
  });
});
