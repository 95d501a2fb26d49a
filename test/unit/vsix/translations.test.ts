import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ReadOnlyRootError } from '../../../src/core/index';
import { NotInTrashError } from '../../../src/core/files/trash/notInTrash';

const LANGUAGES = ['de', 'es', 'fr', 'it', 'ja', 'ko', 'pt-br', 'ru', 'zh-cn', 'zh-tw'];
/** The files of the sentences, with the name of each translation. */
const FILES: readonly (readonly [english: string, translation: (language: string) => string])[] = [
  ['package.nls.json', (language) => `package.nls.${language}.json`],
  ['l10n/bundle.l10n.json', (language) => `l10n/bundle.l10n.${language}.json`],
];
/** Languages with one form for every number, and those with more than the two of English. */
const WITHOUT_PLURAL = ['ja', 'ko', 'zh-cn', 'zh-tw'];
const WITH_MANY_FORMS = ['ru'];
/** Nouns that Italian takes from English, which have no plural there. */
const UNCHANGED_IN_PLURAL = /\b(?:fork|file)\b/;

const read = async (path: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(resolve(path), 'utf8')) as Record<string, string>;

/** Returns what a translation must carry over unchanged: placeholders, the targets of links, icons, settings and code. */
function carriedOver(text: string): string[] {
  return (text.match(/\{\w*\}|\]\([a-z]+:[^)]*\)|\$\([a-z-]+\)|`[^`]+`|#[\w.]+#|sessionTree\.\w+/g) ?? []).sort();
}

/** Returns a sentence without its number and the differences between singular and plural. */
const withoutNumber = (sentence: string): string =>
  sentence
    .replace(/\{(?:0|count)\}|\b1\b/, '#')
    .replace(/\b(\w+?)(?:ies|y|s)\b/g, '$1')
    .replace(/\b(?:are|is)\b/g, 'be')
    .replace(/\b(?:were|was)\b/g, 'been');

/** Returns the sentences with a number that have a sentence of their own for one. */
function countedSentences(sentences: readonly string[]): Map<string, string> {
  const ones = new Map(
    sentences
      .filter((sentence) => /\b1\b/.test(sentence) && !/\{(?:0|count)\}/.test(sentence))
      .map((sentence) => [withoutNumber(sentence), sentence]),
  );
  const several = sentences.filter((sentence) => /\{(?:0|count)\}/.test(sentence));
  return new Map(
    several.flatMap((sentence) => {
      const one = ones.get(withoutNumber(sentence));
      return one === undefined ? [] : [[sentence, one]];
    }),
  );
}

describe('translations', () => {
  it('exist for ten languages, and for no others', async () => {
    const names = [...(await readdir(resolve('l10n'))), ...(await readdir(resolve('.')))];
    for (const pattern of [/^bundle\.l10n\.(.+)\.json$/, /^package\.nls\.(.+)\.json$/]) {
      assert.deepEqual(names.flatMap((name) => pattern.exec(name)?.[1] ?? []).sort(), LANGUAGES);
    }
  });

  it('call the branch of a session the same in both columns of a table', async () => {
    for (const language of LANGUAGES) {
      const texts = await read(`l10n/bundle.l10n.${language}.json`);
      const noun = texts['This Branch']!.split(' ').at(-1)!;
      assert.ok(texts['Only This Branch']!.includes(noun), `${language}: ${noun}`);
    }
  });

  for (const language of LANGUAGES) {
    for (const [english, translation] of FILES) {
      it(`of ${english} are complete in ${language}`, async () => {
        const sentences = await read(english);
        const translated = await read(translation(language));
        // In this order, so that a difference between two versions is small.
        assert.deepEqual(Object.keys(translated), Object.keys(sentences));
        for (const [key, sentence] of Object.entries(sentences)) {
          const text = translated[key] ?? '';
          assert.deepEqual(carriedOver(text), carriedOver(sentence), `${sentence} → ${text}`);
          assert.deepEqual(
            [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]],
            [/^\s*/.exec(sentence)?.[0], /\s*$/.exec(sentence)?.[0]],
            sentence,
          );
          assert.notEqual(text, '', sentence);
        }
      });
    }

    it(`leave no sentence in English in ${language}`, async () => {
      const untranslated: string[] = [];
      for (const [english, translation] of FILES) {
        const translated = await read(translation(language));
        for (const [key, sentence] of Object.entries(await read(english))) {
          const words = sentence.replace(/\{\w*\}|`[^`]+`|\([^)]*:[^)]*\)/g, '').match(/\p{L}{2,}/gu) ?? [];
          if (words.length > 3 && translated[key] === sentence) untranslated.push(sentence);
        }
      }
      assert.deepEqual(untranslated, []);
    });
  }

  it('include the sentences of refusals with a class of their own', async () => {
    const sentences = await read('l10n/bundle.l10n.json');
    for (const { template } of [new ReadOnlyRootError('/a'), new NotInTrashError(), new NotInTrashError('a')])
      assert.equal(sentences[template], template);
  });

  it('have a form for one and for several where the language has them', async () => {
    const sentences = Object.keys(await read('l10n/bundle.l10n.json'));
    const counted = countedSentences(sentences);
    assert.ok(counted.size > 15, `only ${counted.size} were found`);
    for (const language of LANGUAGES) {
      const translated = await read(`l10n/bundle.l10n.${language}.json`);
      for (const [several, one] of counted) {
        const text = translated[several] ?? '';
        // A number before a noun needs the noun's form for 2 to 4, for 5 to 20 and for 21; after it, one form serves all.
        if (WITH_MANY_FORMS.includes(language)) assert.doesNotMatch(text, /\{(?:0|count)\}\s+\p{L}{4,}/u, text);
        else if (!WITHOUT_PLURAL.includes(language) && !UNCHANGED_IN_PLURAL.test(text))
          assert.notEqual(text.replace(/\{(?:0|count)\}/, '1'), translated[one], `${language}: ${text}`);
      }
    }
  });
});
