import assert from 'node:assert/strict';
import { INITIAL_WINDOW, windowShowing, widenWindow, applyWindow, type ListWindow } from '../../../src/tree/rows/listWindow';

const list = (length: number): string[] => Array.from({ length }, (_, i) => String(i));
const same = (row: string): string => row;

function picture(length: number, window: ListWindow = INITIAL_WINDOW, end: 'first' | 'last' = 'last'): string {
  const { rows, earlier, later } = applyWindow(list(length), same, window, end);
  return `${String(earlier)} + [${rows[0] ?? ''}–${rows.at(-1) ?? ''}] + ${String(later)}`;
}

describe('window of a long list', () => {
  it('shows all of a short list', () => {
    assert.equal(picture(0), '0 + [–] + 0');
    assert.equal(picture(200), '0 + [0–199] + 0');
  });

  it('shows the end or the beginning', () => {
    assert.equal(picture(10_000), '9800 + [9800–9999] + 0');
    assert.equal(picture(10_000, INITIAL_WINDOW, 'first'), '0 + [0–199] + 9800');
  });

  it('hides at least three rows or none', () => {
    assert.equal(picture(202), '0 + [0–201] + 0');
    assert.equal(picture(203), '3 + [3–202] + 0');
    assert.equal(picture(202, INITIAL_WINDOW, 'first'), '0 + [0–201] + 0');
    assert.equal(picture(203, INITIAL_WINDOW, 'first'), '0 + [0–199] + 3');
  });

  it('adds 500 rows at a time', () => {
    assert.equal(picture(1000, widenWindow(INITIAL_WINDOW, 'earlier')), '300 + [300–999] + 0');
    assert.equal(picture(1000, widenWindow(widenWindow(INITIAL_WINDOW, 'earlier'), 'earlier')), '0 + [0–999] + 0');
    assert.equal(picture(1000, widenWindow(INITIAL_WINDOW, 'later'), 'first'), '0 + [0–699] + 300');
  });

  it('moves only to a row that it does not show', () => {
    assert.equal(windowShowing(list(1000), same, INITIAL_WINDOW, 'last', '900'), INITIAL_WINDOW);
    const moved = windowShowing(list(1000), same, INITIAL_WINDOW, 'last', '300');
    assert.equal(picture(1000, moved), '200 + [200–399] + 600');
    assert.equal(picture(1000, widenWindow(moved, 'later')), '200 + [200–899] + 100');
  });

  it('returns to the end when its anchor is gone', () => {
    assert.equal(picture(1000, { anchor: 'gone', before: 100, after: 100 }), '900 + [900–999] + 0');
  });
});
