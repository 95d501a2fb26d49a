import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScanBuffers, scanSession } from '../../../src/core/catalog/index/scanSession';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('A scan of a file that grew', () => {
  const folder = testFolder();

  it('reads only the growth, unless it leaves a branch, whose answers have another cause then', async () => {
    const path = join(folder.path, 'one.jsonl');
    const options = { dialect: 'pi', buffers: createScanBuffers(), check: () => undefined } as const;
    const lines = session().user('x');
    const prompt = lines.last;
    lines.assistant('a');
    writeFileSync(path, lines.text());
    let previous = await scanSession(path, options);
    const grow = async (): Promise<boolean> => {
      appendFileSync(path, `${lines.lines().at(-1)}\n`);
      const { firstMessage } = previous.index.row;
      previous = await scanSession(path, { ...options, previous: { ...previous, firstMessage, family: {} } });
      return previous.index.isAppend;
    };
    lines.assistant('b');
    assert.equal(await grow(), true);
    lines.branchFrom(prompt).assistant('c');
    assert.equal(await grow(), false);
    lines.assistant('d');
    assert.equal(await grow(), true);
  });
});
