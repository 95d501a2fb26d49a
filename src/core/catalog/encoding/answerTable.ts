/** The answers of a session as bytes, one run of bytes for each model. */
import { TOTALS } from '../../format/session/costs/usageTotals';
import type { Answer } from '../rows/answer';
import { CAUSES_END } from '../rows/usageCauses';
import { ByteReader, ByteWriter } from './byteCodec';
import { DamagedDatabase, parseStoredStrings } from './damagedDatabase';

/** Whole parts of a number that take few bytes: tokens are whole, and most costs are some billionths of a dollar. */
const SCALES = TOTALS.map((name) => (name === 'cost' ? 1e9 : 1));

/** Larger numbers are kept as doubles. */
const MAX_WHOLE = 2 ** 52;

/** The last time that is kept, in the year 73,326: the differences of later times wouldn't be exact. */
const MAX_TIME = 2 ** 51;
const keptTime = (time: number): number => Math.max(-MAX_TIME, Math.min(MAX_TIME, time));

/** The answers of one model. */
export interface EncodedAnswers {
  readonly model: string;
  /**
   * For each answer its fingerprint, its time as the difference from the answer before, its numbers, its causes with a bit for
   * whether it names children, and these as a JSON array.
   */
  readonly bytes: Uint8Array;
}

/** A decoded answer. The object is reused for the next one. */
export type DecodedAnswer = { -readonly [Key in Exclude<keyof Answer, 'model' | 'numbers'>]: Answer[Key] } & {
  readonly numbers: Float64Array;
};

export function encodeAnswers(answers: readonly Answer[]): EncodedAnswers[] {
  const models = new Map<string, { readonly writer: ByteWriter; time: number }>();
  for (const { fingerprint, time, model, numbers, children, causes } of answers) {
    let of = models.get(model);
    if (!of) models.set(model, (of = { writer: new ByteWriter(), time: 0 }));
    of.writer.bits48(fingerprint);
    of.writer.signed(keptTime(time) - of.time);
    of.time = keptTime(time);
    for (const [place, scale] of SCALES.entries()) putAmount(of.writer, numbers[place] ?? 0, scale);
    of.writer.number(causes * 2 + (children.length === 0 ? 0 : 1));
    if (children.length > 0) of.writer.text(JSON.stringify(children));
  }
  return Array.from(models, ([model, { writer }]) => ({ model, bytes: writer.bytes() }));
}

/** Calls a function with each answer. @throws {DamagedDatabase} */
export function decodeAnswers(bytes: Uint8Array, onAnswer: (answer: DecodedAnswer) => void): void {
  const reader = new ByteReader(bytes);
  const answer: DecodedAnswer = { fingerprint: 0, time: 0, numbers: new Float64Array(TOTALS.length), children: [], causes: 0 };
  while (!reader.isAtEnd()) {
    answer.fingerprint = reader.bits48();
    answer.time = keptTime(answer.time + reader.signed());
    for (const [place, scale] of SCALES.entries()) answer.numbers[place] = amount(reader, scale);
    const code = reader.number();
    answer.causes = Math.floor(code / 2);
    if (answer.causes >= CAUSES_END) throw new DamagedDatabase('Invalid causes of a stored answer.');
    answer.children = code % 2 === 0 ? [] : parseStoredStrings(reader.text());
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
  const value = code === 0 ? reader.double() : (code - 1) / scale;
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) throw new DamagedDatabase('Invalid number of a stored answer.');
  return value;
}
