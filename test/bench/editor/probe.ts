// Runs in the extension host in place of tests: answers requests for measurements over a socket, and does nothing else.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance, PerformanceObserver, type IntervalHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';

const EXTENSION = 'pi-session-tree.pi-session-tree';
const VIEW = 'sessionTree.sessions';

/** Milliseconds between two checks of the event loop; the measurements are exact to about this. */
const RESOLUTION = 2;
/** Milliseconds of a frame. */
const FRAME = 16;

interface Question {
  readonly ask: string;
  readonly id?: string;
  /** Arguments of a command. */
  readonly args?: readonly unknown[];
  /** The file to which a profile is written. */
  readonly file?: string;
}

type Code = Record<'activate' | 'deactivate', ((context: unknown) => unknown) | undefined>;

/** Resolves when a request ends it. */
export function run(): Promise<void> {
  const answers = new Answers();
  return new Promise((end) => {
    const server = createServer((request, response) => {
      void (async () => {
        const question = JSON.parse(await bodyOf(request)) as Question;
        const answer = question.ask === 'end' ? {} : await answers.to(question).catch((error: unknown) => ({ error: String(error) }));
        response.end(JSON.stringify(answer));
        if (question.ask === 'end') end();
      })();
    });
    server.listen(process.env['PST_PROBE']);
  });
}

/** Times in milliseconds, sizes in bytes. */
class Answers {
  private delay: IntervalHistogram | undefined;
  private work = new Work();
  /** Number of tree items that the editor has requested. */
  private items = 0;
  /**
   * When the editor first requested the view's rows, and when it was given them: milliseconds since 1970. `work` is this
   * thread's processor time from the activation until then, and `held` the same with waiting, except for a processor.
   * `current`: when they weren't stored ones any more.
   */
  private readonly firstRows = { requested: 0, given: 0, current: 0, work: 0, held: 0 };
  private refresh = new RefreshTimes();
  private activated = moment();
  private profiled: Session | undefined;
  private readonly collect: () => void;

  constructor() {
    setFlagsFromString('--expose-gc');
    this.collect = runInNewContext('gc') as () => void;
    this.watchTrees();
  }

  async to({ ask, id = '', args = [], file = '' }: Question): Promise<object> {
    switch (ask) {
      case 'activate':
        this.activated = moment();
        return activate();
      case 'command':
        await vscode.commands.executeCommand(id, ...args);
        return {};
      case 'startDelay':
        this.delay = monitorEventLoopDelay({ resolution: RESOLUTION });
        this.delay.enable();
        this.work = new Work();
        return {};
      case 'stopDelay':
        this.delay?.disable();
        return { max: (this.delay?.max ?? 0) / 1e6, p99: (this.delay?.percentile(99) ?? 0) / 1e6, ...(await this.work.end()) };
      case 'watchRefresh':
        this.refresh = new RefreshTimes();
        return {};
      case 'refreshTimes':
        return this.refresh;
      case 'firstRows':
        return this.firstRows;
      case 'startProfile':
        this.profiled = new Session();
        this.profiled.connect();
        await this.profiled.post('Profiler.enable');
        await this.profiled.post('Profiler.setSamplingInterval', { interval: 200 });
        await this.profiled.post('Profiler.start');
        return {};
      case 'stopProfile':
        await writeFile(file, JSON.stringify((await this.profiled?.post('Profiler.stop'))?.profile));
        this.profiled?.disconnect();
        return {};
      case 'heap':
        return { used: await this.heap() };
      case 'resources':
        return { heap: await this.heap(), items: this.items, ...resources() };
      default:
        throw new Error(`Unknown request “${ask}”.`);
    }
  }

  /** Counts the tree items, and notes the first rows. The extension isn't active yet, and has the same API object as this module. */
  private watchTrees(): void {
    const make = vscode.window.createTreeView.bind(vscode.window);
    vscode.window.createTreeView = ((id: string, options: vscode.TreeViewOptions<unknown>) => {
      const { treeDataProvider } = options;
      const item = treeDataProvider.getTreeItem.bind(treeDataProvider);
      treeDataProvider.getTreeItem = (element) => {
        this.items++;
        const made = item(element);
        if (id === VIEW) this.refresh.itemGiven();
        return made;
      };
      if (id === VIEW) this.watchFirstRows(treeDataProvider);
      const view = make(id, options);
      if (id === VIEW) treeDataProvider.onDidChangeTreeData?.(() => (this.refresh.told ||= Date.now()));
      return view;
    }) as typeof vscode.window.createTreeView;
  }

  private watchFirstRows(provider: vscode.TreeDataProvider<unknown>): void {
    const { firstRows } = this;
    const children = provider.getChildren.bind(provider);
    provider.getChildren = async (element) => {
      firstRows.requested ||= Date.now();
      if (this.refresh.told > 0) this.refresh.requested ||= Date.now();
      const rows = await children(element);
      if (firstRows.given === 0) {
        const { activated: began } = this;
        const now = moment();
        const held = now.clock - began.clock - (now.queued - began.queued);
        Object.assign(firstRows, { given: Date.now(), work: now.used - began.used, held });
        // The hover of a stored row waits for the session's own row.
        const hover = provider.resolveTreeItem?.(new vscode.TreeItem(''), rows?.[0], new vscode.CancellationTokenSource().token);
        void Promise.resolve(hover).then(() => (firstRows.current = Date.now()));
      }
      return rows;
    };
  }

  /** Returns the used memory after a garbage collection. */
  private async heap(): Promise<number> {
    for (let round = 0; round < 3; round++) {
      this.collect();
      await pause(50);
    }
    return process.memoryUsage().heapUsed;
  }
}

/**
 * Returns the resources of this process, and the number of watched folders and files: its own, those of the editor's
 * server, whose child it is (single folders), and those of the server's other children (folders with everything below
 * them).
 */
function resources(): { rss: number; descriptors: number; handles: number; watches: number; editorWatches: number } {
  const server = String(process.ppid);
  const others = readdirSync('/proc').filter(
    (pid) => pid === server || (/^\d+$/.test(pid) && pid !== String(process.pid) && parentOf(pid) === process.ppid),
  );
  return {
    rss: process.memoryUsage().rss,
    descriptors: readdirSync('/proc/self/fd').length,
    handles: process.getActiveResourcesInfo().length,
    watches: watchesOf('self'),
    editorWatches: others.reduce((sum, pid) => sum + watchesOf(pid), 0),
  };
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** Returns the number of a process's inotify watches. */
function watchesOf(pid: string): number {
  let count = 0;
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${fd}`) === 'anon_inode:inotify')
        count += readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')
          .split('\n')
          .filter((line) => line.startsWith('inotify ')).length;
    } catch {
      // The descriptor was closed in the meantime.
    }
  }
  return count;
}

/** The times of the first refresh since it was made, in milliseconds since 1970; 0 for what hasn't happened. */
class RefreshTimes {
  /** When the editor was told that rows differ. */
  told = 0;
  /** When it first requested the rows below one. */
  requested = 0;
  /** When it was given the last item of these: it takes all of them in one turn. */
  given = 0;
  private isOver = false;

  itemGiven(): void {
    if (this.requested === 0 || this.isOver) return;
    this.given = Date.now();
    setImmediate(() => (this.isOver = true));
  }

  toJSON(): Pick<RefreshTimes, 'told' | 'requested' | 'given'> {
    const { told, requested, given } = this;
    return { told, requested, given };
  }
}

/** Measures the longest task between two turns of the event loop, exact to `RESOLUTION`. */
class Work {
  private last = moment();
  private work = 0;
  private longest = { held: 0, from: 0, to: 0 };
  /** The tasks that took longer than a frame: their ends in microseconds, as in profiles, and their processor time in milliseconds. */
  private readonly long: { readonly to: number; readonly used: number }[] = [];
  private readonly collections: PerformanceEntry[] = [];
  private readonly observer = new PerformanceObserver((list) => this.collections.push(...list.getEntries()));
  private readonly timer = setInterval(() => this.look(), RESOLUTION);

  constructor() {
    this.observer.observe({ entryTypes: ['gc'] });
  }

  /**
   * Returns milliseconds: `work` is the processor's time, `held` also includes waiting, except for waiting for a
   * processor. `collecting` is the part of the latter task in which V8 collected garbage, by the clock.
   */
  async end(): Promise<object> {
    clearInterval(this.timer);
    this.look();
    const { work, long, longest } = this;
    // Collections are reported some turns later.
    await pause(10);
    this.observer.disconnect();
    const collecting = this.collections
      .filter(({ startTime }) => longest.from <= startTime && startTime < longest.to)
      .reduce((sum, { duration }) => sum + duration, 0);
    return { work, held: longest.held, collecting, long };
  }

  private look(): void {
    const now = moment();
    const { last } = this;
    const used = now.used - last.used;
    if (used > FRAME) this.long.push({ to: Number(process.hrtime.bigint() / 1000n), used });
    this.work = Math.max(this.work, used);
    const held = now.clock - last.clock - (now.queued - last.queued);
    if (held > this.longest.held) this.longest = { held, from: last.clock, to: now.clock };
    this.last = now;
  }
}

/** Returns milliseconds of the clock, and of this thread: running on a processor, and waiting for one. */
function moment(): { readonly clock: number; readonly used: number; readonly queued: number } {
  // Only Linux provides this: “time spent waiting on a runqueue”, in nanoseconds. The main thread has the id of the
  // process.
  const queued =
    process.platform === 'linux' ? Number(readFileSync(`/proc/self/task/${String(process.pid)}/schedstat`, 'utf8').split(' ')[1]) / 1e6 : 0;
  return { clock: performance.now(), used: usedByThread(), queued };
}

/** Returns the milliseconds that this thread has had a processor. */
function usedByThread(): number {
  // The editor's Node has this function; the typings of an older one don't.
  const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures the first activation: reading the code, and the function itself; by the clock, and by this thread's processor
 * time. `resolved`: until what the function returned has resolved, by the clock.
 */
async function activate(): Promise<{ clock: number; work: number; resolved: number }> {
  const extension = vscode.extensions.getExtension(EXTENSION);
  if (!extension || extension.isActive) throw new Error('The extension is missing, or was already active.');
  const main = join(extension.extensionPath, 'dist', 'extension.js');
  const load = createRequire(__filename);
  const taken = { clock: 0, work: 0 };
  const began = performance.now();
  const measured = <T>(run: () => T): T => {
    const began = { clock: performance.now(), work: usedByThread() };
    try {
      return run();
    } finally {
      taken.clock += performance.now() - began.clock;
      taken.work += usedByThread() - began.work;
    }
  };
  const code = measured(() => load(main) as Code);
  load.cache[load.resolve(main)]!.exports = { ...code, activate: (context: unknown) => measured(() => code.activate?.(context)) };
  await extension.activate();
  return { ...taken, resolved: performance.now() - began };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
