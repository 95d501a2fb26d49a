import assert from 'node:assert/strict';
import { parsePageMessage } from '../../../src/context/host/panel/parsePageMessage';

const MESSAGES: readonly object[] = [
  { type: 'ready' },
  { type: 'wantArticles', from: 0, to: 9 },
  { type: 'wantText', index: 0, nth: 1, from: 2 },
  { type: 'wantImage', index: 0, nth: 1 },
  { type: 'rendered', revision: 3 },
  { type: 'wantOverview' },
  { type: 'wantLargest' },
  { type: 'wantLargest', kind: 'call', tool: 'read' },
  { type: 'view', view: 'transcript', anchor: { index: 1, offset: -2.5 } },
  { type: 'stay', entryId: 'a', offset: 0.5 },
  { type: 'go', entryId: '' },
  { type: 'wantTarget', kind: 'user', by: -1, from: { position: 1.5, entryId: 'x' } },
  { type: 'branches', unfolded: ['a', 'b'] },
  { type: 'find', id: 1, revision: 2, query: { text: 'x', matchCase: true, wholeWord: false }, from: 0 },
  { type: 'wantMatch', id: 1, index: 0, nth: 2 },
  { type: 'runAction', action: 'resume', entryId: 'a' },
  { type: 'openLink', href: 'https://example.com' },
  { type: 'wantPaths', paths: ['a.ts'] },
  { type: 'openPath', path: 'a.ts:3' },
  { type: 'copy', text: '' },
  { type: 'focus', hasFocus: true },
  { type: 'problem', message: 'x' },
];

describe('A message of the page', () => {
  it('is accepted without unknown fields', () => {
    for (const message of MESSAGES) {
      assert.deepEqual(parsePageMessage(message), message);
      assert.deepEqual(parsePageMessage({ ...message, command: 'x', path2: 'y' }), message);
    }
  });

  it('is ignored if a field has another type, is missing, or is inherited', () => {
    const odd: readonly unknown[] = [null, 1, -1, 1.5, NaN, 'x', [], {}, ['x', 1], true, { length: 1 }, Symbol('x')];
    let refused = 0;
    for (const message of MESSAGES as readonly Record<string, unknown>[]) {
      for (const [name, value] of Object.entries(message)) {
        for (const other of odd) {
          if (typeof other === typeof value && !Array.isArray(value) && typeof value !== 'object') continue;
          if (Array.isArray(value) && Array.isArray(other) && other.length === 0) continue;
          refused++;
          assert.equal(parsePageMessage({ ...message, [name]: other }), undefined, `${String(message['type'])}.${name} = ${String(other)}`);
        }
      }
      assert.equal(parsePageMessage(Object.create(message)), undefined);
    }
    assert.ok(refused > 300);
    for (const message of [
      { type: 'find', id: 1, revision: 1, query: {}, from: 0 },
      { type: 'wantArticles', from: -1, to: 2 },
      { type: 'wantTarget', kind: 'user', by: 5, from: { position: 0 } },
    ])
      assert.equal(parsePageMessage(message), undefined);
  });

  it('is ignored if its action, view or type is unknown', () => {
    for (const action of ['sessionTree.delete', 'delete', 'workbench.action.terminal.sendSequence', '__proto__', 'constructor'])
      assert.equal(parsePageMessage({ type: 'runAction', action }), undefined, action);
    for (const type of ['__proto__', 'constructor', 'toString', 'run', '', undefined]) assert.equal(parsePageMessage({ type }), undefined);
    for (const view of ['raw', '__proto__']) assert.equal(parsePageMessage({ type: 'view', view }), undefined);
    for (const given of [undefined, null, 1, 'ready', ['ready'], []]) assert.equal(parsePageMessage(given), undefined);
  });
});
