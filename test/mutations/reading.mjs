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
      ['blank lines are accepted', 'readLineSteps', "kind: 'blank'", "kind: 'bad'"],
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
        'doesn’t change the IDs that later entries are given',
        'add',
        'this.objects.firstObject ??= read.value;',
        'this.objects.firstObject ??= read.value; this.state.objects++;',
      ],
      [
        'is skipped, and the lines after it are read',
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
      ['may have a whole object, which is read', 'readLineSteps', 'rest = true', "return { kind: 'bad' }"],
      ['is one without a type', 'isEntryLike', "isObject(value) && typeof value['type'] === 'string'", 'isObject(value)'],
    ],
  ),
  ...of(
    'FORMAT 3, glued objects',
    'format/session/objectCollector',
    [session, rules],
    [
      ['are reported', 'add', "if (found.length > 1) this.addLineProblem('glued-line', place);", ''],
      ['are all read', 'add', 'of found.entries()) {', 'of found.slice(0, 1).entries()) {'],
      ['damaged ones keep their place', 'add', 'object.isDamaged', 'false'],
      ['are reported as a bad line, too, if the rest can’t be read', 'add', "if (rest) this.addLineProblem('bad-line', place);", ''],
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
      ['are separated even if strings contain braces', 'splitTopLevelObjects', 'else if (code === 0x22) inString = true;', ''],
      [
        'are separated even if strings contain escaped quotes',
        'splitTopLevelObjects',
        'if (code === 0x5c) i++;',
        'if (code === 0x5c) i += 0;',
      ],
      ['are separated even if they contain nested objects', 'splitTopLevelObjects', 'depth--;', 'depth = 0;'],
    ],
  ),
  ...of(
    'FORMAT 3, a torn last line',
    'format/session/sessionReader',
    [session, rules],
    [
      ['is reported', 'add', "if (read.kind !== 'blank') this.problems.add('torn-line', { line: place.line });", ''],
      ['isn’t read, even if it begins with a whole object', 'add', '!endsWithObject(read, text, place.length)', "read.kind !== 'objects'"],
      ['is not counted as read', 'add', "if (read.kind !== 'blank')", 'this.size += place.length;'],
    ],
  ),
  ...of(
    'FORMAT 3, a last line without a line break',
    'format/session/sessionReader',
    [rules, session, file],
    [
      ['is read if it’s whole', 'add', '!endsWithObject(read, text, place.length)', '!place.hasLineBreak'],
      ['is counted as read', 'add', '(place.hasLineBreak ? 1 : 0)', '1'],
    ],
  ),
  ...of(
    'FORMAT 3, a last line without a line break',
    'format/session/sessionReader',
    ['format/change'],
    [['is read again when the file grows', 'add', 'if (this.state.header) this.beforeLastLine = this.linesRead();', '']],
  ),
  ...of(
    'FORMAT 3, the header',
    'format/session/objectCollector',
    [session, rules],
    [
      ['may follow other lines, which are reported', 'addObject', "else this.problems.add('before-header', { line: place.line });", ''],
      [
        'may follow a line that isn’t JSON, which is reported',
        'addLineProblem',
        "this.state.header || code === 'glued-line' ? code : 'before-header'",
        'code',
      ],
      ['has a string as its ID', 'addObject', "typeof value['id'] === 'string'", "value['id'] !== undefined"],
      [
        'is a line of type session',
        'addObject',
        "type === 'session' && typeof value['id'] === 'string'",
        "typeof value['id'] === 'string'",
      ],
      [
        'is the first one',
        'addObject',
        "'duplicate-header', { line: place.line });",
        "'duplicate-header', { line: place.line }); this.setHeader(value, place);",
      ],
      ['a second one is reported', 'addObject', "this.problems.add('duplicate-header', { line: place.line });", ''],
      [
        'a second one isn’t an entry',
        'addObject',
        "'duplicate-header', { line: place.line }); return;",
        "'duplicate-header', { line: place.line });",
      ],
    ],
  ),
  ...of(
    'FORMAT 3, the header',
    'format/entry/header',
    [session, rules],
    [['keeps unknown members', 'parseHeader', '...value', "id: value['id'], version: value['version']"]],
  ),
  ...of(
    'FORMAT 3, a file that isn’t a session',
    'format/parse/readErrors',
    [session, rules],
    [
      ['an error says that it’s empty', 'notASession', 'first === undefined && size === 0', 'false'],
      [
        'an error says that a list of events isn’t supported',
        'notASession',
        "first['kind'] === 'header' || isObject(first['payload'])",
        "isObject(first['payload'])",
      ],
      [
        'an error says that a list of payloads isn’t supported',
        'notASession',
        "first['kind'] === 'header' || isObject(first['payload'])",
        "first['kind'] === 'header'",
      ],
    ],
  ),
  ...of(
    'FORMAT 3, a file that isn’t a session',
    'format/session/sessionReader',
    [session, rules],
    [['an error says that objects without a type aren’t supported', 'add', 'this.objects.firstObject ??= read.value;', '']],
  ),
  ...of(
    'FORMAT 3, a file that isn’t a session',
    'files/api/listSessions',
    ['files/sessionManager'],
    [
      ['is listed with the reason', 'readSessionInfos', 'options.onProblem?.(path, error);', ''],
      ['doesn’t prevent others from being listed', 'readSessionInfos', 'options.onProblem?.(path, error)', 'throw error'],
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
      [
        'are also those with an empty ID',
        'addEntry',
        "this.isChain || own === undefined || own === ''",
        'this.isChain || own === undefined',
      ],
      ['form a chain', 'addEntry', 'this.lastId', 'null'],
      ['are reported in version 3', 'addEntry', "this.problems.add('no-id', { line: place.line })", ''],
      ['mark the session as one with given IDs', 'addEntry', 'if (chained) this.hasGivenIds = true;', ''],
      ['have IDs made of their positions in the file', 'addEntry', 'state.objects', 'place.line'],
    ],
  ),
  ...of(
    'FORMAT 3, an unknown parent',
    'format/linking/linkSession',
    [rules, session, file],
    [
      ['makes a root', 'rootsAt', 'roots.push(heads.idAt(place));', ''],
      ['is reported', 'rootsAt', "problems.push(problem('unknown-parent', { line, parent: parentId }, id));", ''],
    ],
  ),
  ...of(
    'FORMAT 3, an entry that is its own ancestor',
    'format/linking/resolveHeads',
    [rules, session, file],
    [
      ['is detected', 'resolveHeads', '!isOrdered', 'false'],
      ['is detected if it’s its own parent', 'parentPlaces', 'parent >= first + index', 'parent > first + index'],
      ['is reported', 'resolveHeads', "circles.push(problem('cycle', { line: head.line }, head.id));", ''],
      ['loses its parent', 'resolveHeads', '{ ...head, parentId: null }', 'head'],
    ],
  ),
  ...of(
    'FORMAT 3, an entry that is its own ancestor',
    'format/linking/breakCycles',
    [session, rules],
    [
      ['becomes a root', 'breakCycles', 'parents[cut] = NO_PARENT;', ''],
      ['becomes a root if it’s the first of its circle in the file', 'breakCycles', 'Math.min(cut, next)', 'cut'],
    ],
  ),
  ...of(
    'FORMAT 3, an entry that is its own ancestor',
    'format/session/treeTraversal',
    [rules, 'format/treeTraversal'],
    [['ends a walk', 'pathPlaces', '&& seen[place] === 0', '']],
  ),
  ...of(
    'FORMAT 3, a child before its parent',
    'format/linking/resolveHeads',
    [rules, session, file],
    [['becomes its child', 'parentPlaces', 'parent ?? NO_PARENT', 'parent === undefined || parent > first + index ? NO_PARENT : parent']],
  ),
  ...of(
    'FORMAT 3, duplicate ids',
    'format/linking/resolveHeads',
    [rules, session, file],
    [
      ['make one node', 'resolveHeads', 'isPlain = false; repeated', 'repeated'],
      [
        'the last line counts',
        'resolveHeads',
        'places.set(id, index); if (places',
        'if (!places.has(id)) places.set(id, index); if (places',
      ],
      ['are reported', 'resolveHeads', "repeated.add('duplicate-id', { line: head.line, id }, id);", ''],
    ],
  ),
  ...of(
    'FORMAT 3, content that is null or missing',
    'format/entry/parseEntry',
    [file, rules],
    [
      ['is read as an empty list', 'parseContent', 'return [];', 'return value;'],
      [
        'is added to messages whose role has content',
        'parseMessage',
        "'content' in given || ROLES_WITH_CONTENT.has(role)",
        "'content' in given",
      ],
      ['a missing message has the role “other”', 'parseMessage', "asString(given['role']) ?? 'other'", "asString(given['role']) ?? 'user'"],
    ],
  ),
  ...of(
    'Lines in an HTML export',
    'format/export/htmlData',
    [htmlData],
    [
      ['that begin with a quotation mark come out unchanged', 'embedLineSteps', "line.startsWith('\"') ||", ''],
      ['that aren’t JSON come out unchanged', 'embedLineSteps', '=== undefined', '!== undefined'],
      ['end where the data block ends', 'extractLines', 'isInside && line === DATA_BLOCK_END', 'false'],
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
    'FORMAT 5, the totals of columns',
    'format/columns/headTable',
    ['properties/messages'],
    [
      ['other entries aren’t messages', 'messageTotals', ' || kinds[number] === Kind.other', ''],
      ['the roles decide whose times count', 'messageTotals', 'if (kinds[number] === Kind.message) continue;', ''],
      [
        'a message’s own time counts',
        'messageTotals',
        'kinds[number] === Kind.ownTime ? messageTime[place]! : time[place]!',
        'time[place]!',
      ],
      ['irregular messages are counted', 'messageTotals', "if (head.type !== 'message') continue;", 'continue;'],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/session/sessionReader',
    ['properties/messages'],
    [
      [
        'leaves a fingerprint of the last bytes',
        'scan',
        'input.copy(Math.max(from, scanned.end - 1 - FINGERPRINT_BYTES), scanned.end - 1)',
        "''",
      ],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'catalog/index/readLines',
    ['properties/messages'],
    [
      ['leaves long lines to the other reader', 'readLines', 'left <= MAX_CARRIED_BYTES', 'true'],
      ['continues a line in the next chunk', 'readLines', 'bytes.copyWithin(0, taken, read.length)', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'files/read/scanLines',
    ['properties/chunks'],
    [
      ['continues a line in the next chunk', 'scanMore', 'left.copy(bytes, CARRY_BYTES - left.length)', 'left.length'],
      ['leaves long lines to the other reader', 'scanMore', 'left.length > CARRY_BYTES', 'left.length > 2 * CARRY_BYTES'],
    ],
  ),
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
    'FORMAT 7, the events of an archive',
    'format/wasm/json/unescape',
    ['files/eventLines'],
    [
      ['have no line feeds', 'unescape', 'unit == 0x0a ? SPACE : <u8>unit', '<u8>unit'],
      ['are parsed if they have the first half of a pair', 'unescape', '(low & 0xfc00) != 0xdc00', 'false'],
      ['are parsed if they have the second half of a pair', 'unescape', 'unit >= 0xdc00 ||', ''],
    ],
  ),
  ...of(
    'FORMAT 7, the events of an archive',
    'files/database/eventLines',
    ['files/eventLines'],
    [
      ['have nothing unusual before them', 'addEvent', "|| !BEFORE.test(records.toString('latin1', from, event))", ''],
      ['have nothing unusual after them', 'addEvent', "|| !AFTER.test(records.toString('latin1', quote + 1, end))", ''],
      ['are no more than the database says', 'counted', 'this.size > this.limits.events', 'false'],
      ['unpack up to a limit', 'take', 'this.unpacked > this.limits.records', 'false'],
    ],
  ),
  ...of(
    'FORMAT 7, the version of a session in a database',
    'files/database/databaseSession',
    ['files/databaseMemory'],
    [
      ['is exact where the size is the only sign', 'estimatedVersion', '|| stored.generation === undefined', ''],
      ['includes the size where it’s the only sign', 'sessionVersion', 'stored.generation === undefined ? end : undefined', 'undefined'],
      ['says that its size is a guess', 'estimatedVersion', ', isEstimate: true', ''],
    ],
  ),
  ...of(
    'FORMAT 7, the places of a session’s lines',
    'files/database/knownLines',
    ['files/databaseLimits'],
    [
      ['are in the database', 'add', 'this.stored > room ||', ''],
      ['are within a limit', 'add', '|| end > MAX_SESSION', ''],
    ],
  ),
  ...of(
    'FORMAT 7, the state of a database without a log',
    'files/database/databaseView',
    ['files/databaseChanges'],
    [
      ['is the same after reading', 'inState', 'this.connection?.isCurrent() ?? true', 'true'],
      ['isn’t one that was just written', 'connect', '!stamps.log && !isSettled(stamps)', 'false'],
      ['has the facts and the events of the same time', 'currentTranscript', 'readGeneration(connection, id) !== generation', 'false'],
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
    [['compares whole names of keys', 'keyNamed', '(differing & ((1 << (<i32>size)) - 1)) == 0', 'differing != -1']],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/line/line',
    ['properties/messages', 'properties/anyLines'],
    [
      ['takes an object only if the line ends with it', 'readLine', '|| byteAt(end) != NEWLINE', ''],
      ['leaves messages with a customType to the parser', 'readLine', 'if (isMessage && customType.from != 0) return 0;', ''],
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
      ['reads a usage without a total', 'readUsage', 'setField(UsageField.totalTokens, NaN);', ''],
      ['reads a usage without costs', 'readUsage', 'setField(UsageField.inputCost, NaN);', ''],
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
        'needs provider and model for the model of an answer',
        'putNames',
        'isAnswer && provider.from != 0 && model.from != 0',
        'isAnswer && model.from != 0',
      ],
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
    'Words of known lines',
    'catalog/index/readLineWords',
    ['properties/messages', 'properties/anyLines'],
    [
      ['of entries on one line are side by side', 'readLineWords', ' && line !== lines[at - FIELDS]', ''],
      ['include the title', 'readLineWords', 'if (lines[0] === 0) {', 'if (lines[0] === -1) {'],
      ['that were scanned follow those that were parsed', 'finish', 'this.positions[at + 1]! += base;', ''],
    ],
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
    'format/scanner/scanner',
    ['properties/foldedWords'],
    [['folds backslashes of a given text as they are', 'foldText', 'JSON.stringify(text)', 'text']],
  ),
  ...of(
    'Search, words',
    'catalog/index/lineWords',
    ['properties/foldedWords'],
    [['have room for a separator behind folded ones', 'append', 'this.reserve(bytes.length + 1);', 'this.reserve(bytes.length);']],
  ),
  ...of(
    'Search, words',
    'catalog/search/foldCharacter',
    ['properties/foldedWords'],
    [
      ['characters that depend on their neighbors are folded by JavaScript', 'foldedAs', '|| DEPENDENT.test(character)', ''],
      ['end at a mark of a script without spaces', 'foldCharacter', ' && !isUnspaced', ''],
    ],
  ),
  ...of(
    'FORMAT 2, user messages: wrappers',
    'format/text/userWrappers',
    ['format/userText'],
    [
      ['may be a quoted message', 'WRAPPER_RULES', "'[Quoted message begins]'", "'<'"],
      ['may be a heartbeat', 'WRAPPER_RULES', "'Read HEARTBEAT.md '", "'['"],
      ['may be a note about a reminder', 'TRAILING_NOTES', "' reminder '", "' reminders '"],
    ],
  ),
  ...of('FORMAT 2, user messages: wrappers of channels', 'format/text/channelWrappers', ['format/userText'], []),
  ...of(
    'Cuts of texts',
    'format/text/characters',
    ['format/characters'],
    [['end behind a character', 'boundaryAfter', 'characterAt(text, at).to', 'at']],
  ),
  ...of('FORMAT 5, titles', 'format/session/sessionTitle', ['catalog/catalog'], []),
  ...of(
    'FORMAT 3, the scanner',
    'format/wasm/words/callArguments',
    ['properties/messages', 'properties/anyLines'],
    [
      ['takes the first of the keys that name a file', 'putCall', 'key >= best', 'false'],
      ['leaves lines with a repeated key in a call to the parser', 'addKey', '== hash) return false;', '== hash) return true;'],
    ],
  ),
  ...of(
    'FORMAT 3, the rows of a large file',
    'format/linking/resolveRows',
    ['properties/oddTrees'],
    [
      ['repeated IDs make one node', 'repeatedRows', 'entries[repeats[at + 1]!] = entries[repeats[at]!]!', '{}'],
      ['repeated IDs are reported', 'repeatedRows', "problems.add('duplicate-id', { line, id }, id);", ''],
      ['an entry that can be read stands before one that can’t', 'repeatedRows', 'isDamaged(head)', 'false'],
      ['a leaf line with the ID of an entry doesn’t replace it', 'repeatedRows', "head.type === 'leaf' ||", ''],
      ['a leaf line with the ID of an entry isn’t reported', 'repeatedRows', '&& !leafRows.has(row)', ''],
      ['the leaf can be an entry whose ID is repeated later', 'leafAndLabels', 'firsts?.[last] ?? last', 'last'],
      ['a parent may come after its child', 'linkRows', 'laterParents.get(row) ?? table.parentAt(row)', 'table.parentAt(row)'],
      ['an entry with the ID of a leaf line has no children', 'rowsOfLeafLines', '...table.repeats', ''],
      ['circles are broken', 'linkRows', 'isOrdered ? [] : breakCycles(parents, 0)', '[]'],
      ['circles are detected if an entry is its own parent', 'linkRows', '>= place', '> place'],
      ['circles are reported', 'linkRows', "circles.push(problem('cycle', { line: table.lineAt(row) }, table.idAt(row)));", ''],
      ['the first entry of a circle loses its parent', 'linkRows', 'parentIds.set(place, null);', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the rows of a large file',
    'format/scanner/scannedHeads',
    ['properties/oddTrees'],
    [
      ['IDs beyond ASCII are found', 'ids', '?? this.otherIds.get(id)', ''],
      ['IDs beyond ASCII may be repeated', 'add', 'this.otherRepeats.push([this.length, before]);', ''],
      ['all repeated IDs are in file order', 'repeats', '.sort(([a], [b]) => a - b)', ''],
      [
        'the entry before a last line without a line break is found by a repeated ID',
        'ids',
        'place = before.get(place)',
        'place = undefined',
      ],
      ['a last line without a line break isn’t among the lines before it', 'ids', 'place >= count) place', 'place >= count + 1e9) place'],
    ],
  ),
  ...of(
    'FORMAT 3, large lines',
    'format/entry/rowText',
    ['format/rowText'],
    [['keep only an excerpt in the head', 'contentLine', 'excerpt(textOf(content), MAX_CONTENT_LENGTH)', 'textOf(content)']],
  ),
];

const state = [
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/leafAndLabels',
    [session, rules],
    [
      ['is the last entry of any type', 'applyEntry', 'head.side', "head.side && head.type !== 'label'"],
      ['isn’t a side entry', 'applyEntry', 'if (!head.side) state.leafId = head.id;', 'state.leafId = head.id;'],
      ['is moved by a leaf line', 'applyEntry', 'if (leafId !== undefined) state.leafId = leafId;', ''],
    ],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/resolveHeads',
    [session, rules],
    [
      ['leaf lines aren’t entries', 'resolveHeads', "head.type === 'leaf'", 'false'],
      ['children of a leaf line are children of its target', 'resolveHeads', 'leafTargets.size > 0', 'false'],
    ],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/resolveRows',
    ['format/plainHeads'],
    [
      ['leaf lines of a large file aren’t entries', 'resolveRows', 'leafRows.size === 0', 'true'],
      ['an entry after a leaf line of a large file is the leaf', 'leafAndLabels', 'moved.row > last', 'moved.row >= 0'],
      ['a leaf line of a large file can’t move the leaf to a later entry', 'leafAndLabels', '< row', '!== row'],
    ],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/resolveRows',
    ['format/plainHeads'],
    [['children of a leaf line of a large file are children of its target', 'linkRows', 'parentIds.set(place, target)', '{}']],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/leafLine',
    [session, rules],
    [
      ['is moved only by a line whose target exists', 'resolveLeafLine', '(target !== null && !known.has(target))', 'false'],
      ['is found through several leaf lines', 'resolveLeafLine', 'resolveParent(head.targetId, leafTargets)', 'head.targetId'],
    ],
  ),
  ...of(
    'FORMAT 3, a leaf on a dead branch',
    'format/session/treeTraversal',
    [rules, 'format/treeTraversal'],
    [
      ['is suspected only if it’s bookkeeping', 'suspectedTip', '!BOOKKEEPING.has(type) ||', ''],
      [
        'may be a label',
        'BOOKKEEPING',
        "['label', 'session_info', 'title_change', 'custom']",
        "['session_info', 'title_change', 'custom']",
      ],
      ['may be a rename', 'BOOKKEEPING', "['label', 'session_info', 'title_change', 'custom']", "['label', 'title_change', 'custom']"],
      ['isn’t suspected if it’s a branch line of ours', 'suspectedTip', '|| customType === BRANCH_MARK', ''],
      ['is suspected only if it’s the last entry', 'suspectedTip', '|| leaf !== heads.length - 1', ''],
      ['is suspected only if another tip has newer messages', 'suspectedTip', 'newestTime <= newestOnPath', 'false'],
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
    [['one with an empty text clears', 'label', "asString(line['label']) || undefined", "asString(line['label'])"]],
  ),
];

const stored = [
  ...of(
    'FORMAT 3, stored heads',
    'catalog/encoding/encodeHeads',
    ['catalog/headCodec'],
    [
      ['an unknown parent is reported once', 'RECOMPUTED_PROBLEMS', "'unknown-parent'", "'other'"],
      ['a parent may come later in the file', 'add', 'parent === undefined || !', 'parent === undefined ? false : !'],
    ],
  ),
  ...of(
    'FORMAT 3, stored heads',
    'catalog/encoding/decodeHeads',
    ['catalog/headCodec'],
    [['IDs with the same hash are compared without a table, too', 'idsOf', 'at(row) !== id', 'false']],
  ),
  ...of(
    'FORMAT 3, stored heads',
    'catalog/encoding/storedColumns',
    ['catalog/headCodec'],
    [
      ['texts are read from their block', 'decode', 'start(Start.texts)', '0'],
      ['usage is read from its block', 'decode', 'start(Start.usages)', '0'],
      ['times are read from their block', 'decode', 'start(Start.messageTimes)', '0'],
      ['lines are read from their block', 'decode', 'start(Start.line)', '0'],
      ['positions are read from their block', 'decode', 'start(Start.end)', '0'],
      ['IDs may have any length', 'decode', 'idLengths[stored]!', '8'],
    ],
  ),
  ...of(
    'FORMAT 3, stored heads',
    'catalog/encoding/columnCodec',
    ['catalog/headCodec'],
    [
      ['text that isn’t valid Unicode is kept', 'text', 'flags: UTF16', 'flags: 0'],
      ['columns of equal values are compressed', 'add', 'part.flags | DEFLATED', 'part.flags'],
    ],
  ),
  ...of(
    'FORMAT 3, stored heads',
    'format/columns/stringTable',
    ['catalog/headCodec'],
    [['IDs with the same slot are both found', 'buildSlots', 'while (slots[slot] !== 0) slot = (slot + 1) & mask;', '']],
  ),
  ...of(
    'FORMAT 3, heads in columns',
    'format/linking/resolveRows',
    ['catalog/headCodec', 'format/plainHeads'],
    [
      ['the leaf may have any type', 'leafAndLabels', "type !== 'leaf' && !side", "type === 'message'"],
      ['the leaf isn’t a side entry', 'leafAndLabels', "type !== 'leaf' && !side", "type !== 'leaf'"],
      ['labels are read', 'leafAndLabels', 'applyLabel(labels, head)', '{}'],
    ],
  ),
  ...of(
    'FORMAT 3, heads in columns',
    'format/scanner/scannedHeads',
    ['properties/anyLines'],
    [['roots are found', 'columns', 'places.push(place)', '{}']],
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
        'linkSession',
        '[...resolved.problems, ...problems]',
        '[...resolved.problems, ...(first === 0 ? problems : [])]',
      ],
      ['is still found after the file grew several times', 'linkSession', '...(earlier?.missing ?? []),', ''],
    ],
  ),
  ...of(
    'FORMAT 3, an unknown parent',
    'format/linking/resolveHeads',
    [grown],
    [['is found when the file grew', 'resolveHeads', 'earlier.missing.has(id) || earlier.heads', 'earlier.heads']],
  ),
  ...of(
    'FORMAT 3, an entry that is its own ancestor',
    'format/linking/resolveHeads',
    [grown],
    [['is detected when the file grew', 'resolveHeads', '!isOrdered', '!isOrdered && !earlier']],
  ),
  ...of(
    'FORMAT 3, an entry that is its own ancestor',
    'format/linking/breakCycles',
    [grown],
    [['is detected by positions in the whole file when the file grew', 'breakCycles', 'parents[index]! - first', 'parents[index]!']],
  ),
  ...of(
    'FORMAT 3, duplicate ids',
    'format/linking/resolveHeads',
    [grown],
    [
      [
        'are reported when the file grew',
        'resolveHeads',
        '(earlier.missing.has(id) || earlier.heads.placeOf(id) !== undefined)',
        'earlier.missing.has(id)',
      ],
    ],
  ),
  ...of(
    'FORMAT 3, labels',
    'format/linking/resolveHeads',
    [grown],
    [['are kept when the file grew', 'resolveHeads', 'earlier?.labels', '']],
  ),
  ...of(
    'FORMAT 3, a torn last line',
    'format/linking/linkSession',
    [grown],
    [['isn’t reported any more once it’s whole', 'allProblems', "earlier.filter(({ code }) => code !== 'torn-line')", 'earlier']],
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
      ['is kept when no entry was added', 'resolveHeads', 'earlier?.leafId ?? null', 'null'],
    ],
  ),
  ...of(
    'FORMAT 3, a file that grew',
    'format/linking/linkSession',
    [grown, file],
    [
      ['keeps its earlier roots', 'linkSession', 'previous.roots.concat(roots)', 'roots'],
      ['gets its new roots', 'linkSession', 'previous.roots.concat(roots)', 'previous.roots'],
      ['keeps its earlier children', 'childrenFrom', 'earlier.get(id) ?? []', '[]'],
    ],
  ),
  ...of(
    'FORMAT 3, a file that grew',
    'format/columns/appendedHeads',
    ['format/appendedHeads'],
    [
      [
        'links new entries to parents that were added with them',
        'parentAt',
        '(this.places.get(added.parentId) ?? NO_PARENT)',
        '(this.base.placeOf(added.parentId) ?? NO_PARENT)',
      ],
      ['doesn’t change the session that was read before', 'with', '[...unfinished]', 'unfinished as EntryHead[]'],
      ['may grow by several chunks of entries', 'with', 'last.length === CHUNK', 'false'],
    ],
  ),
  ...of(
    'FORMAT 3, a file that grew',
    'format/linking/layeredMap',
    ['format/layeredMap', 'properties/grownSessions'],
    [
      ['keeps what was added before', 'with', 'extended(extended(this.added, this.layer), added)', 'extended(this.layer, added)'],
      ['doesn’t change what was read before', 'extended', 'new Map(map)', 'map as Map<string, V>'],
    ],
  ),
];

const versions = [
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/session/objectCollector',
    [rules, session, file],
    [
      ['every entry of version 1 gets an ID', 'isChain', '(this.state.header?.version ?? 1) < 2', '(this.state.header?.version ?? 1) < 1'],
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
      ['a firstKeptEntryIndex of the header keeps nothing', 'withGivenIds', 'index > 0', 'index >= 0'],
    ],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/entry/parseHead',
    [session, 'format/fork', 'files/sessionWriter', rules],
    [['a hookMessage is read as custom in heads', 'readMessage', "role === 'hookMessage' ? 'custom' : role", 'role']],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/entry/parseEntry',
    [file],
    [
      ['a hookMessage is read as custom in bodies', 'parseMessage', "name === 'hookMessage' ? 'custom' : name", 'name'],
      ['bodies have firstKeptEntryId in place of the index', 'compaction', "delete entry['firstKeptEntryIndex'];", ''],
    ],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/parse/migrateLine',
    ['format/migrateLine', 'files/sessionWriter'],
    [
      ['a hookMessage is migrated to custom', 'migrateLine', "changes['message'] = { ...message, role: 'custom' }", ''],
      [
        'a migration keeps unknown members',
        'migrateLine',
        '{ ...line, ...changes }',
        "{ type: line['type'], message: line['message'], ...changes }",
      ],
      ['a migration removes the index', 'migrateLine', "delete current['firstKeptEntryIndex'];", ''],
      ['branchedFrom becomes parentSession', 'migrateHeader', 'header.parentSession ?? header.branchedFrom', 'header.parentSession'],
      [
        'a parentSession wins over branchedFrom',
        'migrateHeader',
        'header.parentSession ?? header.branchedFrom',
        'header.branchedFrom ?? header.parentSession',
      ],
      [
        'a migration keeps the header’s other members',
        'migrateHeader',
        '...header',
        "type: 'session', id: header.id, timestamp: header.timestamp, cwd: header.cwd",
      ],
      ['a migration writes the IDs that reading gave', 'migrateLine', "changes['id'] = target.id", "changes['id'] = `m${target.id}`"],
    ],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/write/fork',
    ['format/fork', 'files/sessionWriter'],
    [['a fork’s compaction without a kept entry keeps nothing', 'lineIds', 'session.version < 2', 'false']],
  ),
];

const prose = [
  ...of(
    'Rows as prose',
    'format/text/plainText',
    ['format/plainText'],
    [
      ['code between backticks is left alone', 'markdownMarks', 'i = close;', ''],
      ['two underscores around a name are code', 'isEmphasis', "marks !== '__' || ", 'true || '],
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
        'calls and commands aren’t read as Markdown',
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
    [
      'doesn’t count if it failed or was stopped',
      'endsWithAnswer',
      "stopReason === 'stop' || stopReason === 'length'",
      "stopReason !== 'toolUse'",
    ],
    ['counts if the length limit cut it', 'endsWithAnswer', "stopReason === 'stop' || stopReason === 'length'", "stopReason === 'stop'"],
    ['may be followed by commands that the person ran', 'endsWithAnswer', "role !== 'bashExecution' &&", ''],
    ['doesn’t count if a later entry adds to the context', 'endsWithAnswer', "type !== 'message' && !SILENT.has(type)", 'false'],
    ['is searched on the active branch, not at the end of the file', 'endsWithAnswer', 'heads.placeOf(session.leafId)', 'heads.length - 1'],
  ],
);

const turns = of(
  'Long work yields to the event loop',
  'files/concurrency/eventLoop',
  ['files/eventLoop'],
  [
    [
      'after a time that all tasks of a turn share',
      'isDue',
      'performance.now() - beginTurn() >= SLICE',
      'performance.now() - (this.began ??= performance.now()) >= SLICE',
    ],
    ['counts time from the next turn on anew', 'beginTurn', '(turnBegan = undefined)', 'undefined'],
    ['leaves gaps while other work has priority', 'yieldToEventLoop', 'prioritized > 0 ? delay(SLICE) : nextTurn()', 'nextTurn()'],
    ['leaves none once that work has had priority for long', 'runWithPriority', 'setTimeout(end, MAX_PRIORITY)', 'undefined'],
    ['counts each work that has priority once', 'runWithPriority', 'if (hasPriority) prioritized--', 'prioritized--'],
  ],
);

export const reading = [...turns, ...answers, ...lines, ...entries, ...state, ...stored, ...growth, ...versions, ...prose];
