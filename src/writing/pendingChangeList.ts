/** Pending changes, as the rows show them, and writing them once no other program has their session. */
import * as vscode from 'vscode';
import { rootOf, type Root, type SubmitOptions, type PendingChange, type DeferrableChange, type Writer, type Writes } from '../core/index';

interface PendingChangeListOptions {
  readonly writes: () => Promise<Writes>;
  readonly presence: Writer['presence'];
  readonly roots: () => readonly Root[];
  /** Called when the pending changes of these sessions changed. */
  readonly onChange: (paths: readonly string[]) => void;
  /** Called when these sessions were written to; resolves when the rows are current. */
  readonly onWritten: (paths: readonly string[]) => Promise<void>;
}

export interface SettledChanges {
  readonly written: readonly PendingChange[];
  /** Changes that can't be written any more; each has the reason. */
  readonly stuck: readonly PendingChange[];
}

/** The context key for the palette: true while any change is pending. */
const HAS_PENDING_KEY = 'sessionTree.waits';

export class PendingChangeList implements vscode.Disposable {
  private known: ReadonlyMap<string, readonly PendingChange[]> = new Map();
  private readonly settled = new vscode.EventEmitter<SettledChanges>();
  readonly onSettled = this.settled.event;

  constructor(private readonly deps: PendingChangeListOptions) {}

  /** Returns a session's pending changes, as of the last refresh. */
  forSession(path: string): readonly PendingChange[] {
    return this.known.get(path) ?? [];
  }

  isEmpty(): boolean {
    return this.known.size === 0;
  }

  /** Queues a change. @throws {SessionError} as `PendingChanges.enqueue`; `permission` if the storage can't be used. */
  async add(path: string, change: DeferrableChange): Promise<PendingChange> {
    const { queue } = await this.deps.writes();
    const pending = await queue.enqueue(path, change, this.options(path));
    await this.refresh();
    return pending;
  }

  /** Removes a change. Resolves to false if there is none with this id. */
  async drop(id: string): Promise<boolean> {
    const { queue } = await this.deps.writes();
    const dropped = await queue.drop(id);
    await this.refresh();
    return dropped;
  }

  /** Reads the queue again; other windows add, write and drop changes, too. */
  async refresh(): Promise<void> {
    const writes = await this.deps.writes().catch(() => undefined);
    if (!writes) return;
    const now = new Map<string, PendingChange[]>();
    for (const item of await writes.queue.list()) now.set(item.path, [...(now.get(item.path) ?? []), item]);
    const before = this.known;
    this.known = now;
    if (before.size > 0 !== now.size > 0) void vscode.commands.executeCommand('setContext', HAS_PENDING_KEY, now.size > 0);
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (path) => JSON.stringify(before.get(path)) !== JSON.stringify(now.get(path)),
    );
    if (changed.length > 0) this.deps.onChange(changed);
  }

  /** Writes the pending changes of sessions that no other program has. */
  async settle(): Promise<void> {
    await this.refresh();
    const paths = [...this.known].flatMap(([path, items]) => (items.some(({ stuck }) => !stuck) ? [path] : []));
    if (paths.length === 0) return;
    const { queue, writer } = await this.deps.writes();
    // Checked before any session is read, so that a large session that is busy for hours isn't read repeatedly.
    const free = [...(await this.deps.presence(paths))].flatMap(([path, { state }]) => (state === 'free' ? [path] : []));
    const written: PendingChange[] = [];
    const stuck: PendingChange[] = [];
    for (const path of free) {
      const before = new Set(
        this.forSession(path)
          .filter((item) => item.stuck)
          .map(({ id }) => id),
      );
      const done = await queue.settle(path, writer, this.options(path));
      for (const { item } of done.written) written.push(item);
      for (const item of done.waiting) if (item.stuck && !before.has(item.id)) stuck.push(item);
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
