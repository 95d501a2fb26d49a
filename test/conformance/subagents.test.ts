/**
 * pi-subagents 0.67.0 in pi 1.6.0: subagents that run in the foreground, one alone, two together, and one with a copy of the
 * conversation. The extension's code places, names and describes their sessions.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCatalogWith } from '../../src/core/catalog/catalog';
import { callOf, subagentsOf } from '../../src/core/catalog/store/familyLinks';
import { agentOfCall, findRoots, finishSteps } from '../../src/core/index';
import { testFolder } from '../fixtures/folder';
import { callsTool, TOKENS } from './modelStub';
import { runNewestPi } from './newestRun';
import { PI_SUBAGENTS } from './piPackage';

const PAIR = `return await runs.all([
  { key: 'north', agent: 'pilot', task: 'Look north', async: false },
  { key: 'south', agent: 'mate', task: 'Look south', async: false },
]);`;

/** The prompts of the person, and the arguments of the calls that the model answers with. */
const CALLS = [
  ['Send one out.', { agent: 'pilot', task: 'Find the tide', async: false }],
  ['Send two out.', { workflowScript: PAIR, async: false }],
  ['Send one with all of this.', { agent: 'mate', task: 'Go on', context: 'fork', async: false }],
] as const;

describe('pi-subagents 0.67.0', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('writes sessions that are found below their parent, with their agents and calls, and whose answers count once', async () => {
    const agents = join(folder.path, '.pi', 'agent', 'agents');
    await mkdir(agents, { recursive: true });
    for (const name of ['pilot', 'mate'])
      await writeFile(join(agents, `${name}.md`), `---\nname: ${name}\ndescription: Finds the tide\ntools: read\n---\nFind it.\n`);
    const parent = await runNewestPi(
      folder.path,
      CALLS.map(([prompt]) => prompt),
      (message) => {
        const at = CALLS.findIndex(([prompt]) => message.includes(prompt));
        return at < 0 ? { delta: { content: 'At noon.' }, reason: 'stop' } : callsTool('subagent', CALLS[at]![1], `call_${String(at)}`);
      },
      ['--extension', PI_SUBAGENTS],
    );

    const roots = await findRoots({ env: {}, home: folder.path });
    const catalog = await openCatalogWith({ roots, cacheDir: join(folder.path, 'cache') });
    try {
      const { problems } = await catalog.refresh();
      assert.deepEqual(problems, []);
      const started = finishSteps(subagentsOf(catalog.files(), parent));
      const paths = started.map(({ file }) => file.path);
      const rows = await catalog.sessions();
      assert.deepEqual(
        new Map(rows.map(({ path, parentPath }) => [path, parentPath])),
        new Map([[parent, undefined], ...paths.map((path) => [path, parent] as const)]),
      );
      const summaries = started.map(({ file, call }) => [call?.callId, agentOfCall(call, file.path), file.summary.name !== undefined]);
      assert.deepEqual(summaries[0], ['call_0', 'pilot', true]);
      assert.deepEqual(new Set(summaries.slice(1, 3).map(String)), new Set(['call_1,pilot,true', 'call_1,mate,true']));
      assert.deepEqual(summaries.slice(3), [['call_2', 'mate', true]]);
      for (const { file, call } of started) {
        assert.deepEqual(
          call?.sessions?.map((each) => each.file).toSorted(),
          paths.filter((_, at) => started[at]!.call === call).toSorted(),
        );
        assert.deepEqual(finishSteps(callOf(catalog.files(), file.path)), { path: parent, entryId: call.resultId });
      }

      // The parent answers each prompt twice, each subagent once, and the results of the calls tell the subagents' usage.
      const usage = async (by: 'session' | 'family'): Promise<Map<string, number>> =>
        new Map((await catalog.usage({ by })).map(({ key, input }) => [key, input / TOKENS.input]));
      assert.deepEqual(await usage('session'), new Map([[parent, 6], ...paths.map((path) => [path, 1] as const)]));
      assert.equal((await usage('family')).get(parent), 10);
    } finally {
      await catalog.close();
    }
    const artifacts = await readdir(join(parent, '..', 'subagent-artifacts'));
    assert.ok(
      artifacts.some((name) => name.endsWith('.jsonl')),
      'logs, which are no sessions',
    );
  });
});
