/** Redacts the lines of a session's export, and lists what would be redacted. */
import type { Problem } from '../../format/entry/problem';
import type { Finding } from '../../format/redact/redactor';
import type { Session } from '../../format/session/session';
import { planExport, type ExportPlan } from '../../format/write/exportPlan';
import { Yielder } from '../concurrency/eventLoop';
import { systemStamp } from '../write/systemStamp';
import { lineCount, Redaction, type RedactedExportLine, type RedactionRules, type ReviewChoices } from './redaction';

/** Selects the kinds of data that are redacted. Secrets always are. */
export interface RedactOptions extends RedactionRules, ReviewChoices {}

/** Options of {@link findSecrets}. */
export interface FindSecretsOptions extends RedactOptions {
  /** The branch that ends at this entry. */
  readonly entryId?: string;
  /** By default all branches, or with `entryId` that branch. */
  readonly branches?: 'active' | 'all';
  readonly signal?: AbortSignal;
  /** Is called with the lines that were read, and their number in both passes. */
  readonly onProgress?: (done: number, total: number) => void;
  /**
   * Is called when all lines are known, with a function that replaces secrets in a short text: those of the lines, those that the text
   * shows by itself, and what may be one.
   */
  readonly onLearned?: (redact: (text: string) => Promise<string>) => Promise<void>;
}

/**
 * Finds secrets and personal data in all strings of a session's lines: the findings that an export replaces, and the
 * `uncertain` ones. Reads the lines twice, so that a secret that is recognized at one place is found at all others.
 * Opens no connection.
 *
 * @throws {SessionError} `unknown-entry`; `changed` if the file was rewritten since it was read.
 * @throws the signal's reason if aborted.
 */
export async function* findSecrets(session: Session, options: FindSecretsOptions = {}): AsyncGenerator<Finding, void> {
  const plan = await new Yielder(options.signal).run(planExport(session, options, systemStamp()));
  const turn = new Yielder(options.signal);
  for await (const { findings } of redactedLines(session, plan, options))
    for (const finding of findings) {
      yield finding;
      // The consumers of these don't yield.
      await turn.yieldIfDue();
    }
}

interface RedactedLinesOptions extends RedactOptions, Pick<FindSecretsOptions, 'signal' | 'onProgress' | 'onLearned'> {
  readonly onProblem?: (problem: Problem) => void;
  /** The plan with all entries, including the ones that are left out: a secret in them counts, too. */
  readonly wholePlan?: ExportPlan;
}

/** Returns a plan's lines in redacted form, with the findings in each. */
export async function* redactedLines(
  session: Session,
  plan: ExportPlan,
  { signal, onProgress, onProblem, onLearned, wholePlan = plan, ...options }: RedactedLinesOptions,
): AsyncGenerator<RedactedExportLine, void> {
  const redaction = await Redaction.of([session], options);
  try {
    const total = lineCount(wholePlan) + lineCount(plan);
    let done = 0;
    const onLine = (): void => onProgress?.(++done, total);
    await redaction.learn(session, wholePlan, { signal, onLine });
    redaction.choose({ also: true });
    await onLearned?.((text) => redaction.text(text));
    redaction.choose(options);
    yield* redaction.lines(session, plan, { signal, onLine, onProblem });
  } finally {
    redaction.end();
  }
}
