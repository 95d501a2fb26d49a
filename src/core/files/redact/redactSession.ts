/** Redacts the lines of an export, and lists what would be redacted. */
import { createHmac, randomBytes } from 'node:crypto';
import { findPrivateKeys } from '../../format/redact/privateKeys';
import { findInContext } from '../../format/redact/contextRules';
import { findLongRandom } from '../../format/redact/longRandom';
import { ownWords } from '../../format/redact/ownWords';
import { personalData, PERSONAL_KINDS, type PersonalKind } from '../../format/redact/personalData';
import { Redactor, type Finding } from '../../format/redact/redactor';
import { findTokens } from '../../format/redact/tokenRules';
import type { Session } from '../../format/session/session';
import { planExport, type ExportPlan } from '../../format/write/exportPlan';
import type { Problem } from '../../format/entry/problem';
import { Yielder } from '../io/eventLoop';
import { exportLines, type ExportLine } from '../export/exportLines';
import { systemStamp } from '../write/systemStamp';
import { personOf } from './person';
import { secretlintDetector } from './secretlintRules';

/** Selects what is redacted. Secrets always are. */
export interface RedactOptions extends Readonly<Partial<Record<PersonalKind, boolean>>> {
  /** Words of the person's own, which are replaced as well; see `ownWords`. */
  readonly words?: readonly string[];
  /** Keys of findings that stay as they are. */
  readonly keep?: readonly string[];
  /** Keys of uncertain findings that are replaced, too; `true` for all of them. */
  readonly also?: readonly string[] | true;
}

/** Options of {@link findSecrets}. */
export interface FindSecretsOptions extends RedactOptions {
  /** The branch that ends at this entry. */
  readonly entryId?: string;
  /** By default all branches, or with `entryId` that branch. */
  readonly branches?: 'active' | 'all';
  readonly signal?: AbortSignal;
  /** Is called with the lines that were read, and their number in both passes. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Finds secrets and personal data in all strings of a session's lines: what an export replaces, and what is `uncertain`.
 * Reads the lines twice, so that a secret that one place gives away is found in all others. Opens no connection.
 *
 * @throws {SessionError} `unknown-entry`; `changed` if the file was rewritten since it was read.
 * @throws the signal's reason if aborted.
 */
export async function* findSecrets(session: Session, options: FindSecretsOptions = {}): AsyncGenerator<Finding, void> {
  const plan = planExport(session, options, systemStamp());
  for await (const { findings } of redactedLines(session, plan, options)) yield* findings;
}

export interface RedactedExportLine extends ExportLine {
  readonly findings: readonly Finding[];
}

export interface RedactedLinesOptions extends RedactOptions, Pick<FindSecretsOptions, 'signal' | 'onProgress'> {
  readonly onProblem?: (problem: Problem) => void;
  /** The same plan with the entries that are left out: what they give away of a secret counts, too. */
  readonly wholePlan?: ExportPlan;
}

/** Returns a plan's lines without what is redacted, with what was found in each. */
export async function* redactedLines(
  session: Session,
  plan: ExportPlan,
  options: RedactedLinesOptions,
): AsyncGenerator<RedactedExportLine, void> {
  const { signal, onProgress, onProblem, wholePlan = plan } = options;
  const redactor = await redactorFor(session, options);
  const pause = new Yielder(signal);
  const total = linesOf(wholePlan) + linesOf(plan);
  let done = 0;
  const run = async <T>(steps: Generator<undefined, T>): Promise<T> => {
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) await pause.yieldIfDue();
    await pause.yieldIfDue();
    onProgress?.(++done, total);
    return step.value;
  };
  /** For each line, whether a rule found something. With another plan, the lines aren't the same ones. */
  const found: boolean[] = [];
  for await (const { text } of exportLines(session, wholePlan, { signal })) found.push(await run(redactor.learn(text)));
  let index = 0;
  for await (const { text, entryId } of exportLines(session, plan, { signal, ...(onProblem ? { onProblem } : {}) })) {
    const line = await run(redactor.redact(text, wholePlan !== plan || found[index++] === true, entryId));
    yield { ...line, ...(entryId === undefined ? {} : { entryId }) };
  }
}

const linesOf = ({ entries, addedLines }: ExportPlan): number => 1 + entries.length + addedLines.length;

const SALT = randomBytes(32);

/** Returns a {@link Finding.key}. */
const keyOf = (value: string): string => createHmac('sha256', SALT).update(value).digest('base64url');

async function redactorFor({ header }: Session, { keep = [], also = [], words = [], ...kinds }: RedactOptions): Promise<Redactor> {
  const personal = new Set(PERSONAL_KINDS.filter((kind) => kinds[kind] !== false));
  const detectors = [
    await secretlintDetector(),
    findTokens,
    findPrivateKeys,
    findInContext,
    personalData(personOf(header), personal),
    ownWords(words),
    findLongRandom,
  ];
  return new Redactor(detectors, keyOf, { keep: new Set(keep), also: also === true ? true : new Set(also) });
}
