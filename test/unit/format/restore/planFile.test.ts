import assert from 'node:assert/strict';
import { isRestorePlan } from '../../../../src/core/format/restore/planChecks';
import { planFile, type FoundFile, type RecordedFile, type RecordedState } from '../../../../src/core/format/restore/planFile';
import type { PlannedFile } from '../../../../src/core/format/restore/restorePlan';
import { finishSteps } from '../../../../src/core/format/session/steps';

const exact = (text: string): RecordedState => ({ certainty: 'exact', text });
const likely = (text: string): RecordedState => ({ certainty: 'likely', text });
const ABSENT: RecordedState = { certainty: 'exact', text: '', isAbsent: true };
const REASON = 'A command ran in between.';
const STATE = { sha256: 'a'.repeat(64), mode: 0o644 };

interface Case {
  readonly at: RecordedState | undefined;
  readonly last?: RecordedState | undefined;
  /** The text on the disk; `undefined` for no file. */
  readonly disk: string | undefined;
  readonly touched?: boolean;
  /** All recorded texts; by default those of `at` and `last`. */
  readonly recorded?: readonly (string | undefined)[];
  readonly include?: 'exact' | 'likely';
}

const stated = (state: RecordedState | undefined): (string | undefined)[] => (state ? [state.isAbsent ? undefined : state.text] : []);

function plan(given: Case): PlannedFile {
  const { at, disk, recorded, include = 'exact' } = given;
  const last = 'last' in given ? given.last : at;
  const { touched = last !== at } = given;
  const known = recorded ?? [...stated(at), ...stated(last)];
  const file: RecordedFile = {
    file: '/p/a',
    at,
    ...(at?.certainty === 'exact' ? {} : { reason: REASON }),
    last,
    isTouchedAfter: touched,
    wasRecorded: (text) => known.includes(text),
  };
  const found: FoundFile = disk === undefined ? { kind: 'none' } : { kind: 'text', text: disk, state: STATE };
  return finishSteps(planFile(file, found, include));
}

const short = (one: PlannedFile): unknown[] => [one.action, one.text, one.certainty];

const BASE = 'a\nb\nc\nd\n';

describe('The plan of a file', () => {
  it('writes over what sessions recorded', () => {
    assert.deepEqual(short(plan({ at: exact('1'), last: exact('2'), disk: '2' })), ['write', '1', 'exact']);
    assert.deepEqual(short(plan({ at: exact('2'), disk: '1', recorded: ['1', '2'] })), ['write', '2', 'exact'], 'forward again');
    assert.deepEqual(short(plan({ at: exact('1'), last: exact('3'), disk: '2', recorded: ['1', '2', '3'] })), ['write', '1', 'exact']);
    assert.deepEqual(short(plan({ at: ABSENT, last: exact('2'), disk: '2' })), ['delete', undefined, 'exact']);
    assert.deepEqual(short(plan({ at: exact(''), last: exact('2'), disk: '2' })), ['write', '', 'exact']);
    assert.deepEqual(plan({ at: exact('1'), last: exact('2'), disk: '2' }).was, STATE);
  });

  it('creates what is gone, whoever deleted it', () => {
    assert.deepEqual(plan({ at: exact('1'), disk: undefined }), {
      file: '/p/a',
      action: 'create',
      text: '1',
      certainty: 'exact',
      was: null,
    });
    assert.deepEqual(short(plan({ at: exact('1'), last: ABSENT, disk: undefined })), ['create', '1', 'exact']);
  });

  it('does nothing where nothing differs, or only a person changed the file', () => {
    assert.deepEqual(short(plan({ at: exact('1'), last: exact('2'), disk: '1' })), ['none', undefined, 'exact']);
    assert.deepEqual(short(plan({ at: ABSENT, last: exact('2'), disk: undefined })), ['none', undefined, 'exact']);
    assert.deepEqual(short(plan({ at: exact('1'), disk: 'mine' })), ['none', undefined, 'exact']);
    assert.deepEqual(short(plan({ at: exact('1'), last: exact('1'), touched: true, disk: 'mine' })), ['none', undefined, 'exact']);
    assert.deepEqual(short(plan({ at: ABSENT, last: ABSENT, touched: true, disk: 'made by a person' })), ['none', undefined, 'exact']);
    assert.deepEqual(short(plan({ at: exact(BASE), last: exact(`${BASE}e\n`), disk: `x\n${BASE}` })), ['none', undefined, 'exact']);
  });

  it('merges what a person changed', () => {
    assert.deepEqual(short(plan({ at: exact(BASE), last: exact('a\nb\nc\nD\n'), disk: 'A\nb\nc\nD\n' })), [
      'merge',
      'A\nb\nc\nd\n',
      'exact',
    ]);
    assert.deepEqual(
      short(plan({ at: exact('\uFEFFä\r\nb\r\nc\r\n'), last: exact('\uFEFFä\r\nb\r\nC\r\n'), disk: '\uFEFFü\r\nb\r\nC\r\n' })),
      ['merge', '\uFEFFü\r\nb\r\nc\r\n', 'exact'],
    );
  });

  it('finds a conflict where they overlap, or the base isn’t known', () => {
    for (const [one, word] of [
      [plan({ at: exact(BASE), last: exact('a\nB\nc\nd\n'), disk: 'a\nX\nc\nd\n' }), /same place/],
      [plan({ at: exact(BASE), last: undefined, touched: true, disk: 'mine' }), /isn’t known/],
      [plan({ at: exact(BASE), last: { certainty: 'parts', text: 'a' }, disk: 'mine' }), /isn’t known/],
      [plan({ at: exact(BASE), last: ABSENT, disk: 'mine' }), /same place/],
      [plan({ at: ABSENT, last: exact(BASE), disk: 'mine' }), /wasn’t there/],
    ] as const) {
      assert.equal(one.action, 'conflict');
      assert.match(one.reason ?? '', word);
      assert.match(one.reason ?? '', /^[A-Z].{10,398}\.$/);
    }
    assert.equal(plan({ at: exact(BASE), last: exact('a\nB\nc\nd\n'), disk: 'a\nX\nc\nd\n' }).text, BASE);
  });

  it('leaves what is less certain than asked for, with the reason', () => {
    const one = { at: likely('1'), last: exact('2'), disk: '2' };
    assert.deepEqual(plan(one), { file: '/p/a', action: 'left', certainty: 'likely', was: STATE, reason: REASON });
    assert.deepEqual(plan({ ...one, include: 'likely' }), {
      file: '/p/a',
      action: 'write',
      text: '1',
      certainty: 'likely',
      was: STATE,
      reason: REASON,
    });
    assert.deepEqual(plan({ ...one, disk: '1' }), { file: '/p/a', action: 'none', certainty: 'likely', was: STATE, reason: REASON });
    for (const at of [undefined, { certainty: 'parts', text: '1' } as const])
      assert.deepEqual(plan({ at, last: exact('2'), disk: '2', include: 'likely' }), {
        file: '/p/a',
        action: 'left',
        certainty: 'unknown',
        was: STATE,
        reason: REASON,
      });
    assert.equal(plan({ at: likely(BASE), last: exact('a\nB\nc\nd\n'), disk: 'a\nX\nc\nd\n' }).action, 'left');
  });

  it('leaves what isn’t text, and a text that can’t be encoded', () => {
    const file: RecordedFile = { file: '/p/a', at: exact('1'), last: exact('2'), isTouchedAfter: true, wasRecorded: () => true };
    const left = finishSteps(planFile(file, { kind: 'other', reason: 'notText', state: STATE }, 'likely'));
    assert.deepEqual(left, {
      file: '/p/a',
      action: 'left',
      certainty: 'exact',
      was: STATE,
      reason: 'What is on the disk now isn’t text in UTF-8.',
    });
    assert.equal(finishSteps(planFile(file, { kind: 'other', reason: 'outside' }, 'likely')).was, null);
    assert.equal(plan({ at: exact('\ud800'), last: exact('2'), disk: '2' }).action, 'left');
    assert.equal(plan({ at: exact('\u{1F600}'), last: exact('2'), disk: '2' }).action, 'write');
  });
});

describe('The shape of a plan', () => {
  const file = { file: '/p/a', action: 'write', certainty: 'exact', text: 'x', was: STATE };
  const good = { ref: { path: '/s', entryId: 'e' }, folder: '/p', time: 1, files: [file] };

  it('is checked', () => {
    assert.ok(isRestorePlan(good));
    assert.ok(isRestorePlan({ ...good, files: [{ ...file, action: 'delete', text: undefined, reason: undefined }] }));
    for (const wrong of [
      undefined,
      [],
      { ...good, ref: { path: 1, entryId: 'e' } },
      { ...good, folder: undefined },
      { ...good, time: Number.NaN },
      { ...good, files: {} },
      ...[
        { file: 7 },
        { action: 'chmod' },
        { action: 'toString' },
        { certainty: 'sure' },
        { text: undefined },
        { text: '\udc00' },
        { was: null },
        { was: { sha256: 'A'.repeat(64), mode: 0 } },
        { was: { sha256: STATE.sha256, mode: 0o4755 } },
        { was: { sha256: STATE.sha256, mode: 0.5 } },
        { action: 'create' },
        { action: 'delete', was: null },
        { reason: 5 },
      ].map((more) => ({ ...good, files: [{ ...file, ...more }] })),
    ])
      assert.ok(!isRestorePlan(wrong), JSON.stringify(wrong));
  });
});
