/** Costs in the person's language. */
import * as vscode from 'vscode';

/** Formats by their largest number of decimals: making one takes longer than using it. */
const formats = new Map<number, Intl.NumberFormat>();

/** Formats US dollars; small amounts have up to four decimals. */
export function formatCost(cost: number): string {
  const maximumFractionDigits = cost < 0.1 ? 4 : 2;
  let format = formats.get(maximumFractionDigits);
  if (!format) {
    const options = { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits } as const;
    formats.set(maximumFractionDigits, (format = new Intl.NumberFormat(vscode.env.language, options)));
  }
  return format.format(cost);
}
