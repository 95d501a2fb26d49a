import assert from 'node:assert/strict';
import type { Catalog, ReviewedFile } from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';
import { runCommands } from './runCommands';

describe('Review Changes in Working Tree', () => {
  const project = testFolder();
  const store = testCatalog();
  const repository = gitRepository(() => project.path);
  let editor: FakeEditor;
  let run: (id: string, ...args: unknown[]) => Promise<unknown>;
  let refused: string[];

  beforeEach(async () => {
    editor = fakeEditor();
    refused = [];
    repository.git('09:00:00', 'init', '-q');
    repository.commit('09:00:00');
    await project.write('a.ts', 'const agent = 1;\nconst mine = 2;\n');
    const catalog: Catalog = await store.open({
      a: session({ cwd: project.path }).user('go').tool('write', { path: 'a.ts', content: 'const agent = 1;\n' }),
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
});
