/** The turns that documents belong to, by the prompts before them in the file. */
import type { PlaceLookup } from './candidates';

export class Turns {
  private readonly known = new Map<number, readonly number[]>();

  constructor(private readonly places: PlaceLookup) {}

  /** The documents of the prompt of a document's turn, and of the turn before. */
  prompts(document: number): readonly number[] {
    let found = this.known.get(document);
    if (!found) {
      const prompt = this.places.promptOf(document);
      // Numbers rise towards older lines.
      const before = prompt === undefined ? undefined : this.places.promptOf(prompt + 1);
      found = [prompt, before].flatMap((one) => one ?? []);
      this.known.set(document, found);
    }
    return found;
  }

  /** True for documents of the same turn or of one after the other, if they are of the same session. */
  areNear(one: number, other: number): boolean {
    const [newer, older] = [Math.min(one, other), Math.max(one, other)];
    const [prompt, before] = this.prompts(newer);
    return older <= (before ?? prompt ?? newer);
  }
}
