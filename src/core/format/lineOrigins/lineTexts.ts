/** Lines as numbers: equal lines have equal numbers, so that texts are compared and kept cheaply. */

/** Splits a text into lines as the editor does, without line breaks and the mark at its beginning. */
export function linesOf(text: string): string[] {
  const given = text.startsWith('\uFEFF') ? text.slice(1) : text;
  // A pattern takes four times as long.
  return given.includes('\r') ? given.split(/\r\n|\n|\r/) : given.split('\n');
}

/** Lines from which on a text is compared with the one before. */
const MANY_LINES = 100;

/** Letters and digits from which a line says something of its own. */
const TELLING_CHARACTERS = 4;

export class LineTexts {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly shapes: number[] = [];
  private readonly telling: boolean[] = [];
  /** The last long text. The next one mostly differs in a few places, and lines are compared faster than they are looked up. */
  private last: { readonly lines: readonly string[]; readonly numbers: readonly number[] } = { lines: [], numbers: [] };

  numberOf(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) this.numbers.set(text, (number = this.texts.push(text) - 1));
    return number;
  }

  numbersOf(lines: readonly string[]): number[] {
    if (lines.length < MANY_LINES) return lines.map((line) => this.numberOf(line));
    const { lines: before, numbers: known } = this.last;
    const numbers = new Array<number>(lines.length).fill(0);
    const most = Math.min(lines.length, before.length);
    let start = 0;
    for (; start < most && lines[start] === before[start]; start++) numbers[start] = known[start]!;
    let end = lines.length;
    const shift = before.length - lines.length;
    for (; end > start && end + shift > start && lines[end - 1] === before[end - 1 + shift]; end--)
      numbers[end - 1] = known[end - 1 + shift]!;
    for (let at = start; at < end; at++) numbers[at] = this.numberOf(lines[at]!);
    this.last = { lines, numbers: numbers.slice() };
    return numbers;
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
