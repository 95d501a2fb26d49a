import assert from 'node:assert/strict';
import { keepsLeaf, type Line } from '../../race/judge';

const pi = (id: string, parentId: string): Line => ({ type: 'message', id, parentId });
const label = (id: string, parentId: string, text = 'ours'): Line => ({ type: 'label', id, parentId, targetId: 'p1', label: text });

describe('The judge of the race', () => {
  const start = [pi('p1', 'p0'), pi('p2', 'p1')];

  it('accepts a label on the leaf', () => {
    assert.ok(keepsLeaf([...start, label('l1', 'p2')], 'l1'));
  });

  it('refuses a label on an older entry that no line of an agent follows', () => {
    assert.equal(keepsLeaf([...start, label('l1', 'p1')], 'l1'), false);
    assert.equal(keepsLeaf([...start, label('l1', 'p1'), label('l2', 'l1', 'another')], 'l1'), false);
  });

  it('accepts a label on an older entry if an agent’s line follows', () => {
    assert.ok(keepsLeaf([...start, label('l1', 'p1'), pi('p3', 'p2')], 'l1'));
  });

  it('accepts the repetition of a label that was overtaken, whatever follows', () => {
    const repeated = [...start, label('l1', 'p1'), label('l2', 'p2')];
    assert.ok(keepsLeaf(repeated, 'l2'));
    assert.ok(keepsLeaf([...repeated, label('l3', 'l2', 'another')], 'l2'));
    const twice = [...start, label('l1', 'p1'), pi('p3', 'p2'), label('l2', 'p2'), label('l3', 'p3'), label('l4', 'l3', 'another')];
    assert.ok(keepsLeaf(twice, 'l3'));
  });

  it('refuses a repetition that leaves the session at the older entry', () => {
    assert.equal(keepsLeaf([...start, label('l1', 'p1'), label('l2', 'p1'), label('l3', 'l2', 'another')], 'l2'), false);
  });
});
