import assert from 'node:assert/strict';
import { InspectionOrder } from '../../../src/core/catalog/refresh/inspectionOrder';

describe('Looks that go on at the same time', () => {
  it('of each path the one that began last counts, whichever ends last', () => {
    const order = new InspectionOrder();
    const [first, second] = [order.begin(), order.begin()];
    assert.equal(order.claim(second, 'a'), true);
    assert.equal(order.claim(first, 'a'), false);
    assert.equal(order.claim(first, 'b'), true);
    order.end();
    assert.equal(order.claim(first, 'a'), false, 'as long as the first goes on');
  });

  it('leave nothing behind', () => {
    const order = new InspectionOrder();
    const look = order.begin();
    order.claim(look, 'a');
    order.end();
    assert.equal(order.size, 0);
    assert.equal(order.claim(order.begin(), 'a'), true);
  });
});
