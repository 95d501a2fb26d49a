/** Renders a whole session as Markdown for GitHub: the active branch, then what each other one adds after its fork point. */
import { contextPlan } from '../../format/context/contextPlan';
import type { EntryHead } from '../../format/entry/entryHead';
import { formatMessage, type TranslateMessage } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { tips } from '../../format/session/treeTraversal';
import { inlineCode, inlineText } from '../../format/text/markdownText';
import { groupEntries, sectionOptions, sections } from './sections';
import { facts } from './sessionMarkdown';

/** Options of {@link branchesToMarkdown}. */
export interface BranchesMarkdownOptions {
  /** A note below the head, such as what is missing. */
  readonly note?: string;
  /** Translates the document's own texts; English by default. */
  readonly translate?: TranslateMessage;
}

/**
 * Returns the document's parts, between which an empty line belongs. Unlike `sessionToMarkdown`, nothing is left out because
 * of the document's size.
 *
 * @throws {SessionError} `changed` if the file has changed since it was read.
 */
export async function* branchesToMarkdown(
  session: Session,
  { note, translate = formatMessage }: BranchesMarkdownOptions = {},
): AsyncGenerator<string, void> {
  const plan = contextPlan(session);
  const groups = groupEntries(plan.path);
  const options = { ...sectionOptions(session, plan, groups, translate), isFolded: true };
  yield facts(session, plan, options);
  if (note !== undefined) yield `> ${inlineText(note)}`;
  yield* sections(session, groups, options);
  const shown = new Set(plan.path.map(({ id }) => id));
  for (const tip of tips(session)) {
    const branch = newEntries(session, tip, shown);
    const others = groupEntries(branch);
    const [first] = branch;
    if (!first || others.length === 0) continue;
    const text = others[0]?.[0].text ?? '';
    yield `---\n\n# ${translate('Branch: {text}', { text: inlineText(text) })}`;
    yield `*${first.parentId === null ? translate('from the beginning', {}) : translate('after {id}', { id: inlineCode(first.parentId) })}*`;
    yield* sections(session, others, { translate, labels: session.labels, isFolded: true });
  }
}

/** Returns the entries down to a tip that weren't shown yet, and marks them as shown. */
function newEntries({ byId }: Session, tip: EntryHead, shown: Set<string>): EntryHead[] {
  const found: EntryHead[] = [];
  for (
    let head: EntryHead | undefined = tip;
    head && !shown.has(head.id);
    head = head.parentId === null ? undefined : byId.get(head.parentId)
  ) {
    shown.add(head.id);
    found.push(head);
  }
  return found.reverse();
}
