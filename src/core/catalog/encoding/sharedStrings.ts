/** Strings that many rows have, kept once: each decoded or received row brings its own. */

/** Beyond it, strings are probably different in each row. */
const MAX_STRINGS = 10_000;

export class SharedStrings {
  private readonly known = new Map<string, string>();

  /** Returns an equal string. */
  of(text: string): string {
    const known = this.known.get(text);
    if (known === undefined && this.known.size < MAX_STRINGS) this.known.set(text, text);
    return known ?? text;
  }
}
