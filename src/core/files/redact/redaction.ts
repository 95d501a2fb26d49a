/**
 * The redaction of one or several sessions. A secret that is recognized in one of them is replaced in all, and the same text has the
 * same placeholder everywhere. Opens no connection.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { defined } from '../../format/entry/defined';
import type { Problem } from '../../format/entry/problem';
import { findInColumns } from '../../format/redact/detectors/tableColumns';
import { findInContext } from '../../format/redact/detectors/contextRules';
import { findLongRandom } from '../../format/redact/detectors/longRandom';
import { ownWords } from '../../format/redact/detectors/ownWords';
import { personalData, PERSONAL_KINDS, type PersonalKind } from '../../format/redact/detectors/personalData';
import { findPrivateKeys } from '../../format/redact/detectors/privateKeys';
import { Redactor, type Finding } from '../../format/redact/redactor';
import { findTokens } from '../../format/redact/detectors/tokenRules';
import type { Session } from '../../format/session/session';
import type { Steps } from '../../format/session/steps';
import type { ExportPlan } from '../../format/write/exportPlan';
import { exportLines, type ExportLine } from '../export/exportLines';
import { Yielder } from '../concurrency/eventLoop';
import { personOf } from './person';
import { secretlintDetector } from './secretlintRules';

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

/** Returns a {@link Finding.key}. */
const keyOf = (value: string): string => createHmac('sha256', SALT).update(value).digest('base64url');

export class Redaction {
  /** For each session that was learned, its plan, and for each line whether a rule found something. */
  private readonly learned = new Map<Session, { readonly plan: ExportPlan; readonly found: boolean[] }>();

  private constructor(private readonly redactor: Redactor) {}

  /** @param sessions the data of the people in these sessions is replaced in all of them. */
  static async of(sessions: readonly Session[], { words = [], ...kinds }: RedactionRules = {}): Promise<Redaction> {
    const personal = new Set(PERSONAL_KINDS.filter((kind) => kinds[kind] !== false));
    const other = [
      await secretlintDetector(),
      findTokens,
      findPrivateKeys,
      findInContext,
      findInColumns,
      personalData(personOf(sessions.map(({ header }) => header)), personal),
      ownWords(words),
    ];
    return new Redaction(new Redactor({ plain: [...other, findLongRandom], other }, keyOf));
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
    const run = runner(options);
    const found: boolean[] = [];
    for await (const { text } of exportLines(session, plan, { signal: options.signal })) found.push(await run(this.redactor.learn(text)));
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

  /** Collects the findings in one line, such as an entry's, for the lines that are redacted from now on. */
  async learnLine(line: string, signal?: AbortSignal): Promise<void> {
    await runner({ signal })(this.redactor.learn(line));
  }

  /** Returns one line in redacted form. */
  async redactLine(line: string, signal?: AbortSignal): Promise<string> {
    return (await runner({ signal })(this.redactor.redact(line, true))).text;
  }

  private async member(name: 'id' | 'text', value: string): Promise<string> {
    const { text } = await runner({})(this.redactor.redact(JSON.stringify({ [name]: value }), true));
    // The line is an object with this member.
    return (JSON.parse(text) as Record<typeof name, string>)[name];
  }

  /** Returns a plan's lines in redacted form. @throws as `exportLines` */
  async *lines(session: Session, plan: ExportPlan, options: PassOptions): AsyncGenerator<RedactedExportLine, void> {
    const { signal, onProblem } = options;
    const run = runner(options);
    // With another plan, the lines aren't the same ones.
    const learned = this.learned.get(session);
    const found = learned?.plan === plan ? learned.found : undefined;
    let index = 0;
    for await (const { text, entryId } of exportLines(session, plan, { signal, ...defined({ onProblem }) })) {
      const line = await run(this.redactor.redact(text, found?.[index++] ?? true, entryId));
      yield { ...line, ...defined({ entryId }) };
    }
  }
}

/** Returns a function that runs the steps of a line, and yields to the event loop between them. */
function runner({ signal, onLine }: PassOptions): <T>(steps: Steps<T>) => Promise<T> {
  const pause = new Yielder(signal);
  return async (steps) => {
    const value = await pause.run(steps);
    await pause.yieldIfDue();
    onLine?.();
    return value;
  };
}

/** Number of a plan's lines. */
export const lineCount = ({ entries, addedLines }: ExportPlan): number => 1 + entries.length + addedLines.length;
