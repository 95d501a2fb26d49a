/** Changes that wait until nobody else has their session: what is known of them, and writing them when their time has come. */
import * as vscode from 'vscode';
import { rootOf, type Root, type SubmitOptions, type PendingChange, type DeferrableChange, type Writer, type Writes } from '../core/index';

export interface PendingChangeListOptions {
  readonly writes: () => Promise<Writes>;
  readonly presence: Writer['presence'];
  readonly roots: () => readonly Root[];
  /** What waits for these sessions is other than it was. */
  readonly onChange: (paths: readonly string[]) => void;
  /** Lines were written into these sessions; resolves when the rows are current. */
  readonly onWritten: (paths: readonly string[]) => Promise<void>;
}

export interface SettledChanges {
  readonly written: readonly PendingChange[];
  /** Those that are not written any more; each says why. */
  readonly stuck: readonly PendingChange[];
}

/** Whether anything waits, for the palette. */
const HAS_PENDING_KEY = 'sessionTree.waits';

export class PendingChangeList implements vscode.Disposable {
  private known: ReadonlyMap<string, readonly PendingChange[]> = new Map();
  private readonly settled = new vscode.EventEmitter<SettledChanges>();
  readonly onSettled = this.settled.event;

  constructor(private readonly deps: PendingChangeListOptions) {}

  /** As of the last look. */
  forSession(path: string): readonly PendingChange[] {
    return this.known.get(path) ?? [];
  }

  isEmpty(): boolean {
    return this.known.size === 0;
  }

  /** @throws {SessionError} as `Queue.enqueue`, and `permission` where the storage can't be used. */
  async add(path: string, change: DeferrableChange): Promise<PendingChange> {
    const { queue } = await this.deps.writes();
    const waiting = await queue.enqueue(path, change, this.options(path));
    await this.refresh();
    return waiting;
  }

  /** Whether it was there to be dropped. */
  async drop(id: string): Promise<boolean> {
    const { queue } = await this.deps.writes();
    const dropped = await queue.drop(id);
    await this.refresh();
    return dropped;
  }

  /** Other windows let changes wait too, and write them. */
  async refresh(): Promise<void> {
    const writes = await this.deps.writes().catch(() => undefined);
    if (!writes) return;
    const now = new Map<string, PendingChange[]>();
    for (const item of await writes.queue.list()) now.set(item.path, [...(now.get(item.path) ?? []), item]);
    const before = this.known;
    this.known = now;
    if ((before.size > 0) !== now.size > 0) void vscode.commands.executeCommand('setContext', HAS_PENDING_KEY, now.size > 0);
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter((path) => JSON.stringify(before.get(path)) !== JSON.stringify(now.get(path)));
    if (changed.length > 0) this.deps.onChange(changed);
  }

  /** Writes what waits for sessions that nobody has now. */
  async settle(): Promise<void> {
    await this.refresh();
    const paths = [...this.known].flatMap(([path, items]) => (items.some(({ stuck }) => !stuck) ? [path] : []));
    if (paths.length === 0) return;
    const { queue, writer } = await this.deps.writes();
    // Looked at before anything is read: a large session that is busy for hours is not read again and again.
    const free = [...(await this.deps.presence(paths))].flatMap(([path, { state }]) => (state === 'free' ? [path] : []));
    const written: PendingChange[] = [];
    const stuck: PendingChange[] = [];
    for (const path of free) {
      const before = new Set(this.forSession(path).filter((item) => item.stuck).map(({ id }) => id));
      const done = await queue.settle(path, writer, this.options(path));
      written.push(...done.written.map(({ item }) => item));
      stuck.push(...done.waiting.filter((item) => item.stuck && !before.has(item.id)));
    }
    await this.refresh();
    if (written.length > 0) await this.deps.onWritten([...new Set(written.map(({ path }) => path))]);
    if (written.length + stuck.length > 0) this.settled.fire({ written, stuck });
  }

  dispose(): void {
    this.settled.dispose();
  }

  private options(path: string): Pick<SubmitOptions, 'dialect'> {
    const root = rootOf(path, this.deps.roots());
    return root ? { dialect: root.dialect } : {};
  }
}
