import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BATCH_FORMATS,
  BatchExport,
  EXPORT_FORMATS,
  exportPage,
  exportSession,
  readSession,
  type BatchFormat,
  type ExportFormat,
  type Session,
} from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { isRefusal } from '../../fixtures/refusals';

describe('An export that can’t begin', () => {
  const folder = testFolder();
  const at = (...names: string[]): string => join(folder.path, ...names);
  const aborted = AbortSignal.abort(new Error('not now'));
  let source: Session;
  let before: string[];
  beforeEach(async () => {
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
    await folder.write('there.md', '# mine');
    await mkdir(at('empty'));
    source = await readSession(await folder.write('a.jsonl', session().user('hello').text()));
    before = await readdir(folder.path, { recursive: true });
  });
  const assertNothingLeft = async (): Promise<void> => {
    assert.deepEqual(await readdir(folder.path, { recursive: true }), before);
    assert.equal(await readFile(at('there.md'), 'utf8'), '# mine');
  };

  for (const format of EXPORT_FORMATS)
    it(`because it was canceled, rejects and leaves nothing: ${format}`, async () => {
      for (const target of [at('empty', 'out'), at('new', 'folder', 'out'), at('there.md')])
        for (const redact of [true, false])
          await assert.rejects(
            exportSession(source, { format, target, overwrite: true, redact, signal: aborted, pageFolder: folder.path }),
            /not now/,
          );
      await assert.rejects(exportPage(source, { maxBytes: 1e6, signal: aborted, pageFolder: folder.path }), /not now/);
      await assertNothingLeft();
    });

  for (const format of EXPORT_FORMATS)
    it(`any further because it’s canceled at its first line, rejects and leaves nothing: ${format}`, async () => {
      for (const redact of [true, false]) {
        const controller = new AbortController();
        const onProgress = (): void => controller.abort(new Error('stop'));
        const target = at('empty', 'out');
        await assert.rejects(
          exportSession(source, { format, target, redact, signal: controller.signal, onProgress, pageFolder: folder.path }),
          /stop/,
        );
      }
      await assertNothingLeft();
    });

  it('because its format isn’t known, rejects and leaves nothing', async () => {
    // Other extensions call these functions without types.
    for (const format of ['pdf', '', 'HTML', 'constructor', undefined] as unknown as ExportFormat[]) {
      const refused = isRefusal('invalid', /“format” must be one of: html, markdown, jsonl/);
      await assert.rejects(exportSession(source, { format, target: at('empty', 'out') }), refused);
      await assert.rejects(exportSession(source, { format, target: at('there.md'), overwrite: true }), refused);
    }
    await assertNothingLeft();
  });

  it('of several sessions, rejects and leaves nothing', async () => {
    const read = (path: string): Promise<Session> => readSession(path);
    await assert.rejects(BatchExport.open([source.path], read, {}, { signal: aborted }), /not now/);
    await assert.rejects(BatchExport.open([], read, { redact: false }, { signal: aborted }), /not now/);
    for (const redact of [{}, false] as const) {
      const several = await BatchExport.open([source.path], read, { redact });
      await assert.rejects(several.findings({ signal: aborted }).next(), /not now/);
      for (const format of BATCH_FORMATS)
        await assert.rejects(several.write(at('out'), { format, pageFolder: folder.path }, {}, { signal: aborted }), /not now/);
      for (const format of ['pdf', 'toString'] as unknown as BatchFormat[])
        await assert.rejects(several.write(at('out'), { format }, {}), isRefusal('invalid', /one of: html, markdown, jsonl, dataset/));
    }
    await assertNothingLeft();
  });
});
