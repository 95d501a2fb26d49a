import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { readSession } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { runCommands, type RunningCommands } from './runCommands';

describe('Commands on a version of which only parts are known', () => {
  const project = testFolder();
  const store = testCatalog();
  let commands: RunningCommands;
  let file: string;
  let path: string;

  const open = async (...calls: [string, Record<string, unknown>][]): Promise<void> => {
    const lines = session({ cwd: project.path }).user('Make two upper case');
    for (const [name, args] of calls) lines.tool(name, args);
    const catalog = await store.open({ a: lines });
    [file, path] = [join(project.path, 'a.ts'), store.path('a')];
    const parts = (side: string) => ({ uri: `x:/${side}`, exact: false, isWhole: false });
    const deps = {
      catalog: { open: () => Promise.resolve(catalog) },
      session: (of: string) => readSession(of),
      fileChange: () => Promise.resolve({ before: parts('before'), after: parts('after') }),
    } as unknown as Partial<CommandDeps>;
    commands = runCommands(deps);
  };

  it('never restore it, even if forced, and say what can be done', async () => {
    await open(['write', { path: 'a.ts', content: 'alpha();\n' }], ['edit', { path: 'a.ts', oldText: 'two', newText: 'TWO' }]);
    for (const force of [false, true])
      await assert.rejects(commands.run('sessionTree.restoreFileVersion', { path, entryId: entryId(4), file, force }), {
        code: 'not-found',
        message:
          /^Only the changed parts .* because something else changed the file in between\. Use “Show the Change”, or restore another/,
      });
    await commands.run('sessionTree.restoreFileVersion', { row: 'entry', path, entryId: entryId(4), file });
    assert.match(String(commands.editor.messages[0]?.[0]), /^Only the changed parts of this version are known/);
    await open(['edit', { path: 'a.ts', oldText: 'two', newText: 'TWO' }]);
    await assert.rejects(commands.run('sessionTree.restoreFileVersion', { path, entryId: entryId(2), file, force: true }), {
      code: 'not-found',
      message: /the file’s whole text isn’t recorded/,
    });
  });

  it('show the parts, and that these are all', async () => {
    await open(['edit', { path: 'a.ts', oldText: 'two', newText: 'TWO' }]);
    const found = await commands.run('sessionTree.showFileChange', { path, entryId: entryId(2), file });
    assert.deepEqual(found, { before: 'x:/before', after: 'x:/after', exact: false });
    const diff = commands.editor.executed.find(([command]) => command === 'vscode.diff');
    assert.match(String(diff?.[3]), /^a\.ts: Make two upper case .*\(changed parts only\)$/);
  });
});
