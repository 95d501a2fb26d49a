/** Formats numbers in the reader's language. */
import { compactText, costText, numberText } from '../../core/format/text/numberText';
import { language } from '../shared/localization';

export const formatNumber = (value: number): string => numberText(value, language());
export const formatCompact = (value: number): string => compactText(value, language());
export const formatCost = (value: number): string => costText(value, language());
