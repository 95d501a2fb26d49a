/** Timestamps as the programs write them, made from numbers. */
const MINUTE = 60_000;
const DIGIT_ZERO = 0x30;

/**
 * Does the same as `Date.toISOString`, for times that mostly are in the same minute as the previous one: keeps the
 * characters up to the minute. The text is decoded from bytes, because a concatenated string keeps its parts in memory.
 */
export class IsoTimestamps {
  private minute = NaN;
  private bytes = new Uint8Array(0);
  private readonly decoder = new TextDecoder();

  of(time: number): string {
    const minute = Math.floor(time / MINUTE);
    if (minute !== this.minute) {
      this.bytes = new TextEncoder().encode(new Date(minute * MINUTE).toISOString());
      this.minute = minute;
    }
    // The text ends with `ss.mmmZ`.
    const { bytes } = this;
    const end = bytes.length;
    let rest = Math.trunc(time - minute * MINUTE);
    for (let index = end - 2; index >= end - 7; index--) {
      if (index === end - 5) continue;
      bytes[index] = DIGIT_ZERO + (rest % 10);
      rest = Math.trunc(rest / 10);
    }
    return this.decoder.decode(bytes);
  }
}
