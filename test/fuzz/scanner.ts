import assert from 'node:assert/strict';
import { Scanner } from '../../src/core/format/scanner/scanner';
import { irregularLines } from '../unit/properties/irregularLines';
import { CAPACITY, readBytes } from '../unit/properties/readBytes';
import type { FuzzTarget } from './target';

const scanner = new Scanner(CAPACITY, 0);

/** Whatever bytes a file has, the scanner's session equals the one from parsing every line. */
export const target: FuzzTarget = {
  name: 'scanner against plain parsing',
  cases: 1500,
  run: async (random) => {
    const lines = ['{"type":"session","version":3,"id":"s"}', '{"type":"custom","id":"e0","parentId":null}'];
    for (const line of irregularLines(random, 8)) {
      const torn = line.slice(0, random.int(line.length));
      lines.push(random.once(8) ? `${torn}${random.once(2) ? line : ''}` : line);
    }
    const whole = Buffer.from(`${lines.join('\n')}${random.once(3) ? '' : '\n'}`);
    const bytes = random.once(3) ? random.mutate(whole) : whole;
    if (bytes.length > CAPACITY) return;
    const [scanned, parsed] = [await readBytes(bytes, scanner), await readBytes(bytes)];
    const input = bytes.toString('latin1');
    assert.deepEqual(scanned.session, parsed.session, `the session of ${JSON.stringify(input)}`);
    assert.deepEqual(scanned.heads, parsed.heads, `the heads of ${JSON.stringify(input)}`);
  },
};
