/** The message that oh-my-pi leaves at a checkpoint to which it went back. The entries in between are a branch, whose outcome is the report. FORMAT section 2. */
import { asString, isObject } from '../values/jsonValues';
import { textOf } from './message';

const HEADING = 'Report:\n';

/** The fields of an entry or a message that may be such a message. */
interface RewindSource {
  readonly customType?: unknown;
  readonly content?: unknown;
  readonly details?: unknown;
}

/** True if the type of a message is that of the report of a rewind. */
export const isRewind = ({ customType }: Pick<RewindSource, 'customType'>): boolean => customType === 'rewind-report';

/** Returns the report of a rewind; `undefined` if the message isn't one. */
export function rewindReport(source: RewindSource): string | undefined {
  if (!isRewind(source)) return undefined;
  const { content, details } = source;
  const report = isObject(details) ? (asString(details['report']) ?? '') : '';
  if (/\S/.test(report)) return report;
  const text = textOf(content, '\n');
  const heading = `\n${text}`.indexOf(`\n${HEADING}`);
  return heading < 0 ? text : text.slice(heading + HEADING.length);
}

/** Returns the report if the content, which the model gets, doesn't have it. */
export function reportBesideContent(source: RewindSource): string | undefined {
  const report = rewindReport(source);
  return report === undefined || textOf(source.content, '\n').includes(report.trim()) ? undefined : report;
}
