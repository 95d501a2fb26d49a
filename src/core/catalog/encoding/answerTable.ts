/** The answers of a session as bytes, one run of bytes for each model. */
import { TOTALS } from '../../format/session/usageTotals';
import type { Answer } from '../rows/answer';
import { ByteReader, ByteWriter } from './byteCodec';
import { parseStoredStrings } from './damagedDatabase';

/** Whole parts of a number that take few bytes: tokens are whole, and most costs are some billionths of a dollar. */
const SCALES = TOTALS.map((name) => (name === 'cost' ? 1e9 : 1));

/** Larger numbers are kept as doubles. */
const MAX_WHOLE = 2 ** 52;

/** The answers of one model. */
export interface EncodedAnswers {
  readonly model: string;
  /**
   * For each answer its fingerprint, its time as the difference from the answer before, its numbers, and the children that it
   * names as a JSON array, or an empty text.
   */
  readonly bytes: Uint8Array;
}

/** A decoded answer. The object is reused for the next one. */
export type DecodedAnswer = { -readonly [Key in Exclude<keyof Answer, 'model' | 'numbers'>]: Answer[Key] } & {
  readonly numbers: Float64Array;
};

export function encodeAnswers(answers: readonly Answer[]): EncodedAnswers[] {
  const models = new Map<string, { readonly writer: ByteWriter; time: number }>();
  for (const { fingerprint, time, model, numbers, children } of answers) {
    let of = models.get(model);
    if (!of) models.set(model, (of = { writer: new ByteWriter(), time: 0 }));
    of.writer.bits48(fingerprint);
    of.writer.signed(time - of.time);
    of.time = time;
    for (const [place, scale] of SCALES.entries()) putAmount(of.writer, numbers[place] ?? 0, scale);
    of.writer.text(children.length === 0 ? '' : JSON.stringify(children));
  }
  return Array.from(models, ([model, { writer }]) => ({ model, bytes: writer.bytes() }));
}

/** Calls a function with each answer. @throws {DamagedDatabase} */
export function decodeAnswers(bytes: Uint8Array, onAnswer: (answer: DecodedAnswer) => void): void {
  const reader = new ByteReader(bytes);
  const answer: DecodedAnswer = { fingerprint: 0, time: 0, numbers: new Float64Array(TOTALS.length), children: [] };
  while (!reader.isAtEnd()) {
    answer.fingerprint = reader.bits48();
    answer.time += reader.signed();
    for (const [place, scale] of SCALES.entries()) answer.numbers[place] = amount(reader, scale);
    const children = reader.text();
    answer.children = children === '' ? [] : parseStoredStrings(children);
    onAnswer(answer);
  }
}

/** Writes a number above 0 as a whole number if that is exact, else 0 and a double. */
function putAmount(writer: ByteWriter, value: number, scale: number): void {
  const whole = Math.round(value * scale);
  if (whole >= 0 && whole < MAX_WHOLE && whole / scale === value) {
    writer.number(whole + 1);
    return;
  }
  writer.number(0);
  writer.double(value);
}

function amount(reader: ByteReader, scale: number): number {
  const code = reader.number();
  return code === 0 ? reader.double() : (code - 1) / scale;
}
