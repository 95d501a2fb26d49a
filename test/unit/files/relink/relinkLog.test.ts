import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournal } from '../../../../src/core/files/history/journal';
import { beginRelink, relinkRecords } from '../../../../src/core/files/history/relinkLog';
import { testFolder } from '../../../fixtures/folder';

describe('The record of a move that is under way', () => {
  const folder = testFolder();

  it('has the steps that were begun, without lines and files that are none', async () => {
    const journal = await openJournal(join(folder.path, 'journal'));
    assert.deepEqual(await relinkRecords(journal), []);
    const header = (cwd: string): string => JSON.stringify({ type: 'session', version: 3, id: 's', cwd });
    const path = join(folder.path, 'a.jsonl');
    const step = { path, newPath: path, before: header('/old'), after: header('/new') };
    const log = await beginRelink(journal, [], assert.ifError);
    await log.begin(step);
    const [begun] = await relinkRecords(journal);
    assert.deepEqual(begun?.steps, [step]);
    const noSteps = [7, null, { ...step, path: 'a.jsonl' }, { ...step, before: 1 }, { ...step, undoes: '../a' }, { ...step, after: 'x' }];
    await appendFile(begun.file, `${noSteps.map((line) => JSON.stringify(line)).join('\n')}\nno JSON\n`);
    const relinking = join(journal.folder, 'relinking');
    await writeFile(join(relinking, '0000000001-00000000.other'), JSON.stringify(begun.doer));
    await writeFile(join(relinking, 'no id.steps'), JSON.stringify(begun.doer));
    await writeFile(join(relinking, '0000000001-00000000.steps'), '{}\n');
    await mkdir(join(relinking, 'folder'));
    assert.deepEqual(await relinkRecords(journal), [begun]);
  });
});
