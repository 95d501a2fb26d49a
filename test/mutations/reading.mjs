// FORMAT section 3: accepted, skipped and reported input; the leaf, labels, versions.
import { of } from './row.mjs';

const session = 'format/session';
const readLine = 'format/readLine';
const rules = 'format/rulesReading';
const file = 'files/sessionFile';
const grown = 'files/rulesReading';
const htmlData = 'format/htmlData';

const lines = [
  ...of(
    'FORMAT 3, padding',
    'format/parse/readLine',
    [readLine, session],
    [
      ['blank lines are accepted', 'readLine', "kind: 'blank'", "kind: 'bad'"],
      ['NUL padding is accepted', 'hasContent', '/[^\\t-\\r \\0\\ufeff]/', '/\\S/'],
      ['CRLF and a BOM are accepted', 'hasContent', '/[^\\t-\\r \\0\\ufeff]/', '/[^ \\0]/'],
    ],
  ),
  ...of(
    'FORMAT 3, a bad line',
    'format/session/objectCollector',
    [session, rules],
    [['is reported with its line number', 'addLineProblem', 'place.line', 'place.line - 1']],
  ),
  ...of(
    'FORMAT 3, a bad line',
    'format/session/sessionReader',
    [session, rules],
    [
      ['is reported', 'add', "this.objects.addLineProblem('bad-line', place);", ''],
      [
        'counts as no object',
        'add',
        'this.objects.firstObject ??= read.value;',
        'this.objects.firstObject ??= read.value; this.state.objects++;',
      ],
      [
        'is skipped, and what follows is read',
        'add',
        "if (read.kind === 'bad') {",
        "if (read.kind === 'bad') { this.state.header = undefined;",
      ],
    ],
  ),
  ...of(
    'FORMAT 3, a bad line',
    'format/parse/readLine',
    [readLine, session],
    [
      ['may hold an object that is whole', 'readLine', 'rest = true', "return { kind: 'bad' }"],
      ['is what has no type', 'isEntryLike', "isObject(value) && typeof value['type'] === 'string'", 'isObject(value)'],
    ],
  ),
  ...of(
    'FORMAT 3, glued objects',
    'format/session/objectCollector',
    [session, rules],
    [
      ['are reported', 'add', "if (found.length > 1) this.addLineProblem('glued-line', place);", ''],
      ['are all read', 'add', 'for (const object of found) {', 'for (const object of found.slice(0, 1)) {'],
      ['damaged ones keep their place', 'add', 'object.isDamaged', 'false'],
      ['with something unreadable beside them are reported', 'add', "if (rest) this.addLineProblem('bad-line', place);", ''],
    ],
  ),
  ...of(
    'FORMAT 3, glued objects',
    'format/parse/readLine',
    [grown, file],
    [
      ['have their own places', 'objectLocations', 'at + byteLength(text.slice(unit, start))', 'at'],
      ['have their own lengths', 'objectLocations', 'length = byteLength(text.slice(start, end))', '{ length } = line'],
    ],
  ),
  ...of(
    'FORMAT 3, glued objects',
    'format/parse/readLine',
    [readLine],
    [
      ['are told apart where texts hold braces', 'splitTopLevelObjects', 'else if (code === 0x22) inString = true;', ''],
      ['are told apart where texts hold quotes', 'splitTopLevelObjects', 'if (code === 0x5c) i++;', 'if (code === 0x5c) i += 0;'],
      ['may lie deep', 'splitTopLevelObjects', 'depth--;', 'depth = 0;'],
    ],
  ),
  ...of(
    'FORMAT 3, a torn last line',
    'format/session/sessionReader',
    [session, rules],
    [
      ['is reported', 'add', "if (read.kind !== 'blank') this.problems.add(problem('torn-line', { line: place.line }));", ''],
      ['is no entry, even if it begins with one', 'add', "read.kind !== 'objects' || read.rest", "read.kind !== 'objects'"],
      ['is not counted as read', 'add', "if (read.kind !== 'blank')", 'this.size += place.length;'],
    ],
  ),
  ...of(
    'FORMAT 3, a last line without a line break',
    'format/session/sessionReader',
    [rules, session, file],
    [
      ['is an entry if it is whole', 'add', "read.kind !== 'objects' || read.rest", '!place.hasLineBreak'],
      ['counts as read', 'add', '(place.hasLineBreak ? 1 : 0)', '1'],
    ],
  ),
  ...of(
    'FORMAT 3, a last line without a line break',
    'format/session/sessionReader',
    ['format/change'],
    [['is known as such', 'add', 'if (this.state.header) this.beforeLastLine = this.build();', '']],
  ),
  ...of(
    'FORMAT 3, the header',
    'format/session/objectCollector',
    [session, rules],
    [
      [
        'is found behind junk, which is reported',
        'addObject',
        "else this.problems.add(problem('before-header', { line: place.line }));",
        '',
      ],
      [
        'junk that is no JSON is reported as such',
        'addLineProblem',
        "this.state.header || code === 'glued-line' ? code : 'before-header'",
        'code',
      ],
      ['has a text as id', 'addObject', "typeof value['id'] === 'string'", "value['id'] !== undefined"],
      [
        'is a line of type session',
        'addObject',
        "type === 'session' && typeof value['id'] === 'string'",
        "typeof value['id'] === 'string'",
      ],
      [
        'is the first one',
        'addObject',
        "problem('duplicate-header', { line: place.line }));",
        "problem('duplicate-header', { line: place.line })); this.setHeader(value, place);",
      ],
      ['a second one is reported', 'addObject', "this.problems.add(problem('duplicate-header', { line: place.line }));", ''],
      [
        'a second one is no entry',
        'addObject',
        "problem('duplicate-header', { line: place.line })); return;",
        "problem('duplicate-header', { line: place.line }));",
      ],
    ],
  ),
  ...of(
    'FORMAT 3, the header',
    'format/entry/header',
    [session, rules],
    [['keeps what is not known', 'parseHeader', '...value', "id: value['id'], version: value['version']"]],
  ),
  ...of(
    'FORMAT 3, what is no session',
    'format/parse/readErrors',
    [session, rules],
    [
      ['an empty file is named so', 'notASession', 'first === undefined && size === 0', 'false'],
      [
        'another format is named so',
        'notASession',
        "first['kind'] === 'header' || isObject(first['payload'])",
        "isObject(first['payload'])",
      ],
      [
        'an event stream is named so',
        'notASession',
        "first['kind'] === 'header' || isObject(first['payload'])",
        "first['kind'] === 'header'",
      ],
    ],
  ),
  ...of(
    'FORMAT 3, what is no session',
    'format/session/sessionReader',
    [session, rules],
    [['another format without types is named so', 'add', 'this.objects.firstObject ??= read.value;', '']],
  ),
  ...of(
    'FORMAT 3, what is no session',
    'files/api/listSessions',
    ['files/sessionManager'],
    [
      ['is listed with the reason', 'readSessionInfos', 'options.onProblem?.(path, error);', ''],
      ['does not keep others from being listed', 'readSessionInfos', 'options.onProblem?.(path, error)', 'throw error'],
    ],
  ),
];

const entries = [
  ...of(
    'FORMAT 3, entries without ids',
    'format/session/objectCollector',
    [session, rules],
    [
      ['are given one', 'addEntry', "this.isChain || own === undefined || own === ''", "this.isChain || own === ''"],
      ['an empty id is none', 'addEntry', "this.isChain || own === undefined || own === ''", 'this.isChain || own === undefined'],
      ['are a chain', 'addEntry', 'this.lastId', 'null'],
      ['are reported in version 3', 'addEntry', "this.problems.add(problem('no-id', { line: place.line }))", ''],
      ['are known to have given ids', 'addEntry', 'if (chained) this.hasGivenIds = true;', ''],
      ['have ids by their place', 'addEntry', 'state.objects', 'place.line'],
    ],
  ),
  ...of(
    'FORMAT 3, an unknown parent',
    'format/linking/linkSession',
    [rules, session, file],
    [
      ['makes a root', 'rootsFrom', 'roots.push(heads.idAt(place));', ''],
      ['is reported', 'rootsFrom', "problems.push(problem('unknown-parent', { line, parent: parentId }, id));", ''],
    ],
  ),
  ...of(
    'FORMAT 3, its own ancestor',
    'format/linking/resolveHeads',
    [rules, session, file],
    [
      ['is found', 'resolveHeads', '!isOrdered', 'false'],
      ['is found where an entry is its own parent', 'parentPlaces', 'parent >= first + index', 'parent > first + index'],
    ],
  ),
  ...of(
    'FORMAT 3, its own ancestor',
    'format/linking/breakCycles',
    [session, rules],
    [
      ['is reported', 'breakCycles', "problems.push(problem('cycle', { line: head.line }, head.id));", ''],
      ['is a root', 'breakCycles', 'parents[cut] = NO_PARENT;', ''],
      ['is the first of its circle in the file', 'breakCycles', 'Math.min(cut, next)', 'cut'],
      ['has no parent', 'breakCycles', '{ ...head, parentId: null }', 'head'],
    ],
  ),
  ...of(
    'FORMAT 3, its own ancestor',
    'format/session/treeTraversal',
    [rules, 'format/treeTraversal'],
    [['ends a walk', 'pathPlaces', '&& seen[place] === 0', '']],
  ),
  ...of(
    'FORMAT 3, a child before its parent',
    'format/linking/resolveHeads',
    [rules, session, file],
    [['hangs off it', 'parentPlaces', 'parent ?? NO_PARENT', 'parent === undefined || parent > first + index ? NO_PARENT : parent']],
  ),
  ...of(
    'FORMAT 3, duplicate ids',
    'format/linking/resolveHeads',
    [rules, session, file],
    [
      ['are one node', 'resolveHeads', 'isPlain = false; repeated', 'repeated'],
      [
        'the last line counts',
        'resolveHeads',
        'places.set(id, index); if (places',
        'if (!places.has(id)) places.set(id, index); if (places',
      ],
      ['are reported', 'resolveHeads', "repeated.add(problem('duplicate-id', { line: head.line, id }, id));", ''],
    ],
  ),
  ...of(
    'FORMAT 3, content that is null or missing',
    'format/entry/parseEntry',
    [file, rules],
    [
      ['is empty', 'parseContent', 'return [];', 'return value;'],
      ['is there', 'parseMessage', "'content' in given || ROLES_WITH_CONTENT.has(role)", "'content' in given"],
      ['a message that is missing has no role', 'parseMessage', "asString(given['role']) ?? 'other'", "asString(given['role']) ?? 'user'"],
    ],
  ),
  ...of(
    'lines in an HTML export',
    'format/export/htmlData',
    [htmlData],
    [
      ['that begin with a quotation mark are told apart', 'embedLine', "line.startsWith('\"') ||", ''],
      ['that are no JSON keep their content', 'embedLine', '!isJson(line)', 'isJson(line)'],
      ['end with their block', 'extractLines', 'isInside && line === DATA_BLOCK_END', 'false'],
    ],
  ),
  ...of(
    'FORMAT 3, a version above 3',
    'format/session/objectCollector',
    [session],
    [['is reported', 'setHeader', 'CURRENT_VERSION', '99']],
  ),
  ...of(
    'FORMAT 3, large lines',
    'files/read/lineSplitter',
    ['files/scanLines'],
    [['are read whole', 'hold', 'this.held.copy(larger, 0, 0, this.size);', '']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/session/sessionReader',
    ['properties/messages'],
    [['record how the file ends', 'scan', 'input.copy(Math.max(from, scanned.end - 1 - FINGERPRINT_BYTES), scanned.end - 1)', "''"]],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'catalog/index/readLinesSync',
    ['properties/messages'],
    [
      ['are held where they are longer', 'readLinesSync', 'left <= MAX_CARRIED_BYTES', 'true'],
      ['go on in the next chunk', 'readLinesSync', 'bytes.copyWithin(0, taken, read.length)', ''],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'files/read/scanLines',
    ['properties/chunks'],
    [
      ['go on in the next chunk', 'scanMore', 'left.copy(bytes, CARRY_BYTES - left.length)', 'left.length'],
      ['are held where they are longer', 'scanMore', 'left.length > CARRY_BYTES', 'left.length > 2 * CARRY_BYTES'],
    ],
  ),
  ...of(
    'FORMAT 3, a bad line',
    'format/wasm/json/json',
    ['properties/messages'],
    [
      ['is one with a number that is none', 'scalarEnd', 'whole == at || (byteAt(at) == ZERO && whole > at + 1)', 'whole == at'],
      [
        'is one with a bracket that closes a brace',
        'valueEnd',
        'byteAt(at) == (objects & 1 ? CLOSE_BRACE : CLOSE_BRACKET)',
        '(byteAt(at) == CLOSE_BRACE || byteAt(at) == CLOSE_BRACKET)',
      ],
      ['is one with a key that is none', 'keyEnd', 'byteAt(at) == COLON ? skipSpace(at + 1) : 0', 'skipSpace(at + 1)'],
      ['is one that ends within a list', 'valueEnd', 'if (byteAt(at) != COMMA) return 0;', ''],
    ],
  ),
  ...of(
    'FORMAT 3, a bad line',
    'format/wasm/json/strings',
    ['properties/messages'],
    [
      ['is one with a control character in a text', 'BLANK', 'memory.data<u8>([SPACE])', 'memory.data<u8>([SPACE | 2])'],
      ['is one with an escape that is none', 'escapeLength', 'return 0;', 'return 2;'],
      ['is one with an escape that is none in a long text', 'longStringEnd', '(ends & ~escaped) | (escaped & ~known)', '(ends & ~escaped)'],
      ['is one with an escape of three digits', 'escapeLength', '&& isHex(byteAt(at + 5))', ''],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/json/strings',
    ['properties/messages'],
    [
      ['end where a backslash is escaped', 'longStringEnd', '(backslashes | carried)', 'backslashes'],
      ['end where a backslash is escaped by one that stands before', 'longStringEnd', 'carried = (codes & backslashes) >>> 63;', ''],
      ['have no other escapes than JSON has', 'LETTERS', ', 0x6e, 0', ', 0x6e, 255'],
      ['go on behind an escape that is long', 'longStringEnd', 'carried = 0;', ''],
      ['are told by all their characters', 'startsWith', '(1 << left) - 1', '(1 << left) - 2'],
      ['have plain names', 'plainEnd', 'i8x16.lt_s', 'i8x16.eq'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/json/numbers',
    ['properties/messages'],
    [['have their numbers', 'numberAt', 'digits <= EXACT_DIGITS', 'digits <= 18']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/json/decimals',
    ['properties/messages'],
    [
      ['have their numbers to the last bit', 'decimalFraction', 'if (low < more) high++;', ''],
      ['have the nearest number', 'decimalFraction', '(fraction + (fraction & 1)) >>> 1', 'fraction >>> 1'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/json/timestamps',
    ['properties/messages'],
    [
      [
        'have the time that JavaScript reads',
        'daysOf',
        'month == 2 && isLeap(year) ? 29 : unchecked(MONTHS[month - 1])',
        'month == 2 && year % 4 == 0 ? 30 : unchecked(MONTHS[month - 1])',
      ],
      ['have the time that JavaScript reads', 'daysBefore', 'month > 2', 'month > 1'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/json/members',
    ['properties/messages', 'properties/anyLines'],
    [
      ['are parsed where a key has an escape', 'keyEnd', '== BACKSLASH) return 0;', '== BACKSLASH) return close;'],
      ['are parsed where a key comes twice', 'withKey', 'keys & bit ? 0 : keys | bit', 'keys | bit'],
      ['are parsed where a member has no colon', 'memberValue', 'byteAt(at) == COLON ? skipSpace(at + 1) : 0', 'skipSpace(at + 1)'],
      ['end where the object does', 'nextMember', 'if (byte == CLOSE_BRACE) objectEnd = at + 1;', 'objectEnd = at + 1;'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/json/keys',
    ['properties/messages', 'properties/anyLines'],
    [['have keys with whole names', 'keyNamed', '(differing & ((1 << (<i32>size)) - 1)) == 0', 'differing != -1']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/line/line',
    ['properties/messages', 'properties/anyLines'],
    [
      ['are parsed where an id is very long', 'readId', '|| sizeOf(span) > MAX_ID_BYTES', ''],
      ['end where the line does', 'readLine', '|| byteAt(end) != NEWLINE', ''],
      ['show their program', 'readLine', 'if (isMessage && customType.from != 0) return 0;', ''],
      ['are side entries', 'readMember', 'case Key.appendMode:', ''],
      ['have all that an entry needs', 'readLine', '|| (keys & needed) != needed', ''],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/line/message',
    ['properties/messages', 'properties/anyLines'],
    [
      ['are parsed where something else counts', 'readMember', 'case Key.customType:', ''],
      ['have a content before their role', 'readMessage', '&& readContent(content.from) == 0', '&& false'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/line/usage',
    ['properties/messages', 'properties/anyLines'],
    [
      ['may have no total', 'readUsage', 'setField(UsageField.totalTokens, NaN);', ''],
      ['may have no costs', 'readUsage', 'setField(UsageField.inputCost, NaN);', ''],
      ['are parsed where an amount is none', 'readAmount', 'if (!isFinite(value)) return 0;', ''],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/line/contentBlocks',
    ['properties/messages', 'properties/anyLines'],
    [
      ['are parsed where a key of a block comes twice', 'readBlock', 'if (keys == 0) return 0;', ''],
      ['have text if any part isn’t blank', 'readBlock', 'else if (!hasText)', 'else'],
      ['have calls of their own type', 'readBlock', "isSameText(value + 1, end - 1, 'toolCall')", 'true'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/json/whiteSpace',
    ['properties/messages', 'properties/anyLines'],
    [
      ['have text if they aren’t blank', 'isNonBlank', 'if (byte != SPACE) return true;', 'return true;'],
      ['have no text with the space of other scripts', 'isSpace', 'case 0x3000:', ''],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/rows/keptContent',
    ['properties/messages', 'properties/anyLines'],
    [
      ['keep enough for a row', 'putKeptContent', ': KEPT_TEXT_LENGTH', ': 20'],
      ['keep all that the person says', 'putKeptContent', 'role == Role.user ? ALL : KEPT_TEXT_LENGTH', 'KEPT_TEXT_LENGTH'],
      ['keep the place that a call names', 'putPlaces', 'key != Key.offset && ', ''],
      ['keep the arguments of other tools', 'isFileTool', "isSameText(call.nameFrom, call.nameTo, 'read') ||", 'true ||'],
      ['end between characters', 'beginningEnd', '(byte & 0xc0) != 0x80 && unitsLeft-- == 0', 'unitsLeft-- == 0'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/rows/addLine',
    ['properties/messages', 'properties/anyLines'],
    [
      ['hang off an entry that is there', 'addLine', 'if (before == MISSING_PARENT) return NONE;', ''],
      ['have their calls', 'putContent', 'block.isCall && block.idFrom != 0', 'false'],
      ['have the ids that their places give', 'givenId', 'object >>= 4', 'object >>= 3'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/rows/profile',
    ['properties/messages', 'properties/anyLines'],
    [
      [
        'have the model that both names give',
        'putNames',
        'isAnswer && provider.from != 0 && model.from != 0',
        'isAnswer && model.from != 0',
      ],
      ['show the program that wrote them', 'profileNumber', '(kind != LineKind.message || marks != 0)', '(marks != 0)'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/json/escapes',
    ['properties/messages', 'properties/anyLines'],
    [['are searched as JavaScript reads them', 'codeUnitAt', 'return 9;', 'return 0x74;']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/words/searchText',
    ['properties/messages'],
    [['have no text with space alone', 'putWords', '!isTaken || !hasWords', '!isTaken']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/words/plainText',
    ['properties/messages', 'properties/anyLines'],
    [['are folded if any of them is not ASCII', 'putPlain', 'if (unit >= 0x80) {', 'if (unit >= 0x8000) {']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/words/characters',
    ['properties/foldedWords'],
    [
      ['are UTF-8', 'readCharacter', 'size == 3 ? code < 0x800 : size == 4 && code < 0x10000', 'false'],
      ['may have pairs of escapes', 'readEscape', 'if (low < 0xdc00 || low >= 0xe000) return unit;', ''],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/words/foldedText',
    ['properties/foldedWords', 'properties/messages'],
    [
      ['have words of one character', 'putFolded', 'if (kind == CharacterKind.ideograph) store<u8>(into++, SPACE);', ''],
      ['leave words to the caller', 'putFolded', 'if (kind == CharacterKind.complex) return false;', ''],
      ['have no text with space alone', 'putFolded', 'if (kind != CharacterKind.space) isFoldedBlank = false;', 'isFoldedBlank = false;'],
    ],
  ),
  ...of(
    'Search, words',
    'catalog/search/foldCharacter',
    ['properties/foldedWords'],
    [
      ['are those of their neighbors, too', 'foldedAs', '|| DEPENDENT.test(character)', ''],
      ['end at a mark of a script without spaces', 'foldCharacter', ' && !isUnspaced', ''],
    ],
  ),
  ...of(
    'FORMAT 2, user messages: wrappers',
    'format/text/userWrappers',
    ['format/userText'],
    [
      ['begin with a name in brackets', 'WRAPPER_BEGINNINGS', "'[<ACFORST'", "'<ACFORST'"],
      ['are forwarded', 'WRAPPER_BEGINNINGS', "'[<ACFORST'", "'[<ACORST'"],
      ['are what was replied to', 'WRAPPER_BEGINNINGS', "'[<ACFORST'", "'[<ACFOST'"],
      ['are threads', 'WRAPPER_BEGINNINGS', "'[<ACFORST'", "'[<ACFORS'"],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/words/callArguments',
    ['properties/messages', 'properties/anyLines'],
    [
      ['name the first of the keys that name a file', 'putCall', 'key >= best', 'false'],
      ['are parsed where a key of a call comes twice', 'addKey', '== hash) return false;', '== hash) return true;'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/index/activeBranch',
    ['properties/messages'],
    [['are on the active branch', 'findActiveBranch', 'row = intAt(parents, row)', 'row = NONE']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/index/touches',
    ['properties/messages'],
    [
      ['call a tool once', 'addTouches', 'tool != NONE && intAt(toolRows, tool) != row + 1', 'tool != NONE'],
      ['touch a file once', 'addTouches', 'if (intAt(fileRows, slot) == row + 1) return;', ''],
      ['touch a file by any of its names', 'addTouches', 'intAt(canonicalFiles, file)', 'file'],
      ['write files', 'addTouches', '(kind == TouchKind.write ? TouchFlag.writes : 0)', '0'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/index/lineTable',
    ['properties/messages'],
    [
      ['have their words even if two are on a line', 'putWordPosition', 'wordPositions.size > 0 && load<i32>(end - 12) == line', 'false'],
      ['are as old as they say, to the millisecond', 'putLine', 'Math.round(timeOf(row))', 'timeOf(row)'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/rows/rows',
    ['properties/messages'],
    [['have the ids that they say', 'hexDigit', 'character >= 0x61', 'character >= 0x60']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/index/costs',
    ['properties/messages'],
    [
      ['cost something on their day', 'addRowCost', 'day = Math.floor(timeOf(row) / DAY)', 'day: f64 = 1'],
      ['cost what their model does', 'addRowCost', 'cell.day != day || cell.usageSource != source', 'cell.day != day'],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/rows/rows',
    ['properties/messages'],
    [['are as old as they say', 'timeOf', 'time == time ? time : doubleAt(times, row)', 'doubleAt(times, row)']],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/wasm/index/buildIndex',
    ['properties/messages'],
    [
      ['are kept for tools that have a name', 'buildIndex', 'isCalling || rowTools.size > 0', 'true'],
      ['have the labels that stand for them', 'buildIndex', 'entry = load<i32>(target, 4);', ''],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'catalog/index/extractScannedRows',
    ['properties/messages'],
    [
      ['leave lines to others that cost something', 'constructor', 'head.usage && isCounted(head)', 'isCounted(head) && false'],
      ['leave lines to others that have a role', 'addLeftLines', 'this.roleOf[this.profile[row]!] = this.roles.numberOf(role);', ''],
    ],
  ),
  ...of(
    'FORMAT 3, lines by their bytes',
    'format/scanner/scannedHeads',
    ['properties/messages'],
    [
      ['are left to others where an id comes again', 'table', 'if (tableSize(ids) < count) return undefined;', ''],
      [
        'are left to others where a parent comes later',
        'table',
        '(lookUp(ids, parentId) ?? NONE) >= place',
        '(lookUp(ids, parentId) ?? NONE) >= 1e9',
      ],
    ],
  ),
  ...of(
    'FORMAT 3, large lines',
    'format/entry/rowText',
    ['format/rowText'],
    [['leave heads small', 'contentLine', 'excerpt(textOf(content), MAX_CONTENT_LENGTH)', 'textOf(content)']],
  ),
];

const state = [
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/leafAndLabels',
    [session, rules],
    [
      ['is the last entry, whatever its type', 'applyEntry', 'head.side', "head.side && head.type !== 'label'"],
      ['is never a side entry', 'applyEntry', 'if (!head.side) state.leafId = head.id;', 'state.leafId = head.id;'],
      ['is moved by a leaf line', 'applyEntry', 'if (leafId !== undefined) state.leafId = leafId;', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/resolveHeads',
    [session, rules],
    [
      ['leaf lines are no entries', 'resolveHeads', "head.type === 'leaf'", 'false'],
      ['children of a leaf line are children of its target', 'resolveHeads', 'leafTargets.size > 0', 'false'],
    ],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/leafLine',
    [session, rules],
    [
      ['is moved by a valid line alone', 'resolveLeafLine', '(target !== null && !known.has(target))', 'false'],
      ['follows from one leaf line to another', 'resolveLeafLine', 'resolveParent(head.targetId, leafTargets)', 'head.targetId'],
    ],
  ),
  ...of(
    'FORMAT 3, a leaf on a dead branch',
    'format/session/treeTraversal',
    [rules, 'format/treeTraversal'],
    [
      ['is bookkeeping', 'suspectedTip', '!BOOKKEEPING.has(type) ||', ''],
      [
        'may be a label',
        'BOOKKEEPING',
        "['label', 'session_info', 'title_change', 'custom']",
        "['session_info', 'title_change', 'custom']",
      ],
      ['may be a rename', 'BOOKKEEPING', "['label', 'session_info', 'title_change', 'custom']", "['label', 'title_change', 'custom']"],
      ['is no branch line of ours', 'suspectedTip', '|| customType === BRANCH_MARK', ''],
      ['is the last entry', 'suspectedTip', '|| leaf !== heads.length - 1', ''],
      ['another tip has newer messages', 'suspectedTip', 'newestTime <= newestOnPath', 'false'],
      ['the newest of several is offered', 'suspectedTip', 'time >= newestTime', 'false'],
      ['the tip is offered, not an entry before it', 'suspectedTip', 'session.children.has(id)', 'false'],
    ],
  ),
  ...of(
    'FORMAT 3, labels',
    'format/linking/leafAndLabels',
    [rules, session, file],
    [
      ['the last one wins', 'applyLabel', 'else labels', 'else if (!labels.has(head.targetId)) labels'],
      ['one without text clears', 'applyLabel', 'labels.delete(head.targetId)', 'return'],
    ],
  ),
  ...of(
    'FORMAT 3, labels',
    'format/entry/parseHead',
    [session, rules],
    [['an empty one clears', 'label', "asString(line['label']) || undefined", "asString(line['label'])"]],
  ),
];

const stored = [
  ...of(
    'FORMAT 3, sessions of stored heads',
    'catalog/encoding/encodeHeads',
    ['catalog/headCodec'],
    [['report an unknown parent once', 'RECOMPUTED_PROBLEMS', "'unknown-parent'", "'other'"]],
  ),
  ...of(
    'FORMAT 3, sessions of stored heads',
    'catalog/encoding/decodeHeads',
    ['catalog/headCodec'],
    [
      ['have their texts in blocks', 'tableOf', 'if (row % BLOCK === 0) at = 0;', ''],
      ['have ids of any length', 'tableOf', 'idLengths[stored]!', '8'],
      ['have their parents, also those that fit into no column', 'tableOf', '(ids.indexOf(parentId) ?? NO_PARENT)', 'NO_PARENT'],
    ],
  ),
  ...of(
    'FORMAT 3, sessions of stored heads',
    'catalog/encoding/columnCodec',
    ['catalog/headCodec'],
    [
      ['may be no Unicode', 'text', 'flags: UTF16', 'flags: 0'],
      ['may have columns that are all the same', 'add', 'part.flags | DEFLATED', 'part.flags'],
    ],
  ),
  ...of(
    'FORMAT 3, sessions of stored heads',
    'format/columns/stringTable',
    ['catalog/headCodec'],
    [
      ['have ids of one place', 'buildSlots', 'while (slots[slot] !== 0) slot = (slot + 1) & mask;', ''],
      ['have ids that look alike', 'probe', 'if (isMatch(slots[slot]! - 1)) return slots[slot]! - 1;', 'return slots[slot]! - 1;'],
    ],
  ),
  ...of(
    'FORMAT 3, sessions of heads in columns',
    'format/linking/resolveHeads',
    ['catalog/headCodec', 'format/plainHeads'],
    [
      ['have their leaf', 'resolveColumns', '!traits.side', "traits.type === 'message'"],
      ['have a leaf that is no side entry', 'resolveColumns', '!traits.side', 'true'],
      ['have their labels', 'resolveColumns', 'applyLabel(labels, traits)', '{}'],
    ],
  ),
  ...of(
    'FORMAT 3, siblings',
    'format/linking/childIndex',
    [session, rules],
    [['are oldest first', 'sortByTime', 'places.sort((a, b) => heads.timeAt(a) - heads.timeAt(b))', 'places']],
  ),
];

const growth = [
  ...of(
    'FORMAT 3, an unknown parent',
    'format/linking/linkSession',
    [grown],
    [
      [
        'is reported when the file grew',
        'rootsFrom',
        "problems.push(problem('unknown-parent', { line, parent: parentId }, id));",
        "if (first === 0) problems.push(problem('unknown-parent', { line, parent: parentId }, id));",
      ],
      ['may turn up after several readings', 'linkSession', '...(earlier?.missing ?? []),', ''],
    ],
  ),
  ...of(
    'FORMAT 3, an unknown parent',
    'format/linking/resolveHeads',
    [grown],
    [['may turn up later', 'resolveHeads', 'earlier.missing.has(id) || earlier.heads', 'earlier.heads']],
  ),
  ...of(
    'FORMAT 3, its own ancestor',
    'format/linking/resolveHeads',
    [grown],
    [['is found when the file grew', 'resolveHeads', '!isOrdered', '!isOrdered && !earlier']],
  ),
  ...of(
    'FORMAT 3, its own ancestor',
    'format/linking/breakCycles',
    [grown],
    [['is found by the places of the file, when the file grew', 'breakCycles', 'parents[index]! - first', 'parents[index]!']],
  ),
  ...of(
    'FORMAT 3, duplicate ids',
    'format/linking/resolveHeads',
    [grown],
    [
      [
        'are seen when the file grew',
        'resolveHeads',
        '(earlier.missing.has(id) || earlier.heads.placeOf(id) !== undefined)',
        'earlier.missing.has(id)',
      ],
    ],
  ),
  ...of('FORMAT 3, labels', 'format/linking/resolveHeads', [grown], [['stay when the file grew', 'resolveHeads', 'earlier?.labels', '']]),
  ...of(
    'FORMAT 3, a torn last line',
    'format/linking/linkSession',
    [grown],
    [['is torn no more once it is whole', 'allProblems', "earlier.filter(({ code }) => code !== 'torn-line')", 'earlier']],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/resolveHeads',
    [grown],
    [
      [
        'children of a leaf line are children of its target, when the file grew',
        'resolveHeads',
        'leafTargets.size > 0',
        'leafTargets.size > 0 && !earlier',
      ],
      ['children of an earlier leaf line are children of its target', 'resolveHeads', 'earlier?.leafTargets', ''],
      ['stays when no entry came', 'resolveHeads', 'earlier?.leafId ?? null', 'null'],
    ],
  ),
  ...of(
    'FORMAT 3, a file that grew',
    'format/linking/linkSession',
    [grown, file],
    [
      ['has its earlier roots', 'linkSession', 'previous.roots.concat(roots)', 'roots'],
      ['has its later roots', 'linkSession', 'previous.roots.concat(roots)', 'previous.roots'],
      ['has its earlier children', 'childrenFrom', '(earlier.get(id) ?? [])', '[]'],
    ],
  ),
  ...of(
    'FORMAT 3, a file that grew',
    'format/columns/appendedHeads',
    ['format/appendedHeads'],
    [
      [
        'has entries off those that came with them',
        'parentAt',
        '(this.places.get(added.parentId) ?? NO_PARENT)',
        '(this.base.placeOf(added.parentId) ?? NO_PARENT)',
      ],
      ['does not change the session before it', 'with', '[...unfinished]', 'unfinished as EntryHead[]'],
      ['may grow by many entries', 'with', 'last.length === CHUNK', 'false'],
    ],
  ),
];

const versions = [
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/session/objectCollector',
    [rules, session, file],
    [
      ['in version 1 every entry gets an id', 'isChain', '(this.state.header?.version ?? 1) < 2', '(this.state.header?.version ?? 1) < 1'],
      ['a file without a version is version 1', 'isChain', 'this.state.header?.version ?? 1', 'this.state.header?.version ?? 3'],
      ['heads have the names of version 3', 'addEntry', 'chained ? withGivenIds(value) : value', 'value'],
    ],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/parse/migrateLine',
    [rules, session, file],
    [
      ['firstKeptEntryIndex counts the header as 0', 'withGivenIds', 'givenId(index)', 'givenId(index + 1)'],
      ['an index of the header keeps nothing', 'withGivenIds', 'index > 0', 'index >= 0'],
    ],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/entry/parseHead',
    [session, 'format/fork', 'files/sessionWriter', rules],
    [['hookMessage is custom in heads', 'readMessage', "role === 'hookMessage' ? 'custom' : role", 'role']],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/entry/parseEntry',
    [file],
    [
      ['hookMessage is custom in bodies', 'parseMessage', "name === 'hookMessage' ? 'custom' : name", 'name'],
      ['the index goes, the id comes', 'compaction', "delete entry['firstKeptEntryIndex'];", ''],
    ],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/parse/migrateLine',
    ['format/migrateLine', 'files/sessionWriter'],
    [
      ['hookMessage is custom once migrated', 'migrateLine', "changes['message'] = { ...message, role: 'custom' }", ''],
      [
        'keys that are not known stay',
        'migrateLine',
        '{ ...line, ...changes }',
        "{ type: line['type'], message: line['message'], ...changes }",
      ],
      ['the index goes', 'migrateLine', "delete current['firstKeptEntryIndex'];", ''],
      ['branchedFrom becomes parentSession', 'migrateHeader', 'header.parentSession ?? header.branchedFrom', 'header.parentSession'],
      [
        'but not if there is one',
        'migrateHeader',
        'header.parentSession ?? header.branchedFrom',
        'header.branchedFrom ?? header.parentSession',
      ],
      [
        'branchedFrom and the settings at the start stay',
        'migrateHeader',
        '...header',
        "type: 'session', id: header.id, timestamp: header.timestamp, cwd: header.cwd",
      ],
      ['ids are those that reading gave', 'migrateLine', "changes['id'] = target.id", "changes['id'] = `m${target.id}`"],
    ],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/write/fork',
    ['format/fork', 'files/sessionWriter'],
    [['an index of nothing keeps nothing', 'lineIds', 'session.version < 2', 'false']],
  ),
];

const prose = [
  ...of(
    'Rows as prose',
    'format/text/plainText',
    ['format/plainText'],
    [
      ['code between backticks is left alone', 'markdownMarks', 'i = close;', ''],
      ['a name in code has two underscores around it', 'isEmphasis', "marks !== '__' || ", 'true || '],
      ['marks within a word or a path are code', 'opensEmphasis', '!BEFORE_OPENING.test(text.charAt(from - 1)) && ', ''],
      ['a mark after a space closes nothing', 'closesEmphasis', '!/[\\s/]/.test(text.charAt(from - 1)) && ', ''],
      ['marks of two paragraphs are no pair', 'markdownMarks', 'emphasis.clear()', 'emphasis.size'],
      ['brackets after a name are code', 'markdownMarks', '/[\\w)\\]]/.test(text.charAt(from - 1)) ? undefined : [from, to]', '[from, to]'],
    ],
  ),
  ...of(
    'Rows as prose',
    'format/entry/plainRow',
    ['format/plainText'],
    [
      [
        'calls and commands are no Markdown',
        'plainRow',
        'MARKDOWN_TYPES.has(type) ? plainLine(text, length) : ',
        'plainLine(text, length) || ',
      ],
    ],
  ),
];

const answers = of(
  'FORMAT 5, the last answer',
  'format/session/lastAnswer',
  ['format/lastAnswer'],
  [
    ['has ended by itself', 'endsWithAnswer', "stopReason === 'stop' || stopReason === 'length'", "stopReason !== 'toolUse'"],
    ['may have reached its longest length', 'endsWithAnswer', "stopReason === 'stop' || stopReason === 'length'", "stopReason === 'stop'"],
    ['may be before a command', 'endsWithAnswer', "role !== 'bashExecution' &&", ''],
    ['is none if the context changed after it', 'endsWithAnswer', "type !== 'message' && !SILENT.has(type)", 'false'],
    ['is looked for on the active branch', 'endsWithAnswer', 'heads.placeOf(session.leafId)', 'heads.length - 1'],
  ],
);

export const reading = [...answers, ...lines, ...entries, ...state, ...stored, ...growth, ...versions, ...prose];
