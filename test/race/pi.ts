/**
 * The real pi in the race: `node pi.js <session> <log> <seed> <pause>`. It appends what an agent does, and says which
 * entries it was told are written. `pause`: the longest time between two turns, in milliseconds; 0 is as fast as it can.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { loadPiManager } from '../conformance/piManager';
import { numbers } from '../fixtures/random';

const [path = '', log = '', seed = '0', pause = '0'] = process.argv.slice(2);
const next = numbers(Number(seed));

void (async () => {
  const manager = (await loadPiManager()).open(path);
  let count = 0;
  const stop = new AbortController();
  process.stdin.once('data', () => stop.abort());
  while (!stop.signal.aborted) {
    // A turn: what was asked, the answer with its tool calls, their results.
    for (const role of ['user', 'assistant', 'toolResult', 'assistant']) {
      const content = [
        { type: 'text', text: `said ${String(++count)} ${'x'.repeat(Math.floor(next() ** (pause === '0' ? 60 : 4) * 20_000))}` },
      ];
      const message =
        role === 'assistant'
          ? { role, content, provider: 'p', model: 'm', stopReason: 'stop', usage: {}, timestamp: count }
          : { role, content, timestamp: count, toolCallId: 'c', toolName: 'bash' };
      const id = manager.appendMessage(message);
      appendFileSync(log, `${id}\n`);
      // Between the lines of a turn the model thinks and tools work.
      await wait(Number(pause) === 0 ? 0 : next() * Number(pause));
    }
  }
  process.exit();
})();
