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

/** Lines, and a last one of the beginning of a line and a whole one. */
const gluedAtEnd = fc
  .tuple(anyLines, anyLines, fc.nat(), fc.nat({ max: 20 }))
  .map(([lines, more, cut, which]): { lines: Buffer[]; last: Buffer } => {
    const torn = more[which % more.length] ?? Buffer.from('{"type":"message"');
    const id = `w${String(which)}`;
    const whole = {
      type: 'message',
      id,
      parentId: null,
      timestamp: '2026-01-02T10:00:00.000Z',
      message: { role: 'user', content: 'whole' },
    };
    return { lines: [...lines], last: Buffer.concat([torn.subarray(0, cut % torn.length), Buffer.from(JSON.stringify(whole))]) };
  });

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
    // The parser reads numbers that don't count, and results of tools that have a usage.
    assert.ok(taken > all / 4, `${taken} of ${all} were scanned`);
  });

  it('have the same session with a whole line behind a torn one at the end, with and without a line feed', async () => {
    const break_ = Buffer.from('\n');
    let read = 0;
    await fc.assert(
      fc.asyncProperty(gluedAtEnd, async ({ lines, last }) => {
        const open = Buffer.concat([fileOf(lines), last]);
        const [scanned, parsed, ended] = [
          await readBytes(open, scanner),
          await readBytes(open),
          await readBytes(Buffer.concat([open, break_]), scanner),
        ];
        assert.deepEqual(scanned.session, parsed.session, open.toString());
        assert.deepEqual(scanned.heads, parsed.heads, open.toString());
        assert.deepEqual(parsed.heads, ended.heads, open.toString());
        if (parsed.heads.length > 0) read++;
      }),
      { numRuns: 500 },
    );
    assert.ok(read > 400, `${String(read)} had entries`);
  });

  it('have the same data in the catalog with a whole line behind a torn one at the end', async () => {
    const buffers = createScanBuffers();
    const parsing = { ...buffers, read: { ...buffers.read, scanner: undefined } };
    await fc.assert(
      fc.asyncProperty(gluedAtEnd, async ({ lines, last }) => {
        const bytes = Buffer.concat([fileOf(lines), last]);
        const path = await folder.write('any.jsonl', bytes);
        const data = await catalogData(path, 'pi', buffers);
        assert.deepEqual(data, await catalogData(path, 'pi', parsing), bytes.toString());
      }),
      { numRuns: 200 },
    );
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
