import assert from 'node:assert/strict';
import { InspectionOrder } from '../../../src/core/catalog/refresh/inspectionOrder';

describe('overlapping inspections', () => {
  it('count for a path if they began last, whichever ends last', () => {
    const order = new InspectionOrder();
    const [first, second] = [order.begin(), order.begin()];
    assert.equal(order.claim(second, 'a'), true);
    assert.equal(order.claim(first, 'a'), false);
    assert.equal(order.claim(first, 'b'), true);
    order.end(second);
    assert.equal(order.claim(first, 'a'), false, 'while the first one runs');
  });

  it('leave no memory of paths', () => {
    const order = new InspectionOrder();
    const [first, second] = [order.begin(), order.begin()];
    order.claim(first, 'a');
    assert.equal(order.size, 0, 'none began earlier');
    order.claim(second, 'b');
    assert.equal(order.size, 1);
    order.end(second);
    order.end(first);
    assert.equal(order.size, 0);
    assert.equal(order.claim(order.begin(), 'b'), true);
  });
});
