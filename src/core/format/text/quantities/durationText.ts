/** Durations in units that all languages write alike: `340 ms`, `12.3 s`, `3 min 5 s`, `1 h 2 min`. */
import { numberText } from './numberText';

const MINUTE = 60;
const HOUR = 3600;
/** Milliseconds; a longer duration, of about four months, is none that a program measured. */
const LONGEST = 10_000_000_000;

/** Returns a recorded duration as text; `undefined` if the value is none. */
export function durationText(milliseconds: unknown, language = 'en'): string | undefined {
  if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= LONGEST)) return undefined;
  const whole = Math.round(milliseconds);
  if (whole < 1000) return `${numberText(whole, language)} ms`;
  const tenths = Math.round(milliseconds / 100) / 10;
  if (tenths < MINUTE) return `${numberText(tenths, language)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (seconds < HOUR) return `${minutes} min ${seconds % MINUTE} s`;
  return `${numberText(Math.floor(seconds / HOUR), language)} h ${minutes} min`;
}
