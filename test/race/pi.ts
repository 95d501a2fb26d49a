/**
 * The real pi in the race: `node pi.js <session> <log> <seed> <pause>`. It appends the messages of an agent, and logs
 * the entries that were reported as written. `pause` is the longest time between two turns in milliseconds; with 0
 * there are no pauses.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { loadPiManager } from '../conformance/piManager';
import { numbers } from '../fixtures/random';

const [path = '', log = '', seed = '0', pause = '0'] = process.argv.slice(2);
const next = numbers(Number(seed));

void (async () => {
  const manager = (await loadPiManager('0.87.1')).open(path);
  let count = 0;
  const stop = new AbortController();
  process.stdin.once('data', () => stop.abort());
  while (!stop.signal.aborted) {
    // A turn: the prompt, the answer with its tool calls, and their results.
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
      // Between the lines of a turn, a real agent waits for the model and for tools.
      await wait(Number(pause) === 0 ? 0 : next() * Number(pause));
    }
  }
  process.exit();
})();
