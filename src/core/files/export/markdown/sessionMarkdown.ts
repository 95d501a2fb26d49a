/** Renders a branch of a session as one Markdown document. */
import { branchForks } from '../../../format/branches/attempts';
import type { ContextPlan } from '../../../format/context/contextPlan';
import { modelName } from '../../../format/entry/usage';
import { defined } from '../../../format/values/defined';
import { DIALECT_FACTS } from '../../../format/entry/dialect';
import type { EntryHead } from '../../../format/entry/entryHead';
import { additionalDirectories } from '../../../format/entry/header';
import { titleOrNothing } from '../../../format/session/sessionTitle';
import type { SectionOptions } from '../../../format/context/markdown/markdownSection';
import { inlineCode, inlineText } from '../../../format/text/markdown/markdownText';
import { formatMessage, type TranslateMessage } from '../../../format/entry/problem';
import type { Session } from '../../../format/session/session';
import { Yielder } from '../../concurrency/eventLoop';
import { planSections } from './sectionPlan';
import { sectionsToMarkdown } from './sections';

/** Options for rendering a session as Markdown. */
export interface MarkdownOptions {
  /** Renders the branch that ends at this entry; by default the active branch. */
  readonly entryId?: string;
  /**
   * Upper limit of the document's size in bytes. Beyond it, whole sections are left out in the middle. 1 MB by default.
   */
  readonly maxBytes?: number;
  /** Translates the document's own texts; English by default. */
  readonly translate?: TranslateMessage;
  readonly signal?: AbortSignal;
}

/** Default limit of a document's size, in bytes. */
export const DEFAULT_MAX_BYTES = 1024 * 1024;

/**
 * Renders a branch as Markdown: a title, the facts, and each entry in order. Session content never becomes a heading,
 * HTML or an image of the document. FORMAT section 2.
 *
 * @throws {SessionError} `unknown-entry`; `changed` if the file has changed since it was read.
 * @throws the signal's reason if aborted.
 */
export async function sessionToMarkdown(
  session: Session,
  { entryId, maxBytes = DEFAULT_MAX_BYTES, translate = formatMessage, signal }: MarkdownOptions = {},
): Promise<string> {
  const turn = new Yielder(signal);
  const { plan, places, groups, options: given } = await turn.run(planSections(session, { ...defined({ entryId }), translate }));
  const options = { ...given, forks: await turn.run(branchForks(session, places)) };
  return sectionsToMarkdown(session, { top: facts(session, plan, options), groups, maxBytes, options, signal });
}

/** Returns the head of a session's document. */
export function facts(session: Session, { leafId, path, settings }: ContextPlan, { translate }: SectionOptions): string {
  const { header } = session;
  const started = Date.parse(header.timestamp);
  const rows: [string, string][] = [
    [translate('Program', {}), DIALECT_FACTS[session.dialect].label],
    [translate('Folder', {}), inlineCode(header.cwd)],
    [translate('Additional Folders', {}), additionalDirectories(header).map(inlineCode).join(', ')],
    [translate('Started', {}), Number.isNaN(started) ? '' : `${new Date(started).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    [translate('Model', {}), settings.model ? inlineText(modelName(settings.model)) : ''],
    [translate('Thinking level', {}), inlineText(settings.thinkingLevel)],
    [translate('Session', {}), inlineCode(header.id)],
    [translate('Up to entry', {}), leafId === null || leafId === session.leafId ? '' : inlineCode(leafId)],
  ];
  return documentHead(documentTitle(session, path, translate), rows);
}

/** Title of a document: the session's name, or a text from the first messages on the path. */
export function documentTitle(session: Session, path: readonly EntryHead[], translate: TranslateMessage): string {
  return titleOrNothing(session.name, path) ?? translate('Session {id}', { id: session.header.id });
}

/**
 * Head of a document.
 *
 * @param rows name and Markdown value; rows with an empty value are left out.
 */
export function documentHead(title: string, rows: readonly (readonly [name: string, value: string])[]): string {
  return [`# ${inlineText(title)}`, rows.flatMap(([name, value]) => (value === '' ? [] : [`- ${name}: ${value}`])).join('\n')].join('\n\n');
}
