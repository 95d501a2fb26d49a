/** Formats numbers in the language of the editor. */
import * as vscode from 'vscode';
import { centsText, costText, numberText } from '../core/index';

export const formatNumber = (value: number): string => numberText(value, vscode.env.language);
export const formatCost = (value: number): string => costText(value, vscode.env.language);
/** For columns and sums. */
export const formatCents = (value: number): string => centsText(value, vscode.env.language);
