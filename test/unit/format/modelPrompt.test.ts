import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buildSessionContext, readSession, SessionManager, sessionToMarkdown, toLlmText } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase } from '../../fixtures/openclawDatabase';

describe('Prompts of OpenClaw that the model got in other words', () => {
  const test = testCatalog();
  const folder = testFolder();
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const projection = (text: unknown, version = 1): unknown => ({ __openclaw: { modelPromptProjection: { version, text } } });
  const message = (content: unknown, more: unknown): { readonly message: unknown } => ({
    message: Object.assign({ role: 'user', content }, more),
  });
  const built = session()
    .user('', message('Was steht im Hafen?', projection('```\nhook\n```\n\nWas steht im Hafen?\n\n<b>after</b>')))
    .assistant('Ein Kran.')
    .user('', message([image, { type: 'text', text: 'Und hier?' }, { type: 'text', text: 'Noch etwas.' }], projection('enriched')))
    .user('', message([image], projection('late')))
    .user('', message('newer', projection('another form', 2)))
    .user('', message('odd', projection(7)));

  it('are what contexts have, beside the images', async () => {
    const path = await folder.write('a.jsonl', built.text());
    const read = await readSession(path, { dialect: 'openclaw' });
    const { messages } = await buildSessionContext(read);
    assert.deepEqual(
      messages.filter(({ role }) => role === 'user').map((one) => ('content' in one ? one.content : undefined)),
      [
        '```\nhook\n```\n\nWas steht im Hafen?\n\n<b>after</b>',
        [image, { type: 'text', text: 'enriched' }, { type: 'text', text: 'Noch etwas.' }],
        [{ type: 'text', text: 'late' }, image],
        'newer',
        'odd',
      ],
    );
    assert.match(toLlmText(messages), /^\[user\]\n```\nhook/);
    assert.deepEqual((await SessionManager.open(path)).buildSessionContext().messages, messages);
  });

  it('are beside what was said in Markdown, as code', async () => {
    const read = await readSession(await folder.write('a.jsonl', built.text()), { dialect: 'openclaw' });
    const markdown = await sessionToMarkdown(read, { entryId: entryId(1) });
    assert.ok(markdown.includes('> Was steht im Hafen?\n\n**Prompt as sent to the model**\n\n````\n```\nhook\n```\n'), markdown);
  });

  it('don’t make titles, which are what was said', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    addSession(database, { id: 'one', lines: built.lines() });
    database.close();
    const catalog = await test.open({}, { roots: [{ path, dialect: 'openclaw', flat: true }] });
    const [row] = await catalog.sessions();
    assert.deepEqual([row?.title, row?.firstMessage], ['Was steht im Hafen?', 'Was steht im Hafen?']);
  });
});
