import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createScanBuffers } from '../../../src/core/catalog/index/scanSession';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import { testFolder } from '../../fixtures/folder';
import { anyLines } from './anyLines';
import { catalogData } from './catalogData';
import { CAPACITY, readBytes } from './readBytes';

const scanner = new Scanner(CAPACITY, 0);
const fileOf = (lines: readonly Buffer[]): Buffer => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));

describe('Lines with any JSON', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('have the same session if they are scanned as if they are parsed', async () => {
    let [taken, all] = [0, 0];
    await fc.assert(
      fc.asyncProperty(anyLines, async (lines) => {
        const bytes = fileOf(lines);
        const [scanned, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
        assert.deepEqual(scanned.session, parsed.session, bytes.toString());
        assert.deepEqual(scanned.heads, parsed.heads, bytes.toString());
        taken += scanned.messages;
        all += lines.length;
      }),
      { numRuns: 1000 },
    );
    assert.ok(taken > all / 3, `${taken} of ${all} were scanned`);
  });

  it('have the same data in the catalog', async () => {
    const buffers = createScanBuffers();
    const parsing = { ...buffers, read: { ...buffers.read, scanner: undefined } };
    await fc.assert(
      fc.asyncProperty(anyLines, async (lines) => {
        const path = await folder.write('any.jsonl', fileOf(lines));
        assert.deepEqual(await catalogData(path, 'pi', buffers), await catalogData(path, 'pi', parsing), fileOf(lines).toString());
      }),
      { numRuns: 400 },
    );
  });
});
