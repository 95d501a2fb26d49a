/** The lines of one export, and its facts that are known once all lines were read. */
import type { ModelWindows } from '../../format/context/contextWindow';
import { windowsOf } from '../../format/context/modelWindows';
import type { EntryHead } from '../../format/entry/entryHead';
import { asString, isObject, type JsonObject } from '../../format/values/jsonValues';
import { textOf } from '../../format/entry/message';
import { formatMessage, type Problem } from '../../format/entry/problem';
import { isWrapperRow, MAX_CONTENT_LENGTH } from '../../format/entry/rowText';
import { FACTS_KEY } from '../../format/redact/fieldKind';
import { withoutImageMetadata } from '../../format/redact/imageMetadata';
import type { Finding } from '../../format/redact/redactor';
import { firstWords, sessionTitle } from '../../format/session/sessionTitle';
import { EntrySet } from '../../format/session/entrySet';
import { makeHeads } from '../../format/session/read/makeHeads';
import type { Session } from '../../format/session/session';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import { pathPlaces } from '../../format/session/treeTraversal';
import { headsOf } from '../../format/linking/headsById';
import { beginning } from '../../format/text/characters';
import { excerpt } from '../../format/text/excerpt';
import { unwrapUserText } from '../../format/text/wrappers/userText';
import { planExport, type ExportPlan, type ExportRequest } from '../../format/write/exportPlan';
import { Yielder } from '../concurrency/eventLoop';
import { readBodies } from '../read/sessionFile';
import { systemStamp } from '../write/systemStamp';
import { blobEmbedder } from './embedBlobs';
import type { ExportHead, ExportSource } from './exportFormat';
import { FORMAT_FACTS, type ExportStyle } from './exportFormats';
import type { ExportLine } from './exportLines';

/** True for findings in the facts of an export, which repeat texts of the session. */
export const isInFacts = ({ field }: Finding): boolean => field.startsWith(`${FACTS_KEY}.`);

/** UTF-16 units of a message in which its title is. */
const TITLE_SOURCE = 64 * 1024;

/** Number of findings that are returned, so that memory is bounded. Beyond it they are replaced all the same. */
const MAX_FINDINGS = 100_000;

/** Problems of lines that are missing in an export. */
const MISSING = new Set([
  'bad-line',
  'damaged-line',
  'torn-line',
  'long-line',
  'before-header',
  'duplicate-id',
  'unsupported-event',
  'damaged-event',
]);

/**
 * Plans an export with facts about it in its first line, so that they're redacted with the lines.
 *
 * @throws {SessionError} `unknown-entry`; `changed` if the file was rewritten since it was read.
 * @throws the signal's reason if aborted.
 */
export async function planTitledExport(session: Session, request: ExportRequest, signal: AbortSignal | undefined): Promise<ExportPlan> {
  const turn = new Yielder(signal);
  const plan = await turn.run(planExport(session, request, systemStamp()));
  await turn.yieldIfDue();
  const facts = { title: await titleText(session, plan, turn, signal), leafId: plan.leafId };
  return { ...plan, header: { ...plan.header, [FACTS_KEY]: facts } };
}

/** Returns the text of which the title is the beginning: a part of a secret isn't recognized, so nothing is cut before the redaction. */
export async function titleText(session: Session, plan: ExportPlan, turn: Yielder, signal: AbortSignal | undefined): Promise<string> {
  const path = await turn.run(pathOf(session, plan));
  const title = sessionTitle(plan.name, firstWords(path));
  const first = path.find(({ role, hasText, text }) => role === 'user' && hasText && !isWrapperRow(text));
  const isCut = first !== undefined && first.text.length >= MAX_CONTENT_LENGTH && title === sessionTitle(undefined, firstWords([first]));
  // The last word of a name may have been cut by the program.
  if (!isCut) return title.replace(/\S*…$/, '…');
  const [entry] = await readBodies(session, [first.id], signal);
  const { text } = unwrapUserText(entry?.type === 'message' ? textOf(entry.message['content']) : '');
  return text.length <= TITLE_SOURCE ? text : withoutLastWord(beginning(text, TITLE_SOURCE));
}

/** White space, and characters of languages without spaces, in which each ends a word. */
const WORD_END = /[\s\u0e00-\u0e7f\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/;

/** Returns a text without a last word that may have been cut; an ellipsis if it's one word. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !WORD_END.test(text.charAt(end - 1))) end--;
  return end === 0 ? '…' : beginning(text, end);
}

/** Returns the entries of the path to the leaf that are in the export. */
function* pathOf(session: Session, { entries, leafId }: ExportPlan): Steps<readonly EntryHead[]> {
  const heads = headsOf(session);
  const kept = new EntrySet(heads);
  for (const [index, { head }] of entries.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const place = heads.placeOf(head.id);
    if (place !== undefined) kept.add(place);
  }
  const path = pathPlaces(heads, leafId).filter((place) => kept.hasPlace(place));
  yield;
  return yield* makeHeads(heads, path);
}

/** Reads the lines of a plan; lines that can't be read are reported. */
export type ReadLines = (onProblem: (problem: Problem) => void) => AsyncIterable<ExportLine & { readonly findings?: readonly Finding[] }>;

export class ExportContent implements ExportSource {
  readonly redacted: Finding[] = [];
  readonly problems: Problem[];
  /** Known when the first line was read. */
  head: ExportHead = { title: '', cwd: '', timestamp: '' };
  leafId: string | null = null;

  constructor(
    readonly session: Session,
    private readonly plan: ExportPlan,
    private readonly read: ReadLines,
    private readonly isRedacted: boolean,
    readonly style: ExportStyle,
  ) {
    this.problems = session.problems.filter(({ code }) => MISSING.has(code));
  }

  get windows(): ModelWindows {
    return windowsOf(this.plan.entries.flatMap(({ head }) => head.model ?? []));
  }

  note(): string | undefined {
    const count = this.problems.length;
    const { translate = formatMessage } = this.style;
    return count === 0 ? undefined : translate('{count} lines of the session couldn’t be read, and are missing here.', { count });
  }

  async *lines(): AsyncGenerator<string, void> {
    const { change, format, withoutFileImages = false, signal } = this.style;
    const turn = new Yielder(signal);
    const embed = FORMAT_FACTS[format].hasFileImages && !withoutFileImages ? blobEmbedder(this.session.path, signal) : undefined;
    let isFirst = true;
    for await (const { text, findings = [] } of this.read((problem) => void this.problems.push(problem))) {
      signal?.throwIfAborted();
      for (const finding of findings)
        if (!finding.kept && !isInFacts(finding) && this.redacted.length < MAX_FINDINGS) this.redacted.push(finding);
      if (isFirst) yield this.takeHead(text);
      else {
        const whole = embed ? await embed(text) : text;
        const bare = this.isRedacted ? await turn.run(withoutImageMetadata(whole)) : whole;
        yield change ? await turn.run(change(bare)) : bare;
      }
      isFirst = false;
    }
  }

  /** Returns the header without the facts. */
  private takeHead(line: string): string {
    // The first line is the header, which is an object.
    const { [FACTS_KEY]: facts, ...header } = JSON.parse(line) as JsonObject;
    const { title, leafId } = isObject(facts) ? facts : {};
    const { cwd, timestamp } = header;
    this.leafId = asString(leafId) ?? null;
    this.head = {
      title: excerpt(sessionTitle(asString(title), {}), MAX_CONTENT_LENGTH).trimEnd(),
      cwd: asString(cwd) ?? '',
      timestamp: asString(timestamp) ?? '',
    };
    return JSON.stringify(header);
  }
}
