/** The cost of each session, as the catalog knows it. Queried only while something shows it. */
import { STEP_LENGTH, Yielder, type Catalog, type Steps } from '../core/index';

interface SessionCostsDeps {
  /** Resolves to `undefined` while the search index is cleared: costs don't fill it again. */
  readonly open: () => Promise<Catalog | undefined>;
  /** Called when costs differ from the ones that `get` returned. */
  readonly onChange: (paths: readonly string[]) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** The time between two queries, as a multiple of the time that one takes, and in milliseconds at most. */
const [PAUSE, MAX_PAUSE] = [10, 5000];

export class SessionCosts {
  private costs: ReadonlyMap<string, number> = new Map();
  private familyCosts: ReadonlyMap<string, number> = new Map();
  private isWanted = false;
  private isDue = false;
  private work: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The milliseconds that the last query took. */
  private queryTime = 0;

  constructor(private readonly deps: SessionCostsDeps) {}

  /** Dollars; `undefined` if none are known. */
  get(path: string): number | undefined {
    return this.costs.get(path);
  }

  /** Dollars, of a session with all sessions of subagents below it; `undefined` if none are known. */
  ofFamily(path: string): number | undefined {
    return this.familyCosts.get(path);
  }

  /** Called when costs begin or cease to be shown. */
  want(isWanted: boolean): void {
    if (isWanted && !this.isWanted) this.isDue = true;
    this.isWanted = isWanted;
    this.update();
  }

  /** Called when the catalog has read more. */
  catalogChanged(): void {
    this.isDue = true;
    this.update();
  }

  dispose(): void {
    this.isWanted = false;
    clearTimeout(this.timer);
  }

  private update(): void {
    if (!this.isWanted || !this.isDue || this.work) return;
    this.isDue = false;
    this.queryTime = 0;
    this.work = this.load()
      .catch((error: unknown) => this.deps.onError(error, 'adding up costs'))
      .finally(() => {
        // While sessions grow, the sums take a small part of the time.
        this.timer = setTimeout(
          () => {
            this.work = undefined;
            this.update();
          },
          Math.min(MAX_PAUSE, PAUSE * this.queryTime),
        );
      });
  }

  private async load(): Promise<void> {
    const catalog = await this.deps.open();
    if (!catalog) return;
    const began = performance.now();
    const turn = new Yielder(undefined);
    const own = await turn.run(compareCosts(this.costs, await catalog.usage({ by: 'session', ownForks: false })));
    const families = await turn.run(compareCosts(this.familyCosts, await catalog.usage({ by: 'family' })));
    // Without the time in which the catalog was opened.
    this.queryTime = performance.now() - began;
    this.costs = own.costs;
    this.familyCosts = families.costs;
    const changed = [...new Set([...own.changed, ...families.changed])];
    if (changed.length > 0) this.deps.onChange(changed);
  }
}

/** Returns the costs by path, and the paths whose costs have changed. */
export function* compareCosts(
  before: ReadonlyMap<string, number>,
  sums: readonly { readonly key: string; readonly cost: number }[],
): Steps<{ readonly costs: ReadonlyMap<string, number>; readonly changed: readonly string[] }> {
  const costs = new Map<string, number>();
  const changed: string[] = [];
  for (const [index, { key, cost }] of sums.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    costs.set(key, cost);
    if (before.get(key) !== cost) changed.push(key);
  }
  let walked = 0;
  for (const path of before.keys()) {
    if (walked++ % STEP_LENGTH === 0) yield;
    if (!costs.has(path)) changed.push(path);
  }
  return { costs, changed };
}
