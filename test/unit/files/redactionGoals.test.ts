import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportSession, readSession, type RedactOptions } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { everyField } from '../../fixtures/everyField';
import { testFolder } from '../../fixtures/folder';
import { LOOKALIKE_KINDS } from '../../fixtures/lookalikes';
import * as plantedSecrets from '../../fixtures/plantedSecrets';
import * as ofServices from '../../fixtures/serviceSecrets';
import * as formats from '../../fixtures/secretFormats';
import type { Kinds } from '../../fixtures/secretTexts';

const { ENCODED, IN_CONTEXT, LOOKALIKES, MORE_IN_CONTEXT, TOKENS } = plantedSecrets;
const { DIVIDED, IN_SETTINGS, IN_TABLES, OF_SERVICES } = ofServices;
const { IN_COMMANDS, LISTED, ON_A_LINE, UP_TO_DELIMITER } = formats;

/** Secrets of each kind. */
const EACH = 5;
/** Most of the planted secrets that may be left in a text, as a part of all: the rest must be listed. */
const MOST_LEFT = 1 / 100;
/** Most of the harmless texts that may be changed, as a part of all. */
const MOST_CHANGED = 1 / 50;

/** Kinds of secrets that are replaced. */
const REPLACED: Readonly<Record<string, Kinds>> = {
  'Formats in a sentence': Object.fromEntries(
    Object.entries(TOKENS).map(([name, make]) => [
      name,
      () => {
        const secret = make();
        return [`see ${secret} there`, secret] as const;
      },
    ]),
  ),
  'Formats on a line of their own': ON_A_LINE,
  'What stands around them': { ...IN_CONTEXT, ...MORE_IN_CONTEXT },
  'Values up to a delimiter': UP_TO_DELIMITER,
  'Arguments of commands': IN_COMMANDS,
  Encoded: ENCODED,
  'Formats of further services': OF_SERVICES,
  'Settings, code and commands': IN_SETTINGS,
  'Columns of tables': IN_TABLES,
  'Divided tokens': DIVIDED,
};

/** Returns the string of a JSON text that holds a text. */
const written = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('Goals of redaction', () => {
  const folder = testFolder();
  // Tests that ran before in this process have used the same random numbers.
  before(() => {
    for (const { restart } of [plantedSecrets, ofServices, formats]) restart();
  });
  let exports = 0;
  /** Returns a session's export, decoded once. */
  const exported = async (text: string, redact: true | RedactOptions = true): Promise<string> => {
    const source = await readSession(await folder.write(`${String(exports)}.jsonl`, text));
    const target = join(folder.path, `out-${String(exports++)}.jsonl`);
    await exportSession(source, { format: 'jsonl', target, redact });
    const lines = (await readFile(target, 'utf8')).split('\n').filter((line) => line !== '');
    return JSON.stringify(lines.map((line) => JSON.parse(line) as unknown));
  };

  /** Plants secrets in every field of sessions; returns how many there are, are left, and are left if all that is listed is replaced. */
  const measure = async (kinds: Kinds): Promise<{ planted: number; left: string[]; missed: string[] }> => {
    const all = Array.from({ length: EACH }, () => Object.values(kinds)).flat();
    const left: string[] = [];
    const missed: string[] = [];
    for (let next = 0; next < all.length;) {
      const secrets: string[] = [];
      const text = everyField(() => {
        const make = all[next++];
        if (!make) return 'sail';
        const [whole, secret] = make();
        secrets.push(secret);
        return whole;
      }).text();
      const isIn = (output: string, secret: string): boolean =>
        // The frame of a private key may stay.
        output.includes(written(secret)) || output.includes(written(secret.replace(/\n-----END.*$/, '')).slice(-10));
      const output = await exported(text);
      const strict = await exported(text, { also: true });
      left.push(...secrets.filter((secret) => isIn(output, secret)));
      missed.push(...secrets.filter((secret) => isIn(strict, secret)));
    }
    return { planted: all.length, left, missed };
  };

  const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const assertDocumented = async (rows: readonly string[]): Promise<void> => {
    const documented = await readFile(join(process.cwd(), 'test/bench/REDACTION.md'), 'utf8');
    const missing = rows.filter((one) => !documented.includes(one));
    assert.deepEqual(missing, [], `REDACTION.md should have these rows:\n${missing.join('\n')}`);
  };

  it('replace 99 of 100 planted secrets, and list the others', async () => {
    const rows: string[] = [];
    let [all, left] = [0, 0];
    const missed: string[] = [];
    for (const [name, kinds] of Object.entries(REPLACED)) {
      const found = await measure(kinds);
      all += found.planted;
      left += found.left.length;
      missed.push(...found.missed);
      rows.push(
        row(
          name,
          Object.keys(kinds).length,
          found.planted,
          found.planted - found.left.length,
          found.left.length - found.missed.length,
          found.missed.length,
        ),
      );
    }
    assert.ok(left <= all * MOST_LEFT, `${String(left)} of ${String(all)} are left`);
    assert.deepEqual(missed, []);
    await assertDocumented(rows);
  });

  it('list what may be a secret', async () => {
    const { planted, left, missed } = await measure(LISTED);
    assert.deepEqual(missed, []);
    await assertDocumented([
      row('Random texts and phrases', Object.keys(LISTED).length, planted, planted - left.length, left.length, missed.length),
    ]);
  });

  it('change at most one of fifty harmless texts', async () => {
    const rows: string[] = [];
    const changed: string[] = [];
    const kinds = { various: LOOKALIKES, ...LOOKALIKE_KINDS };
    for (const [name, texts] of Object.entries(kinds)) {
      const builder = session();
      for (const text of texts) builder.user(text);
      const lines = JSON.parse(await exported(builder.text())) as readonly { readonly message?: { readonly content: string } }[];
      const contents = lines.flatMap(({ message }) => (message ? [message.content] : []));
      const others = texts.filter((text, index) => contents[index] !== text);
      changed.push(...others);
      rows.push(row(`Lookalikes: ${name}`, texts.length, others.length));
    }
    const all = Object.values(kinds).reduce((sum, { length }) => sum + length, 0);
    assert.ok(changed.length <= all * MOST_CHANGED, changed.join('\n'));
    await assertDocumented(rows);
  });
});
