// FORMAT section 3: what is accepted, skipped, reported; the leaf, labels, versions.
import { of } from './row.mjs';

const session = 'format/session';
const readLine = 'format/readLine';
const rules = 'format/rulesReading';
const file = 'files/sessionFile';
const grown = 'files/rulesReading';

const lines = [
  ...of('FORMAT 3, padding', 'format/parse/readLine', [readLine, session], [
    ['blank lines are accepted', "if (start === end) return { kind: 'blank' };", "if (start === end) return { kind: 'bad' };"],
    ['NUL padding is accepted', "character === '\\0' || character.trim() === ''", "character.trim() === ''"],
    ['CRLF and a BOM are accepted', "character === '\\0' || character.trim() === ''", "character === '\\0' || character === ' '"],
  ]),
  ...of('FORMAT 3, a bad line', 'format/session/sessionReader', [session, rules], [
    ['is reported', "      this.addLineProblem('bad-line', place);\n    }", '    }'],
    ['is reported with its line number', "'before-header', { line: place.line }));\n  }", "'before-header', { line: place.line - 1 }));\n  }"],
    ['counts as no object', 'this.firstObject ??= read.value;', 'this.firstObject ??= read.value; this.state.objects++;'],
    ['is skipped, and what follows is read', "if (read.kind === 'bad') {", "if (read.kind === 'bad') {\n      this.state.setHeader = undefined;"],
  ]),
  ...of('FORMAT 3, a bad line', 'format/parse/readLine', [readLine, session], [
    ['may hold an object that is whole', 'else rest = true;', "else return { kind: 'bad' };"],
    ['is what has no type', "isObject(value) && typeof value['type'] === 'string'", 'isObject(value)'],
  ]),
  ...of('FORMAT 3, glued objects', 'format/session/sessionReader', [session, rules], [
    ['are reported', "if (found.length > 1) this.addLineProblem('glued-line', place);", ''],
    ['are all read', 'for (const object of found) this', 'for (const object of found.slice(0, 1)) this'],
    ['with something unreadable beside them are reported', "if (rest) this.addLineProblem('bad-line', place);", ''],
  ]),
  ...of('FORMAT 3, glued objects', 'format/parse/readLine', [grown, file], [
    ['have their own places', 'const offset = at + byteLength(text.slice(unit, start));', 'const offset = at;'],
    ['have their own lengths', 'const length = byteLength(text.slice(start, end));', 'const { length } = line;'],
  ]),
  ...of('FORMAT 3, glued objects', 'format/parse/readLine', [readLine], [
    ['are told apart where texts hold braces', 'else if (code === 0x22) inString = true;', ''],
    ['are told apart where texts hold quotes', 'if (code === 0x5c) i++;', 'if (code === 0x5c) i += 0;'],
    ['may lie deep', 'depth--;', 'depth = 0;'],
  ]),
  ...of('FORMAT 3, a torn last line', 'format/session/sessionReader', [session, rules], [
    ['is reported', "if (read.kind !== 'blank') this.problems.add(problem('torn-line', { line: place.line }));", ''],
    ['is no entry, even if it begins with one', "if (read.kind !== 'objects' || read.rest) {", "if (read.kind !== 'objects') {"],
    ['is not counted as read', "if (read.kind !== 'blank') this.problems.add(problem('torn-line', { line: place.line }));", "this.size += place.length; this.problems.add(problem('torn-line', { line: place.line }));"],
  ]),
  ...of('FORMAT 3, a last line without a line break', 'format/session/sessionReader', [rules, session, file], [
    ['is an entry if it is whole', "if (read.kind !== 'objects' || read.rest) {", 'if (!place.hasLineBreak) {'],
    ['counts as read', '(place.hasLineBreak ? 1 : 0);\n    if (read', '1;\n    if (read'],
  ]),
  ...of('FORMAT 3, a last line without a line break', 'format/session/sessionReader', ['format/change'], [
    ['is known as such', '      if (this.state.header) this.beforeLastLine = this.build();\n    }\n    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);\n    if (read', '    }\n    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);\n    if (read'],
  ]),
  ...of('FORMAT 3, the header', 'format/session/sessionReader', [session, rules], [
    ['is looked for behind junk, which is reported', "} else this.problems.add(problem('before-header', { line: place.line }));", '}'],
    ['junk that is no JSON is reported as such', "this.state.header || code === 'glued-line' ? code : 'before-header'", 'code'],
    ['has a text as id', "typeof value['id'] === 'string') this.setHeader", "value['id'] !== undefined) this.setHeader"],
    ['is a line of type session', "if (type === 'session' && typeof", "if (typeof"],
    ['is the first one', "this.problems.add(problem('duplicate-header', { line: place.line }));", "this.problems.add(problem('duplicate-header', { line: place.line }));\n      this.header(value, place);"],
    ['a second one is reported', "this.problems.add(problem('duplicate-header', { line: place.line }));", ''],
    ['a second one is no entry', "this.problems.add(problem('duplicate-header', { line: place.line }));\n      return;", "this.problems.add(problem('duplicate-header', { line: place.line }));"],
  ]),
  ...of('FORMAT 3, the header', 'format/entry/header', [session, rules], [
    ['keeps what is not known', "{ ...value, type: 'session', timestamp", "{ id: value['id'], version: value['version'], type: 'session', timestamp"],
  ]),
  ...of('FORMAT 3, what is no session', 'format/parse/readErrors', [session, rules], [
    ['an empty file is named so', 'if (first === undefined && size === 0)', 'if (false)'],
    ['another format is named so', "first['kind'] === 'header' || ", ''],
    ['an event stream is named so', " || isObject(first['payload'])", ''],
  ]),
  ...of('FORMAT 3, what is no session', 'format/session/sessionReader', [session, rules], [
    ['another format without types is named so', 'this.firstObject ??= read.value;', ''],
  ]),
  ...of('FORMAT 3, what is no session', 'files/api/listSessions', ['files/sessionManager'], [
    ['is listed with the reason', 'options.onProblem?.(path, error);', ''],
    ['does not keep others from being listed', 'options.onProblem?.(path, error);', 'throw error;'],
  ]),
];

const entries = [
  ...of('FORMAT 3, entries without ids', 'format/session/sessionReader', [session, rules], [
    ['are given one', '|| own === undefined || own', '|| own'],
    ['an empty id is none', " || own === '';", ';'],
    ['are a chain', 'const parentId = chained ? this.lastId :', 'const parentId = chained ? null :'],
    ['are reported in version 3', "this.problems.add(problem('no-id', { line: place.line }));", ';'],
    ['are known to have given ids', 'if (chained) this.hasGivenIds = true;', ''],
    ['have ids by their place', 'givenId(state.objects) : own', 'givenId(place.line) : own'],
  ]),
  ...of('FORMAT 3, an unknown parent', 'format/session/session', [rules, session, file], [
    ['makes a root', '\n    roots.push(head.id);\n    if (head.parentId', '\n    if (head.parentId'],
    ['is reported', "\n      problems.push(problem('unknown-parent', { line: head.line, parent: head.parentId }, head.id));", ''],
  ]),
  ...of('FORMAT 3, its own ancestor', 'format/session/session', [rules, session, file], [
    ['is found', 'if (!ordered) breakCycles(', 'if (false) breakCycles('],
    ['is found where an entry is its own parent', 'parent.offset < head.offset', 'parent.offset <= head.offset'],
  ]),
  ...of('FORMAT 3, its own ancestor', 'format/session/breakCycles', [session, rules], [
    ['is reported', "problems.push(problem('cycle', { line: head.line }, first));", ''],
    ['is a root', 'cut.add(first);', ''],
    ['appears once', 'siblings.splice(siblings.indexOf(first), 1);', ''],
    ['is the first of its circle in the file', 'if (place.get(next)! < place.get(first)!) first = next;', ''],
    ['is left by every walk', '{ ...head, parentId: null }', 'head'],
  ]),
  ...of('FORMAT 3, its own ancestor', 'format/session/treeTraversal', [rules, 'format/treeTraversal'], [
    ['ends a walk', 'while (head && !seen.has(head.id)) {', 'while (head) {'],
  ]),
  ...of('FORMAT 3, a child before its parent', 'format/session/session', [rules, session, file], [
    ['hangs off it', 'head.parentId === last?.id ? last : byId.get(head.parentId);', 'byId.get(head.parentId)?.offset! > head.offset ? undefined : byId.get(head.parentId);'],
  ]),
  ...of('FORMAT 3, duplicate ids', 'format/session/session', [rules, session, file], [
    ['are one node', 'repeated = true;', ''],
    ['the last line counts', 'const known = byId.size;\n    byId.set(head.id, head);', 'const known = byId.size;\n    if (!byId.has(head.id)) byId.set(head.id, head);'],
    ['are reported', "problems.push(problem('duplicate-id', { line: head.line, id: head.id }, head.id));", ''],
  ]),
  ...of('FORMAT 3, content that is null or missing', 'format/entry/parseEntry', [file, rules], [
    ['is empty', 'if (!Array.isArray(value)) return [];', 'if (!Array.isArray(value)) return value;'],
    ['is there', ' || ROLES_WITH_CONTENT.has(role)', ''],
    ['a message that is missing has no role', "asString(given['role']) ?? 'other'", "asString(given['role']) ?? 'user'"],
  ]),
  ...of('FORMAT 3, a version above 3', 'format/session/sessionReader', [session], [
    ['is reported', 'version > CURRENT_VERSION) this', 'version > 99) this'],
  ]),
  ...of('FORMAT 3, large lines', 'files/read/lineSplitter', ['files/scanLines'], [
    ['are read whole', 'this.held.copy(larger, 0, 0, this.size);', ''],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'files/read/lineSplitter', ['properties/chunks', 'properties/messages'], [
    ['tell how the file ends, also those without data', 'Math.max(from, to - FINGERPRINT_BYTES)', 'to'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/session/sessionReader', ['properties/messages'], [
    ['tell how the file ends', 'scanner.copyInput(Math.max(at, scanner.scanEnd - 1 - FINGERPRINT_BYTES), scanner.scanEnd - 1)', "''"],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'catalog/index/readLinesSync', ['properties/messages'], [
    ['are held where they are longer', 'left <= MAX_CARRIED_BYTES', 'true'],
    ['go on in the next chunk', 'bytes.copyWithin(0, taken, read.length);', ';'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'files/read/scanLines', ['properties/chunks'], [
    ['go on in the next chunk', 'left.copy(bytes, CARRY_BYTES - left.length)', 'left.length'],
    ['are held where they are longer', '      if (left.length > CARRY_BYTES) {', '      if (left.length > 2 * CARRY_BYTES) {'],
  ]),
  ...of('FORMAT 3, a bad line', 'format/wasm/json', ['properties/messages'], [
    ['is one with a number that is none', ' || (byteAt(at) == ZERO && whole > at + 1)', ''],
    ['is one with a bracket that closes a brace', 'byteAt(at) == (objects & 1 ? CLOSE_BRACE : CLOSE_BRACKET)', '(byteAt(at) == CLOSE_BRACE || byteAt(at) == CLOSE_BRACKET)'],
    ['is one with a key that is none', 'byteAt(close + 1) == COLON ? close + 2 : 0', 'true ? close + 2 : 0'],
  ]),
  ...of('FORMAT 3, a bad line', 'format/wasm/strings', ['properties/messages'], [
    ['is one with a control character in a text', 'BLANK = memory.data<u8>([SPACE])', 'BLANK = memory.data<u8>([SPACE | 2])'],
    ['is one with an escape that is none', 'default:\n      return 0;', 'default:\n      return 2;'],
    ['is one with an escape that is none in a long text', ' | (escaped & ~known)', ''],
    ['is one with an escape of three digits', ' && isHex(byteAt(at + 5))', ''],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/strings', ['properties/messages'], [
    ['end where a backslash is escaped', ' ^ (backslashes | carried)', ' ^ backslashes'],
    ['end where a backslash is escaped by one that stands before', 'carried = (codes & backslashes) >>> 63;', ''],
    ['have no other escapes than JSON has', 'BACKSLASH, 0, 0x6e, 0]', 'BACKSLASH, 0, 0x6e, 255]'],
    ['go on behind an escape that is long', '    carried = 0;\n', ''],
    ['are told by all their characters', ' & ((1 << left) - 1)', ' & ((1 << left) - 2)'],
    ['have plain names', 'i8x16.lt_s(block', 'i8x16.eq(block'],
  ]),
  ...of('FORMAT 3, data by its bytes', 'format/wasm/extraData', ['properties/messages'], [
    ['is passed over', "startsWith(key, 'data')", "startsWith(key, 'date')"],
    ['is no other text', "keyTo - key == 4 && startsWith(key, 'data')", "startsWith(key, 'content')"],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/json', ['properties/messages'], [
    ['have their numbers', 'whole + fraction <= EXACT_DIGITS', 'whole + fraction <= 18'],
    ['have the time that JavaScript tells', 'month == 2 && isLeap(year) ? 29', 'month == 2 && year % 4 == 0 ? 30'],
    ['have the time that JavaScript tells', 'month > 2 && isLeap(year)', 'month > 1 && isLeap(year)'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/message', ['properties/messages'], [
    ['are parsed where a key comes twice', "if (startsWith(key, 'role')) return false;", ''],
    ['are parsed where an id is very long', ' || id.to - id.from > MAX_ID_LENGTH', ''],
    ['are parsed where something else counts', "if (startsWith(key, 'errorMessage')) return false;", ''],
    ['end where the line does', "byteAt(p + 2) == NEWLINE ? p + 2 : 0", 'true ? p + 2 : 0'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/contentBlocks', ['properties/messages'], [
    ['are parsed where a text may be space', 'case 0xe3: return next == 0x80;', 'case 0xe3: return false;'],
    ['have text if they say something', 'if (byte == 0x20) continue;', ''],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/scanner', ['properties/messages'], [
    ['hang off an entry that is there', 'if (before == NONE - 1) return NONE;', ''],
    ['say nothing with space alone', 'if (!taken || !hasWords) words', 'if (!taken) words'],
    ['have their calls', 'putCall(block.idFrom, <u32>(block.idTo - block.idFrom), row);', '{}'],
    ['have the model that both names tell', 'provider.from != 0 && model.from != 0', 'model.from != 0'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/searchText', ['properties/messages'], [
    ['are searched as JavaScript reads them', 'case 0x74: return 9;', 'case 0x74: return 0x74;'],
    ['are parsed for what is not ASCII', 'if (byte >= 0x80) return false;', ''],
    ['name the first of the keys that name a file', 'key >= best', 'false'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/branches', ['properties/messages'], [
    ['are on the active branch', 'row = intAt(parents, row)) store<u8>', 'row = NONE) store<u8>'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/touches', ['properties/messages'], [
    ['call a tool once', ' && intAt(toolRows, tool) != row + 1', ''],
    ['touch a file once', 'if (intAt(fileRows, slot) == row + 1) return;', ''],
    ['touch a file by any of its names', 'const first = intAt(canonicalFiles, file);', 'const first = file;'],
    ['write files', '(kind == WRITE ? WRITES : 0)', '0'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/lineTable', ['properties/messages'], [
    ['have their words even if two are on a line', 'if (places.size > 0 && load<i32>(end - 12) == line) {', 'if (false) {'],
    ['are as old as they say, to the millisecond', 'Math.round(timeOf(row))', 'timeOf(row)'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/costs', ['properties/messages'], [
    ['cost something on their day', 'const day = Math.floor(timeOf(row) / DAY);', 'const day: f64 = 1;'],
    ['cost what their model does', ' || cell.payer != payer', ''],
    ['cost their branch nothing before its fork', ' && childrenOf(row) == 1', ''],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/rows', ['properties/messages'], [
    ['are as old as they say', 'return time == time ? time : doubleAt(times, row);', 'return doubleAt(times, row);'],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/wasm/buildIndex', ['properties/messages'], [
    ['are kept for tools that have a name', 'isCalling = isCalling || rowTools.size > 0;', 'isCalling = true;'],
    ['have the labels that stand for them', 'entry = load<i32>(target, 4);', ''],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'catalog/index/indexScannedRows', ['properties/messages'], [
    ['leave lines to others that cost something', 'head.usage && isCounted(head) ?', 'isCounted(head) && false ?'],
    ['leave lines to others that have a role', 'this.roleOf[this.profile[row]!] = this.roles.numberOf(role);', ''],
    ['have models in the order in which they came', '.sort(([a], [b]) => a - b)', ''],
  ]),
  ...of('FORMAT 3, messages by their bytes', 'format/columns/scannedHeads', ['properties/messages'], [
    ['are left to others where an id comes again', 'if (tableSize(ids) < count) return undefined;', ''],
    ['are left to others where a parent comes later', '?? NO_CALL) >= place', '?? NO_CALL) >= 1e9'],
  ]),
  ...of('FORMAT 3, large lines', 'format/entry/rowText', ['format/rowText'], [
    ['leave heads small', 'oneLine(excerpt(textOf(content), MAX_CONTENT_LENGTH))', 'oneLine(textOf(content))'],
  ]),
];

const state = [
  ...of('FORMAT 3, the leaf', 'format/session/leafAndLabels', [session, rules], [
    ['is the last entry, whatever its type', 'if (!head.side) state.leafId', "if (!head.side && head.type !== 'label') state.leafId"],
    ['is never a side entry', 'if (!head.side) state.leafId', 'state.leafId'],
    ['is moved by a leaf line', 'if (leafId !== undefined) state.leafId = leafId;', ''],
  ]),
  ...of('FORMAT 3, the leaf', 'format/session/session', [session, rules], [
    ['leaf lines are no entries', "if (head.type === 'leaf') continue;", ''],
    ['what hangs off a leaf line hangs off its target', '  resolveParents(lines.heads, byId, leafTargets);', ''],
  ]),
  ...of('FORMAT 3, the leaf', 'format/session/leafLine', [session, rules], [
    ['is moved by a valid line alone', '(target !== null && !known.has(target))', 'false'],
    ['follows from one leaf line to another', 'undefined : resolveParent(head.targetId, leafTargets);', 'undefined : head.targetId;'],
  ]),
  ...of('FORMAT 3, a leaf on a dead branch', 'format/session/treeTraversal', [rules, 'format/treeTraversal'], [
    ['is bookkeeping', '!BOOKKEEPING.has(leaf.type) || ', ''],
    ['may be a label', "new Set(['label', ", 'new Set(['],
    ['may be a rename', "'session_info', ", ''],
    ['is no branch line of ours', 'leaf.customType === BRANCH_MARK || ', ''],
    ['is the last entry', ' || session.entries.at(-1) !== leaf', ''],
    ['another tip has newer messages', 'activityTime(newest)! <= newestOnPath', 'false'],
    ['the newest of several is offered', 'time >= activityTime(newest)!', 'false'],
    ['the tip is offered, not an entry before it', 'return below?.length ?', 'return false ?'],
  ]),
  ...of('FORMAT 3, labels', 'format/session/leafAndLabels', [rules, session, file], [
    ['the last one wins', 'else labels.set(head.targetId, head.label);', 'else if (!labels.has(head.targetId)) labels.set(head.targetId, head.label);'],
    ['one without text clears', 'if (head.label === undefined) labels.delete(head.targetId);', 'if (head.label === undefined) return;'],
  ]),
  ...of('FORMAT 3, labels', 'format/entry/entryHead', [session, rules], [
    ['an empty one clears', "asString(line['label']) || undefined", "asString(line['label'])"],
  ]),
];

const stored = [
  ...of('FORMAT 3, sessions of stored heads', 'catalog/encoding/headCodec', ['catalog/headCodec'], [
    ['have their texts in blocks', 'if (place % BLOCK === 0) at = 0;', ''],
    ['have ids of any length', 'letter += idLengths[stored]!', 'letter += 8'],
  ]),
  ...of('FORMAT 3, sessions of stored heads', 'catalog/encoding/columnCodec', ['catalog/headCodec'], [
    ['may be no Unicode', "value, 'utf16le'), flags: UTF16 }", 'value, \'utf16le\'), flags: 0 }'],
    ['may have columns that are all the same', 'flags: part.flags | DEFLATED', 'flags: part.flags'],
  ]),
  ...of('FORMAT 3, sessions of stored heads', 'format/columns/stringTable', ['catalog/headCodec'], [
    ['have ids of one place', 'while (slots[slot] !== 0) slot = (slot + 1) & mask;\n    slots', 'slots'],
    ['have ids that look alike', 'slots[slot] !== 0; slot = (slot + 1) & mask) if (isMeant(slots[slot]! - 1))', 'slots[slot] !== 0; slot = (slot + 1) & mask)'],
  ]),
  ...of('FORMAT 3, sessions of stored heads', 'format/columns/linkColumns', ['catalog/headCodec'], [
    ['have their leaf', 'table.irregular.get(place)?.side) place--;', 'table.irregular.get(place)) place--;'],
    ['have siblings oldest first', 'if (found.length > 1) found.sort((a, b) => table.time(a) - table.time(b));', ''],
    ['tell of an unknown parent', "problems.push(problem('unknown-parent'", "if (head.line < 0) problems.push(problem('unknown-parent'"],
  ]),
];

const growth = [
  ...of('FORMAT 3, an unknown parent', 'format/session/session', [grown], [
    ['is reported when the file grew', "\n          problems.push(problem('unknown-parent', { line: head.line, parent: head.parentId }, head.id));", ''],
    ['may turn up later', 'if (missing.has(read.id) || find(read.id)) return undefined;', 'if (find(read.id)) return undefined;'],
  ]),
  ...of('FORMAT 3, its own ancestor', 'format/session/session', [grown], [
    ['is found when the file grew', 'if (head.parentId === head.id) return undefined;', ''],
  ]),
  ...of('FORMAT 3, duplicate ids', 'format/session/session', [grown], [
    ['are seen when the file grew', 'if (missing.has(read.id) || find(read.id)) return undefined;', 'if (missing.has(read.id)) return undefined;'],
  ]),
  ...of('FORMAT 3, labels', 'format/session/session', [grown], [
    ['stay when the file grew', 'labels: new Map(session.labels)', 'labels: new Map()'],
  ]),
  ...of('FORMAT 3, a torn last line', 'format/session/session', [grown], [
    ['is torn no more once it is whole', "session.problems.filter(({ code }) => code !== 'torn-line')", 'session.problems'],
  ]),
  ...of('FORMAT 3, the leaf', 'format/session/session', [grown], [
    ['what hangs off a leaf line hangs off its target, when the file grew', 'const parentId = resolveParent(read.parentId, leafTargets);', 'const { parentId } = read;'],
  ]),
];

const versions = [
  ...of('FORMAT 3, versions 1 and 2', 'format/session/sessionReader', [rules, session, file], [
    ['in version 1 every entry gets an id', '?? 1) < 2;', '?? 1) < 1;'],
    ['a file without a version is version 1', 'state.header?.version ?? 1) < 2', 'state.header?.version ?? 3) < 2'],
    ['heads have the names of version 3', 'parseHead(chained ? withGivenIds(value) : value', 'parseHead(value'],
  ]),
  ...of('FORMAT 3, versions 1 and 2', 'format/parse/migrateLine', [rules, session, file], [
    ['firstKeptEntryIndex counts the header as 0', 'firstKeptEntryId: givenId(index)', 'firstKeptEntryId: givenId(index + 1)'],
    ['an index of the header keeps nothing', 'index > 0', 'index >= 0'],
  ]),
  ...of('FORMAT 3, versions 1 and 2', 'format/entry/entryHead', [session, 'format/fork', 'files/sessionWriter', rules], [
    ['hookMessage is custom in heads', "role === 'hookMessage' ? 'custom' : role", 'role'],
  ]),
  ...of('FORMAT 3, versions 1 and 2', 'format/entry/parseEntry', [file], [
    ['hookMessage is custom in bodies', "name === 'hookMessage' ? 'custom' : name", 'name'],
    ['the index goes, the id comes', "delete entry['firstKeptEntryIndex'];", ''],
  ]),
  ...of('FORMAT 3, versions 1 and 2', 'format/parse/migrateLine', ['format/migrateLine', 'files/sessionWriter'], [
    ['hookMessage is custom once migrated', "changes['message'] = { ...message, role: 'custom' };", ';'],
    ['keys that are not known stay', '{ ...line, ...changes }', "{ type: line['type'], message: line['message'], ...changes }"],
    ['the index goes', "delete current['firstKeptEntryIndex'];", ''],
    ['branchedFrom becomes parentSession', ' ?? header.branchedFrom;', ';'],
    ['but not if there is one', 'header.parentSession ?? header.branchedFrom', 'header.branchedFrom ?? header.parentSession'],
    ['branchedFrom and the settings at the start stay', '{ ...header, version', "{ type: 'session', id: header.id, timestamp: header.timestamp, cwd: header.cwd, version"],
    ['ids are those that reading gave', "changes['id'] = target.id;", "changes['id'] = `m${target.id}`;"],
  ]),
  ...of('FORMAT 3, versions 1 and 2', 'format/write/fork', ['format/fork', 'files/sessionWriter'], [
    ['an index of nothing keeps nothing', 'session.version < 2 && firstKeptEntryId', 'false && firstKeptEntryId'],
  ]),
];

export const reading = [...lines, ...entries, ...state, ...stored, ...growth, ...versions];
