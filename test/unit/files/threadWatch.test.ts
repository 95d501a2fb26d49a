import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { Pulse } from '../../../src/core/files/concurrency/pulse';
import { ThreadWatch } from '../../../src/core/files/concurrency/threadWatch';

describe('The watch over threads', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  /** Watches a thread that begins with a file. `pass` lets seconds pass in which the process gets a share of a processor. */
  function watched(): { readonly stuck: string[]; readonly pulse: Pulse; readonly pass: (seconds: number, share: number) => void } {
    const stuck: string[] = [];
    let busy = 0;
    const watch = new ThreadWatch(
      { interval: 1000, stuck: 10_000 },
      (path) => stuck.push(path),
      () => busy,
    );
    const pulse = new Pulse();
    watch.add(new EventEmitter() as Worker, pulse);
    pulse.begin('/a.jsonl');
    const pass = (seconds: number, share: number): void => {
      for (let second = 0; second < seconds && stuck.length === 0; second++) {
        busy += 1000 * share;
        mock.timers.tick(1000);
      }
    };
    pass(1, 1);
    return { stuck, pulse, pass };
  }

  it('leaves out a file after ten seconds of work without progress', () => {
    const { stuck, pass } = watched();
    pass(9, 1);
    assert.deepEqual(stuck, []);
    pass(1, 1);
    assert.deepEqual(stuck, ['/a.jsonl']);
  });

  it('lets a thread go on that gets no processor for most of a minute', () => {
    const { stuck, pulse, pass } = watched();
    pass(50, 0.1);
    pulse.step();
    pass(50, 0.1);
    assert.deepEqual(stuck, []);
  });

  it('leaves out a file after a minute for which its thread only waits', () => {
    const { stuck, pass } = watched();
    pass(59, 0);
    assert.deepEqual(stuck, []);
    pass(1, 0);
    assert.deepEqual(stuck, ['/a.jsonl']);
  });

  it('doesn’t count the work of other threads as more time than has passed', () => {
    const { stuck, pass } = watched();
    pass(9, 8);
    assert.deepEqual(stuck, []);
  });
});
