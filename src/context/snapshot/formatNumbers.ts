/** Formats numbers in the reader's language. */
import { durationText } from '../../core/format/text/durationText';
import { compactText, costText, numberText } from '../../core/format/text/numberText';
import { language } from '../shared/localization';

export const formatNumber = (value: number): string => numberText(value, language());
export const formatCompact = (value: number): string => compactText(value, language());
export const formatCost = (value: number): string => costText(value, language());
/** Returns a recorded duration in milliseconds as text; `undefined` if the value is none. */
export const formatDuration = (value: unknown): string | undefined => durationText(value, language());
