import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import { Turns, untilAborted } from '../../../src/commands/handler/turns';

describe('Works in turns', () => {
  const never = new Promise<never>(() => undefined);
  const canceled = new Error('canceled');

  it('let a caller leave at once while it waits, and begin nothing before their turn', async () => {
    const turns = new Turns();
    const done: string[] = [];
    let end = (): void => undefined;
    const first = turns.take(async () => {
      await new Promise<void>((resolve) => (end = resolve));
      done.push('first');
    });
    const controller = new AbortController();
    const waiting = turns.take(() => Promise.resolve(done.push('canceled')), controller.signal);
    const last = turns.take(() => Promise.resolve(done.push('last')));
    controller.abort(canceled);
    await assert.rejects(waiting, canceled);
    await tick();
    assert.deepEqual(done, []);
    end();
    await Promise.all([first, last]);
    assert.deepEqual(done, ['first', 'last']);
  });

  it('end with a canceled change that never answers', async () => {
    const turns = new Turns();
    const controller = new AbortController();
    const hung = turns.take(() => untilAborted(never, controller.signal), controller.signal);
    const next = turns.take(() => Promise.resolve('next'));
    await tick();
    controller.abort(canceled);
    await assert.rejects(hung, canceled);
    assert.equal(await next, 'next');
    await assert.rejects(
      turns.take(() => assert.fail(), controller.signal),
      canceled,
    );
  });
});
