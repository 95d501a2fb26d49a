import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportName } from '../../../src/core/files/export/batch/exportNames';
import { exportSession, readSession, type ExportFormat } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { boundaries, longTexts } from '../../fixtures/wholeCharacters';

describe('The title of an export', () => {
  const folder = testFolder();
  let exports = 0;
  const titleOf = async (text: string, format: ExportFormat): Promise<string> => {
    const source = await readSession(await folder.write('a.jsonl', text));
    const target = join(folder.path, `out-${String(exports++)}`);
    const pageFolder = join(process.cwd(), 'dist');
    await exportSession(source, { format, target, pageFolder });
    const written = await readFile(target, 'utf8');
    return (format === 'html' ? /<title>(.*?)<\/title>/s : /^# (.*)$/m).exec(written)?.[1] ?? '';
  };

  /** Checks that a title is the beginning of a text, up to a place between two characters. */
  const assertTitle = (title: string, text: string): void => {
    const kept = title.replace(/…$/, '').trimEnd();
    assert.ok(kept.length >= 4 && text.startsWith(kept), JSON.stringify(title.slice(-12)));
    assert.ok(boundaries(text).has(kept.length), JSON.stringify(title.slice(-12)));
  };

  for (const format of ['html', 'markdown'] as const)
    it(`ends between characters of the message, which is longer than a title’s source: ${format}`, async () => {
      for (const text of longTexts(70_000, 3)) {
        const message = `word ${text}`;
        assertTitle(await titleOf(session().user(message).text(), format), message);
      }
    });

  it('ends between characters of a name that a program cut', async () => {
    for (const text of longTexts(600, 2)) {
      const name = `words that stay ${text}…`;
      assertTitle(await titleOf(session().user('a').name(name).text(), 'markdown'), name);
    }
  });

  it('is no part of the file’s name, which has a part of the id in plain characters', () => {
    for (const id of longTexts(20, 8))
      assert.match(exportName({ timestamp: '2026-01-01T00:00:00.000Z', id }), /^session-2026-01-01-[A-Za-z0-9_-]+$/);
  });
});
