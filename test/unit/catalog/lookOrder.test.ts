import assert from 'node:assert/strict';
import { LookOrder } from '../../../src/core/catalog/lookOrder';

describe('Looks that go on at the same time', () => {
  it('of each path the one that began last counts, whichever ends last', () => {
    const order = new LookOrder();
    const [first, second] = [order.begin(), order.begin()];
    assert.equal(order.tells(second, 'a'), true);
    assert.equal(order.tells(first, 'a'), false);
    assert.equal(order.tells(first, 'b'), true);
    order.end();
    assert.equal(order.tells(first, 'a'), false, 'as long as the first goes on');
  });

  it('leave nothing behind', () => {
    const order = new LookOrder();
    const look = order.begin();
    order.tells(look, 'a');
    order.end();
    assert.equal(order.size, 0);
    assert.equal(order.tells(order.begin(), 'a'), true);
  });
});
