/** The lines of the events among the records of an archive of OpenClaw. FORMAT section 7. */
import { asString, isObject } from '../../../format/values/jsonValues';
import { parseJson, TEXTS_OF_STEP } from '../../../format/parse/parseJson';
import type { Steps } from '../../../format/session/steps';

export class EventLines {
  /** The start of a record whose end hasn't been unpacked yet. */
  private held: Buffer[] = [];
  private unpacked = 0;
  private size = 0;

  /**
   * @param limits bytes: those of all lines, exactly, and the most that the records may have
   * @param damaged returns the error for anything else
   * @param hasLinesAlone true if the lines aren't in records
   */
  constructor(
    private readonly limits: { readonly events: number; readonly records: number },
    private readonly damaged: () => Error,
    private readonly hasLinesAlone = false,
  ) {}

  /** Returns the lines of the events that end in the next bytes, each with its line break. @throws the error for a damaged archive */
  *take(bytes: Buffer): Steps<Buffer> {
    this.unpacked += bytes.length;
    if (this.unpacked > this.limits.records) throw this.damaged();
    if (this.hasLinesAlone) return this.counted(bytes);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      this.held.push(bytes);
      return NOTHING;
    }
    const records = Buffer.concat([...this.held, bytes.subarray(0, end)]);
    this.held = end < bytes.length ? [bytes.subarray(end)] : [];
    return this.counted(yield* eventsOf(records));
  }

  /** Returns the line of a last event without a line break. @throws the error for a damaged archive */
  *end(): Steps<Buffer> {
    const line = this.counted(yield* eventsOf(Buffer.concat(this.held)));
    if (this.size !== this.limits.events) throw this.damaged();
    return line;
  }

  private counted(lines: Buffer): Buffer {
    this.size += lines.length;
    if (this.size > this.limits.events) throw this.damaged();
    return lines;
  }
}

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

/** Returns the lines of the events in some records. */
function* eventsOf(records: Buffer): Steps<Buffer> {
  let lines = '';
  let count = 0;
  for (let from = 0, end; from < records.length; from = end + 1) {
    if (++count % TEXTS_OF_STEP === 0) yield;
    const lineBreak = records.indexOf(NEWLINE, from);
    end = lineBreak < 0 ? records.length : lineBreak;
    // If it isn't JSON, the length of all events is wrong, which is reported.
    const value = yield* parseJson(records.toString('utf8', from, end));
    const row = isObject(value) && value['kind'] === 'event' ? value['row'] : undefined;
    const event = isObject(row) ? asString(row['event_json']) : undefined;
    if (event !== undefined) lines += `${event.replaceAll('\n', ' ')}\n`;
  }
  return Buffer.from(lines);
}
