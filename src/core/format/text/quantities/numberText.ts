/** Numbers in a language, given by its tag, such as `de`. */

const OPTIONS = {
  number: {},
  // Four digits are grouped as elsewhere: by default, short numbers have no separator.
  compact: { notation: 'compact', maximumFractionDigits: 1, useGrouping: true },
  percent: { style: 'percent' },
  change: { style: 'percent', signDisplay: 'exceptZero' },
  cost: { style: 'currency', currency: 'USD' },
  smallCost: { style: 'currency', currency: 'USD', minimumFractionDigits: 4 },
  costChange: { style: 'currency', currency: 'USD', signDisplay: 'exceptZero' },
  smallCostChange: { style: 'currency', currency: 'USD', minimumFractionDigits: 4, signDisplay: 'exceptZero' },
} as const satisfies Readonly<Record<string, Intl.NumberFormatOptions>>;

/** Formatters are kept, because making one takes about as long as reading a message. */
const formatters = new Map<string, Intl.NumberFormat>();

function format(kind: keyof typeof OPTIONS, value: number, language: string): string {
  const key = `${kind} ${language}`;
  let formatter = formatters.get(key);
  if (!formatter) formatters.set(key, (formatter = new Intl.NumberFormat(language, OPTIONS[kind])));
  return formatter.format(value);
}

export const numberText = (value: number, language: string): string => format('number', value, language);

/** `21.3K` */
export const compactText = (value: number, language: string): string => format('compact', value, language);

/** `43%`. @param isChange true for a sign before what rises, too */
export const percentText = (share: number, language: string, isChange = false): string =>
  format(isChange ? 'change' : 'percent', share, language);

const CENT = 0.01;
/** More than the rounding error of a sum, and less than any cost. */
const ROUNDING = 1e-9;
/** Four decimals round what is almost a cent to one. */
const isSmall = (value: number): boolean => value > 0 && value < CENT - 0.000_05;

/** US dollars with two decimals; below a cent with four. */
export const costText = (value: number, language: string): string => format(isSmall(value) ? 'smallCost' : 'cost', value, language);

/** US dollars with two decimals, so that the numbers of a column are aligned; `<$0.01` for what would be rounded to nothing. */
export const centsText = (value: number, language: string): string =>
  value > 0 && value < CENT / 2 ? `<${format('cost', CENT, language)}` : format('cost', value, language);

/** Returns a function that formats the dollars of one column, all with as many decimals: two, or four if none is a cent. */
export function columnCostText(values: readonly number[], language: string): (value: number, isChange?: boolean) => string {
  const small = isSmall(values.reduce((highest, value) => Math.max(highest, value), 0));
  return (value, isChange = false) => {
    const size = Math.abs(value);
    // Something isn't nothing, but the difference of equal sums may be a rounding error.
    if (!small && size > ROUNDING && size < CENT / 2) return `${isChange ? (value > 0 ? '+' : '-') : ''}<${format('cost', CENT, language)}`;
    if (isChange) return format(small ? 'smallCostChange' : 'costChange', value, language);
    return format(small ? 'smallCost' : 'cost', value, language);
  };
}
