/** A session's part in a change: what was asked, tried and checked, from its entries without their secrets. */
import { Yielder } from '../../files/concurrency/eventLoop';
import { readBodies } from '../../files/read/sessionFile';
import type { SessionFinding } from '../../files/export/batch/batchExport';
import { titleText } from '../../files/export/exportContent';
import type { Redaction } from '../../files/redact/redaction';
import { systemStamp } from '../../files/write/systemStamp';
import { DigestCollector } from '../../format/branches/digestCollector';
import { newestTipBelow, newestTipPlace } from '../../format/branches/newestBranches';
import { NO_PARENT } from '../../format/columns/headSource';
import type { Entry } from '../../format/entry/entry';
import { textOf } from '../../format/entry/message';
import { modelName } from '../../format/entry/usage';
import { ChildPlaces } from '../../format/linking/childIndex';
import { headsOf } from '../../format/linking/headsById';
import { isCheckCommand } from '../../format/review/checkCommands';
import type { StorySession } from '../../format/review/storyMarkdown';
import type { Session } from '../../format/session/session';
import type { Steps } from '../../format/session/steps';
import { isOnPath, pathMarks, pathPlaces } from '../../format/session/treeTraversal';
import { planExport } from '../../format/write/exportPlan';
import { unwrapUserText } from '../../format/text/wrappers/userText';
import { turnOf } from '../origins/turn';

/** Branches of a session that are named, and checks. */
const [MAX_LEFT, MAX_CHECKS] = [30, 50];
/** Entries and bytes after the first one that wrote a line, in which commands are looked for; and the largest entry that is read. */
const [MAX_ENTRIES, MAX_BYTES, MAX_ENTRY] = [2000, 48 * 1024 * 1024, 4 * 1024 * 1024];
/** Entries in memory at a time. */
const CHUNK = 100;

/** Reads the entries of a session without their secrets, and without those that are left out. */
export class CleanEntries {
  private readonly found = new Map<string, SessionFinding>();

  constructor(
    private readonly session: Session,
    private readonly redaction: Redaction | undefined,
    private readonly leaveOut: ReadonlySet<string>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** The findings in what was read, each place once. Results of tools aren't told. */
  get findings(): Iterable<SessionFinding> {
    return this.found.values();
  }

  async read(ids: readonly string[]): Promise<Entry[]> {
    const entries: Entry[] = [];
    const wanted = ids.filter((id) => !this.leaveOut.has(id));
    for (const entry of await readBodies(this.session, wanted, this.signal)) {
      const isResult = this.session.byId.get(entry.id)?.role === 'toolResult';
      entries.push(await this.clean(entry, entry.id, isResult));
    }
    return entries;
  }

  async text(text: string): Promise<string> {
    return (await this.clean({ text })).text;
  }

  /** Returns the title, which isn't cut before its secrets are replaced. */
  async title(): Promise<string> {
    const turn = new Yielder(this.signal);
    const plan = await turn.run(planExport(this.session, { leaveOut: this.leaveOut }, systemStamp()));
    return this.text(await titleText(this.session, plan, turn, this.signal));
  }

  private async clean<T extends object>(value: T, id?: string, isResult = false): Promise<T> {
    if (!this.redaction) return value;
    const { text, findings } = await this.redaction.redactLine(JSON.stringify(value), id, this.signal);
    const { path } = this.session;
    if (!isResult) for (const one of findings) this.found.set(JSON.stringify([id, one.field, one.key]), { ...one, path });
    // Redaction replaces parts of strings alone.
    return JSON.parse(text) as T;
  }
}

/**
 * Returns a session's part.
 *
 * @param writers ids of the messages that wrote lines, in file order
 */
export async function storySession(
  session: Session,
  writers: readonly string[],
  entries: CleanEntries,
  signal?: AbortSignal,
): Promise<StorySession> {
  const turns = writers.map((id) => turnOf(session, id));
  const byPrompt = new Map(turns.map((turn) => [turn.promptId, turn]));
  const prompts = await promptTexts(
    session,
    [...byPrompt.keys()].filter((id) => id !== undefined),
    entries,
  );
  const turn = new Yielder(signal);
  const tips = new Set<string>();
  for (const id of writers) {
    const { leafId } = session;
    tips.add(leafId !== null && isOnPath(session, leafId, id) ? leafId : await turn.run(newestTipBelow(session, id)));
  }
  const left = await turn.run(leftPrompts(session, [...tips]));
  return {
    title: await entries.title(),
    prompts,
    left: (await promptTexts(session, left, entries)).map(({ text }) => text),
    checks: await checksOf(session, writers, [...tips], entries),
    models: await Promise.all(modelsOf(session, writers).map((model) => entries.text(model))),
    cost: [...byPrompt.values()].reduce((sum, { usage }) => sum + usage.cost, 0),
  };
}

async function promptTexts(session: Session, ids: readonly string[], entries: CleanEntries): Promise<{ id: string; text: string }[]> {
  const found: { id: string; text: string }[] = [];
  const readable = ids.filter((id) => (session.byId.get(id)?.length ?? Infinity) <= MAX_ENTRY);
  for (let at = 0; at < readable.length; at += CHUNK)
    for (const entry of await entries.read(readable.slice(at, at + CHUNK)))
      if (entry.type === 'message' && 'content' in entry.message)
        found.push({ id: entry.id, text: unwrapUserText(textOf(entry.message.content, '\n')).text });
  return found;
}

/** The first prompts of the branches that begin at forks of the given ones, and that the session doesn't go on with. */
function* leftPrompts(session: Session, tips: readonly string[]): Steps<string[]> {
  const heads = headsOf(session);
  const children = new ChildPlaces(heads);
  yield;
  const kept = pathMarks(heads, session.leafId);
  for (const tip of tips) for (const place of pathPlaces(heads, tip)) kept[place] = 1;
  yield;
  const found: string[] = [];
  for (let place = 0; place < heads.length && found.length < MAX_LEFT; place++) {
    if (kept[place] !== 1 || !children.isFork(place)) continue;
    for (const child of children.at(place)) {
      if (kept[child] === 1) continue;
      const tip = yield* newestTipPlace(heads, children, child);
      const prompt =
        tip === NO_PARENT ? undefined : pathPlaces(heads, heads.idAt(tip)).find((one) => one >= child && isPrompt(heads.traitsAt(one)));
      if (prompt !== undefined && found.length < MAX_LEFT) found.push(heads.idAt(prompt));
    }
  }
  return found;
}

const isPrompt = ({ role, hasText }: { readonly role?: string | undefined; readonly hasText?: boolean | undefined }): boolean =>
  role === 'user' && hasText === true;

/** The last run of each command that checks something, since the first line was written. */
async function checksOf(
  session: Session,
  writers: readonly string[],
  tips: readonly string[],
  entries: CleanEntries,
): Promise<StorySession['checks']> {
  const heads = headsOf(session);
  const first = Math.min(...writers.slice(0, 1).map((id) => heads.placeOf(id) ?? 0));
  const places = [...new Set(tips.flatMap((tip) => pathPlaces(heads, tip)))].sort((a, b) => a - b).filter((place) => place >= first);
  const collector = new DigestCollector();
  let bytes = 0;
  const wanted: string[] = [];
  for (let at = places.length - 1; at >= 0 && wanted.length < MAX_ENTRIES; at--) {
    const place = places[at] ?? 0;
    const length = heads.lengthAt(place);
    if (heads.traitsAt(place).type !== 'message' || length > MAX_ENTRY) continue;
    if ((bytes += length) > MAX_BYTES) break;
    wanted.push(heads.idAt(place));
  }
  wanted.reverse();
  for (let at = 0; at < wanted.length; at += CHUNK)
    for (const entry of await entries.read(wanted.slice(at, at + CHUNK))) collector.add(entry);
  const last = new Map<string, boolean>();
  for (const { command, failed } of collector.commands) {
    if (!isCheckCommand(command)) continue;
    last.delete(command);
    last.set(command, failed);
  }
  return [...last].slice(-MAX_CHECKS).map(([command, failed]) => ({ command, failed }));
}

function modelsOf(session: Session, writers: readonly string[]): string[] {
  const names = writers.flatMap((id) => {
    const head = session.byId.get(id);
    return head?.model ? [modelName({ ...head.model, modelId: head.responseModel ?? head.model.modelId })] : [];
  });
  return [...new Set(names)];
}
