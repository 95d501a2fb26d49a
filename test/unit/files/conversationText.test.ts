import assert from 'node:assert/strict';
import { conversationText, lastMessages, pathTo, readSession, SecretFilter, type Entry } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

const unchanged = (entries: readonly Entry[]): Promise<readonly Entry[]> => Promise.resolve(entries);

describe('A conversation as text for a model', () => {
  const folder = testFolder();
  const textOf = async (built: ReturnType<typeof session>, redact = unchanged) => {
    const read = await readSession(await folder.write('s.jsonl', built.text()));
    return conversationText(read, pathTo(read, read.leafId), { redact });
  };

  it('has each message under its role, in order, without labels and other marks', async () => {
    const built = session().user('Zähle Größen 🦄').tool('bash', { command: 'npm test' }).assistant('Fertig.').label('x', 'here');
    const { messages, omitted } = await textOf(built);
    assert.equal(omitted, 0);
    const text = messages.map((message) => message.text).join('\n');
    assert.match(text, /^\[user\]\nZähle Größen 🦄\n\[assistant\]\n\[call bash\] \{"command":"npm test"\}/u);
    assert.match(text, /\[assistant\]\nFertig\.$/);
    assert.equal(messages[0]?.tokens, Math.ceil(Buffer.byteLength('[user]\nZähle Größen 🦄') / 4));
  });

  it('keeps the beginning and the end of a long message, and cuts no character', async () => {
    const { messages } = await textOf(session().user(`start ${'🦄'.repeat(5000)} end`));
    const [text = ''] = messages.map((message) => message.text);
    assert.ok(text.length < 6100, String(text.length));
    assert.equal(Buffer.from(text).toString(), text);
    assert.match(text, /^\[user\]\nstart .*\n\[… \d+ characters left out …\]\n.* end$/u);
  });

  it('omits what comes before the last 600 KB, and counts it', async () => {
    const built = session();
    for (let n = 0; n < 300; n++) built.user(`${String(n)} ${'x'.repeat(5000)}`);
    const { messages, omitted } = await textOf(built);
    assert.equal(messages.length + omitted, 300);
    assert.ok(messages.length >= 115 && messages.length <= 120, String(messages.length));
    assert.match(messages.at(-1)?.text ?? '', /^\[user\]\n299 /);
  });

  it('has placeholders for secrets', async () => {
    const secrets = await SecretFilter.create();
    const secret = ['ghp', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5'].join('_');
    const { messages } = await textOf(session().user(`token ${secret}`), (entries) => secrets.entries(entries));
    assert.ok(!messages[0]?.text.includes(secret));
    assert.match(messages[0]?.text ?? '', /^\[user\]\ntoken \S/);
  });

  it('fits the end into a number of tokens', () => {
    const messages = [10, 20, 30].map((tokens) => ({ text: String(tokens), tokens }));
    assert.deepEqual(lastMessages({ messages, omitted: 2 }, 50), { messages: messages.slice(1), omitted: 3, tokens: 50 });
    assert.deepEqual(lastMessages({ messages, omitted: 0 }, 29), { messages: [], omitted: 3, tokens: 0 });
  });
});
