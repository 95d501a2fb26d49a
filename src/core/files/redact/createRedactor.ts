/** Creates the redactor of one redaction from plain data, on whichever thread it works. */
import { createHmac } from 'node:crypto';
import { findInColumns } from '../../format/redact/detectors/context/tableColumns';
import { findInContext } from '../../format/redact/detectors/context/contextRules';
import { findLongRandom } from '../../format/redact/detectors/tokens/longRandom';
import { ownWords } from '../../format/redact/detectors/ownWords';
import { personalData, type PersonalKind, type Person } from '../../format/redact/detectors/personalData';
import { findPrivateKeys } from '../../format/redact/detectors/tokens/privateKeys';
import { findTokens } from '../../format/redact/detectors/tokens/tokenRules';
import { Redactor, type RedactedLine, type RedactionChoices } from '../../format/redact/redactor';
import { secretlintDetector } from './secretlintRules';

/** The data that a redactor is made of. */
export interface RedactorData {
  /** Keys of findings are derived with it. */
  readonly salt: Uint8Array;
  readonly person: Person;
  readonly kinds: readonly PersonalKind[];
  readonly words: readonly string[];
}

/** See `Redactor`. Its methods reject with the signal's reason if aborted. */
export interface LineRedactor {
  choose(choices: RedactionChoices): void;
  learn(line: string, signal: AbortSignal | undefined): Promise<boolean>;
  /** Learns lines of which most have nothing to find. */
  learnAll(lines: readonly string[], signal: AbortSignal | undefined): Promise<void>;
  redact(line: string, found: boolean, entryId: string | undefined, signal: AbortSignal | undefined): Promise<RedactedLine>;
  /** Gives up everything that was learned. No method may be called after it. */
  end(): void;
}

export async function createRedactor({ salt, person, kinds, words }: RedactorData): Promise<Redactor> {
  const other = [
    await secretlintDetector(),
    findTokens,
    findPrivateKeys,
    findInContext,
    findInColumns,
    personalData(person, new Set(kinds)),
    ownWords(words),
  ];
  const keyOf = (value: string): string => createHmac('sha256', salt).update(value).digest('base64url');
  return new Redactor({ plain: [...other, findLongRandom], other }, keyOf);
}
