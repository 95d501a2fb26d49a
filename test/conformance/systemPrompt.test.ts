/**
 * pi's own replay of system messages, asked at every entry of generated sessions: the checkpoint that it writes into a
 * compaction is the whole state there.
 */
import assert from 'node:assert/strict';
import { contextPlan, readBodies, replaySystemMessage, systemPromptEntries } from '../../src/core/index';
import { entryId, session, type Fields, type SessionBuilder } from '../fixtures/build';
import { testFolder } from '../fixtures/folder';
import { dice, type Dice } from '../fixtures/random';
import { compareContexts, readBoth } from './compareWithPi';
import type { PiSession } from './pi';

const SESSIONS = 60;
const NAMES = ['preamble', 'rules', 'docs', '10', 'constructor'];
const TOOLS = ['read', 'bash', 'edit'];

const some = (random: Dice, names: readonly string[]): string[] => names.filter(() => random.once(2));
const tools = (random: Dice): Fields[] =>
  some(random, TOOLS).map((name) => ({ name, description: `${name} ${String(random.below(9))}`, parameters: { type: 'object' } }));

function systemMessage(random: Dice): Fields {
  const texts = ['text', `text ${String(random.below(9))}`, null];
  return {
    role: 'system',
    content: random.one(['', 'more', [{ type: 'text', text: 'a block' }]]),
    ...(random.once(4) ? {} : { sections: Object.fromEntries(some(random, NAMES).map((name) => [name, random.one(texts)])) }),
    ...(random.once(3) ? {} : { toolsAdded: tools(random) }),
    ...(random.once(3) ? { toolsRemoved: some(random, TOOLS).map((name) => ({ name })) } : {}),
  };
}

function generate(random: Dice): SessionBuilder {
  const built = session().message(systemMessage(random));
  const length = 4 + random.below(20);
  for (let count = 1; count < length; count++) {
    const before = entryId(1 + random.below(count));
    if (random.once(8)) built.branchFrom(before);
    const step = random.below(10);
    if (step < 5) built.message(systemMessage(random));
    else if (step < 8) built.user(`question ${String(count)}`);
    else if (step === 8)
      built.compaction('summary', before, random.once(2) ? { systemMessage: { ...systemMessage(random), timestamp: 5 } } : {});
    else built.contextEdit(before, null);
  }
  return built;
}

type Compacting = PiSession & { appendCompaction(summary: string, firstKeptEntryId: string | undefined, tokensBefore: number): string };

describe('pi replays system messages as we do', function () {
  this.timeout(60_000);
  const folder = testFolder();

  it('at every entry, and sends the same messages', async () => {
    let states = 0;
    for (let seed = 0; seed < SESSIONS; seed++) {
      const both = await readBoth(folder.path, generate(dice(seed)).text());
      await compareContexts(both);
      const theirs = both.theirs as Compacting;
      for (const { id } of both.ours.entries) {
        theirs.branch(id);
        theirs.appendCompaction('asked', id, 0);
        const { systemMessage } = theirs.getEntries().at(-1) as { systemMessage?: Fields };
        const ours = replaySystemMessage(await readBodies(both.ours, systemPromptEntries(contextPlan(both.ours, id))));
        assert.deepEqual(withoutTime(ours), withoutTime(systemMessage), `seed ${String(seed)}, entry ${id}`);
        if (systemMessage) states++;
      }
    }
    assert.ok(states > 300, String(states));
  });
});

const withoutTime = (message: Fields | undefined): Fields | undefined => message && { ...message, timestamp: 0 };
