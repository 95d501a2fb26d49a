// The real oh-my-pi in the race, under Bun: `bun worker.mjs <package> <session> <log> <seed>`. It opens the session,
// appends, names it, rewrites it completely, closes it, and starts over. It logs the entries that are on the disk.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const [source, path, log, seed, check] = process.argv.slice(2);
const { SessionManager } = await import(`${source}/src/session/session-manager.ts`);

if (check) {
  const manager = await SessionManager.open(path);
  console.log(JSON.stringify({ ids: manager.getEntries().map(({ id }) => id), branch: manager.getBranch().map(({ id }) => id) }));
  await manager.close();
  process.exit();
}

let state = Number(seed) >>> 0;
const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const say = (line) => appendFileSync(log, `${JSON.stringify(line)}\n`);
let ended = false;
process.stdin.on('data', () => (ended = true));
let count = 0;
while (!ended) {
  const manager = await SessionManager.open(path, undefined, undefined, { suppressBreadcrumb: true }).catch((error) =>
    say({ failed: `open: ${error.message}` }),
  );
  if (manager) {
    const pending = [];
    let failed = false;
    manager.onPersistenceError?.((error) => {
      failed = true;
      say({ failed: `persistence: ${error.message}` });
    });
    for (let left = 2 + Math.floor(next() * 8); left > 0 && !failed; left--) {
      try {
        const role = left % 2 === 0 ? 'user' : 'assistant';
        const content = [{ type: 'text', text: `omp said ${++count} ${'y'.repeat(Math.floor(next() * 3000))}` }];
        pending.push(
          manager.appendMessage(
            role === 'user'
              ? { role, content, timestamp: count }
              : {
                  role,
                  content,
                  api: 'a',
                  provider: 'p',
                  model: 'm',
                  stopReason: 'stop',
                  usage: {
                    input: 1,
                    output: 1,
                    cacheRead: 0,
                    cacheWrite: 0,
                    totalTokens: 2,
                    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
                  },
                  timestamp: count,
                },
          ),
        );
        if (next() < 0.3) await manager.rewriteEntries();
        if (next() < 0.2) await manager.setSessionName(`omp ${count}`, 'user');
        await manager.flush();
        if (!failed) say({ ids: pending.splice(0) });
      } catch (error) {
        failed = true;
        say({ failed: error.message });
      }
      await wait(next() * 60);
    }
    await manager.close().catch((error) => say({ failed: `close: ${error.message}` }));
    say({ closed: true });
  }
  await wait(next() * 600);
}
process.exit();
