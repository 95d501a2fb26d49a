import assert from 'node:assert/strict';
import { race } from '../../race/race';
import { testFolder } from '../../fixtures/folder';

/** `npm run race` does the same for minutes, and with the real oh-my-pi, too. */
const SEED = 15;
const OPERATIONS = 25;

describe('Two of our processes that are stopped and killed, beside the real pi', function () {
  this.timeout(300_000);
  const folder = testFolder();

  it('lose no line, glue none, and report nothing untrue', async () => {
    const { outcomes, agentLines, damaged } = await race({ folder: folder.path, seed: SEED, operations: OPERATIONS });
    assert.ok(agentLines > 0);
    assert.deepEqual(damaged, []);
    const ended = [...outcomes.values()].flatMap((ends) => [...ends]).reduce((sum, [, count]) => sum + count, 0);
    assert.ok(ended > 0);
    const forced = [...outcomes]
      .filter(([what]) => /^(busy|steady) (label|rename|branch) forced/.test(what))
      .flatMap(([, ends]) => [...ends]);
    assert.deepEqual(
      forced.filter(([end]) => end === 'changed'),
      [],
      'beside a program at work a change that is forced gets in',
    );
  });
});
