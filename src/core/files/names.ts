/** Short texts that come again and again, each made once. */

const SLOTS = 1024;

export class Names {
  private readonly slots = new Array<string | undefined>(SLOTS);

  /** Of `bytes[from..to)`, which are ASCII. */
  of(bytes: Buffer, from: number, to: number): string {
    let hash = 0;
    for (let at = from; at < to; at++) hash = (hash * 31 + bytes[at]!) | 0;
    const slot = hash & (SLOTS - 1);
    const found = this.slots[slot];
    if (found !== undefined && isText(found, bytes, from, to)) return found;
    const made = bytes.toString('latin1', from, to);
    this.slots[slot] = made;
    return made;
  }
}

/** Whether a text is what stands in `bytes[from..to)`. */
export function isText(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== bytes[from + index]) return false;
  return true;
}
