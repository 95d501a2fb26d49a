/**
 * Renders a whole session as Markdown for GitHub: the active branch, then the entries that each other branch adds after
 * its fork point.
 */
import { branchForks } from '../../../format/branches/attempts';
import { NO_PARENT, type HeadSource } from '../../../format/columns/headSource';
import { contextPlanSteps } from '../../../format/context/contextPlan';
import type { SectionOptions } from '../../../format/context/markdown/markdownSection';
import type { EntryHead } from '../../../format/entry/entryHead';
import { lastOf } from '../../../format/values/lookups';
import { formatMessage, type TranslateMessage } from '../../../format/entry/problem';
import { headsOf } from '../../../format/linking/headsById';
import { makeHeads } from '../../../format/session/read/makeHeads';
import type { Session } from '../../../format/session/session';
import type { Steps } from '../../../format/session/steps';
import { tipPlaces } from '../../../format/session/treeTraversal';
import { inlineCode, inlineText } from '../../../format/text/markdown/markdownText';
import { Yielder } from '../../concurrency/eventLoop';
import { branchIndependentOptions, type EntryGroup, groupEntries, planSections, sectionOptions } from './sectionPlan';
import { renderSections } from './sections';
import { facts } from './sessionMarkdown';

/** Options of {@link branchesToMarkdown}. */
interface BranchesMarkdownOptions {
  /** A note below the head, for example about missing parts. */
  readonly note?: string;
  /** Translates the document's own texts; English by default. */
  readonly translate?: TranslateMessage;
  readonly signal?: AbortSignal;
}

/**
 * Returns the document's parts, between which an empty line belongs. Unlike `sessionToMarkdown`, nothing is left out because
 * of the document's size.
 *
 * @throws {SessionError} `changed` if the file has changed since it was read.
 * @throws the signal's reason if aborted.
 */
export async function* branchesToMarkdown(
  session: Session,
  { note, translate = formatMessage, signal }: BranchesMarkdownOptions = {},
): AsyncGenerator<string, void> {
  const turn = new Yielder(signal);
  const { plan, places, groups, options: given } = await turn.run(planSections(session, { translate }));
  const options = { ...given, forks: await turn.run(branchForks(session, places)), isFolded: true };
  yield facts(session, plan, options);
  if (note !== undefined) yield `> ${inlineText(note)}`;
  yield* renderSections(session, groups, options, signal);
  const heads = headsOf(session);
  const isShown = new Uint8Array(heads.length);
  for (const place of places) isShown[place] = 1;
  for (const tip of await turn.run(tipPlaces(heads))) {
    const branch = await turn.run(makeHeads(heads, newPlaces(heads, tip, isShown)));
    const others = await turn.run(groupEntries(branch));
    const [first] = branch;
    if (!first || others.length === 0) continue;
    const text = others[0]?.[0].text ?? '';
    yield `---\n\n# ${translate('Branch: {text}', { text: inlineText(text) })}`;
    yield `*${first.parentId === null ? translate('from the beginning', {}) : translate('after {id}', { id: inlineCode(first.parentId) })}*`;
    yield* renderSections(
      session,
      others,
      { ...(await turn.run(branchOptions(session, branch, others, translate))), isFolded: true },
      signal,
    );
  }
}

/** Options for the sections of another branch. Its context is only planned if something in it depends on that. */
function* branchOptions(
  session: Session,
  branch: readonly EntryHead[],
  groups: readonly EntryGroup[],
  translate: TranslateMessage,
): Steps<SectionOptions> {
  const needsPlan = branch.some(({ type, parentId }) => type === 'compaction' || parentId === null);
  if (!needsPlan) return branchIndependentOptions(session, translate);
  const { plan } = yield* contextPlanSteps(session, lastOf(branch).id);
  return sectionOptions(session, plan, groups, translate);
}

/** Returns the places of the entries down to a tip that weren't shown yet, and marks them as shown. */
function newPlaces(heads: HeadSource, tip: number, isShown: Uint8Array): number[] {
  const found: number[] = [];
  for (let place = tip; place !== NO_PARENT && isShown[place] === 0; place = heads.parentAt(place)) {
    isShown[place] = 1;
    found.push(place);
  }
  return found.reverse();
}
