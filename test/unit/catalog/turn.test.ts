import assert from 'node:assert/strict';
import { promptExcerpt, readSession, turnOf, type Session, type Turn } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('The turn of a message', () => {
  const folder = testFolder();
  const read = async (builder: SessionBuilder): Promise<Session> => readSession(await folder.write('s.jsonl', builder.text()));
  const turn = async (builder: SessionBuilder, id: string): Promise<Turn> => turnOf(await read(builder), id);
  const write = { path: 'a.ts', content: 'x' };

  it('has the prompt, the session, the model and the time', async () => {
    const found = await turn(session().user('First').assistant('ok').user('Make a door').tool('write', write), entryId(4));
    assert.deepEqual(
      { ...found, usage: undefined },
      {
        path: found.path,
        entryId: entryId(4),
        promptId: entryId(3),
        prompt: 'Make a door',
        title: 'First',
        dialect: 'pi',
        model: { provider: 'anthropic', modelId: 'claude-x' },
        time: Date.parse('2026-01-02T10:00:03Z'),
        isActive: true,
        usage: undefined,
      },
    );
  });

  it('costs what its messages cost from the prompt up to the next one', async () => {
    const builder = session().user('a').assistant('1').user('b').tool('write', write).assistant('done').user('c').assistant('2');
    assert.equal((await turn(builder, entryId(4))).usage.cost, 2 * 0.037);
    assert.equal((await turn(builder, entryId(6))).usage.cost, 2 * 0.037);
    assert.equal((await turn(builder, entryId(2))).usage.cost, 0.037);
  });

  it('follows the active branch at a fork, else the newest one', async () => {
    const forked = (): SessionBuilder => {
      const builder = session().user('a').tool('write', write).assistant('first');
      return builder.branchFrom(entryId(3)).assistant('second', { message: { usage: { cost: { total: 5 } } } });
    };
    assert.equal((await turn(forked(), entryId(2))).usage.cost, 5.037);
    assert.equal((await turn(forked().leaf(entryId(4)), entryId(2))).usage.cost, 0.037 + 0.037);
    const left = forked().branchFrom(null).user('anew');
    assert.equal((await turn(left, entryId(2))).usage.cost, 5.037);
    assert.equal((await turn(left, entryId(2))).isActive, false);
  });

  it('has the nearest label that no fork separates from the message', async () => {
    const builder = session().user('a').tool('write', write).assistant('x').user('b').assistant('y');
    builder.branchFrom(entryId(5)).user('other').label(entryId(4), 'here').label(entryId(6), 'not here');
    assert.equal((await turn(builder, entryId(2))).label, 'here');
    assert.equal((await turn(builder, entryId(3))).label, 'here');
    assert.equal((await turn(builder, entryId(7))).label, undefined);
    assert.equal((await turn(builder.label(entryId(1), 'start').label(entryId(4)), entryId(3))).label, 'start');
  });

  it('may have no prompt, model and cost', async () => {
    const found = await turn(session().assistant('x', { message: { provider: 1, usage: null } }), entryId(1));
    assert.deepEqual([found.promptId, found.prompt, found.model, found.usage.cost], [undefined, undefined, undefined, 0]);
    await assert.rejects(turn(session().user('x'), 'other'), { code: 'unknown-entry' });
  });

  it('has an excerpt of the prompt without the wrappers around it', async () => {
    const wrapped = '<skill name="s" location="/x">\nHow\n</skill>\n\nMake\n a door';
    const one = await read(session().user(wrapped).tool('write', write));
    assert.equal(turnOf(one, entryId(2)).prompt, 'Make a door');
    assert.equal(await promptExcerpt(one, turnOf(one, entryId(2))), 'Make\n a door');
    const long = await read(session().user('x'.repeat(5000)).assistant('ok'));
    assert.equal((await promptExcerpt(long, turnOf(long, entryId(2))))?.length, 1500);
    const none = await read(session().assistant('ok'));
    assert.equal(await promptExcerpt(none, turnOf(none, entryId(1))), undefined);
  });
});
