import assert from 'node:assert/strict';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import { reportBesideContent, rewindReport } from '../../../src/core/format/entry/rewind';
import { entryId, session, type Given, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';
import { CAPACITY, readBytes } from '../properties/readBytes';

const DETAILS = { report: '三つの道は行き止まり', startedAt: '2026-06-01T09:00:00.000Z', rewoundAt: '2026-06-01T09:05:00.000Z' };

/** A checkpoint, two entries after it, and the report of the rewind to it. */
const rewound = (content: unknown, given: Given = {}): SessionBuilder =>
  session()
    .user('Искать')
    .user('left')
    .assistant('left too')
    .branchFrom(entryId(1))
    .customMessage('rewind-report', content, { display: false, details: DETAILS, ...given });

describe('The report of a rewind', () => {
  it('is the text of its row, which is never hidden, in lines that are parsed and scanned', async () => {
    const text = rewound(`${'Context was dropped. '.repeat(20)}\n\nReport:\n${DETAILS.report}`)
      .user('weiter')
      .text();
    const scanned = await readBytes(Buffer.from(text), new Scanner(CAPACITY, 0));
    assert.ok(scanned.messages > 0);
    for (const found of [read(text), scanned.read!]) {
      const head = found.entries[3]!;
      assert.deepEqual([head.text, head.isHidden, head.parentId], ['[rewound]: 三つの道は行き止まり', undefined, entryId(1)]);
    }
  });

  it('comes from the content if the details have none', () => {
    const of = (content: unknown, details?: unknown): string | undefined => rewindReport({ customType: 'rewind-report', content, details });
    assert.equal(of('Back.\nReport:\nتقرير\nReport:\nmore'), 'تقرير\nReport:\nmore');
    assert.equal(of([{ type: 'text', text: 'Report:\nkurz' }], { report: ' ' }), 'kurz');
    assert.equal(of('nothing else', { report: 7 }), 'nothing else');
    assert.equal(of(undefined), '');
    assert.equal(rewindReport({ customType: 'other', content: 'Report:\nx', details: DETAILS }), undefined);
  });

  it('is shown beside the content only if the content lacks it', () => {
    const given = { customType: 'rewind-report', details: DETAILS };
    assert.equal(reportBesideContent({ ...given, content: `Report:\n${DETAILS.report}` }), undefined);
    assert.equal(reportBesideContent({ ...given, content: 'Back.' }), DETAILS.report);
    assert.equal(reportBesideContent({ customType: 'x', content: 'Back.', details: DETAILS }), undefined);
  });
});
