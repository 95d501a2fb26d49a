// Mutations of the scanner's source in AssemblyScript, which Stryker can't read.
import { of } from './row.mjs';

export const scanner = [
  ...of(
    'FORMAT 3, a bad line',
    'format/wasm/json/json',
    ['properties/messages'],
    [
      ['may have a number with a leading zero', 'scalarEnd', 'whole == at || (byteAt(at) == ZERO && whole > at + 1)', 'whole == at'],
      [
        'may have a brace that a bracket closes',
        'valueEnd',
        'byteAt(at) == (objects & 1 ? CLOSE_BRACE : CLOSE_BRACKET)',
        '(byteAt(at) == CLOSE_BRACE || byteAt(at) == CLOSE_BRACKET)',
      ],
      ['may have a key without a colon', 'keyEnd', 'byteAt(at) == COLON ? skipSpace(at + 1) : 0', 'skipSpace(at + 1)'],
      ['may have a list without commas', 'valueEnd', 'if (byteAt(at) != COMMA) return 0;', ''],
    ],
  ),
  ...of(
    'FORMAT 3, a bad line',
    'format/wasm/json/strings',
    ['properties/messages'],
    [
      ['may have a control character in a string', 'BLANK', 'memory.data<u8>([SPACE])', 'memory.data<u8>([SPACE | 2])'],
      ['may have an unknown escape', 'escapeLength', 'return 0;', 'return 2;'],
      ['may have an unknown escape in a long string', 'longStringEnd', '(ends & ~escaped) | (escaped & ~known)', '(ends & ~escaped)'],
      ['may have an escape of three digits', 'escapeLength', '&& isHex(byteAt(at + 5))', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/json/strings',
    ['properties/messages'],
    [
      ['finds the end of a string after an escaped backslash', 'longStringEnd', '(backslashes | carried)', 'backslashes'],
      [
        'finds the end of a string after a backslash that the previous block escapes',
        'longStringEnd',
        'carried = (codes & backslashes) >>> 63;',
        '',
      ],
      ['accepts JSON’s escapes only', 'LETTERS', ', 0x6e, 0', ', 0x6e, 255'],
      ['continues after an escape that crosses a block', 'longStringEnd', 'carried = 0;', ''],
      ['compares all characters of a name', 'startsWith', '(1 << left) - 1', '(1 << left) - 2'],
      ['takes no string with bytes above ASCII for a plain one', 'plainEnd', 'i8x16.lt_s', 'i8x16.eq'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/json/numbers',
    ['properties/messages'],
    [['computes integers up to the exact digits only', 'numberAt', 'digits <= EXACT_DIGITS', 'digits <= 18']],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/json/decimals',
    ['properties/messages'],
    [
      ['rounds decimal numbers with the carry of the low half', 'decimalFraction', 'if (low < more) high++;', ''],
      ['rounds decimal numbers to the nearest', 'decimalFraction', '(fraction + (fraction & 1)) >>> 1', 'fraction >>> 1'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/json/timestamps',
    ['properties/messages'],
    [
      [
        'reads dates as JavaScript does, with leap years',
        'daysOf',
        'month == 2 && isLeap(year) ? 29 : unchecked(MONTHS[month - 1])',
        'month == 2 && year % 4 == 0 ? 30 : unchecked(MONTHS[month - 1])',
      ],
      ['reads dates as JavaScript does, in February', 'daysBefore', 'month > 2', 'month > 1'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/json/members',
    ['properties/messages', 'properties/anyLines'],
    [
      ['leaves lines with escaped keys to the parser', 'keyEnd', '== BACKSLASH) return 0;', '== BACKSLASH) return close;'],
      ['leaves lines with a repeated key to the parser', 'withKey', 'keys & bit ? 0 : keys | bit', 'keys | bit'],
      [
        'leaves lines with a member without a colon to the parser',
        'memberValue',
        'byteAt(at) == COLON ? skipSpace(at + 1) : 0',
        'skipSpace(at + 1)',
      ],
      ['notices where an object ends', 'nextMember', 'if (byte == CLOSE_BRACE) objectEnd = at + 1;', 'objectEnd = at + 1;'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/json/keys',
    ['properties/messages', 'properties/anyLines'],
    [
      ['compares whole names of keys', 'keyNamed', '(differing & ((1 << (<i32>size)) - 1)) == 0', 'differing != -1'],
      [
        'finds a key whose slot another one has',
        'keyNamed',
        'if (<usize>slot.size != size) continue;',
        'if (<usize>slot.size != size) break;',
      ],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/line/line',
    ['properties/messages', 'properties/anyLines'],
    [
      ['takes an object only if the line ends with it', 'readLine', '|| byteAt(end) != NEWLINE', ''],
      [
        'leaves messages with a customType to the parser',
        'readLine',
        'if (isMessage && (keys & (1 << Key.customType)) != 0) return 0;',
        '',
      ],
      ['recognizes side entries', 'readMember', 'case Key.appendMode:', ''],
      ['takes only lines with all members that an entry needs', 'readLine', '|| (keys & needed) != needed', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/line/message',
    ['properties/messages', 'properties/anyLines'],
    [
      ['leaves messages with other members that count to the parser', 'readMember', 'case Key.customType:', ''],
      ['reads a content before its role', 'readMessage', '&& readContent(content.from) == 0', '&& false'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/line/usage',
    ['properties/messages', 'properties/anyLines'],
    [
      ['reads a usage without a total', 'addTokens', 'addNumber(ifMissing)', 'addNumber(0)'],
      ['reads a usage without costs', 'addCost', 'addNumber(NaN)', 'addNumber(0)'],
      ['leaves lines with an infinite amount to the parser', 'readAmount', 'if (!isFinite(value)) return 0;', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/line/contentBlocks',
    ['properties/messages', 'properties/anyLines'],
    [
      ['leaves lines with a repeated key in a block to the parser', 'readBlock', 'if (keys == 0) return 0;', ''],
      ['sees text if any block isn’t blank', 'readBlock', 'else if (!hasText)', 'else'],
      ['takes blocks of the type toolCall only for calls', 'readBlock', "isSameText(value + 1, end - 1, 'toolCall')", 'true'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/json/whiteSpace',
    ['properties/messages', 'properties/anyLines'],
    [
      ['takes text of spaces for blank', 'isNonBlank', 'if (byte != SPACE) return true;', 'return true;'],
      ['takes text of ideographic spaces for blank', 'isSpace', 'case 0x3000:', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/rows/keptContent',
    ['properties/messages', 'properties/anyLines'],
    [
      ['keeps enough text for a row', 'putKeptContent', ': KEPT_TEXT_LENGTH', ': 20'],
      ['keeps the whole text of the person', 'putKeptContent', 'role == Role.user ? ALL : KEPT_TEXT_LENGTH', 'KEPT_TEXT_LENGTH'],
      ['keeps the offset that a read call names', 'putPlaces', 'key != Key.offset && ', ''],
      ['keeps all arguments of tools that don’t touch files', 'isFileTool', "isSameText(call.nameFrom, call.nameTo, 'read') ||", 'true ||'],
      ['cuts text between characters', 'beginningEnd', '(byte & 0xc0) != 0x80 && unitsLeft-- == 0', 'unitsLeft-- == 0'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/rows/addLine',
    ['properties/messages', 'properties/anyLines'],
    [
      ['keeps tool calls', 'putContent', 'block.isCall && block.idFrom != 0', 'false'],
      ['gives the IDs that the parser gives', 'givenId', 'object >>= 4', 'object >>= 3'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/rows/profile',
    ['properties/messages', 'properties/anyLines'],
    [
      [
        'keeps marks of the program for lines that aren’t messages',
        'profileNumber',
        '(kind != LineKind.message || marks != 0)',
        '(marks != 0)',
      ],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/json/escapes',
    ['properties/messages', 'properties/anyLines'],
    [['reads escapes as JavaScript does', 'codeUnitAt', 'return 9;', 'return 0x74;']],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/words/searchText',
    ['properties/messages'],
    [['has no searchable text for spaces alone', 'putWords', '!isTaken || !hasWords', '!isTaken']],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/words/messageWords',
    ['properties/messages', 'properties/anyLines'],
    [['notes no text for spaces alone', 'noteText', ' || !isNonBlank(from, to)', '']],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/words/plainText',
    ['properties/messages', 'properties/anyLines'],
    [['folds texts with a character above ASCII', 'putPlain', 'if (unit >= 0x80) {', 'if (unit >= 0x8000) {']],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/words/characters',
    ['properties/foldedWords'],
    [
      ['accepts valid UTF-8 only', 'readCharacter', 'size == 3 ? code < 0x800 : size == 4 && code < 0x10000', 'false'],
      ['combines escaped surrogates only if they’re a pair', 'readEscape', 'if (low < 0xdc00 || low >= 0xe000) return unit;', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/words/foldedText',
    ['properties/foldedWords', 'properties/messages'],
    [
      [
        'separates the characters of scripts without spaces',
        'putFolded',
        'if (kind == CharacterKind.ideograph) store<u8>(into++, SPACE);',
        '',
      ],
      ['leaves texts with complex characters to the caller', 'putFolded', 'if (kind == CharacterKind.complex) return false;', ''],
      [
        'has no folded text for spaces alone',
        'putFolded',
        'if (kind != CharacterKind.space) isFoldedBlank = false;',
        'isFoldedBlank = false;',
      ],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/words/givenText',
    ['properties/foldedWords'],
    [['folds a text that was given without the words of the one before', 'foldText', 'givenWords.size = 0;', '']],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/words/callArguments',
    ['properties/messages', 'properties/anyLines'],
    [
      ['takes the first of the keys that name a file', 'putCall', 'key >= best', 'false'],
      ['leaves lines with a repeated key in a call to the parser', 'addKey', '== hash) return false;', '== hash) return true;'],
    ],
  ),
];
