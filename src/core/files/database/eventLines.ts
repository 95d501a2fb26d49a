/** The lines of the events among the records of an archive of OpenClaw. FORMAT section 7. */
import { asString, isObject } from '../../format/entry/jsonValues';
import { Unescaper } from '../../format/scanner/unescaper';

/** Bytes of records that are read without parsing. */
const SCANNED_BYTES = 1024 * 1024;

export class EventLines {
  /** The start of a record whose end hasn't been unpacked yet. */
  private held: Buffer[] = [];
  private unpacked = 0;
  private size = 0;

  /**
   * @param limits bytes: those of all lines, exactly, and the most that the records may have
   * @param damaged returns the error for anything else
   */
  constructor(
    private readonly limits: { readonly events: number; readonly records: number },
    private readonly damaged: () => Error,
  ) {}

  /** Returns the lines of the events that end in the next bytes, each with its line break. @throws the error for a damaged archive */
  take(bytes: Buffer): Buffer {
    this.unpacked += bytes.length;
    if (this.unpacked > this.limits.records) throw this.damaged();
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      this.held.push(bytes);
      return NOTHING;
    }
    const records = [...this.held, bytes.subarray(0, end)];
    this.held = end < bytes.length ? [bytes.subarray(end)] : [];
    const size = records.reduce((sum, { length }) => sum + length, 0);
    const unescaper = size <= SCANNED_BYTES ? sharedUnescaper() : undefined;
    return this.counted(unescaper ? scanned(records, unescaper) : parsed(Buffer.concat(records)));
  }

  /** Returns the line of a last event without a line break. @throws the error for a damaged archive */
  end(): Buffer {
    const line = this.counted(parsed(Buffer.concat(this.held)));
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

/** Shared by all of this thread, because making one takes milliseconds. */
let unescaper: Unescaper | undefined;

/** Without WebAssembly, every record is parsed. */
function sharedUnescaper(): Unescaper | undefined {
  try {
    return (unescaper ??= new Unescaper(SCANNED_BYTES));
  } catch {
    return undefined;
  }
}

const EVENT = '"event_json":"';
/** Members of numbers and plain strings, as OpenClaw writes them around an event. */
const MEMBER = String.raw`"(?!event_json")\w+":(?:"[ !#-[\]-~]*"|0|[1-9]\d*)`;
const BEFORE = new RegExp(String.raw`^\{"kind":"event","row":\{(?:${MEMBER},)*$`);
const AFTER = new RegExp(String.raw`^(?:,${MEMBER})*\}\}$`);
/** The most bytes before and after an event. */
const AROUND_BYTES = 512;

/** Returns the lines of records that end in a line break. Only records of another form than usual are parsed. */
function scanned(loaded: readonly Buffer[], unescaper: Unescaper): Buffer {
  const { buffer, byteOffset, length } = unescaper.load(loaded);
  const records = Buffer.from(buffer, byteOffset, length);
  const parts: Uint8Array[] = [];
  let event = -1;
  for (let from = 0, end; from < records.length; from = end + 1) {
    end = records.indexOf(NEWLINE, from);
    if (event < from) event = records.indexOf(EVENT, from, 'latin1');
    // There's none in the rest.
    if (event < 0) event = records.length;
    if (event < end && addEvent(records, from, event, end, unescaper)) continue;
    const line = eventOf(records.toString('utf8', from, end));
    if (line !== undefined) parts.push(unescaper.take(), Buffer.from(`${line}\n`));
  }
  const rest = unescaper.take();
  return parts.length === 0 ? Buffer.from(rest.buffer) : Buffer.concat([...parts, rest]);
}

/** Adds the event of a record to the lines. Returns false if the record has to be parsed. */
function addEvent(records: Buffer, from: number, event: number, end: number, unescaper: Unescaper): boolean {
  if (event - from > AROUND_BYTES || !BEFORE.test(records.toString('latin1', from, event))) return false;
  const quote = unescaper.read(event + EVENT.length);
  if (quote === undefined || end - quote > AROUND_BYTES || !AFTER.test(records.toString('latin1', quote + 1, end))) return false;
  unescaper.addLine();
  return true;
}

/** Returns the lines of any records. */
function parsed(records: Buffer): Buffer {
  let lines = '';
  for (let from = 0, end; from < records.length; from = end + 1) {
    const lineBreak = records.indexOf(NEWLINE, from);
    end = lineBreak < 0 ? records.length : lineBreak;
    const event = eventOf(records.toString('utf8', from, end));
    if (event !== undefined) lines += `${event}\n`;
  }
  return Buffer.from(lines);
}

/** Returns the line of a record's event, as one line. */
function eventOf(record: string): string | undefined {
  try {
    const value: unknown = JSON.parse(record);
    const row = isObject(value) && value['kind'] === 'event' ? value['row'] : undefined;
    return isObject(row) ? asString(row['event_json'])?.replaceAll('\n', ' ') : undefined;
  } catch {
    // Then the length of all events is wrong, which is reported.
    return undefined;
  }
}
