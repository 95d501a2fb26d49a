/** Formats numbers in the reader's language. */
import { language } from '../shared/localization';

export const formatNumber = (value: number): string => new Intl.NumberFormat(language()).format(value);

/** `21.3K` */
export const formatCompact = (value: number): string =>
  new Intl.NumberFormat(language(), { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** US dollars; small amounts have up to four decimals. */
export const formatCost = (value: number): string =>
  new Intl.NumberFormat(language(), {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: value < 0.1 ? 4 : 2,
  }).format(value);
