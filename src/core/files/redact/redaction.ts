/**
 * The redaction of one or several sessions. A secret that is recognized in one of them is replaced in all, and the same text has the
 * same placeholder everywhere. Opens no connection.
 */
import { randomBytes } from 'node:crypto';
import { defined } from '../../format/values/defined';
import type { Problem } from '../../format/entry/problem';
import { PERSONAL_KINDS, type PersonalKind } from '../../format/redact/detectors/personalData';
import type { Finding, RedactedLine } from '../../format/redact/redactor';
import type { Session } from '../../format/session/session';
import type { ExportPlan } from '../../format/write/exportPlan';
import { exportLines, type ExportLine } from '../export/exportLines';
import { Yielder } from '../concurrency/eventLoop';
import type { LineRedactor } from './createRedactor';
import { lineRedactor } from './lineRedactor';
import { personOf } from './person';

/** Selects the kinds of data that are searched for. Secrets always are. */
export interface RedactionRules extends Readonly<Partial<Record<PersonalKind, boolean>>> {
  /** Words of the person's own, which are replaced as well; see `ownWords`. */
  readonly words?: readonly string[];
}

/** Choices of a person who has reviewed the findings. */
export interface ReviewChoices {
  /** Keys of findings that aren't replaced. */
  readonly keep?: readonly string[];
  /** Keys of uncertain findings that are replaced, too; `true` for all of them. */
  readonly also?: readonly string[] | true;
}

/** A line of an export in redacted form, with the findings in it. */
export interface RedactedExportLine extends ExportLine {
  readonly findings: readonly Finding[];
}

interface PassOptions {
  readonly signal?: AbortSignal | undefined;
  /** Is called after each line. */
  readonly onLine?: (() => void) | undefined;
  readonly onProblem?: ((problem: Problem) => void) | undefined;
}

const SALT = randomBytes(32);

export class Redaction {
  /** For each session that was learned, its plan, and for each line whether a rule found something. */
  private readonly learned = new Map<Session, { readonly plan: ExportPlan; readonly found: boolean[] }>();

  private constructor(private readonly redactor: LineRedactor) {}

  /** @param sessions the data of the people in these sessions is replaced in all of them. */
  static async of(sessions: readonly Session[], { words = [], ...kinds }: RedactionRules = {}): Promise<Redaction> {
    const data = {
      salt: SALT,
      person: personOf(sessions.map(({ header }) => header)),
      kinds: PERSONAL_KINDS.filter((kind) => kinds[kind] !== false),
      words,
    };
    return new Redaction(
      await lineRedactor(
        data,
        sessions.reduce((sum, { size }) => sum + size, 0),
      ),
    );
  }

  /** Gives up what was learned, and ends the thread. To be called when no line is read any more. */
  end(): void {
    this.redactor.end();
  }

  /** Sets which findings stay and which others are replaced in the lines that are read from now on. */
  choose({ keep = [], also = [] }: ReviewChoices): void {
    this.redactor.choose({ keep: new Set(keep), also: also === true ? true : new Set(also) });
  }

  /**
   * Collects the findings in a session's lines. Must be called for all sessions before the first call of {@link lines}.
   * @throws as `exportLines`
   */
  async learn(session: Session, plan: ExportPlan, options: PassOptions): Promise<void> {
    const { signal } = options;
    const done = lineCounter(options);
    const found: boolean[] = [];
    for await (const { text } of exportLines(session, plan, { signal })) found.push(await done(this.redactor.learn(text, signal)));
    this.learned.set(session, { plan, found });
  }

  /** Returns an id or a name, redacted like the ids of lines. */
  identifier(id: string): Promise<string> {
    return this.member('id', id);
  }

  /** Returns a text, redacted like the texts of lines. */
  text(text: string): Promise<string> {
    return this.member('text', text);
  }

  /** Collects the findings in one line, such as an entry's, for the lines that are redacted from now on. @returns false if a rule found nothing */
  learnLine(line: string, signal?: AbortSignal): Promise<boolean> {
    return this.redactor.learn(line, signal);
  }

  /** Works like {@link learnLine} for lines of which most have nothing to find, and takes a fraction of the time if they're short. */
  learnLines(lines: readonly string[], signal?: AbortSignal): Promise<void> {
    return this.redactor.learnAll(lines, signal);
  }

  /**
   * Returns one line in redacted form, with the findings in it.
   *
   * @param found the answer of {@link learnLine} for this line: without anything to find, only secrets of other lines are looked for
   */
  redactLine(line: string, entryId?: string, signal?: AbortSignal, found = true): Promise<RedactedLine> {
    return this.redactor.redact(line, found, entryId, signal);
  }

  private async member(name: 'id' | 'text', value: string): Promise<string> {
    const { text } = await this.redactor.redact(JSON.stringify({ [name]: value }), true, undefined, undefined);
    // The line is an object with this member.
    return (JSON.parse(text) as Record<typeof name, string>)[name];
  }

  /** Returns a plan's lines in redacted form. @throws as `exportLines` */
  async *lines(session: Session, plan: ExportPlan, options: PassOptions): AsyncGenerator<RedactedExportLine, void> {
    const { signal, onProblem } = options;
    const done = lineCounter(options);
    // With another plan, the lines aren't the same ones.
    const learned = this.learned.get(session);
    const found = learned?.plan === plan ? learned.found : undefined;
    let index = 0;
    for await (const { text, entryId } of exportLines(session, plan, { signal, ...defined({ onProblem }) })) {
      const line = await done(this.redactor.redact(text, found?.[index++] ?? true, entryId, signal));
      yield { ...line, ...defined({ entryId }) };
    }
  }
}

/** Returns a function that counts a line when its work is done, and yields to the event loop between lines. */
function lineCounter({ signal, onLine }: PassOptions): <T>(work: Promise<T>) => Promise<T> {
  const pause = new Yielder(signal);
  return async (work) => {
    const value = await work;
    await pause.yieldIfDue();
    onLine?.();
    return value;
  };
}

/** Number of a plan's lines. */
export const lineCount = ({ entries, addedLines }: ExportPlan): number => 1 + entries.length + addedLines.length;
