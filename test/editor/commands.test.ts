import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, open, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { pressButton, showsMessage } from './messages';
import { refuses } from './refusals';
import { answerDialogs, changeSetting } from './replacements';
import { fileText, linesOf, oldSession, OwnSessions } from './temporarySessions';
import { menu, open as openRow, row, showProject } from './treeRows';
import { eventually, untilEqual } from './waiting';

/** What this needs of the extension's package.json. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/** A question and its answer, a branch that was left, and another question. */
const talk = (cwd: string): SessionBuilder =>
  session({ cwd })
    .user('Which way?', { id: 'ask' })
    .assistant('Left or right.', { id: 'answer' })
    .user('Left.', { id: 'left' })
    .assistant('A wall.', { id: 'wall' })
    .branchFrom('answer')
    .user('Right.', { id: 'right' })
    .assistant('A door.', { id: 'door' });

describe('commands', () => {
  editorSuite();
  before(() => vscode.commands.executeCommand('sessionTree.sessions.focus'));

  /** Opens only the project's row and the row of its session. */
  const openOwnRows = async (): Promise<void> => {
    await showProject();
    await openRow('Which way?');
  };

  describe('with plain arguments', () => {
    it('label sets, replaces and clears, and keeps the leaf @oldest', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const before = await readFile(path, 'utf8');

      const answer = await run<{ entryId: string }>('label', { path, entryId: 'ask', label: 'start' });
      assert.deepEqual(Object.keys(answer), ['entryId']);
      const { id, timestamp, ...line } = (await linesOf(path)).at(-1)!;
      assert.equal(id, answer.entryId);
      assert.ok(Date.parse(String(timestamp)) > 0);
      assert.deepEqual(line, { type: 'label', parentId: 'door', targetId: 'ask', label: 'start' });
      assert.ok((await readFile(path, 'utf8')).startsWith(before));

      const cleared = await run<{ entryId: string }>('label', { path, entryId: 'ask', label: '' });
      const last = (await linesOf(path)).at(-1)!;
      assert.deepEqual(
        [last['id'], last['parentId'], last['targetId'], last['label']],
        [cleared.entryId, answer.entryId, 'ask', undefined],
      );
    });

    it('a label shows in the tree when the command resolves', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await openOwnRows();
      await run('label', { path, entryId: 'answer', label: 'fork in the road' });
      await driver.waitFor(row('fork in the road'));
    });

    it('branchHere makes the session continue at the entry', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const { entryId } = await run<{ entryId: string }>('branchHere', { path, entryId: 'wall' });
      const { id, type, parentId, data } = (await linesOf(path)).at(-1)!;
      assert.deepEqual({ id, type, parentId, data }, { id: entryId, type: 'custom', parentId: 'wall', data: { from: 'door', at: 'wall' } });

      const summarized = await run<{ entryId: string }>('branchHere', { path, entryId: 'door', summary: 'There was a wall.' });
      const summary = (await linesOf(path)).at(-1)!;
      assert.deepEqual(
        [summary['id'], summary['type'], summary['parentId'], summary['summary']],
        [summarized.entryId, 'branch_summary', 'door', 'There was a wall.'],
      );

      await run('branchHere', { path, entryId: 'right' });
      assert.equal((await linesOf(path)).at(-1)?.['parentId'], 'answer', 'a question is branched before');
    });

    it('fork writes a new file, shows it in the tree, and leaves the old one alone', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const before = await readFile(path);
      const ids = async (fork: { path: string }): Promise<unknown[]> =>
        (await linesOf(fork.path)).map((line) => (line['type'] === 'session' ? line['parentSession'] : line['id']));

      const whole = await run<{ path: string }>('fork', { path });
      assert.equal(dirname(whole.path), dirname(path));
      assert.deepEqual(await ids(whole), [path, 'ask', 'answer', 'right', 'door']);
      assert.deepEqual(await ids(await run('fork', { path, entryId: 'left' })), [path, 'ask', 'answer']);
      assert.deepEqual(await ids(await run('fork', { path, entryId: 'left', position: 'at' })), [path, 'ask', 'answer', 'left']);
      assert.deepEqual(await ids(await run('fork', { path, entryId: 'wall' })), [path, 'ask', 'answer', 'left', 'wall']);
      assert.deepEqual(await ids(await run('fork', { path, entryId: 'wall', position: 'before' })), [path, 'ask', 'answer', 'left']);

      const elsewhere = await OwnSessions.make();
      try {
        const fork = await run<{ path: string }>('fork', { path, targetCwd: elsewhere.cwd });
        assert.equal(dirname(fork.path), elsewhere.folder);
        const [header, ...entries] = await linesOf(fork.path);
        assert.equal(header?.['cwd'], elsewhere.cwd);
        assert.deepEqual(
          entries.map((line) => line['id']),
          ['ask', 'answer', 'left', 'wall', 'right', 'door'],
        );
        await vscode.commands.executeCommand('workbench.actions.treeView.sessionTree.sessions.collapseAll');
        await driver.waitFor(row(basename(elsewhere.cwd)));
      } finally {
        await elsewhere.remove();
      }
      assert.deepEqual(await readFile(path), before);
      await openOwnRows();
      await driver.waitFor(row('5 forks'));
    });

    it('migrate converts version 1 to 3 beside a backup, once', async () => {
      const path = await own.put('old', oldSession(own.cwd));
      const before = await readFile(path);
      const answer = await run<{ path: string; backupPath: string }>('migrate', { path });
      assert.equal(answer.path, path);
      assert.deepEqual(await readFile(answer.backupPath), before);
      const lines = await linesOf(path);
      assert.equal(lines[0]?.['version'], 3);
      assert.deepEqual(
        lines.map((line) => line['parentId']),
        [undefined, null, lines[1]?.['id']],
      );
      await refuses('already-current', run('migrate', { path }));
      await run('label', { path, entryId: String(lines[1]?.['id']), label: 'now it can be labeled' });
    });

    it('rename sets and clears the name; oh-my-pi keeps it in its title slot', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const { entryId } = await run<{ entryId: string }>('rename', { path, name: 'Doors' });
      const line = (await linesOf(path)).at(-1)!;
      assert.deepEqual([line['id'], line['type'], line['name']], [entryId, 'session_info', 'Doors']);
      await run('rename', { path, name: '' });
      assert.equal((await linesOf(path)).at(-1)?.['name'], '');

      const slot = { type: 'title', v: 1, title: 'Before', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z', pad: '' };
      const padded = JSON.stringify({ ...slot, pad: ' '.repeat(255 - JSON.stringify(slot).length) });
      const omp = await own.put('omp', `${padded}\n${talk(own.cwd).text()}`);
      await run('rename', { path: omp, name: 'After' });
      const text = await readFile(omp, 'utf8');
      assert.equal(text.indexOf('\n'), 255);
      assert.equal((JSON.parse(text.slice(0, 255)) as { title: string }).title, 'After');
      assert.equal((await linesOf(omp)).at(-1)?.['type'], 'title_change');
    });

    it('showContext and openMarkdown resolve when something is shown', async () => {
      const path = await own.put('talk', talk(own.cwd));
      assert.deepEqual(await run('showContext', { path }), { messages: 4 });
      assert.deepEqual(await run('showContext', { path, entryId: 'answer' }), { messages: 2 });
      const { uri } = await run<{ uri: string }>('openMarkdown', { path });
      assert.match((await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText(), /A door\./);
    });

    it('setFilter and refresh resolve when the rows are current', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await openOwnRows();
      await driver.waitFor(row('A door.'));
      await run('setFilter', { filter: 'user-only' });
      try {
        await driver.waitFor(row('A door.'), { state: 'detached' });
        await driver.waitFor(row('Right.'));
        await refuses('invalid', run('setFilter', { filter: 'some' }));
      } finally {
        await run('setFilter', { filter: 'default' });
      }
      await appendFile(
        path,
        `${JSON.stringify({ type: 'message', id: 'more', parentId: 'door', timestamp: '2026-01-02T11:00:00.000Z', message: { role: 'user', content: 'Open it.' } })}\n`,
      );
      assert.equal(await run('refresh'), undefined);
      await driver.waitFor(row('Open it.'));
    });

    describe('resume', () => {
      it('runs the program in the session’s folder, in a terminal', async function () {
        if (process.platform === 'win32') this.skip();
        const path = await own.put('talk with spaces', talk(own.cwd));
        const program = join(own.cwd, 'pi of mine');
        await writeFile(
          program,
          `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@" > '${own.cwd}/seen.part'\nmv '${own.cwd}/seen.part' '${own.cwd}/seen'\nsleep 30\n`,
        );
        await chmod(program, 0o755);
        await changeSetting('sessionTree.programs', { pi: [program, '--mine'] });

        const { command } = await run<{ command: string[] }>('resume', { path, entryId: 'ignored' });
        assert.deepEqual(command, [program, '--mine', '--session', path]);
        assert.equal(
          await eventually('the program', () => fileText(join(own.cwd, 'seen'))),
          `${[own.cwd, '--mine', '--session', path].join('\n')}\n`,
        );
        assert.deepEqual(
          vscode.window.terminals.map(({ name }) => name),
          ['Which way?'],
        );
        assert.equal(await run('copyResumeCommand', { path }), `'${program}' --mine --session '${path}'`);
      });

      it('refuses without the folder, and without the program', async () => {
        await changeSetting('sessionTree.programs', { pi: ['no-such-program'] });
        const path = await own.put('talk', talk(own.cwd));
        assert.match((await refuses('not-found', run('resume', { path }))).message, /no-such-program/);
        const gone = await own.put('gone', talk(join(own.cwd, 'gone')));
        assert.match((await refuses('not-found', run('resume', { path: gone }))).message, /gone/);
        assert.equal(vscode.window.terminals.length, 0);
      });
    });

    describe('refuse, and change no byte', () => {
      let path: string;
      let before: Map<string, string>;
      let holder: ChildProcess | undefined;
      const bytes = async (): Promise<Map<string, string>> => {
        const found = new Map<string, string>();
        for (const name of await readdir(own.folder)) found.set(name, await readFile(join(own.folder, name), 'latin1'));
        return found;
      };
      beforeEach(async () => {
        path = await own.put('talk', talk(own.cwd));
        before = await bytes();
      });
      afterEach(async () => {
        holder?.kill();
        holder = undefined;
        assert.deepEqual(await bytes(), before);
      });

      it('arguments that name nothing', async () => {
        await refuses('invalid', run('label', path));
        await refuses('invalid', run('label', { entryId: 'ask', label: 'x' }));
        await refuses('invalid', run('label', { path: 'talk.jsonl', entryId: 'ask', label: 'x' }));
        await refuses('invalid', run('label', { path, entryId: 'ask' }));
        await refuses('invalid', run('label', { path, entryId: 'ask', label: 3 }));
        await refuses('invalid', run('rename', { path }));
        await refuses('invalid', run('fork', { path, position: 'after' }));
        await refuses('invalid', run('fork', { path, targetCwd: 'here' }));
        await refuses('entry-required', run('label', { path, label: 'x' }));
        await refuses('entry-required', run('branchHere', { path }));
        for (const command of ['label', 'branchHere', 'fork', 'showContext', 'openMarkdown', 'copyText', 'openRaw']) {
          await refuses('unknown-entry', run(command, { path, entryId: 'nowhere', label: 'x' }));
        }
        const missing = join(own.folder, 'missing.jsonl');
        for (const command of ['label', 'branchHere', 'fork', 'migrate', 'rename', 'showContext', 'openMarkdown', 'resume', 'openRaw']) {
          await refuses('not-found', run(command, { path: missing, entryId: 'ask', label: 'x', name: 'x' }));
        }
        assert.equal(existsSync(missing), false);
      });

      it('files that are no session, of another version, or read-only', async () => {
        const write = async (code: string, name: string, content: string): Promise<void> => {
          const at = await own.put(name, content);
          before = await bytes();
          for (const [command, args] of [
            ['label', { entryId: 'ask', label: 'x' }],
            ['branchHere', { entryId: 'ask' }],
            ['rename', { name: 'x' }],
          ] as const) {
            await refuses(code, run(command, { path: at, ...args, force: true }));
          }
        };
        await write('not-a-session', 'events', '{"v":4,"kind":"header"}\n');
        await write('version', 'old', oldSession(own.cwd));
        await write('version', 'future', talk(own.cwd).text().replace('"version":3', '"version":9'));
        await write(
          'read-only',
          'claw',
          `${talk(own.cwd).text()}{"type":"leaf","id":"leaf0001","parentId":"door","timestamp":"2026-01-02T11:00:00.000Z","targetId":"door","appendMode":"side"}\n`,
        );
        await write('torn', 'torn', `${talk(own.cwd).text()}{"type":"mess`);
        assert.ok((await run<{ path: string }>('fork', { path: join(own.folder, 'old.jsonl') })).path, 'an old session can be forked');
        before = await bytes();
      });

      it('a session that another program is using', async function () {
        if (process.platform !== 'linux') this.skip();
        const file = await open(path, 'r');
        holder = spawn('sleep', ['60'], { stdio: ['ignore', file.fd, 'ignore'] });
        await file.close();
        const error = await refuses('live', run('label', { path, entryId: 'ask', label: 'x', force: true }));
        assert.match(error.message, /sleep/);
        await refuses('live', run('branchHere', { path, entryId: 'ask' }));
        await refuses('live', run('rename', { path, name: 'x' }));
        assert.ok((await run<{ path: string }>('fork', { path })).path, 'a fork touches no existing file');
        before = await bytes();
      });

      it('a session whose lock another program holds', async () => {
        await writeFile(join(own.folder, '.talk.jsonl.lock'), `${process.ppid}:${Date.now()}\n`);
        before = await bytes();
        await refuses('live', run('label', { path, entryId: 'ask', label: 'x', force: true }));
      });

      it('a session that just grew, unless forced', async () => {
        const fresh = await own.put('fresh', talk(own.cwd), { fresh: true });
        before = await bytes();
        await refuses('unsure', run('label', { path: fresh, entryId: 'ask', label: 'x' }));
        assert.deepEqual(await bytes(), before);
        await run('label', { path: fresh, entryId: 'ask', label: 'x', force: true });
        before.set('fresh.jsonl', await readFile(fresh, 'latin1'));
        assert.match(before.get('fresh.jsonl') ?? '', /"label":"x"/);
      });
    });

    it('the result is the copied text, and the clipboard stays', async () => {
      const path = await own.put('talk', talk(own.cwd));
      assert.equal(await run('copyPath', { path }), path);
      assert.equal(await run('copyId', { path }), '01a1fa45-0000-7000-8000-000000000001');
      assert.equal(await run('copyId', { path, entryId: 'door' }), 'door');
      assert.equal(await run('copyText', { path, entryId: 'door' }), 'A door.');
    });

    it('openRaw opens the file at the entry’s line, and none that the editor can’t hold', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await run('openRaw', { path, entryId: 'wall' });
      await untilEqual(() => vscode.window.activeTextEditor?.document.uri.fsPath, path);
      await untilEqual(() => vscode.window.activeTextEditor?.selection.active.line, 4);

      const large = await own.put('large', talk(own.cwd));
      await truncate(large, 51 * 1024 * 1024);
      assert.match((await refuses('invalid', run('openRaw', { path: large }))).message, /50 MB/);
    });

    it('work on files outside the roots', async () => {
      const path = join(own.cwd, 'outside.jsonl');
      await writeFile(path, talk(own.cwd).text());
      assert.deepEqual(await run('showContext', { path }), { messages: 4 });
      assert.equal(dirname((await run<{ path: string }>('fork', { path, entryId: 'door' })).path), own.cwd);
      await run('label', { path, entryId: 'ask', label: 'outside', force: true });
      assert.equal((await linesOf(path)).at(-1)?.['label'], 'outside');
    });
  });

  describe('from a row', () => {
    const input = '.quick-input-widget:visible input';
    it('label prompts for it, with the present one in the input', async () => {
      const path = await own.put('talk', talk(own.cwd).label('answer', 'before'));
      await openOwnRows();
      await menu('Left or right.', 'Label…');
      await driver.waitFor(input);
      await untilEqual(() => driver.find(input).inputValue(), 'before');
      await driver.find(input).fill('crossroads');
      await driver.press('Enter');
      await driver.waitFor(row('crossroads'));
      assert.deepEqual([(await linesOf(path)).at(-1)?.['targetId'], (await linesOf(path)).at(-1)?.['label']], ['answer', 'crossroads']);
    });

    it('a cancelled prompt changes nothing and resolves', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const before = await readFile(path);
      const pendingCommand = run('label', { row: 'entry', path, entryId: 'ask' });
      await driver.waitFor(input);
      await driver.press('Escape');
      assert.equal(await pendingCommand, undefined);
      assert.deepEqual(await readFile(path), before);
    });

    it('branchHere on a question moves before it, and reports the result', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await openOwnRows();
      await menu('Right.', 'Branch Here…');
      await driver.waitFor(input);
      await driver.press('Enter');
      await showsMessage(/before “user: Right”\..*clipboard.*If it’s open elsewhere/);
      assert.equal(await vscode.env.clipboard.readText(), 'Right.');
      const last = (await linesOf(path)).at(-1)!;
      assert.deepEqual([last['type'], last['parentId']], ['custom', 'answer']);
    });

    it('a refusal is one sentence with an alternative', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await writeFile(join(own.folder, '.talk.jsonl.lock'), `${process.ppid}:${Date.now()}\n`);
      const pendingCommand = run('label', { row: 'entry', path, entryId: 'ask' });
      await driver.waitFor(input);
      await driver.find(input).fill('x');
      await driver.press('Enter');
      assert.equal(await pendingCommand, undefined);
      await showsMessage(/locked this session/);
      await pressButton('Fork Instead');
      const fork = await eventually('the fork', async () =>
        (await readdir(own.folder)).find((name) => name.endsWith('.jsonl') && name !== 'talk.jsonl'),
      );
      assert.deepEqual((await linesOf(join(own.folder, fork))).length, 1, 'a fork before the first question holds no entry');
    });

    it('a write that is unsure needs a confirmation', async () => {
      const path = await own.put('talk', talk(own.cwd), { fresh: true });
      const asked = answerDialogs('Apply Anyway');
      const pendingCommand = run('rename', { row: 'session', path });
      await driver.waitFor(input);
      await driver.find(input).fill('Doors');
      await driver.press('Enter');
      assert.equal(await pendingCommand, undefined);
      assert.match(asked.join(), /within the last 10 seconds.*\[Retry, Fork Instead, Apply Anyway\]/);
      assert.equal((await linesOf(path)).at(-1)?.['name'], 'Doors');
    });

    it('migrate describes its changes before it makes them', async () => {
      const path = await own.put('old', oldSession(own.cwd));
      const before = await readFile(path);
      const declined = answerDialogs();
      assert.equal(await run('migrate', { row: 'session', path }), undefined);
      assert.match(declined.join(), /Migrate “Long ago”.*backup.*\[Migrate\]/);
      assert.deepEqual(await readFile(path), before);

      answerDialogs('Migrate');
      assert.equal(await run('migrate', { row: 'session', path }), undefined);
      assert.equal((await linesOf(path))[0]?.['version'], 3);
    });

    it('copyPath copies the whole selection', async () => {
      const one = await own.put('one', talk(own.cwd));
      const two = await own.put('two', talk(own.cwd));
      const [first, second] = [one, two].map((path) => ({ row: 'session', path }));
      assert.equal(await run('copyPath', second, [first, second]), undefined);
      assert.equal(await vscode.env.clipboard.readText(), `${two}\n${one}`);
    });

    it('a problem’s row opens the file at its line', async () => {
      const path = await own.put('odd', talk(own.cwd).raw('{"oh'));
      await run('openRaw', { row: 'problem', path, line: 8 });
      await untilEqual(() => vscode.window.activeTextEditor?.selection.active.line, 7);
    });
  });

  describe('from the palette', () => {
    it('let the person pick a session and an entry where none is selected', async () => {
      const path = await own.put('talk', talk(own.cwd).name('Doors and walls'));
      await vscode.commands.executeCommand('workbench.actions.treeView.sessionTree.sessions.collapseAll');
      await vscode.commands.executeCommand('list.clear');
      const pendingCommand = run('label');
      await driver.waitFor('.quick-input-widget:visible >> text=Label');
      await driver.type('Doors and walls');
      await driver.pick('Doors and walls');
      await driver.pick('A door.');
      await driver.waitFor('.quick-input-widget:visible >> text=Label for');
      await driver.type('found');
      await driver.press('Enter');
      assert.equal(await pendingCommand, undefined);
      const last = (await linesOf(path)).at(-1)!;
      assert.deepEqual([last['targetId'], last['label']], ['door', 'found']);
    });

    it('setFilter marks the current one', async () => {
      const pendingCommand = run('setFilter');
      await driver.waitFor('.quick-input-list .monaco-list-row.focused >> text=default');
      assert.match(await driver.text('.quick-input-list .monaco-list-row.focused'), /current/);
      await driver.press('Escape');
      assert.equal(await pendingCommand, undefined);
    });

    it('every contributed command has a handler', async () => {
      const manifest = vscode.extensions.getExtension('pi-session-tree.pi-session-tree')?.packageJSON as Manifest | undefined;
      const known = new Set(await vscode.commands.getCommands(true));
      assert.deepEqual(
        // The commands of its view come with the review of a restore, and those of comments with the first editor of a file.
        manifest?.contributes.commands.filter(
          ({ command }) => !known.has(command) && !/^sessionTree\.(?:restoreReview|comments|review)\./.test(command),
        ),
        [],
      );
    });
  });
});
