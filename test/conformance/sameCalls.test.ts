/** Applies the same calls to pi's manager and to ours, in memory. Both must arrive at the same entries, tree, labels and contexts. */
import assert from 'node:assert/strict';
import { SessionManager } from '../../src/core/index';
import { dice } from '../fixtures/random';
import { someCall } from './randomCalls';
import { loadPiManager, type PiManager, type PiManagers } from './piManager';

const RUNS = 150;

/** Returns a manager's state, with ids replaced by positions and without times. */
function plainState(manager: SessionManager | PiManager): unknown {
  const entries = manager.getEntries() as readonly { id: string }[];
  const places = new Map(entries.map(({ id }, place) => [id, `#${String(place)}`]));
  const plain = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, part: unknown) => {
        if (part !== undefined && (key === 'timestamp' || key === 'labelTimestamp'))
          return typeof part === 'number' && part < 10 ? part : 'now';
        if (typeof part !== 'string') return part;
        return places.get(part) ?? (/^[0-9a-f]{8}$/.test(part) ? 'an entry of the session before' : part);
      }),
    );
  const { messages, model, thinkingLevel } = manager.buildSessionContext();
  return plain({
    entries,
    leaf: manager.getLeafId(),
    tree: manager.getTree(),
    branch: manager.getBranch().map(({ id }) => id),
    labels: entries.map(({ id }) => manager.getLabel(id)),
    children: entries.map(({ id }) => manager.getChildren(id).map((child) => child.id)),
    name: manager.getSessionName(),
    context: { messages, model, thinkingLevel },
  });
}

describe("pi's manager and ours, given the same calls", function () {
  this.timeout(60_000);
  let pi: PiManagers;
  before(async () => {
    pi = await loadPiManager();
  });

  for (let from = 0; from < RUNS; from += 50) {
    it(`come to the same: seeds ${String(from)} to ${String(from + 49)}`, async () => {
      for (let seed = from; seed < from + 50; seed++) {
        const managers = [SessionManager.inMemory('/work/demo'), pi.inMemory('/work/demo')] as const;
        const random = dice(seed);
        const steps = 5 + random.below(30);
        for (let step = 0; step < steps; step++) {
          const choice = random.below(2 ** 31);
          for (const manager of managers) {
            const { length } = manager.getEntries();
            // The first call appends a message, because the others need an entry to refer to.
            if (length === 0) await manager.appendMessage({ role: 'user', content: 'first', timestamp: 1 });
            else await someCall(dice(choice), length)(manager, (place) => manager.getEntries()[place]!.id);
          }
          assert.deepEqual(plainState(managers[0]), plainState(managers[1]), `seed ${String(seed)}, step ${String(step)}`);
        }
      }
    });
  }
});
