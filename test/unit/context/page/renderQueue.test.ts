import assert from 'node:assert/strict';
import { RenderQueue } from '../../../../src/context/page/messages/renderQueue';

/** Replaces the browser's scheduling functions. Callbacks run when the test calls `runAll`. */
class FakeFrames {
  readonly requested: ('frame' | 'task')[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly before = new Map<string, PropertyDescriptor | undefined>();

  install(): void {
    this.replace('requestAnimationFrame', (run: () => void) => this.request('frame', run));
    // Time stands still, so that only the number of steps decides.
    this.replace('performance', { now: () => 0 });
    this.replace('scheduler', { postTask: (run: () => void) => this.request('task', run) });
  }

  restore(): void {
    for (const [name, before] of this.before) {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    }
  }

  /** Runs all requested callbacks, and those that they request. */
  runAll(): void {
    for (let run = this.waiting.shift(); run; run = this.waiting.shift()) run();
  }

  private request(kind: 'frame' | 'task', run: () => void): void {
    this.requested.push(kind);
    this.waiting.push(run);
  }

  private replace(name: string, value: unknown): void {
    this.before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

describe('RenderQueue', () => {
  let frames: FakeFrames;
  beforeEach(() => {
    frames = new FakeFrames();
    frames.install();
  });
  afterEach(() => frames.restore());

  /**
   * Creates a queue. `toPrepare`: the number of preparation steps of each article. `drawn`: the articles drawn in each
   * task.
   */
  const createQueue = (toPrepare: Readonly<Record<number, number>> = {}): { queue: RenderQueue; drawn: number[][] } => {
    const left = new Map(Object.entries(toPrepare).map(([index, times]) => [Number(index), times]));
    const drawn: number[][] = [];
    const queue: RenderQueue = new RenderQueue(
      {
        prepare: (index) => {
          const times = left.get(index) ?? 0;
          left.set(index, times - 1);
          return times <= 0;
        },
        draw: () => undefined,
      },
      () => drawn.push(queue.flush([1, 2, 3, 4].filter((index) => queue.isScheduled(index)))),
    );
    for (const index of [1, 2, 3, 4]) queue.schedule(index);
    return { queue, drawn };
  };

  it('draws cheap items at once, and requests no task', () => {
    const { queue } = createQueue();
    assert.deepEqual(queue.flush([3, 1, 2, 4]), [3, 1, 2, 4]);
    assert.deepEqual(frames.requested, []);
    assert.equal(queue.isScheduled(3), false);
  });

  it('waits for a frame after it has drawn, except while nothing is on the screen yet', () => {
    const { queue } = createQueue({ 2: 1 });
    assert.deepEqual(queue.flush([1, 2, 3, 4], true), [1]);
    assert.deepEqual(frames.requested, ['task']);
    const { queue: later } = createQueue({ 2: 1 });
    assert.deepEqual(later.flush([1, 2, 3, 4]), [1]);
    assert.deepEqual(frames.requested, ['task', 'frame']);
  });

  it('prepares an expensive item in separate tasks, and draws it alone', () => {
    const { queue, drawn } = createQueue({ 2: 3 });
    assert.deepEqual(queue.flush([1, 2, 3, 4]), [1]);
    frames.runAll();
    // Two steps of preparation, then it is drawn; the rest follows after the next frame.
    assert.deepEqual(drawn, [[], [], [2], [3, 4]]);
    assert.deepEqual(frames.requested, ['frame', 'task', 'task', 'task', 'frame', 'task']);
  });

  it('requests one task at a time, and none for removed items', () => {
    const { queue, drawn } = createQueue();
    queue.requestFlush(true);
    queue.requestFlush(true);
    for (const index of [1, 2, 4]) queue.remove(index);
    frames.runAll();
    assert.deepEqual(drawn, [[3]]);
    assert.deepEqual(frames.requested, ['frame', 'task']);
    queue.requestFlush(true);
    assert.equal(frames.requested.length, 2);
  });
});
