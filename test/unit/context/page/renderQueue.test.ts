import * as assert from 'node:assert/strict';
import { RenderQueue } from '../../../../src/context/page/messages/renderQueue';

/** The browser's own, as far as turns need them: what was asked for runs when the test says so. */
class FakeFrames {
  readonly asked: ('frame' | 'task')[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly before = new Map<string, PropertyDescriptor | undefined>();

  install(): void {
    this.replace('requestAnimationFrame', (run: () => void) => this.ask('frame', run));
    this.replace('scheduler', { postTask: (run: () => void) => this.ask('task', run) });
  }

  restore(): void {
    for (const [name, before] of this.before) {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    }
  }

  /** Runs everything that is asked for, and what that asks for, until nothing is. */
  runAll(): void {
    for (let run = this.waiting.shift(); run; run = this.waiting.shift()) run();
  }

  private ask(kind: 'frame' | 'task', run: () => void): void {
    this.asked.push(kind);
    this.waiting.push(run);
  }

  private replace(name: string, value: unknown): void {
    this.before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

describe('Drawing in turns', () => {
  let frames: FakeFrames;
  beforeEach(() => {
    frames = new FakeFrames();
    frames.install();
  });
  afterEach(() => frames.restore());

  /** Of each article how often it has to be prepared before it can be drawn; an answer is one turn. */
  const made = (toPrepare: Readonly<Record<number, number>> = {}): { turns: RenderQueue; drawn: number[][] } => {
    const left = new Map(Object.entries(toPrepare).map(([index, times]) => [Number(index), times]));
    const drawn: number[][] = [];
    const turns: RenderQueue = new RenderQueue(
      {
        prepare: (index) => {
          const times = left.get(index) ?? 0;
          left.set(index, times - 1);
          return times <= 0;
        },
        draw: () => undefined,
      },
      () => drawn.push(turns.flush([1, 2, 3, 4].filter((index) => turns.isScheduled(index)))),
    );
    for (const index of [1, 2, 3, 4]) turns.schedule(index);
    return { turns, drawn };
  };

  it('draws at once what is quickly drawn, and then asks for nothing', () => {
    const { turns } = made();
    assert.deepEqual(turns.flush([3, 1, 2, 4]), [3, 1, 2, 4]);
    assert.deepEqual(frames.asked, []);
    assert.equal(turns.isScheduled(3), false);
  });

  it('prepares what takes long in turns of its own, and draws it alone', () => {
    const { turns, drawn } = made({ 2: 3 });
    assert.deepEqual(turns.flush([1, 2, 3, 4]), [1]);
    frames.runAll();
    // Twice it is prepared further, then drawn; the rest comes after the next frame.
    assert.deepEqual(drawn, [[], [], [2], [3, 4]]);
    assert.deepEqual(frames.asked, ['frame', 'task', 'task', 'task', 'frame', 'task']);
  });

  it('asks once, however often it is told to go on, and not for what nobody wants any more', () => {
    const { turns, drawn } = made();
    turns.requestFlush(true);
    turns.requestFlush(true);
    for (const index of [1, 2, 4]) turns.remove(index);
    frames.runAll();
    assert.deepEqual(drawn, [[3]]);
    assert.deepEqual(frames.asked, ['frame', 'task']);
    turns.requestFlush(true);
    assert.equal(frames.asked.length, 2);
  });
});
