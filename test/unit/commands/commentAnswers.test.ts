import assert from 'node:assert/strict';
import { readSession, type KeptComment } from '../../../src/core/index';
import { answerTo } from '../../../src/commands/review/commentAnswers';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('Answers to comments', () => {
  const folder = testFolder();
  const started = (): SessionBuilder => session({ cwd: folder.path }).user('Write').assistant('Done.');
  const comment = (path: string, at = 0): KeptComment => ({
    id: 'x',
    file: '/a.ts',
    from: 1,
    to: 1,
    lines: 'a',
    text: 'Why ``` 文字?',
    isResolved: false,
    sent: [{ path, entryId: entryId(2), how: 'resume', at, lines: 'a' }],
  });
  const answer = async (built: SessionBuilder, at?: number): Promise<string | undefined> => {
    const path = await folder.write('s.jsonl', built.text());
    return (await answerTo(comment(path, at), await readSession(path)))?.text;
  };

  it('are what the model said last before the next prompt', async () => {
    assert.equal(await answer(started()), undefined);
    assert.equal(await answer(started().user('1 review comment:\n\nWhy ``` 文字?')), undefined);
    assert.equal(
      await answer(
        started()
          .user('Something else')
          .assistant('Else.')
          .user('Review comment:\n\nWhy ``` 文字?')
          .tool('write', { path: 'a.ts', content: 'b' })
          .assistant('Because.')
          .user('Thanks')
          .assistant('Bye.'),
      ),
      'Because.',
    );
    assert.equal((await answer(started().user('Why ``` 文字?').assistant('x'.repeat(10_000))))?.length, 600);
  });

  it('are none from before the comment was sent, and from sessions without the entry', async () => {
    assert.equal(await answer(started().user('Why ``` 文字?').assistant('Old.'), Date.now() + 1e12), undefined);
    assert.equal(await answer(session({ cwd: folder.path })), undefined);
  });
});
