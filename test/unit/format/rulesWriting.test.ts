// Rules of writing (FORMAT section 6) that need no file: each test covers a mutation that no other test noticed.
import assert from 'node:assert/strict';
import { planFork } from '../../../src/core/format/write/fork';
import { finishSteps } from '../../../src/core/format/session/steps';
import { isTitleSlotLine, titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { entryId, session } from '../../fixtures/build';
import { read } from '../../fixtures/read';
import { countingStamp } from '../../fixtures/writes';

describe('Rules of writing: forks', () => {
  it('chain their labels after the last entry', () => {
    const [one, two] = [entryId(1), entryId(2)];
    const labeled = read(session().user('a').assistant('b').label(one, 'x').label(two, 'y'));
    const { addedLines: added } = finishSteps(planFork(labeled, { entryId: two }, countingStamp()));
    assert.deepEqual(
      added.map((line) => [line['targetId'], line['parentId']]),
      [
        [one, two],
        [two, added[0]?.['id']],
      ],
    );
  });
});

describe('Rules of writing: the title slot', () => {
  it('is recognized only with exactly 256 bytes', () => {
    const line = titleSlotLine({ title: 'a', updatedAt: '2026-01-01T00:00:00.000Z' });
    assert.ok(isTitleSlotLine(line));
    for (const other of [line.replace(' "}', '"}'), line.replace(' "}', '  "}')])
      assert.ok(!isTitleSlotLine(other), `${other.length} bytes`);
  });
});
