/** Keeps what was unpacked last, so that an archive isn't unpacked again for each part that is read of it. */

/** Keeps one value at a time: an archive may unpack to hundreds of megabytes. */
export class LastUnpacked<T extends Buffer | Promise<Buffer>> {
  private kept: { readonly key: string; readonly value: T } | undefined;

  /**
   * Returns the kept value, or unpacks it and keeps it instead of the one before. A failure isn't kept.
   *
   * @param key identifies the unpacked bytes.
   */
  get(key: string, unpack: () => T): T {
    if (this.kept?.key === key) return this.kept.value;
    // The one before can be freed while the next one is unpacked.
    this.kept = undefined;
    const kept = { key, value: unpack() };
    this.kept = kept;
    if (kept.value instanceof Promise)
      kept.value.catch(() => {
        if (this.kept === kept) this.kept = undefined;
      });
    return kept.value;
  }
}
