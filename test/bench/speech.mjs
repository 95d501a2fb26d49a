// Seeded numbers and texts. The frequencies of words are as uneven as in a natural language.
const VOCABULARY = 40_000;

/** Returns a generator of numbers from 0 to 1. */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  'ba be bi bo bu ca ce ci co cu da de di do du fa fe ga ge go ha he hi la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve wa we ya zo'.split(
    ' ',
  );

export function vocabulary() {
  const random = numbers(7);
  const words = new Set(['the', 'cart', 'total', 'parser', 'token', 'error', 'order']);
  while (words.size < VOCABULARY)
    words.add(Array.from({ length: 1 + Math.floor(random() * 4) }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(''));
  return [...words];
}

export class Speech {
  constructor(words, seed) {
    this.words = words;
    this.random = numbers(seed);
    this.filler = Array.from(
      { length: 600 },
      (_, line) =>
        `  ${line + 1}: const ${this.text(2).replaceAll(' ', '_')} = { "${this.word()}": [${this.text(6)}] }; // ${this.text(4)}`,
    ).join('\n');
  }

  /** Returns a word. The n-th most common word is about n times as rare as the most common one. */
  word() {
    return this.words[Math.floor(this.words.length ** this.random()) - 1] ?? 'the';
  }

  text(count) {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  result(bytes) {
    const from = Math.floor(this.random() * this.filler.length);
    return this.filler.repeat(Math.ceil((from + bytes) / this.filler.length)).slice(from, from + bytes);
  }

  /** Returns an integer from 0 to `below - 1`. */
  integer(below) {
    return Math.floor(this.random() * below);
  }

  pick(list) {
    return list[this.integer(list.length)];
  }

  /** Returns true in this share of the calls. */
  chance(share) {
    return this.random() < share;
  }

  hex(length) {
    let text = '';
    while (text.length < length) text += this.integer(0x10000).toString(16).padStart(4, '0');
    return text.slice(0, length);
  }

  base64(length) {
    let text = '';
    while (text.length < length) text += BASE64[this.integer(BASE64.length)];
    return text;
  }

  /** Returns a text of about `count` words in another alphabet, with some English words and emoji. */
  foreignText(count) {
    const letters = this.pick(ALPHABETS);
    const word = () => Array.from({ length: 2 + this.integer(5) }, () => this.pick(letters)).join('');
    return Array.from({ length: count }, () => (this.chance(0.15) ? this.word() : this.chance(0.03) ? this.pick(EMOJI) : word())).join(' ');
  }
}

/** Two characters each, so that long texts take few steps. */
const BASE64_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64 = Array.from({ length: 4096 }, (_, n) => BASE64_LETTERS[n >> 6] + BASE64_LETTERS[n & 63]);
const EMOJI = ['🚀', '✅', '❌', '🎉', '👍🏽', '⚠️'];
const ALPHABETS = [
  Array.from(
    '的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长',
  ),
  Array.from(
    'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんアイウエオカキクケコサシスセソタチツテト確認実行結果変更追加削除',
  ),
  Array.from('абвгдежзийклмнопрстуфхцчшщъыьэюя'),
  Array.from('αβγδεζηθικλμνξοπρστυφχψω'),
];
