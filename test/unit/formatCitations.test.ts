import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCE = resolve('src');
/** Joins the lines of each comment, so that a citation may wrap. */
const withoutBreaks = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/) /g, ' ');
const FORMAT = readFileSync(resolve('docs/FORMAT.md'), 'utf8');
const sections = [...FORMAT.matchAll(/^## (\d)\. /gm)].map(([, number]) => number!);
/** The numbers of the rules in a section, as they are written. */
const rulesOf = (section: string): string[] =>
  [...(FORMAT.split(/^## /m).find((text) => text.startsWith(`${section}. `)) ?? '').matchAll(/^(\d+)\. \S/gm)]
    .slice(1)
    .map(([, number]) => number!);

describe('Citations of docs/FORMAT.md', () => {
  const cited = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      [...withoutBreaks(readFileSync(join(SOURCE, name), 'utf8')).matchAll(/\bFORMAT\b(?!_)(.{0,40})/g)].map(([, behind]) => ({
        name,
        behind: behind!,
      })),
    );

  it('are there', () => {
    assert.deepEqual(sections, ['1', '2', '3', '4', '5', '6', '7', '8']);
    assert.ok(cited.length > 15);
  });

  it('name a section that the document has', () => {
    const wrong = cited.filter(({ behind }) => !sections.includes(/^ section (\d)\b/.exec(behind)?.[1] ?? ''));
    assert.deepEqual(wrong, []);
  });

  it('name a rule that the section has, of which each has a number of its own', () => {
    for (const section of ['4', '6'])
      assert.deepEqual(
        rulesOf(section),
        rulesOf(section).map((_, index) => String(index + 1)),
        section,
      );
    const wrong = cited.filter(({ behind }) => {
      const [, section = '', rules = ''] = /^ section (\d), rules? (\d+(?:(?:, | and )\d+)*)/.exec(behind) ?? [];
      return rules !== '' && rules.split(/, | and /).some((rule) => !rulesOf(section).includes(rule));
    });
    assert.deepEqual(wrong, []);
  });
});
