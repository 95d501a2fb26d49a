/** Lines as numbers: equal lines have equal numbers, so that texts are compared and kept cheaply. */

/** Splits a text into lines as the editor does, without line breaks and the mark at its beginning. */
export const linesOf = (text: string): string[] => (text.startsWith('\uFEFF') ? text.slice(1) : text).split(/\r\n|\n|\r/);

/** Letters and digits from which a line says something of its own. */
const TELLING_CHARACTERS = 4;

export class LineTexts {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly shapes: number[] = [];
  private readonly telling: boolean[] = [];

  numberOf(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) this.numbers.set(text, (number = this.texts.push(text) - 1));
    return number;
  }

  numbersOf(lines: readonly string[]): number[] {
    return lines.map((line) => this.numberOf(line));
  }

  text(number: number): string {
    return this.texts[number]!;
  }

  /** The number of the line without its white space, which is the same for all indentations. */
  shapeOf(number: number): number {
    let shape = this.shapes[number];
    if (shape === undefined) this.shapes[number] = shape = this.numberOf(this.text(number).replace(/\s+/g, ''));
    return shape;
  }

  /** False for blank lines, brackets and the like, which stand anywhere. */
  isTelling(number: number): boolean {
    return (this.telling[number] ??= (this.text(number).match(/[\p{L}\p{N}_]/gu)?.length ?? 0) >= TELLING_CHARACTERS);
  }
}
