import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog, ReviewedFile } from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor, Uri, type FakeEditor, type FakeQuickPick } from '../../fixtures/fakeEditor';
import { fakeTextEditors } from '../../fixtures/fakeTextEditors';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';
import { until } from '../../fixtures/until';
import { runCommands } from './runCommands';

describe('Review Changes in Working Tree', () => {
  const project = testFolder();
  const store = testCatalog();
  const repository = gitRepository(() => project.path);
  let editor: FakeEditor;
  let run: (id: string, ...args: unknown[]) => Promise<unknown>;
  let refused: string[];
  let open: ReturnType<typeof fakeTextEditors>;

  beforeEach(async () => {
    editor = fakeEditor();
    open = fakeTextEditors(editor);
    refused = [];
    repository.git('09:00:00', 'init', '-q');
    repository.commit('09:00:00');
    await project.write('a.ts', 'const agent = 1;\nconst mine = 2;\n');
    const catalog: Catalog = await store.open({
      a: session({ cwd: project.path })
        .user('go')
        .tool('write', { path: 'a.ts', content: 'const agent = 1;\n' })
        // Without a result, nothing says that it was written.
        .assistant([{ type: 'toolCall', id: 'c', name: 'write', arguments: { path: 'b.ts', content: 'const maybe = 1;\n' } }]),
      far: session({ cwd: '//server/share', id: 'far' }).user('go'),
      none: session({ cwd: '', id: 'none' }).user('go'),
    });
    Object.assign(editor.api.workspace, { getWorkspaceFolder: () => undefined });
    const untrustedPaths = {
      isRefused: (path: string) => {
        refused.push(path);
        return Promise.resolve(path.startsWith('//'));
      },
    };
    const deps = { catalog: { open: () => Promise.resolve(catalog), settled: () => Promise.resolve() }, untrustedPaths };
    ({ run } = runCommands(deps as unknown as Partial<CommandDeps>, editor));
  });

  it('answers for a session’s folder, or for a repository', async () => {
    for (const args of [{ path: store.path('a') }, { repository: project.path }, { path: store.path('far'), repository: project.path }]) {
      const answer = (await run('sessionTree.reviewChanges', args)) as { repository: string; files: ReviewedFile[]; left: number };
      assert.equal(answer.repository, project.path);
      assert.deepEqual(
        answer.files.map(({ path, ranges }) => [path, ranges.map(({ from, origin }) => [from, origin?.path])]),
        [
          [
            'a.ts',
            [
              [1, store.path('a')],
              [2, undefined],
            ],
          ],
        ],
      );
    }
  });

  it('runs Git in trusted workspaces only', async () => {
    editor.api.workspace.isTrusted = false;
    await assert.rejects(run('sessionTree.reviewChanges', { repository: project.path }), { code: 'invalid' });
    await run('sessionTree.reviewChanges', { row: 'session', path: store.path('a') });
    assert.match(editor.messages[0]?.[0] ?? '', /Git doesn’t run in untrusted workspaces/);
  });

  it('doesn’t look at a session’s folder that may be on another computer', async () => {
    await assert.rejects(run('sessionTree.reviewChanges', { path: store.path('far') }), { code: 'invalid' });
    assert.deepEqual(refused, ['//server/share']);
  });

  it('refuses folders outside of repositories, sessions without a folder, and arguments of another shape', async () => {
    await assert.rejects(run('sessionTree.reviewChanges', { repository: store.root }), { code: 'not-found' });
    await assert.rejects(run('sessionTree.reviewChanges', { path: store.path('none') }), { code: 'not-found' });
    for (const args of [{}, { repository: 'a' }, { repository: 1 }])
      await assert.rejects(run('sessionTree.reviewChanges', args), { code: 'invalid' });
  });

  /** Reviews a file of the session, and resolves to what the editor was asked to compare. */
  async function reviewing(name: string): Promise<readonly Uri[]> {
    editor.picks.length = 0;
    const running = run('sessionTree.reviewChanges', { row: 'session', path: store.path('a') });
    await until(() => editor.picks.length > 0);
    const pick = editor.picks[0] as unknown as FakeQuickPick<{ label: string }>;
    pick.accept(pick.items.find(({ label }) => label === name) ?? assert.fail(name));
    await running;
    const [id, ...sides] = editor.executed.at(-1) ?? [];
    assert.equal(id, 'vscode.diff');
    return sides.slice(0, 2) as Uri[];
  }

  it('marks the lines of a file by who wrote them, and says when that is only likely', async () => {
    const file = open(Uri.file(join(project.path, 'a.ts')), 'const agent = 1;\nconst mine = 2;\n');
    const [, current] = await reviewing('a.ts');
    assert.equal(String(current), String(Uri.file(join(project.path, 'a.ts'))));
    await until(() => file.shown().length === 4);
    const [session, others] = ['sessionTree.review.session', 'sessionTree.review.others'];
    assert.deepEqual(
      file.shown().map(({ line, color, text }) => [line, color, text]),
      [
        [0, session, undefined],
        [0, session, 'this session'],
        [1, others, undefined],
        [1, others, 'by a person or a command'],
      ],
    );
    const hover = file.shown()[0]?.hover ?? [];
    assert.equal(hover.length, 2);
    assert.match(hover[1] ?? '', /go$/);
    await project.write('b.ts', 'const maybe = 1;\n');
    const unsure = open(Uri.file(join(project.path, 'b.ts')), 'const maybe = 1;\n');
    await reviewing('b.ts');
    await until(() => unsure.shown().length === 2);
    assert.match(unsure.shown()[0]?.hover[2] ?? '', /^Likely/);
  });

  it('compares a deleted file with nothing', async () => {
    await project.write('gone.ts', 'const old = 1;\n');
    repository.git('09:00:01', 'add', 'gone.ts');
    repository.git('09:00:01', 'commit', '-q', '-m', 'x');
    await rm(join(project.path, 'gone.ts'));
    const sides = await reviewing('gone.ts');
    assert.deepEqual(
      sides.map(({ scheme, query }) => [scheme, (JSON.parse(query) as unknown[])[1] === null]),
      [
        ['session-tree-committed', false],
        ['session-tree-committed', true],
      ],
    );
  });
});
