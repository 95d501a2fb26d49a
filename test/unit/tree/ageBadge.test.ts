import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as badgeModule from '../../../src/tree/items/ageBadge';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

const { api } = fakeEditor();
const { ageBadge } = loadWithVscode(join(__dirname, '../../../src/tree/items/ageBadge.js'), api) as typeof badgeModule;

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

describe('The age in a badge', () => {
  const now = new Date(2026, 4, 20, 23, 30).getTime();
  const badges = (...ages: readonly number[]): string[] => ages.map((passed) => ageBadge(now - passed, now));

  it('is a digit and a unit', () => {
    assert.deepEqual(badges(0, MINUTE - 1, MINUTE, 9 * MINUTE, HOUR, 9 * HOUR), ['·', '·', '1m', '9m', '1h', '9h']);
    assert.deepEqual(badges(DAY, 6 * DAY, 7 * DAY, 69 * DAY), ['1d', '6d', '1w', '9w']);
    assert.deepEqual(badges(70 * DAY, 300 * DAY, 365 * DAY, 3000 * DAY), ['2M', '9M', '1y', '8y']);
  });

  it('is a part of the next unit instead of two digits', () => {
    assert.deepEqual(badges(10 * MINUTE, 22 * MINUTE, 23 * MINUTE, 44 * MINUTE, 59 * MINUTE), ['¼h', '¼h', '½h', '¾h', '¾h']);
    assert.deepEqual(badges(10 * HOUR, 23 * HOUR, 310 * DAY, 364 * DAY), ['½d', '½d', '¾y', '¾y']);
    assert.deepEqual(badges(20_000 * DAY), ['9+']);
  });

  it('counts days as the groups of days do', () => {
    assert.deepEqual(badges(23.4 * HOUR, 23.6 * HOUR, DAY + 23.4 * HOUR, DAY + 23.6 * HOUR), ['½d', '1d', '1d', '2d']);
  });

  it('has the two characters for which the editor has room, in each language', () => {
    const length = (text: string): number => [...new Intl.Segmenter().segment(text)].length;
    for (let passed = 0; passed < 12 * 365 * DAY; passed += passed < DAY ? MINUTE : DAY)
      assert.ok(length(ageBadge(now - passed, now)) <= 2, String(passed));
    const folder = join(__dirname, '../../../../l10n');
    for (const name of readdirSync(folder)) {
      const texts = Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>);
      const units = texts.filter(([key]) => key.includes('/Age in '));
      assert.equal(units.length, 6, name);
      for (const [, unit] of units) assert.equal(length(unit.replace('{0}', '¼')), 2, `${name}: ${unit}`);
    }
  });

  it('looks the same to the editor only if it is the same, in each language', () => {
    // The editor gives badges the same style, with the text in it, if this number is the same. It was for `1時` and `4日`.
    const hash = (text: string): number =>
      Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).reduce((sum, code) => sum * 31 + code, 0);
    const folder = join(__dirname, '../../../../l10n');
    for (const name of readdirSync(folder)) {
      const texts = Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>);
      const units = texts.filter(([key]) => key.includes('/Age in ')).map(([, unit]) => unit);
      const badges = '1 2 3 4 5 6 7 8 9 ¼ ½ ¾'.split(' ').flatMap((count) => units.map((unit) => unit.replace('{0}', count)));
      assert.equal(new Set(badges.map(hash)).size, new Set(badges).size, name);
    }
  });

  it('is empty for an unknown time, and now for times ahead', () => {
    assert.deepEqual([ageBadge(0, now), ageBadge(9e15, now), ageBadge(Number.NaN, now), ageBadge(now + 3 * DAY, now)], ['', '', '', '·']);
  });
});
