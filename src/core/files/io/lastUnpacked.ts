/** Keeps the content that was unpacked last, so that an archive isn't unpacked again for each part that is read of it. */

/** Keeps one value at a time: an archive may unpack to hundreds of megabytes. */
export class LastUnpacked {
  private kept: { readonly key: string; readonly value: Buffer } | undefined;

  /**
   * Returns the kept value, or unpacks a new value and keeps it instead. A failure isn't kept.
   *
   * @param key identifies the unpacked bytes.
   */
  get(key: string, unpack: () => Buffer): Buffer {
    if (this.kept?.key === key) return this.kept.value;
    // The previous value can be freed while the next one is unpacked.
    this.kept = undefined;
    this.kept = { key, value: unpack() };
    return this.kept.value;
  }
}
