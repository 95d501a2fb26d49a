import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import { buildHeader } from '../../../src/context/snapshot/pageHeader';
import { readSession } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase, insert } from '../../fixtures/openclawDatabase';

describe('The header of a context view', () => {
  const folder = testFolder();

  it('has the card that an agent of OpenClaw wrote, in one line, and more of it in the hint', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    for (const id of ['one', 'none']) addSession(database, { id, lines: session().user('hi').lines() });
    const steps = [
      { step: 'Anfang', status: 'completed' },
      { step: 'ende\u202E', status: 'pending' },
    ];
    insert(database, 'session_progress_cards', {
      session_key: 'agent:main:one',
      markdown: `# План\n${'x'.repeat(5000)}`,
      steps_json: JSON.stringify(steps),
      revision: 1,
      created_at: 1,
      updated_at: 1,
    });
    database.close();
    const fieldsOf = async (id: string) =>
      buildHeader(await readFileContext(await readSession(join(path, `${id}.jsonl`))), undefined).fields.filter(
        ({ name }) => name === 'Progress',
      );
    const [field] = await fieldsOf('one');
    assert.match(field!.value, /^План x+…$/);
    assert.deepEqual([field!.value.length, field!.hint!.length], [100, 1000]);
    assert.deepEqual(await fieldsOf('none'), []);
  });
});
