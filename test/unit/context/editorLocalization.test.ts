import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type * as localizations from '../../../src/context/host/editorLocalization';
import { textKey } from '../../../src/context/shared/localization';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

interface Request {
  readonly message: string;
  readonly comment?: readonly string[] | string;
}

const read = (path: string): Record<string, string> => JSON.parse(readFileSync(resolve(path), 'utf8')) as Record<string, string>;

describe('Texts of context views', () => {
  it('are found in the editor’s translations, with and without comments', () => {
    const english = read('l10n/bundle.l10n.json');
    const german = read('l10n/bundle.l10n.de.json');
    // The editor looks texts up like this.
    const t = ({ message, comment = [] }: Request): string | undefined => german[textKey(message, [comment].flat().join(''))];
    const { editorLocalization } = loadWithVscode(resolve(__dirname, '../../../src/context/host/editorLocalization.js'), {
      env: { language: 'de' },
      l10n: { t },
    }) as typeof localizations;
    for (const [key, message] of Object.entries(english)) {
      const comment = key === message ? {} : { comment: key.slice(message.length + 1) };
      assert.equal(editorLocalization.localize({ message, ...comment }), german[key]);
    }
  });
});
