/** Formats numbers in VS Code's display language. */
import * as vscode from 'vscode';

export const formatNumber = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);

/** `21.3K` */
export const formatCompact = (value: number): string =>
  new Intl.NumberFormat(vscode.env.language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** US dollars; small amounts have up to four decimals. */
export const formatCost = (value: number): string =>
  new Intl.NumberFormat(vscode.env.language, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: value < 0.1 ? 4 : 2,
  }).format(value);
