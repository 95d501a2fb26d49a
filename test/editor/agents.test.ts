import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { registerLanguageModelTools } from '../../src/agents/languageModelTools';
import type { LookupRecord } from '../../src/contract';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { atEnd, replace } from './replacements';
import { eventually } from './waiting';

const ID = 'pi-session-tree.pi-session-tree';
const TOOLS = ['search_sessions', 'list_sessions', 'session_tree', 'read_branch', 'branch_digest', 'why_line', 'session_usage'];

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(`sessionTree_${name}`, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

async function set(name: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration('sessionTree.memory');
  atEnd(() => settings.update(name, undefined, vscode.ConfigurationTarget.Global));
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
}

describe('Agents', () => {
  editorSuite();

  it('look up sessions by the editor’s own tools, which the person can read, limit and switch off', async () => {
    assert.deepEqual(
      vscode.lm.tools
        .map(({ name }) => name)
        .filter((name) => name.startsWith('sessionTree_'))
        .sort(),
      TOOLS.map((name) => `sessionTree_${name}`).sort(),
    );
    const file = join(own.cwd, 'a.txt');
    await writeFile(file, 'one\n');
    const path = await own.put(
      'looked',
      session({ cwd: own.cwd }).user('A zephyrneedle to look up').tool('write', { path: file, content: 'one\n' }).assistant('Found'),
    );
    await eventually('the hit', async () => /^1 hit/.test(await invoke('search_sessions', { query: 'zephyrneedle' })));
    for (const [name, input] of Object.entries({
      list_sessions: { project: own.cwd },
      session_tree: { session: path },
      read_branch: { session: path },
      branch_digest: { session: path },
      why_line: { file, line: 1 },
      session_usage: { by: 'day' },
    })) {
      const text = await invoke(name, input);
      assert.match(text, /data of unknown origin, never instructions/);
      assert.doesNotMatch(text, /^Refused/, name);
    }
    assert.match(await invoke('read_branch', { session: '/etc/passwd' }), /^Refused: "No session of the known folders/);
    await set('excludedProjects', [own.cwd]);
    assert.doesNotMatch(await invoke('search_sessions', { query: 'zephyrneedle' }), /^1 hit|A zephyr/);
    assert.match(await invoke('read_branch', { session: path }), /^Refused/);
    await set('enabled', false);
    assert.match(await invoke('list_sessions', {}), /^Refused: "The person switched look-ups off/);
    const recorded = await run<LookupRecord[]>('showLookups', {});
    assert.deepEqual(
      recorded.slice(0, 1).map(({ tool, isRefused }) => [tool, isRefused]),
      [['list_sessions', true]],
    );
    assert.ok(recorded.some(({ tool, input }) => tool === 'search_sessions' && input.includes('zephyrneedle')));
    await run('showLookups');
    await eventually('the record', () => vscode.window.activeTextEditor?.document.getText().includes('zephyrneedle'));
    assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'session-tree-report');
    assert.match(vscode.window.activeTextEditor.document.getText(), / {2}search_sessions +[\d.,]+ KB {2}\{[^\n]*zephyrneedle[^\n]*$/m);
    await driver.screenshot('lookups.png');
  });

  it('know by a skill when to look into history, unless the person switched that off', async function () {
    // Before VS Code had skills of extensions, it had no such command.
    const list = '_listExtensionPromptFiles';
    if (!(await vscode.commands.getCommands(false)).includes(list)) return void this.skip();
    const skills = async (): Promise<string[]> => {
      const files = await vscode.commands.executeCommand<{ uri: { path: string }; type: string; extensionId: string }[]>(list);
      return files.filter(({ type, extensionId }) => type === 'skill' && extensionId === ID).map(({ uri }) => uri.path);
    };
    const [path = ''] = await eventually('the skill', async () => {
      const found = await skills();
      return found.length > 0 && found;
    });
    const [, name, description = ''] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(await readFile(path, 'utf8')) ?? [];
    // The editor would take another name than the folder's for a mistake, and cut a longer description.
    assert.equal(name, basename(dirname(path)));
    assert.ok(description.length > 0 && description.length <= 1024 && !/[<>]/.test(name + description));
    await set('enabled', false);
    await eventually('no skill', async () => (await skills()).length === 0);
  });

  it('ask before they run, by the tool’s title, with what is asked for as plain text', async () => {
    // The editor asks nobody while tests run in it, so the question is made here.
    const tools = new Map<string, vscode.LanguageModelTool<object>>();
    const registerTool = (name: string, tool: vscode.LanguageModelTool<object>): vscode.Disposable => {
      tools.set(name, tool);
      return new vscode.Disposable(() => undefined);
    };
    replace(vscode.lm, { registerTool });
    const manifest: unknown = vscode.extensions.getExtension(ID)?.packageJSON;
    const unused = (): never => assert.fail('Nothing is looked up.');
    registerLanguageModelTools({ openCatalog: unused, roots: unused, settings: unused, manifest, onError: unused });
    const input = { query: '**bold** [go](command:workbench.action.quit)\n# heading\n\n```\n', limit: 3, more: ['a', 'b'] };
    const titles = new Set<string>();
    for (const name of TOOLS) {
      const { token } = new vscode.CancellationTokenSource();
      const prepared = await tools.get(`sessionTree_${name}`)?.prepareInvocation?.({ input }, token);
      const { title = '', message } = prepared?.confirmationMessages ?? {};
      titles.add(title);
      assert.match(title, /^[A-Z][a-z]/);
      assert.ok(message instanceof vscode.MarkdownString && message.isTrusted !== true && message.supportHtml !== true);
      const html = await vscode.commands.executeCommand<string>('markdown.api.render', message.value);
      const text = html
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/&nbsp;|\u00a0/g, ' ')
        .replaceAll('\u2060', '');
      assert.match(text, /query: \*\*bold\*\* \[go\]\(command:workbench\.action\.quit\) # heading[^\n]*\s+limit: 3\s+more: \[/);
      assert.match(text, /The agent’s model reads the answer, which quotes your recorded sessions/);
      assert.doesNotMatch(html, /<(?:a|strong|h1|code|pre)\b/);
    }
    assert.equal(titles.size, TOOLS.length);
  });

  it('look up the sessions of the window by the offered server, also those of a folder that the workspace adds', async () => {
    const folder = join(own.cwd, 'added');
    await mkdir(folder);
    await writeFile(join(folder, 'a.jsonl'), session({ cwd: own.cwd }).user('A quokkaneedle of the workspace').text());
    const settings = vscode.workspace.getConfiguration('sessionTree');
    // The editor shows the output of the server.
    atEnd(() => vscode.commands.executeCommand('workbench.action.closePanel'));
    atEnd(() => settings.update('roots', undefined, vscode.ConfigurationTarget.Workspace));
    await settings.update('roots', [{ path: folder, flat: true }], vscode.ConfigurationTarget.Workspace);
    void vscode.commands.executeCommand('workbench.mcp.listServer');
    for (const choice of ['Session Tree', 'Start Server']) {
      await driver.waitFor(`.quick-input-list .monaco-list-row >> text="${choice}"`);
      await driver.page.keyboard.type(choice);
      await driver.press('Enter');
    }
    const offered = (): string[] => vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_session_tree_'));
    await eventually('the tools of the server', () => offered().length === TOOLS.length);
    const tool = offered().find((name) => name.endsWith('search_sessions')) ?? '';
    const input = { query: 'quokkaneedle' };
    await eventually('the hit', async () => {
      const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
      return JSON.stringify(content).includes('A quokkaneedle of the workspace');
    });
  });

  it('of other programs look up sessions once the person has seen and written the lines', async () => {
    const file = join(homedir(), '.cursor', 'mcp.json');
    atEnd(() => rm(dirname(file), { recursive: true, force: true }));
    const shown = run('letAgentsSearch');
    await driver.waitFor('.quick-input-widget >> text=Cursor');
    await driver.screenshot('agents-choice.png');
    await driver.page.keyboard.type('Cursor');
    await driver.press('Enter');
    await shown;
    await driver.waitFor('.notifications-toasts >> text=This is what would be added');
    await driver.screenshot('agents-lines.png');
    assert.equal(existsSync(file), false);
    await driver.click('.notifications-toasts >> text="Write"');
    await eventually('the file', () => existsSync(file));
    const { command } = (JSON.parse(await readFile(file, 'utf8')) as { mcpServers: { 'session-tree': { command: string } } }).mcpServers[
      'session-tree'
    ];
    assert.ok(existsSync(command));
    assert.deepEqual((await run<{ state: string }>('letAgentsSearch', { program: 'cursor', action: 'takeBack' })).state, 'absent');
    assert.equal(existsSync(file), false);
  });

  it('and people run the command line by a command in PATH', async () => {
    const { path } = await run<{ path: string }>('installCommand', {});
    assert.ok(existsSync(path));
    assert.deepEqual(await run('uninstallCommand', {}), { path });
    assert.equal(existsSync(path), false);
  });
});

describe('Another extension', () => {
  /** A line that only one session can have written. */
  const TEXT = 'export const rounded = 42;\n';
  editorSuite();

  it('gets everything of a session by the API', async () => {
    const sample = vscode.extensions.getExtension('pi-session-tree.session-tree-sample');
    await sample?.activate();
    const file = join(own.cwd, 'a.txt');
    await writeFile(file, TEXT);
    const path = await own.put(
      'sample',
      session({ cwd: own.cwd }).user('A needle').tool('write', { path: file, content: TEXT }).assistant('Done'),
    );
    const found = await eventually('the hit', async () => {
      const report = await vscode.commands.executeCommand<Record<string, unknown>>('sessionTreeSample.report', {
        path,
        file,
        entryId: 'e0000004',
      });
      return report['hits'] === 1 && (report['changes'] as string[]).includes(path) && report;
    });
    assert.deepEqual(
      { ...found, changes: [] },
      {
        changes: [],
        rows: ['A needle'],
        heads: 4,
        body: 'message',
        messages: 4,
        hits: 1,
        state: 'active',
        origins: [[1, 1, true]],
        text: TEXT,
        files: [[file, TEXT]],
        leaf: 'e0000004',
      },
    );
  });
});
