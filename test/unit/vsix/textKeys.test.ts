import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { withShortKeys, type Translations } from '../../../src/core/index';
import type * as localizations from '../../../src/context/host/editorLocalization';
import type * as translatedTexts from '../../../src/ui/translatedTexts';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

interface Request {
  readonly message: string;
  readonly args?: unknown;
  readonly comment?: string | readonly string[];
}
type Arguments = readonly [text: string | Request, ...args: unknown[]];

const read = (path: string): Translations => JSON.parse(readFileSync(resolve(path), 'utf8')) as Translations;
const english = read('l10n/bundle.l10n.json');
const files = readdirSync(resolve('l10n')).filter((name) => /^bundle\.l10n\..+\.json$/.test(name) && name !== 'bundle.l10n.json');

/** Returns the replacement of `l10n.t` above an editor with a bundle, which looks texts up as the real one does. */
function textsWith(bundle: Translations | undefined) {
  const calls: Arguments[] = [];
  const t = (...args: Arguments): string => {
    calls.push(args);
    const [text] = args;
    const { message, comment = [] } = typeof text === 'string' ? { message: text } : text;
    const key = comment.length > 0 ? `${message}/${[comment].flat().join('')}` : message;
    return bundle?.[key] ?? `not found: ${key}`;
  };
  const { l10n } = loadWithVscode(resolve(__dirname, '../../../src/ui/translatedTexts.js'), {
    l10n: { t, bundle },
  }) as typeof translatedTexts;
  return { l10n, calls };
}

describe('Translations in the package', () => {
  it('are found for every text, with and without short keys', () => {
    assert.equal(files.length, 10);
    for (const file of files) {
      const full = read(`l10n/${file}`);
      for (const bundle of [full, withShortKeys(full)]) {
        const { l10n } = textsWith(bundle);
        for (const key of Object.keys(full)) {
          const message = english[key] ?? assert.fail(key);
          const text = key === message ? l10n.t(key) : l10n.t({ message, comment: key.slice(message.length + 1) });
          assert.equal(text, full[key], `${file}: ${key}`);
          if (key === message) assert.equal(l10n.t({ message, comment: [] }), full[key], `${file}: ${key}, without comments`);
        }
      }
    }
  });

  it('keep full keys where short ones are the same', () => {
    const full = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`Text ${index}`, `Texte ${index}`]));
    const short = withShortKeys(full);
    const kept = Object.keys(short).filter((key) => key.startsWith('Text '));
    assert.ok(kept.length > 0 && kept.length < 50, `${kept.length}`);
    const { l10n } = textsWith(short);
    for (const [key, text] of Object.entries(full)) assert.equal(l10n.t(key), text);
  });

  it('get their arguments from the editor', () => {
    const bundle = withShortKeys({ Text: 'Texte', 'Text/A noun': 'Wort' });
    const { l10n, calls } = textsWith(bundle);
    const [short, commented] = Object.keys(bundle);
    assert.ok(short !== undefined && commented !== undefined);
    l10n.t('Text', 1, 'b');
    l10n.t({ message: 'Text', args: ['a'], comment: 'A noun' });
    l10n.t({ message: 'Text', args: ['a'], comment: ['A ', 'noun'] });
    l10n.t({ message: 'Text', args: { a: 1 }, comment: [] });
    l10n.t('Other', 2);
    l10n.t({ message: 'Other', args: { a: 1 }, comment: 'A verb' });
    assert.deepEqual(calls, [
      [short, 1, 'b'],
      [{ message: commented, args: ['a'], comment: [] }],
      [{ message: commented, args: ['a'], comment: [] }],
      [{ message: short, args: { a: 1 }, comment: [] }],
      ['Other', 2],
      [{ message: 'Other', args: { a: 1 }, comment: 'A verb' }],
    ]);
  });

  it('are found for every text of context views', () => {
    const bundle = withShortKeys(read('l10n/bundle.l10n.de.json'));
    const { l10n } = textsWith(bundle);
    const { editorLocalization } = loadWithVscode(resolve(__dirname, '../../../src/context/host/editorLocalization.js'), {
      env: { language: 'de' },
      l10n,
    }) as typeof localizations;
    const full = read('l10n/bundle.l10n.de.json');
    for (const [key, message] of Object.entries(english)) {
      const comment = key === message ? {} : { comment: key.slice(message.length + 1) };
      assert.equal(editorLocalization.localize({ message, ...comment }), full[key]);
    }
  });

  it('leave English to the editor', () => {
    const { l10n, calls } = textsWith(undefined);
    l10n.t('Text', 1);
    assert.deepEqual(calls, [['Text', 1]]);
  });

  it('have short keys that are no text', () => {
    assert.deepEqual(
      Object.keys(english).filter((key) => key.startsWith('^')),
      [],
    );
  });
});
