import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  addPrompt,
  changeComments,
  claimSession,
  newGroupId,
  readComments,
  takePrompt,
  waitingPrompts,
  type KeptComment,
} from '../../../src/core/index';
import { testFolder } from '../../fixtures/folder';

describe('The comments of reviews', () => {
  const folder = testFolder();
  const comment = (fields: Partial<KeptComment> = {}): KeptComment => ({
    id: newGroupId(),
    file: join(folder.path, 'größe.ts'),
    from: 1,
    to: 2,
    lines: 'a\nb',
    text: '文字 ``` $(x) [a](command:b)',
    isResolved: false,
    ...fields,
  });
  const stored = (): string => join(folder.path, readdirSync(folder.path).find((name) => name.endsWith('.json')) ?? '');

  it('are kept for each repository, and changed by one window at a time', async () => {
    const own = comment({ sent: [{ path: '/s.jsonl', entryId: 'e', how: 'resume', at: 1, lines: 'a' }] });
    await Promise.all(Array.from({ length: 10 }, () => changeComments(folder.path, '/repo', (all) => [...all, comment()])));
    await changeComments(folder.path, '/repo', (all) => [...all, own]);
    const kept = await readComments(folder.path, '/repo');
    assert.deepEqual([kept.length, kept.at(-1)], [11, own]);
    assert.deepEqual(await readComments(folder.path, '/other'), []);
  });

  it('are left out if their values are impossible', async () => {
    const good = comment();
    await changeComments(folder.path, '/repo', () => [good]);
    const bad = [
      null,
      { ...good, id: '../../x' },
      { ...good, file: 'relative' },
      { ...good, from: 0 },
      { ...good, to: 0 },
      { ...good, from: 1.5 },
      { ...good, text: 1 },
      { ...good, sent: [{ path: '/x', entryId: 'e', how: 'shell', at: 1, lines: '' }] },
      { ...good, answer: { path: 'x' } },
    ];
    writeFileSync(stored(), JSON.stringify({ repository: '/repo', comments: [...bad, good] }));
    assert.deepEqual(await readComments(folder.path, '/repo'), [good]);
    for (const text of [
      '',
      '{',
      '[]',
      JSON.stringify({ repository: '/other', comments: [good] }),
      JSON.stringify({ repository: '/repo', comments: {} }),
    ]) {
      writeFileSync(stored(), text);
      assert.deepEqual(await readComments(folder.path, '/repo'), [], text);
    }
  });

  it('are refused if there are too many, and the others stay', async () => {
    await changeComments(folder.path, '/repo', () => [comment()]);
    const many = Array.from({ length: 20 }, () => comment({ text: 'x'.repeat(100_000) }));
    await assert.rejects(
      changeComments(folder.path, '/repo', () => many),
      { code: 'invalid' },
    );
    assert.equal((await readComments(folder.path, '/repo')).length, 1);
  });
});

describe('Prompts that wait', () => {
  const folder = testFolder();
  const prompt = { path: '/s.jsonl', entryId: 'e', text: 'Why?' };

  it('are taken by one of all windows', async () => {
    const { id } = await addPrompt(folder.path, prompt);
    const [waiting] = await waitingPrompts(folder.path);
    assert.deepEqual([waiting?.id, waiting?.text], [id, 'Why?']);
    const taken = await Promise.all(Array.from({ length: 5 }, () => takePrompt(folder.path, id)));
    assert.equal(taken.filter(Boolean).length, 1);
    assert.deepEqual(await waitingPrompts(folder.path), []);
  });

  it('are left out if their values are impossible, and there are none without a folder', async () => {
    assert.deepEqual(await waitingPrompts(join(folder.path, 'none')), []);
    const { id } = await addPrompt(folder.path, prompt);
    for (const bad of [{ ...prompt }, { ...prompt, id, at: 1, path: 'x' }, { ...prompt, id: 'other', at: 1 }, 'x']) {
      writeFileSync(join(folder.path, `${id}.prompt`), JSON.stringify(bad));
      assert.deepEqual(await waitingPrompts(folder.path), []);
    }
  });

  it('start one program for a session, in one of all windows, until that may show', async () => {
    const now = Date.now();
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimSession(folder.path, '/s.jsonl', now)));
    assert.equal(claims.filter(Boolean).length, 1);
    assert.equal(await claimSession(folder.path, '/other.jsonl', now), true);
    assert.equal(await claimSession(folder.path, '/s.jsonl', now + 60_000), true);
  });

  it('hold a claim for a while before and after its time, so that a clock that is set back claims nothing for ever', async () => {
    const now = Date.now();
    const claim = (path: string, after: number): Promise<boolean> => claimSession(folder.path, path, now + after);
    for (const [after, isClaimed] of [
      [-20_000, true],
      [-19_999, false],
      [-1, false],
      [0, false],
      [19_999, false],
      [20_000, true],
    ] as const) {
      const path = `/from ${after}.jsonl`;
      assert.equal(await claim(path, 0), true);
      assert.equal(await claim(path, after), isClaimed, path);
    }
  });

  it('start one program in one of all windows by the time of each, too', async () => {
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimSession(folder.path, '/own time.jsonl')));
    assert.equal(claims.filter(Boolean).length, 1);
  });
});
