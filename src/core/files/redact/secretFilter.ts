/**
 * Replaces secrets in what an answer quotes of sessions, as exports do. Personal data stays: whoever asks is on the person's machine.
 * A secret that was recognized at one place is replaced in all answers of this filter.
 */
import type { Entry } from '../../format/entry/entry';
import { PERSONAL_KINDS } from '../../format/redact/detectors/personalData';
import type { Session } from '../../format/session/session';
import { readBodies } from '../read/sessionFile';
import { Redaction } from './redaction';

/** Bytes of entries that are read for their secrets in one call. Those of the answer itself always are. */
const MAX_LEARNED = 4 * 1024 * 1024;
/** Entries in memory at a time. */
const CHUNK = 200;

const NOT_PERSONAL = Object.fromEntries(PERSONAL_KINDS.map((kind) => [kind, false]));

export class SecretFilter {
  /** The bytes of each session that were searched for secrets, by its path. */
  private readonly learned = new Map<string, number>();

  private constructor(private readonly redaction: Redaction) {}

  static async create(): Promise<SecretFilter> {
    const redaction = await Redaction.of([], NOT_PERSONAL);
    redaction.choose({});
    return new SecretFilter(redaction);
  }

  /**
   * Learns the secrets of a session's entries, the last ones first if these are many. Entries that were searched before aren't read again.
   *
   * @param maxBytes of entries that are read
   * @returns the bytes that were read
   * @throws {SessionError} as `readBodies`; the signal's reason if aborted
   */
  async learn(session: Session, maxBytes = MAX_LEARNED, signal?: AbortSignal): Promise<number> {
    const known = this.learned.get(session.path) ?? 0;
    const from = known <= session.size ? known : 0;
    const ids: string[] = [];
    let bytes = 0;
    for (let index = session.entries.length - 1; index >= 0; index--) {
      const head = session.entries[index];
      if (!head || head.offset < from) break;
      if (bytes + head.length > maxBytes) break;
      bytes += head.length;
      ids.push(head.id);
    }
    for (let at = 0; at < ids.length; at += CHUNK) {
      const entries = await readBodies(session, ids.slice(at, at + CHUNK), signal);
      await this.redaction.learnLines(
        entries.map((entry) => JSON.stringify(entry)),
        signal,
      );
    }
    this.learned.set(session.path, session.size);
    return bytes;
  }

  /** Returns entries in redacted form. Secrets that one of them reveals are replaced in all. */
  entries(entries: readonly Entry[], signal?: AbortSignal): Promise<Entry[]> {
    return this.redacted(entries, signal);
  }

  /** Returns a text in redacted form. */
  async text(text: string): Promise<string> {
    const [redacted] = await this.redacted([{ text }]);
    return redacted?.text ?? '';
  }

  /** Returns values in redacted form. */
  private async redacted<T>(values: readonly T[], signal?: AbortSignal): Promise<T[]> {
    const lines: { readonly line: string; readonly value: T; readonly found: boolean }[] = [];
    for (const value of values) {
      const line = JSON.stringify(value);
      lines.push({ line, value, found: await this.redaction.learnLine(line, signal) });
    }
    const redacted: T[] = [];
    for (const { line, value, found } of lines) {
      const { text } = await this.redaction.redactLine(line, undefined, signal, found);
      // Redaction changes strings only, and keeps types and ids.
      redacted.push(text === line ? value : (JSON.parse(text) as T));
    }
    return redacted;
  }
}
