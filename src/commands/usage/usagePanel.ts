/** The page about usage: its webview, its state, and the answers to its messages. */
import * as vscode from 'vscode';
import {
  defined,
  dayName,
  isInRange,
  lengthOf,
  localDayOf,
  rangeAt,
  turnCosts,
  usageReport,
  Yielder,
  type ComparedRange,
  type DayOf,
  type UsageFact,
} from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { usageFrame, type UsageContent } from './usageFrame';
import { overview, OVERVIEW_KEYS, sessionsPage, turnsPage, type PageFacts } from './usagePage';
import { MAX_LONG_ROWS } from './usageTable';
import { nextState, parseUsageMessage, rangeFrom, type UsageMessage, type UsageState } from './usageState';

/** The name of the range in the workspace's state. */
const RANGE = 'usage.range';

/** Facts from the day of a time on, and all of them once they're added up. */
interface PartialFacts {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly whole: Promise<readonly UsageFact[]>;
}

/** Days of the longest range that is shown by day; a longer one is by month. */
const MAX_DAYS = 62;

/**
 * The page isn't shown as Markdown, because loading the editor's extension for that stops all extensions several times as long as
 * adding up does.
 */
export class UsagePanel {
  private panel: vscode.WebviewPanel | undefined;
  private facts: readonly UsageFact[] = [];
  /** Present while `facts` aren't all. */
  private partial: PartialFacts | undefined;
  private state: UsageState;
  /** Ends the work for an earlier state. */
  private work = new AbortController();
  /** The time zone of the days. */
  readonly timeZone: string;
  private readonly dayOf: DayOf;

  constructor(
    private readonly title: string,
    private readonly deps: Pick<CommandDeps, 'catalog' | 'log' | 'session' | 'showEntry' | 'summary' | 'workspaceState'>,
  ) {
    this.state = { chosen: rangeFrom(deps.workspaceState.get(RANGE)) };
    this.timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.dayOf = localDayOf(this.timeZone);
  }

  /** Shows newer usage in a page that is there. */
  async update(facts: readonly UsageFact[]): Promise<void> {
    if (!this.panel) return;
    [this.facts, this.partial] = [facts, undefined];
    await this.send();
  }

  /** Returns the time of the first day that the chosen range needs; `undefined` if it needs all. */
  firstTime(): number | undefined {
    return firstTimeOf(this.compared());
  }

  /** Shows the usage, in the page that is there or a new one. @param partial absent if these are all facts */
  async show(facts: readonly UsageFact[], partial?: PartialFacts): Promise<void> {
    [this.facts, this.partial] = [facts, partial];
    if (!this.panel) {
      const options = { enableFindWidget: true, enableScripts: true, localResourceRoots: [] };
      const panel = vscode.window.createWebviewPanel('sessionTree.usage', this.title, vscode.ViewColumn.Active, options);
      panel.onDidDispose(() => {
        this.work.abort();
        [this.panel, this.facts, this.partial] = [undefined, [], undefined];
      });
      panel.webview.onDidReceiveMessage((message) => this.receive(message));
      // The page says when it's ready, also when it's shown again.
      panel.webview.html = usageFrame(this.title);
      this.panel = panel;
    } else {
      await this.send();
    }
    this.panel.reveal();
  }

  private async receive(received: unknown): Promise<void> {
    const message = parseUsageMessage(received);
    if (!message) return;
    try {
      if (message.type === 'turn') await this.openTurn(message.key);
      else await this.change(message);
    } catch (error) {
      this.deps.log.error(error, 'showing usage');
    }
  }

  private async openTurn(entryId: string): Promise<void> {
    const { session: path } = this.state;
    if (path !== undefined) await this.deps.showEntry({ path, entryId });
  }

  private async change(message: UsageMessage): Promise<void> {
    // A session that isn't in the sums has no page.
    if (message.type === 'session' && !this.facts.some(({ path }) => path === message.key)) return;
    this.state = nextState(this.state, message);
    if (message.type === 'range') await this.deps.workspaceState.update(RANGE, message.chosen);
    const step = message.type === 'group' || message.type === 'session' ? 'into' : message.type === 'back' ? 'back' : undefined;
    await this.send(step);
  }

  private async send(step?: UsageContent['step']): Promise<void> {
    this.work.abort();
    const { signal } = (this.work = new AbortController());
    const { name } = this.state.chosen;
    const compared = this.compared();
    const isOutdated = (): boolean => signal.aborted;
    await this.completeFor(compared);
    if (isOutdated()) return;
    const html = await this.content(compared, new Yielder(signal)).catch((error: unknown) => {
      if (!isOutdated()) throw error;
    });
    if (html === undefined || isOutdated()) return;
    const { from = '', to = '' } = compared.range;
    await this.panel?.webview.postMessage({ html, name, from, to, ...defined({ step }) } satisfies UsageContent);
  }

  private compared(): ComparedRange {
    const { name, custom } = this.state.chosen;
    return rangeAt(name, this.dayOf(Date.now()), custom);
  }

  /** Waits for all facts if a range needs days that aren't there yet. */
  private async completeFor(compared: ComparedRange): Promise<void> {
    const { partial } = this;
    if (!partial || (firstTimeOf(compared) ?? -Infinity) >= partial.since) return;
    const facts = await partial.whole;
    // Others may have come meanwhile.
    if (this.partial === partial) [this.facts, this.partial] = [facts, undefined];
  }

  private async content(compared: ComparedRange, turn: Yielder): Promise<string> {
    const { filter, session, isLong = false } = this.state;
    const { summary, catalog } = this.deps;
    const facts: PageFacts = { compared, timeZone: this.timeZone, isLong, summary, progress: catalog.progress() };
    if (session !== undefined) return turnsPage(session, await this.turns(session, compared, turn), facts);
    if (filter)
      return sessionsPage(
        filter,
        await turn.run(usageReport(this.facts, ['path'], compared, { filters: [filter], limit: MAX_LONG_ROWS })),
        facts,
      );
    const time = this.days(compared) > MAX_DAYS ? 'month' : 'day';
    return overview(await turn.run(usageReport(this.facts, [time, ...OVERVIEW_KEYS], compared, { limit: MAX_LONG_ROWS })), time, facts);
  }

  /** The number of days of a range; of an open one up to the first and last day with usage. */
  private days({ range }: ComparedRange): number {
    let [first, last] = ['', ''];
    for (const { day } of range.from === undefined || range.to === undefined ? this.facts : []) {
      if (day === '' || !isInRange(day, range)) continue;
      if (first === '' || day < first) first = day;
      if (day > last) last = day;
    }
    return lengthOf({ from: first, to: last, ...range }) ?? 0;
  }

  private async turns(path: string, { range }: ComparedRange, turn: Yielder) {
    const { filter } = this.state;
    const isCounted = (time: number, model: string): boolean =>
      isInRange(dayName(this.dayOf(time)), range) && (filter?.by !== 'model' || filter.key === model);
    return turn.run(turnCosts(await this.deps.session(path), isCounted));
  }
}

function firstTimeOf({ range, before }: ComparedRange): number | undefined {
  const { from } = before ?? range;
  return from === undefined ? undefined : Date.parse(from);
}
