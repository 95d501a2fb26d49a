import assert from 'node:assert/strict';
import { InspectionOrder } from '../../../src/core/catalog/refresh/inspectionOrder';

describe('overlapping inspections', () => {
  it('count for a path if they began last, whichever ends last', () => {
    const order = new InspectionOrder();
    const [first, second] = [order.begin(), order.begin()];
    assert.equal(order.claim(second, 'a'), true);
    assert.equal(order.claim(first, 'a'), false);
    assert.equal(order.claim(first, 'b'), true);
    order.end();
    assert.equal(order.claim(first, 'a'), false, 'while the first one runs');
  });

  it('leave no memory of paths', () => {
    const order = new InspectionOrder();
    const inspection = order.begin();
    order.claim(inspection, 'a');
    order.end();
    assert.equal(order.size, 0);
    assert.equal(order.claim(order.begin(), 'a'), true);
  });
});
