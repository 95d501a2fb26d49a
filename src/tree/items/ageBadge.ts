/** Ages in two characters, which is the room that the editor gives to the badge of a row. */
import * as vscode from 'vscode';
import { ageOf, type Age } from '../../core/index';

const { t } = vscode.l10n;

/** The average length of a month in days. */
const MONTH = 365 / 12;
const QUARTERS = ['¼', '½', '¾'] as const;
/** Stands for less than a minute. */
const NOW = '·';
const MAX_DATE = 8.64e15;

/**
 * Returns an age such as `5m`, `3h`, `2d`, `5w`, `4M` or `1y`. What would need two digits is a part of the next unit:
 * `¼h`, `½d` or `¾y`. The units are in the editor's language.
 *
 * @param time milliseconds since 1970
 * @returns an empty string if `time` is 0
 */
export function ageBadge(time: number, now: number): string {
  if (time === 0 || !(Math.abs(time) <= MAX_DATE)) return '';
  const age = ageOf(time, now);
  switch (age.unit) {
    case 'second':
      return NOW;
    case 'minute':
      return age.count < 10 ? minutes(age.count) : hours(quarter(age.count / 60));
    case 'hour':
      return age.count < 10 ? hours(age.count) : days('½');
    case 'day':
      return dayBadge(age);
  }
}

function dayBadge({ count }: Age): string {
  if (count < 7) return days(count);
  const weeks = Math.floor(count / 7);
  if (weeks < 10) return t({ message: '{0}w', args: [weeks], comment: 'Age in weeks. At most two characters: a digit and a letter' });
  const months = Math.floor(count / MONTH);
  if (months < 10) return t({ message: '{0}M', args: [months], comment: 'Age in months. At most two characters: a digit and a letter' });
  const years = Math.floor(count / 365);
  if (years > 9) return '9+';
  const shown = years === 0 ? quarter(count / 365) : years;
  return t({ message: '{0}y', args: [shown], comment: 'Age in years. At most two characters: a digit and a letter' });
}

const minutes = (count: number): string =>
  t({ message: '{0}m', args: [count], comment: 'Age in minutes. At most two characters: a digit and a letter' });
const hours = (count: number | string): string =>
  t({ message: '{0}h', args: [count], comment: 'Age in hours. At most two characters: a digit and a letter' });
const days = (count: number | string): string =>
  t({ message: '{0}d', args: [count], comment: 'Age in days. At most two characters: a digit and a letter' });

/** Returns the nearest quarter of a part of one. */
function quarter(part: number): string {
  return QUARTERS[Math.min(2, Math.max(0, Math.round(part * 4) - 1))] ?? '';
}
