/** Numbers in a language, given by its tag, such as `de`. */

const COST = { style: 'currency', currency: 'USD', minimumFractionDigits: 2 } as const;
const OPTIONS = {
  number: {},
  compact: { notation: 'compact', maximumFractionDigits: 1 },
  cost: { ...COST, maximumFractionDigits: 2 },
  smallCost: { ...COST, maximumFractionDigits: 4 },
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

/** US dollars with two decimals, so that the numbers of a column are aligned; `<$0.01` for what would be rounded to nothing. */
export const centsText = (value: number, language: string): string =>
  value > 0 && value < 0.005 ? `<${format('cost', 0.01, language)}` : format('cost', value, language);

/** US dollars; small amounts have up to four decimals. */
export const costText = (value: number, language: string): string => format(value < 0.1 ? 'smallCost' : 'cost', value, language);
