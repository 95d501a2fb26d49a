/** Formats numbers in the language of the editor. */
import * as vscode from 'vscode';
import { columnCostText, costText, numberText, percentText } from '../core/index';

export const formatNumber = (value: number): string => numberText(value, vscode.env.language);
export const formatCost = (value: number): string => costText(value, vscode.env.language);
export const formatPercent = (share: number, isChange = false): string => percentText(share, vscode.env.language, isChange);

/** Returns a function that formats the dollars of one column. */
export const costFormat = (values: readonly number[]): ((value: number, isChange?: boolean) => string) =>
  columnCostText(values, vscode.env.language);
