import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCE = resolve('src');
/** Joins the lines of each comment, so that a citation may wrap. */
const withoutBreaks = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/) /g, ' ');
const sections = [...readFileSync(resolve('docs/FORMAT.md'), 'utf8').matchAll(/^## (\d)\. /gm)].map(([, number]) => number!);

describe('Citations of docs/FORMAT.md', () => {
  const cited = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      [...withoutBreaks(readFileSync(join(SOURCE, name), 'utf8')).matchAll(/\bFORMAT\b(?!_)(.{0,12})/g)].map(([, behind]) => ({
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
});
