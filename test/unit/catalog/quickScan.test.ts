import assert from 'node:assert/strict';
import { createQuickScanBuffer, quickScan } from '../../../src/core/catalog/rows/quickScan';
import { summarize } from '../../../src/core/catalog/rows/sessionSummary';
import { readSession, sessionFileVersion } from '../../../src/core/files/read/sessionFile';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('Provisional rows', () => {
  const folder = testFolder();

  it('have the time of the last message that the whole session gives, whatever numbers its lines have', async () => {
    for (const time of [1_767_350_000_000, 1_767_350_000_000_000_000, 8_640_000_000_000_001, -1, '1e999', null]) {
      const text = session()
        .user('said', { timestamp: '2026-01-02T10:00:05.000Z', message: { timestamp: 'TIME' } })
        .text();
      const path = await folder.write('a.jsonl', text.replace('"TIME"', String(time)));
      const { summary } = await quickScan({ path, dialect: 'pi', version: await sessionFileVersion(path) }, createQuickScanBuffer());
      assert.equal(summary.modified, summarize(await readSession(path)).modified, String(time));
    }
  });
});
