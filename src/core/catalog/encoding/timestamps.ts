/** Formats thousands of times at once as the programs write them: `2026-01-02T08:01:03.000Z`. */

export const TIMESTAMP_LENGTH = 24;
const DAY = 86_400_000;
const ZERO = 0x30;

/** True if a timestamp is exactly what `formatTimestamps` writes for this time. */
export function isCanonicalTimestamp(timestamp: string, time: number): boolean {
  return timestamp.length === TIMESTAMP_LENGTH && time >= 0 && new Date(time).toISOString() === timestamp;
}

/** The timestamps of times for which `isCanonicalTimestamp` holds, joined; each has `TIMESTAMP_LENGTH` characters. */
export function formatTimestamps(times: Float64Array): string {
  const bytes = Buffer.allocUnsafe(times.length * TIMESTAMP_LENGTH);
  let day = Number.NaN;
  let date: Uint8Array = new Uint8Array(TIMESTAMP_LENGTH);
  for (let index = 0; index < times.length; index++) {
    const time = times[index]!;
    const start = Math.floor(time / DAY);
    if (start !== day) {
      day = start;
      date = Buffer.from(new Date(start * DAY).toISOString(), 'latin1');
    }
    const at = index * TIMESTAMP_LENGTH;
    for (let position = 0; position < TIMESTAMP_LENGTH; position++) bytes[at + position] = date[position]!;
    const left = time - start * DAY;
    put(bytes, at + 11, 2, Math.floor(left / 3_600_000));
    put(bytes, at + 14, 2, Math.floor(left / 60_000) % 60);
    put(bytes, at + 17, 2, Math.floor(left / 1000) % 60);
    put(bytes, at + 20, 3, left % 1000);
  }
  return bytes.toString('latin1');
}

function put(bytes: Buffer, at: number, digits: number, value: number): void {
  let rest = value;
  for (let position = at + digits - 1; position >= at; position--) {
    bytes[position] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}
