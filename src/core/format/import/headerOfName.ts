/** The facts of a header that a session's file name has. FORMAT section 1, file name. */
import { CURRENT_VERSION, type SessionHeader } from '../entry/entry';

/** `<time>_<id>.jsonl`, with `:` and `.` of the time as `-`; or `<id>.jsonl`. An archive has a further extension. */
const NAME = /^(?:(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z_)?(.{1,200}?)\.jsonl(?:\.\w+)?$/;

/** Returns the header of a session without one, as far as its file's name says. The time may be empty. */
export function headerOfName(name: string, cwd: string): SessionHeader {
  const [, hour, minute, second, millisecond, id = name] = NAME.exec(name) ?? [];
  const timestamp = hour === undefined ? '' : `${hour}:${minute ?? ''}:${second ?? ''}.${millisecond ?? ''}Z`;
  return { type: 'session', version: CURRENT_VERSION, id, timestamp, cwd };
}
