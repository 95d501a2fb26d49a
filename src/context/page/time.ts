/** A time as a person says it, and exactly. */

export interface TimeText {
  readonly short: string;
  readonly long: string;
  readonly iso: string;
}

/** @param time milliseconds since 1970; `undefined` if it is not known. */
export function timeOf(time: number): TimeText | undefined {
  if (time <= 0 || Number.isNaN(new Date(time).getTime())) return undefined;
  const date = new Date(time);
  const lang = document.documentElement.lang || 'en';
  return {
    short: new Intl.DateTimeFormat(lang, { timeStyle: 'short' }).format(date),
    long: new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeStyle: 'medium' }).format(date),
    iso: date.toISOString(),
  };
}
