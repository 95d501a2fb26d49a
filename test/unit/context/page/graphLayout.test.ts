import assert from 'node:assert/strict';
import { layOutGraph } from '../../../../src/context/page/branches/graphLayout';
import type { BranchRow } from '../../../../src/context/shared/protocol';

const row = (lane: number, parentRow?: number, more: Partial<BranchRow> = {}): BranchRow => ({
  id: 'x',
  kind: 'entry',
  lane,
  ...(parentRow === undefined ? {} : { parentRow }),
  messagesBetween: 0,
  text: '',
  name: '',
  details: '',
  time: 0,
  isCurrent: false,
  isActive: false,
  isOnCurrentPath: false,
  ...more,
});

describe('layOutGraph', () => {
  it('stacks the rows, taller with a second line, with gaps for message counts', () => {
    const { rows, height } = layOutGraph([row(0), row(0, 0, { messagesBetween: 3 }), row(0, 1, { summary: '1 turn' })]);
    assert.deepEqual(
      rows.map((one) => [one.top, one.height]),
      [
        [0, 24],
        [37, 24],
        [61, 40],
      ],
    );
    assert.equal(height, 101);
    // The message count is within the gap.
    assert.ok(rows[1]!.countY > 24 && rows[1]!.countY < 37);
    assert.deepEqual(layOutGraph([]), { rows: [], height: 0 });
  });

  it('draws edges straight within a lane, and as a curve into another one', () => {
    const { rows } = layOutGraph([row(0), row(1, 0), row(0, 0)]);
    assert.equal(rows[0]!.edge, undefined);
    assert.equal(rows[2]!.edge, `M${String(rows[0]!.x)} ${String(rows[0]!.y)}V${String(rows[2]!.y)}`);
    assert.equal(rows[2]!.stem, undefined);
    const bend = /^M([\d.]+) ([\d.]+)C.* ([\d.]+) ([\d.]+)V([\d.]+)$/
      .exec(rows[1]!.edge ?? '')!
      .slice(1)
      .map(Number);
    assert.deepEqual([bend[0], bend[2], bend[4]], [rows[0]!.x, rows[1]!.x, rows[1]!.y]);
    assert.ok(bend[1]! >= rows[0]!.y && bend[3]! <= rows[1]!.y);
    assert.equal(rows[1]!.stem, `M${String(rows[0]!.x)} ${String(rows[0]!.y)}V${String(bend[1])}`);
  });

  it('narrows the lanes when there are many', () => {
    const far = (lanes: number): number =>
      Math.max(...layOutGraph(Array.from({ length: lanes }, (_, lane) => row(lane))).rows.map(({ x }) => x));
    assert.ok(far(5) === 14 + 4 * 16 && far(20) < 150 && far(40) < 180);
  });
});
