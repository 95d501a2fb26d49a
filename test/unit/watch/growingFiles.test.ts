import assert from 'node:assert/strict';
import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { GrowingFiles } from '../../../src/watch/growingFiles';
import { testFolder } from '../../fixtures/folder';

describe('growing files', () => {
  const folder = testFolder();
  let seen: string[] = [];
  let wake = (): void => undefined;
  let files: GrowingFiles;
  beforeEach(() => {
    seen = [];
    files = new GrowingFiles((path) => {
      seen.push(path);
      wake();
    });
  });
  afterEach(() => files.dispose());

  function put(name: string): string {
    const path = join(folder.path, name);
    writeFileSync(path, '');
    return path;
  }

  /** Resolves when a path is reported. The test's timeout limits it. */
  async function isReported(path: string): Promise<void> {
    while (!seen.includes(path)) await new Promise<void>((resolve) => (wake = resolve));
    seen = [];
  }

  it('are reported each time they grow', async () => {
    const path = put('a');
    files.changed([path]);
    for (const line of ['one', 'two']) {
      appendFileSync(path, line);
      await isReported(path);
      files.changed([path]);
    }
  });

  it('are limited to those that changed last', async () => {
    const first = put('first');
    files.changed([first]);
    const others = Array.from({ length: 40 }, (_, index) => put(`other${String(index)}`));
    for (const path of others) files.changed([path]);
    appendFileSync(first, 'unseen');
    appendFileSync(others[39]!, 'seen');
    await isReported(others[39]!);
    assert.ok(!seen.includes(first));
  });

  it('are limited to those that changed last among files that changed together', async () => {
    const all = Array.from({ length: 40 }, (_, index) => put(`together${String(index)}`));
    files.changed(all);
    appendFileSync(all[0]!, 'unseen');
    appendFileSync(all[39]!, 'seen');
    await isReported(all[39]!);
    assert.ok(!seen.includes(all[0]!));
  });

  it('are reported when another file replaces them, and missing ones are ignored', async () => {
    const [path, other] = [put('a'), put('b')];
    files.changed([path, other, join(folder.path, 'none')]);
    renameSync(other, path);
    await isReported(path);
    // The old file may be reported several times. The new file is watched from its first change after that.
    while (!seen.includes(path)) {
      files.changed([path]);
      appendFileSync(path, 'more');
      await turn();
    }
  });

  it('are reported when they are removed', async () => {
    const path = put('a');
    files.changed([path]);
    rmSync(path);
    await isReported(path);
  });
});
