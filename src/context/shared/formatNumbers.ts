/** Formats numbers in the reader's language. */
import { durationText } from '../../core/format/text/quantities/durationText';
import { centsText, compactText, costText, numberText } from '../../core/format/text/quantities/numberText';
import { language } from './localization';

export const formatNumber = (value: number): string => numberText(value, language());
export const formatCompact = (value: number): string => compactText(value, language());
/** For tables. */
export const formatCents = (value: number): string => centsText(value, language());
export const formatCost = (value: number): string => costText(value, language());

/** `42%`, and `<1%` for what would be rounded to nothing. @param value a share from 0 to 1. */
export function formatPercent(value: number): string {
  const percent = new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 0 });
  return value > 0 && value < 0.01 ? `<${percent.format(0.01)}` : percent.format(value);
}

/** Returns a recorded duration in milliseconds as text; `undefined` if the value is none. */
export const formatDuration = (value: unknown): string | undefined => durationText(value, language());
