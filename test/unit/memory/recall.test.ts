import assert from 'node:assert/strict';
import { runPlain, runTools } from '../../bench/memory/run';
import { KINDS } from '../../bench/memory/stories';

describe('Recall over branches', function () {
  this.timeout(120_000);

  it('finds the facts of a generated store, says which branch they are on, and invents nothing', async () => {
    const { verdicts } = await runTools(301, 0.3);
    const wrong = verdicts.filter(({ isRight }) => !isRight).map(({ question, texts }) => `${question.text}\n${texts.join('\n')}`);
    assert.ok(wrong.length <= verdicts.length * 0.05, wrong.join('\n\n'));
    assert.deepEqual(
      verdicts.filter(({ isDead, isInvented }) => isDead || isInvented).map(({ question }) => question.text),
      [],
    );
    assert.ok(Math.max(...verdicts.map(({ tokens }) => tokens)) <= 1000);
    assert.ok(Math.max(...verdicts.map(({ calls }) => calls)) <= 2);
    assert.deepEqual(new Set(verdicts.map(({ question }) => question.kind)), new Set(KINDS));
  });

  it('finds more than plain search does', () => {
    for (const how of ['lines', 'list'] as const) {
      const { verdicts } = runPlain(301, how, 0.3);
      assert.ok(verdicts.filter(({ isRight }) => isRight).length < verdicts.length * 0.9, how);
    }
  });
});
