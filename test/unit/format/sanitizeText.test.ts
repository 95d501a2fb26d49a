import assert from 'node:assert/strict';
import { sanitizeSteps, sanitizeText, stripTerminalEscapes, withVisibleBidi } from '../../../src/core/format/text/sanitizeText';
import { countPauses } from '../../fixtures/countPauses';
import { numbers } from '../../fixtures/random';
import { Random } from '../../fuzz/target';
import { target } from '../../fuzz/sanitizeText';

describe('sanitizeText', () => {
  it('removes terminal colors, titles, links, pictures and cursor moves', () => {
    const texts = {
      '\u001b[1;31mred\u001b[0m \u001b[38;2;1;2;3mx\u001b[m': 'red x',
      '\u001b]0;title\u0007x\u001b]2;other\u001b\\y\u001b]2;8 bits\u009cz': 'xyz',
      '\u001b]8;;http://a.example\u001b\\link\u001b]8;;\u001b\\ \u001b]8;id=1;javascript:x\u0007link\u001b]8;;\u0007': 'link link',
      '\u001bPq#0;2;0;0;0#0~~\u001b\\a\u001b_Gf=100;AAAA\u001b\\b\u001b^private\u001b\\c\u0090q\u009cd\u009d0;t\u0007e': 'abcde',
      '\u001b[2J\u001b[H\u001b[10;5Hx\u001b[?25l\u009b2Ky\u001b7\u001b8\u001bM\u001bc\u001b(Bz\u001b=': 'xyz',
    };
    for (const [text, shown] of Object.entries(texts)) assert.equal(sanitizeText(text), shown);
  });

  it('hides no text after an unterminated escape', () => {
    for (const [text, shown] of [
      ['\u001b]0;all that follows', '␛]0;all that follows'],
      ['\u001b]8;;x\nsecond line\u0007', '␛]8;;x\nsecond line␇'],
      ['\u001bPq\nlong', '␛Pq\nlong'],
      ['\u001b[', '␛['],
      [`\u001b]0;${'x'.repeat(5000)}\u0007`, `␛]0;${'x'.repeat(5000)}␇`],
    ] as const)
      assert.equal(sanitizeText(text), shown);
  });

  it('makes reordering and invisible characters visible', () => {
    assert.equal(withVisibleBidi('\u202eevil\u202c \u2067x\u2069\u200f\u061c'), '⟦RLO⟧evil⟦PDF⟧ ⟦RLI⟧x⟦PDI⟧⟦RLM⟧⟦ALM⟧');
    const tagged = (text: string): string =>
      Array.from(text, (character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join('');
    assert.equal(withVisibleBidi(`Hi${tagged('delete it')}!`), 'Hi⟦delete it⟧!');
    const flag = `🏴${tagged('gbeng')}\u{e007f}`;
    assert.equal(withVisibleBidi(flag), flag);
  });

  it('leaves other text unchanged', () => {
    for (const text of ['äöü שלום 你好 👩‍👩‍👧 \t\n', '']) assert.equal(sanitizeText(text), text);
    assert.equal(stripTerminalEscapes('a ] b'), 'a ] b');
  });

  it('shows tags of no known region, also after a flag', () => {
    const tagged = (text: string): string =>
      Array.from(text, (character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join('');
    assert.equal(sanitizeText(`🏴${tagged('delete all')}\u{e007f}`), '🏴⟦delete all⟧');
  });

  it('shows what variation selectors encode, and other characters that no font draws', () => {
    const selectors = (bytes: readonly number[]): string =>
      String.fromCodePoint(...bytes.map((byte) => (byte < 16 ? 0xfe00 + byte : 0xe00f0 + byte)));
    const encoded = (text: string): string => selectors([...Buffer.from(text)]);
    for (const [text, shown] of [
      [`😀${encoded('delete it')}!`, '😀⟦delete it⟧!'],
      [`❤\ufe0f${encoded('now')}`, '❤\ufe0f⟦now⟧'],
      [`a${encoded('Größe')}`, 'a⟦7 invisible characters⟧'],
      [`a${selectors([0, 1, 255])}b`, 'a⟦3 invisible characters⟧b'],
      ['❤\ufe0f\ufe0f', '❤\ufe0f⟦U+FE0F⟧'],
      ['\u{e0001}x', '⟦U+E0001⟧x'],
      ['\u{e007f}', '⟦U+E007F⟧'],
      ['a\u{e0000}\u{e0080}\u{e01f0}\u{e0fff}\u2065\ufff0\ufff8b', 'a⟦7 invisible characters⟧b'],
      [encoded('x'.repeat(5000)), `⟦${'x'.repeat(4096)}⟧⟦${'x'.repeat(904)}⟧`],
    ] as const) {
      assert.equal(sanitizeText(text), shown);
      assert.equal(withVisibleBidi(text), shown);
    }
    // An emoji's color, a variant of a letter, a key's frame and an object in a text have nothing hidden.
    for (const text of ['❤\ufe0f ❤\ufe0e 1\ufe0f\u20e3', '葛\u{e0100}飾区', '\ufffc \ufffd']) assert.equal(sanitizeText(text), text);
  });

  it('cleans long texts in steps, with the same result', () => {
    for (const part of [
      '\u202e',
      '\r',
      '\ra\n',
      '\r\n',
      '\0',
      '\u009b',
      '\u001b[0m',
      '\r\u001b7\n',
      '\u{1f3f4}\u{e0041}',
      'x\ufe0f\u{e0158}\u{e0159}',
      '\u{e0158}\u2065',
      'x\u202e\u001b7',
    ]) {
      const text = `first ${part.repeat(100_000)} last`;
      const { pauses, result } = countPauses(sanitizeSteps(text));
      assert.ok(pauses >= 12, `${JSON.stringify(part)}: ${String(pauses)} pauses`);
      assert.ok(result === sanitizeText(text), JSON.stringify(part));
    }
  });

  it('agrees with a reference, also when applied repeatedly', async function () {
    this.timeout(60_000);
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const next = numbers(seed);
    try {
      for (let cases = 0; cases < 2000; cases++) await target.run(new Random((end) => Math.floor(next() * end)));
    } catch (error) {
      throw new Error(`SEED=${String(seed)} finds this again: ${(error as Error).message}`, { cause: error });
    }
  });
});
