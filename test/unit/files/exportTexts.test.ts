import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { embeddedLocalization } from '../../../src/context/page/embedded/embeddedLocalization';
import { localizationBy, setLocalization, textKey } from '../../../src/context/shared/localization';
import { localizedStrings } from '../../../src/context/shared/localizedStrings';
import { exportHtml } from '../../../src/core/files/export/htmlExport';
import type { ExportInfo, Translations } from '../../../src/core/format/export/exportInfo';

/** Bytes that an export in another language has in addition. All translations together are five times as large. */
const MAX_TRANSLATIONS = 24_000;

const read = async <T>(path: string): Promise<T> => JSON.parse(await readFile(resolve(path), 'utf8')) as T;

async function* noLines(): AsyncGenerator<string, void> {}

async function exported(options: Partial<ExportInfo> = {}): Promise<string> {
  let text = '';
  for await (const part of exportHtml(noLines(), { title: '', pageFolder: resolve('dist'), ...options })) text += part;
  return text;
}

describe('Texts of an exported page', () => {
  it('are translated, and no others are embedded', async () => {
    const texts = await read<string[]>('dist/page.texts.json');
    const english = await read<Translations>('l10n/bundle.l10n.json');
    const german = await read<Translations>('l10n/bundle.l10n.de.json');
    assert.ok(texts.length > 200 && texts.length < Object.keys(english).length / 3, `${texts.length}`);
    const html = await exported({ language: 'de', translations: german });
    const [, block = ''] = /id="export-info">(.*)<\/script>/.exec(html) ?? [];
    const { translations = {} } = JSON.parse(block) as ExportInfo;
    const { localize } = embeddedLocalization({ language: 'de', translations });
    for (const key of texts.filter((each) => Object.hasOwn(german, each))) {
      const message = english[key] ?? '';
      assert.equal(localize(message === key ? { message } : { message, comment: key.slice(message.length + 1) }), german[key]);
    }
    assert.deepEqual(
      Object.keys(translations).filter((key) => !texts.includes(key)),
      [],
    );
    const larger = Buffer.byteLength(html) - Buffer.byteLength(await exported());
    assert.ok(larger < MAX_TRANSLATIONS, `${larger} bytes`);
  });

  it('are all in the list: those of every page, and each sentence in its script', async () => {
    const texts = new Set(await read<string[]>('dist/page.texts.json'));
    const english = await read<Translations>('l10n/bundle.l10n.json');
    const asked: string[] = [];
    const { localize } = embeddedLocalization({});
    setLocalization(
      localizationBy('en', (text) => {
        asked.push(textKey(text.message, text.comment));
        return localize(text);
      }),
    );
    localizedStrings();
    setLocalization(embeddedLocalization({}));
    assert.ok(asked.length > 100, `${asked.length}`);
    assert.deepEqual(
      asked.filter((key) => !texts.has(key)),
      [],
    );
    const script = await readFile(resolve('dist/page.js'), 'utf8');
    // A single word may be a value instead of a text.
    const sentences = Object.entries(english).filter(([, message]) => message.includes(' ') && script.includes(JSON.stringify(message)));
    assert.ok(sentences.length > 100, `${sentences.length}`);
    assert.deepEqual(
      sentences.flatMap(([key]) => (texts.has(key) ? [] : key)),
      [],
    );
  });
});
