import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as keptModule from '../../../src/commands/review/keptComments';
import { newGroupId, type KeptComment } from '../../../src/core/index';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('Kept comments', () => {
  const project = testFolder();
  const storage = testFolder();

  it('stay what they were changed to last, also while they are read again', async () => {
    const { api } = fakeEditor();
    const { KeptComments } = loadWithVscode(join(__dirname, '../../../src/commands/review/keptComments.js'), {
      ...api,
      workspace: { ...api.workspace, getWorkspaceFolder: () => undefined },
    }) as typeof keptModule;
    const kept = new KeptComments(storage.path);
    const counts: number[] = [];
    kept.onDidChange(() => counts.push(kept.all().length));
    const file = join(project.path, 'größe.ts');
    const readings: Promise<void>[] = [];
    for (let number = 1; number <= 12; number += 1) {
      const place = { file, from: number, to: number, lines: 'a'.repeat(50_000) };
      const comment: KeptComment = { ...place, id: newGroupId(), text: 'Why?', isResolved: false };
      const added = kept.add(comment);
      for (let reading = 0; reading < 40; reading += 1) {
        readings.push(kept.reload());
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await added;
    }
    await Promise.all(readings);
    // No reading puts an earlier state back.
    assert.deepEqual(
      counts,
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });
});
