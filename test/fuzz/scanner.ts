import assert from 'node:assert/strict';
import { Scanner } from '../../src/core/format/columns/scanner';
import { CAPACITY, readBytes } from '../unit/properties/readBytes';
import { realLine } from './realisticLines';
import type { FuzzTarget } from './target';

const scanner = new Scanner(CAPACITY, 0);

/** Whatever bytes a file holds, the scanner's session is the one that parsing every line gives. */
export const target: FuzzTarget = {
  name: 'scanner against plain parsing',
  cases: 1500,
  run: async (random) => {
    const lines = ['{"type":"session","version":3,"id":"s"}', '{"type":"custom","id":"e0","parentId":null}'];
    for (let left = random.int(8); left >= 0; left--) lines.push(realLine(random, lines.length - 1));
    const whole = Buffer.from(`${lines.join('\n')}\n`);
    const bytes = random.once(3) ? random.mutate(whole) : whole;
    if (bytes.length > CAPACITY) return;
    const [scanned, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
    const input = bytes.toString('latin1');
    assert.deepEqual(scanned.session, parsed.session, `the session of ${JSON.stringify(input)}`);
    assert.deepEqual(scanned.heads, parsed.heads, `the heads of ${JSON.stringify(input)}`);
  },
};
