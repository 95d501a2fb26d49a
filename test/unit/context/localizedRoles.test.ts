import assert from 'node:assert/strict';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import { localizationBy, setLocalization } from '../../../src/context/shared/localization';
import { ContextOverview } from '../../../src/context/snapshot/contextOverview';
import { buildHeader } from '../../../src/context/snapshot/pageHeader';
import { formatMessage } from '../../../src/core/format/entry/problem';
import { readSession } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { MODEL_WINDOWS } from '../../../src/core/format/context/modelWindows';
import { testFolder } from '../../fixtures/folder';

const GERMAN: Readonly<Record<string, string>> = { user: 'Benutzer', assistant: 'Assistent' };
const localize = (language: string, texts: Readonly<Record<string, string>>): void =>
  setLocalization(
    localizationBy(language, ({ message, args = [] }) =>
      formatMessage(texts[message] ?? message, Object.fromEntries(Object.entries(args))),
    ),
  );

describe('Roles in the context view', () => {
  const folder = testFolder();
  beforeEach(() => localize('de', GERMAN));
  afterEach(() => localize('en', {}));

  it('are in the reader’s language in the header: of the entry that it shows, and of the end of a newer branch', async () => {
    const built = session().user('a').assistant('**b**').user('c').assistant('d').branchFrom(entryId(1));
    const opened = await readSession(await folder.write('s.jsonl', built.custom('x').text()));
    const at = async (id: string): Promise<string> => buildHeader(await readFileContext(opened, id), id).location;
    assert.deepEqual([await at(entryId(1)), await at(entryId(2))], ['At Benutzer: a', 'At Assistent: b']);
    assert.match(buildHeader(await readFileContext(opened), undefined).problems ?? '', /It ends at “Assistent: d”/);
  });

  it('are in the reader’s language in the list of the largest messages', async () => {
    const built = session().user('a question').assistant('an answer');
    const snapshot = await readFileContext(await readSession(await folder.write('s.jsonl', built.text())));
    const overview = new ContextOverview(MODEL_WINDOWS);
    await overview.overview(snapshot, () => true);
    const largest = overview.largest(snapshot.session).map(({ text }) => text);
    assert.deepEqual(largest.sort(), ['Assistent: an answer', 'Benutzer: a question']);
  });
});
