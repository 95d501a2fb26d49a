/** Prints JSON in any of the ways in which it may be written. */
import { dice, type Dice } from '../../fixtures/random';

/** Differences from the text that `JSON.stringify` returns. */
export interface PrintOptions {
  /** One in this many places between tokens has white space, at random; 0 for none. */
  readonly spaces: number;
  /** Characters as escapes, once in so many; 0 for none. */
  readonly escapes: number;
  /** Keys in another order. */
  readonly shuffles: boolean;
  /** A member twice, with different values, once in so many objects; 0 for none. */
  readonly repeats: number;
}

export function printJson(value: unknown, seed: number, options: PrintOptions): string {
  return new Printer(dice(seed), options).value(value);
}

class Printer {
  constructor(
    private readonly random: Dice,
    private readonly options: PrintOptions,
  ) {}

  value(value: unknown): string {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.number(value);
    if (Array.isArray(value))
      return this.list(
        '[',
        ']',
        value.map((one) => this.value(one)),
      );
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value);
    if (this.options.shuffles) members.sort(() => this.random.below(3) - 1);
    if (members.length > 0 && this.happens(this.options.repeats))
      members.splice(this.random.below(members.length), 0, [this.random.one(members)[0], 7]);
    return this.list(
      '{',
      '}',
      members.map(([key, inner]) => `${this.text(key)}${this.space()}:${this.space()}${this.value(inner)}`),
    );
  }

  private list(open: string, close: string, items: readonly string[]): string {
    return `${open}${this.space()}${items.join(`${this.space()},${this.space()}`)}${this.space()}${close}`;
  }

  private number(value: number): string {
    const text = String(value);
    if (!Number.isInteger(value) || !this.happens(this.options.spaces)) return text;
    return this.random.one([text, `${text}.0`, `${text}e0`, `${text}E+0`, `${text}.${'0'.repeat(20)}`]);
  }

  private text(text: string): string {
    const pieces = Array.from(JSON.stringify(text));
    for (let at = 1; at < pieces.length - 1; at++) {
      if (pieces[at] === '\\') at += pieces[at + 1] === 'u' ? 5 : 1;
      else if (this.happens(this.options.escapes)) pieces[at] = escaped(pieces[at]!, this.random);
    }
    return pieces.join('');
  }

  private space(): string {
    return this.happens(this.options.spaces) ? this.random.one([' ', '  ', '\t', '\r', ' \t']) : '';
  }

  private happens(oneIn: number): boolean {
    return oneIn > 0 && this.random.once(oneIn);
  }
}

function escaped(character: string, random: Dice): string {
  if (character === '/') return '\\/';
  return Array.from({ length: character.length }, (_, at) => {
    const digits = character.charCodeAt(at).toString(16).padStart(4, '0');
    return `\\u${random.once(2) ? digits.toUpperCase() : digits}`;
  }).join('');
}
