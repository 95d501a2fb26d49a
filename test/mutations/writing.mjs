// FORMAT section 6: the conditions, positions and content of writes.
import { of } from './row.mjs';

const submit = 'files/sessionWriter';
const between = 'files/changedBeforeWrite';
const disturbances = 'files/disturbances';
const guard = 'files/writeGuard';
const change = 'format/change';
const fork = 'format/fork';
const imported = 'files/import/importSession';
const converters = 'format/import/converters';
const foreignCases = 'files/import/foreignCases';
const newFile = 'files/atomicFile';
const rules = 'files/rulesWriting';
const signs = 'files/rulesSigns';
const leases = 'files/leases';
const live = 'files/sessionInUse';
const archived = 'files/archivedSessions';
const formatRules = 'format/rulesWriting';

const guards = [
  ...of(
    'FORMAT 6.1, the guard',
    'files/write/writeGuard',
    [guard, rules, submit],
    [
      ['a live session is refused', 'assertFree', "presence.state === 'live'", "presence.state === 'live' && !force"],
      ['a session in doubt is refused', 'assertFree', "presence.state === 'unsure' && !force", 'false'],
      [
        'a session in doubt can be written to if the person insists',
        'assertFree',
        "presence.state === 'unsure' && !force",
        "presence.state === 'unsure'",
      ],
      ['omp’s lock is taken', 'acquireProgramLock', "dialect === 'omp'", 'false'],
      ['omp’s lock names process and time', 'tryCreateLockFile', '`${process.pid}:${Date.now()}\\n`', '`${process.pid}`'],
      ['gsd’s lock is taken', 'acquireProgramLock', "dialect === 'gsd'", 'false'],
      ['a lock is made exclusively', 'tryCreateLockFile', "disk.open(lock, 'wx', 0o600)", "disk.open(lock, 'w', 0o600)"],
      ['the wait for a lock has a limit', 'acquireProgramLock', 'performance.now() >= end', 'false'],
      ['the lock of an ended process is replaced', 'removeStaleLockFile', '!isProcessRunning(holder.pid)', 'false'],
      ['gsd’s stale lock is replaced', 'takeFolder', 'await isStaleLockFolder(lock)', 'false'],
      ['a lock is released', 'withProgramLock', 'await release();', ''],
      ['only our own lock is removed', 'tryCreateLockFile', 'if ((await readLock(lock)) === mine)', ''],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/presence',
    [signs, guard, submit],
    [
      [
        'an open file descriptor of another process means live',
        'presence',
        "{ state: 'live', signs: [{ how: 'open', ...opener }] }",
        "{ state: 'unsure', signs: [{ how: 'open', ...opener }] }",
      ],
      ['a lock means live', 'presence', 'if (lock', 'if (false'],
      ['a program in the project and growth together mean live', 'combineSigns', "worker && growth !== 'none'", 'false'],
      ['growth alone means live in sessions of omp', 'presence', '(await isGrowthConclusive(path, about))', 'false'],
      ['a program in the project alone is a doubt', 'combineSigns', '...(worker ? [worker] : []),', ''],
      ['a program counts only in the session’s own project', 'agentSign', 'able.find((one) => one.cwd === folder)', 'able[0]'],
      ['a program counts only for its own dialect', 'agentSign', '(dialect === undefined || dialect === one.dialect)', 'true'],
      ['growth alone is a doubt', 'combineSigns', "...(growth === 'beside' ? [{ how: 'growth' } as const] : []),", ''],
      ['omp’s breadcrumb with a running process is a sign', 'combineSigns', 'crumb?.pid !== undefined', 'false'],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/system',
    [guard],
    [['our own descriptors are no sign', 'processIds', '/^\\d+$/.test(name) && Number(name) !== process.pid', '/^\\d+$/.test(name)']],
  ),
  ...of('FORMAT 6.1, leases', 'files/presence/presence', [leases], []),
  ...of('FORMAT 6.1, leases', 'files/presence/openFiles', [leases], []),
  ...of('FORMAT 6.1, leases', 'files/presence/sessionLeases', [leases], []),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/inspectProcesses',
    [signs],
    [['a process that has the file open only for a moment is no sign', 'inspectProcesses', 'first.size === 0', 'true']],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/programLocks',
    [guard, submit, live],
    [
      ['a lock named after the whole file name is a sign', 'findLockHolder', '...files', '...files.slice(1)'],
      ['a lock named without the suffix is a sign', 'findLockHolder', '...files', 'files[0]'],
      ['OpenClaw’s lock is a sign', 'findLockHolder', '[...files, folder]', 'files'],
      ['gsd’s lock is a sign', 'findLockHolder', 'isFolder && (await isRecent(folder, STALE_FOLDER_MS, now))', 'false'],
      ['gsd’s stale lock is no sign', 'findLockHolder', 'isFolder && (await isRecent(folder, STALE_FOLDER_MS, now))', 'isFolder'],
      ['the lock of an ended process is no sign', 'findLockHolder', 'isProcessRunning(holder.pid) &&', ''],
      [
        'our own lock is no sign',
        'findLockHolder',
        'holder.pid !== process.pid && isProcessRunning(holder.pid)',
        'isProcessRunning(holder.pid)',
      ],
      [
        'a lock that was just created is a sign, even while it’s empty',
        'findLockHolder',
        'if (await isRecent(file, EMPTY_LOCK_MS, now)) return {};',
        '',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/recentWrites',
    [guard, submit],
    [
      [
        'growth within seconds is a sign',
        'hasRecentForeignWrite',
        "(await lastBytes?.(path, stats)) !== 'ours'",
        "(await lastBytes?.(path, stats)) === 'nobody'",
      ],
      ['growth long ago is no sign', 'hasRecentForeignWrite', 'age >= RECENT_WRITE_MS', 'age >= RECENT_WRITE_MS * 1000'],
      [
        'a modification time in the future counts as growth',
        'hasRecentForeignWrite',
        "age <= -RECENT_WRITE_MS && futures?.(path, stats) === 'still'",
        'age <= -RECENT_WRITE_MS',
      ],
      [
        'a modification time in the future stops counting as growth',
        'hasRecentForeignWrite',
        "age <= -RECENT_WRITE_MS && futures?.(path, stats) === 'still'",
        'false',
      ],
      [
        'a modification time in the future counts until it’s unchanged for ten seconds',
        'createFutureMtimeCheck',
        'RECENT_WRITE_MS',
        'RECENT_WRITE_MS / 2',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/write/ownWrites',
    [submit],
    [
      ['the extension’s own writes aren’t growth', 'lastBytes', "? 'ours'", "? 'theirs'"],
      ['writes of others beside ours are growth', 'lastBytes', '&& Math.abs(Date.now() - known.foreignMs) > RECENT_WRITE_MS', ''],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/write/preWriteCheck',
    [submit, between],
    [
      ['the guard is called', 'assertNotInUse', 'assertFree(path, found, force);', ''],
      [
        'lines that arrive during the check are read',
        'inspect',
        'if (!sameVersion(seen, version) && !(hasGrown(seen, version) && hasGrowthSign(found))) throw changedError(path);',
        '',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/write/submitChange',
    [submit],
    [
      [
        'the lock is held while writing',
        'writeAt',
        'withProgramLock',
        '(async (_path: string, _dialect: unknown, work: () => Promise<SubmitResult>, _disk: unknown) => work())',
      ],
    ],
  ),
];

const appends = [
  ...of(
    'FORMAT 6.2, one line',
    'files/write/appendText',
    [rules, submit, between, disturbances],
    [
      ['is written at the end, even if the file grew meanwhile', 'appendText', 'constants.O_RDWR | constants.O_APPEND', 'constants.O_RDWR'],
      ['is written only if the file is the one that was read', 'appendText', 'assertUnchanged(session, version, fileVersion(stats));', ''],
      [
        'is written only if the path still leads to that file',
        'appendText',
        'assertUnchanged(session, version, fileVersion(await disk.stat(path, { bigint: true })));',
        '',
      ],
      ['is written only after a line break', 'appendText', 'await assertEndsWithNewline(file, session, version.size);', ''],
      [
        'is written only if the file was read to its end',
        'assertEndsWithNewline',
        'last?.[0] === 10 && session.size === size',
        'last?.[0] === 10',
      ],
      [
        'is verified after it was written',
        'finishAppend',
        'await verifyAppend(file, session, version, bytes, disk)',
        "{ version: await assertInPlace(file, session.path, disk), concurrent: false, interveningLines: '' }",
      ],
      ['lines of others beside it are reported', 'verifyAppend', 'version.size > before.size + bytes.length', 'false'],
      ['is reported as damaged if it isn’t whole', 'verifyAppend', 'if (tail && at < 0) throw damaged(session, before.size);', ''],
      [
        'is reported as damaged if bytes are missing',
        'verifyAppend',
        'if (!tail || version.size < size) throw shortened(session);',
        'if (!tail) return { version, concurrent: false, interveningLines: "" };',
      ],
      [
        'is found only as a line of its own',
        'findAppended',
        'Buffer.concat([NEWLINE, tail]).indexOf(Buffer.concat([NEWLINE, bytes])',
        'tail.indexOf(bytes',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/io/assertInPlace',
    [disturbances],
    [
      ['another file at the path means damage', 'isSameFile', 'a.ino === b.ino && a.dev === b.dev', 'a.dev === b.dev'],
      ['a file that is gone means damage', 'assertInPlace', 'there && isSameFile(written, there)', '!there || isSameFile(written, there)'],
      ['the error names the file’s new path', 'pathOfHandle', 'there && isSameFile(written, there) ? path : undefined', 'undefined'],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/read/compareVersions',
    [rules, submit, between],
    [
      ['a version includes the size', 'sameVersion', 'a.size === b.size && a.mtimeMs === b.mtimeMs', 'a.mtimeMs === b.mtimeMs'],
      ['a version includes the modification time', 'sameVersion', 'a.size === b.size && a.mtimeMs === b.mtimeMs', 'a.size === b.size'],
      ['a version includes the inode', 'sameVersion', 'a.ino === b.ino && a.facts === b.facts', 'a.facts === b.facts'],
      [
        'another file at the path isn’t a grown one',
        'hasGrown',
        'before.ino === now.ino && before.size < now.size',
        'before.size < now.size',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/write/submitChange',
    [between],
    [
      ['is decided again if the file grew', 'createSubmit', 'if (left === 1 || !(await onlyGrew(error, path, inspected)))', ''],
      [
        'is decided again only a few times',
        'createSubmit',
        'left === 1 || !(await onlyGrew(error, path, inspected))',
        '!(await onlyGrew(error, path, looked))',
      ],
      [
        'isn’t decided again if the file was replaced',
        'onlyGrew',
        'inspected === undefined || hasGrown(inspected.version, await readFileVersion(path))',
        'true',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/write/preserveLeaf',
    [rules, submit],
    [['ends with a line break', 'serializeLines', '`${JSON.stringify(line)}\\n`', '`\\n${JSON.stringify(line)}`']],
  ),
  ...of(
    'FORMAT 6.3, labels',
    'files/write/preserveLeaf',
    [between],
    [
      ['are repeated if another program’s line moved the leaf', 'displacedLeaf', "overtaken === ''", 'overtaken !== overtaken + 1'],
      ['a branch isn’t repeated', 'displacedLeaf', "(kind !== 'label' && kind !== 'rename')", 'false'],
      ['are repeated at the newest entry', 'preserveLeaf', '{ ...sameAgain(decision), parentId: leafId }', '{ ...sameAgain(decision), }'],
      ['another window’s label doesn’t move the leaf', 'opensAt', '!NAMING_TYPES.has(head.type)', 'true'],
      ['an error says if the leaf couldn’t be kept', 'preserveLeaf', 'if (leafId !== undefined) throw leafNotPreservedError(session);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/write/fileQueue',
    [rules, submit],
    [
      ['waits for earlier writes to the file', 'createFileQueue', '(queues.get(key) ?? Promise.resolve())', 'Promise.resolve()'],
      ['waits for writes under another path of the file', 'keyOf', 'realpath', 'Promise.resolve'],
    ],
  ),
  ...of(
    'FORMAT 6.2, the last line',
    'format/write/change',
    [change, submit],
    [
      ['must be valid', 'writeRefusal', 'if (last', 'if (false'],
      ['must end with a line break', 'writeRefusal', '!endsWithNewline(session)', 'false'],
      ['may follow a bad line', 'writeRefusal', '&& (problem.lastLine ?? problem.line ?? 0) >= endOfLines(session).line', ''],
    ],
  ),
];

const lines = [
  ...of(
    'FORMAT 6.3, labels',
    'format/write/change',
    [change, submit],
    [
      ['have the leaf as their parent', 'planLines', 'parentId = leafId', "parentId = line['targetId'] as string"],
      ['name their target', 'planChange', 'targetId: change.entryId', 'targetId: session.leafId'],
      ['are cleared by a line without a text', 'planChange', "...(label === '' ? {} : { label })", 'label'],
      ['need an existing entry', 'planChange', 'assertWhole(requireEntry(session, change.entryId));', ''],
    ],
  ),
  ...of(
    'FORMAT 6.4, a branch',
    'format/write/change',
    [change, submit],
    [
      ['is marked as the extension’s', 'branchLine', 'BRANCH_MARK', "'other'"],
      ['names the leaf that was left in its data', 'branchLine', '{ from: session.leafId, at: head.id }', '{ at: head.id }'],
      ['has the chosen entry as parent', 'branchPoint', 'return head.id;', 'return head.parentId;'],
      ['begins before a chosen user message', 'isPrompt', ".role === 'user' || head", ''],
      [
        'begins before a chosen custom message',
        'isPrompt',
        "head.type === 'custom_message' || head.role === 'user'",
        "head.role === 'user'",
      ],
      ['begins before a chosen message with the role custom', 'isPrompt', "|| head.role === 'custom'", ''],
      ['is a branch_summary if it has a summary', 'branchLine', "summary.trim() === ''", 'true'],
      ['names the leaf that was left, as pi does', 'branchLine', "session.dialect === 'pi' ? session.leafId : parentId", 'parentId'],
      [
        'names its starting point in other programs',
        'branchLine',
        "session.dialect === 'pi' ? session.leafId : parentId",
        'session.leafId',
      ],
      [
        'begins at the root if the parent is missing',
        'branchPoint',
        '!== null && session.byId.has(head.parentId) ? head.parentId : null',
        '',
      ],
      ['before the first entry comes from “root”', 'branchLine', "from ?? 'root'", 'from'],
      ['has an unused ID', 'has', '|| isIdTaken(session, id)', ''],
    ],
  ),
  ...of(
    'FORMAT 6.4, a branch',
    'format/session/fileState',
    [change, submit],
    [['has no ID of a leaf line', 'isIdTaken', '|| readerStateOf(session).links.leafTargets.has(id)', '']],
  ),
  ...of(
    'FORMAT 6.7, a rename',
    'format/write/change',
    [change, submit],
    [
      ['is a session_info', 'planRename', "{ type: 'session_info', name }", "{ type: 'session_info', title: name }"],
      ['omp: a title_change', 'planRename', "'title_change'", "'session_info'"],
      ['omp: needs an exact title slot', 'assertTitleSlot', 'titleSlot(session)?.isExact', 'titleSlot(session)'],
      ['omp: also writes the title slot', 'planRename', 'titleSlot', 'other'],
      ['gsd: can’t clear a name', 'planRename', "name === '' && facts.nameSource === 'last-named-info'", 'false'],
    ],
  ),
  ...of(
    'FORMAT 6.7, a rename',
    'format/write/sessionNames',
    [change, formatRules],
    [
      [
        'the slot is exactly 256 bytes',
        'isTitleSlotLine',
        "bytes(line) !== TITLE_SLOT_BYTES || !line.endsWith('\\n')",
        "!line.endsWith('\\n')",
      ],
      ['the slot has version 1', 'isTitleSlotLine', "|| value['v'] !== 1", ''],
      ['a title that is too long is cut', 'titleSlotLine', 'room >= 0', 'room >= -1000'],
    ],
  ),
  ...of(
    'FORMAT 6.7, a rename',
    'files/write/appendText',
    [rules, submit],
    [
      ['the slot is overwritten in place', 'writeSlot', 'await writeAll(file, after, 0);', ''],
      ['a line that isn’t a slot isn’t overwritten', 'appendText', 'if (slot) await assertSlot(file, session);', ''],
    ],
  ),
];

const readOnly = [
  ...of(
    'FORMAT 6.8, read-only',
    'files/write/assertWritable',
    [archived],
    [['archived sessions are refused', 'assertIsOwnFile', 'isArchivedSession(path)', 'false']],
  ),
  ...of(
    'FORMAT 6.8, read-only',
    'format/write/change',
    [archived],
    [
      ['archived sessions are refused before anything is written', 'writeRefusal', 'isArchivedSession(path, session.dialect)', 'false'],
      ['archived sessions of subagents are refused', 'writeRefusal', 'isArchivedSession(path, session.dialect)', 'isArchivedSession(path)'],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/presence',
    [archived],
    [['archived sessions are never live', 'presence', '!isArchivedSession(path)', 'true']],
  ),
  ...of(
    'FORMAT 6.8, read-only',
    'format/write/change',
    [change, submit],
    [
      ['versions above 3 are refused', 'writeRefusal', 'version > CURRENT_VERSION', 'version > 99'],
      ['sessions of OpenClaw are refused', 'writeRefusal', '!program.writable', 'false'],
      ['versions 1 and 2 are refused', 'writeRefusal', 'version < CURRENT_VERSION', 'version < 2'],
      ['sessions with entries without IDs are refused', 'writeRefusal', 'session.hasGivenIds', 'false'],
      [
        'the refusal offers to migrate',
        'writeRefusal',
        "'This session has format {version}. Its program rebuilds all entries when it opens the session, so the change would be lost. Migrate it first, or fork instead: {path}'",
        "'This session has format {version}. Its program rebuilds all entries when it opens the session, so the change would be lost: {path}'",
      ],
    ],
  ),
  ...of(
    'FORMAT 6.8, read-only',
    'files/migration/migrateFile',
    [submit],
    [
      ['versions above 3 aren’t migrated', 'migrationRefusal', 'version > CURRENT_VERSION', 'version > 99'],
      ['sessions of OpenClaw aren’t migrated', 'migrationRefusal', '!DIALECT_FACTS[session.dialect].writable', 'false'],
      ['current sessions aren’t migrated', 'migrationRefusal', 'version === CURRENT_VERSION && !session.hasGivenIds', 'false'],
    ],
  ),
  ...of(
    'FORMAT 6.9, no file is shortened',
    'files/write/appendText',
    [rules, submit],
    [
      [
        'a damaged append leaves all bytes',
        'verifyAppend',
        'throw damaged(session, before.size);',
        '{ await file.truncate(before.size); throw damaged(session, before.size); }',
      ],
      [
        'a title leaves all bytes behind the slot',
        'writeSlot',
        'await writeAll(file, after, 0);',
        'await writeAll(file, after, 0); await file.truncate(TITLE_SLOT_BYTES);',
      ],
    ],
  ),
];

const files = [
  ...of(
    'FORMAT 6.5, a new file',
    'files/io/atomicFile',
    [newFile, submit],
    [
      ['has a temporary name that no program lists', 'withTemporary', 'temporaryName(basename(path))', '`tmp${basename(path)}`'],
      ['never overwrites', 'linkNew', 'disk.link', 'disk.rename'],
      ['leaves no temporary name', 'linkNew', 'await disk.unlink(temporary).catch(() => undefined);', ''],
      ['leaves nothing when it fails', 'withTemporary', 'await disk.unlink(temporary).catch(() => undefined);', ''],
      ['has all lines', 'writeLines', '}); await flush();', '});'],
      ['replaces an old one only after a last check', 'placeInstead', 'await check();', ''],
      ['has the given permission bits', 'withTemporary', 'file.chmod(mode)', 'file.chmod(0o600)'],
    ],
  ),
  ...of(
    'FORMAT 6.5, a new file',
    'files/io/atomicFile',
    [disturbances],
    [
      ['is reported only if it’s at its path', 'createFile', 'await assertPlaced(path, placed, disk);', ''],
      [
        'is reported only if it’s the one that was written',
        'assertPlaced',
        'there && isSameFile(made, there) && there.size >= made.size',
        'there',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.5, a migration',
    'files/migration/migrateFile',
    [disturbances],
    [
      ['backs up lines that the old file got meanwhile', 'backUpLateWrites', 'await copyReplacing(source, backupPath, mode, disk);', ''],
      ['is reported only if the new file is at its path', 'migrateFile', 'await assertPlaced(path, placed, disk);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.5, a migration',
    'files/migration/backup',
    [submit, rules],
    [
      ['never overwrites a backup', 'backUp', 'await isSame(source, backupPath)', 'true'],
      ['makes a backup', 'backUp', 'await copyToNewFile(source, backupPath, mode, disk);', ''],
      ['removes the backup if it fails', 'backUp', 'disk.unlink(backupPath).catch(() => undefined)', 'Promise.resolve()'],
    ],
  ),
  ...of(
    'FORMAT 6.5, a migration',
    'files/migration/migrateFile',
    [rules, submit],
    [
      [
        'gives the backup a name that no program lists',
        'migrateFile',
        '`${path}.v${session.version}.bak`',
        '`${path}.v${session.version}.jsonl`',
      ],
      ['checks that the file is the one that was read', 'check', 'assertUnchanged(session, version, fileVersion(now));', ''],
      ['keeps unreadable lines', 'flush', "if (read.kind === 'bad') await to.line(text);", ''],
      ['keeps objects that aren’t entries', 'flush', 'else await to.line(text.slice(start, end));', ''],
      ['fails if entries are missing', 'writeMigrated', '!done.header || done.entries !== heads.size', 'false'],
    ],
  ),
];

const forks = [
  ...of(
    'FORMAT 6.6, a fork',
    'format/write/fork',
    [fork, formatRules, submit],
    [
      ['has its own id', 'forkHeader', 'newSessionId(stamp)', 'session.header.id'],
      ['has the current time', 'forkHeader', 'stamp.now().toISOString()', 'session.header.timestamp'],
      ['keeps the project', 'forkHeader', 'session.header.cwd', "''"],
      ['may get another project', 'forkHeader', 'cwd ?? session.header.cwd', 'session.header.cwd'],
      ['names its source as parentSession', 'forkHeader', 'session.path', 'session.header.id'],
      ['keeps the header’s other members', 'forkHeader', ', ...rest', ''],
      ['has the path from the root', 'forkBranch', 'pathPlaces(heads, id)', '[...session.entries.keys()]'],
      ['leaves out label lines', 'forkBranch', 'if (isLeftOut(head)) continue;', ''],
      ['leaves out damaged lines', 'isLeftOut', ' || isDamaged(head)', ''],
      ['chains its entries', 'forkBranch', 'parentId = head.id', 'parentId = head.parentId'],
      [
        'maps the first kept entry',
        'forkBranch',
        '(replacements.get(head.firstKeptEntryId) ?? head.firstKeptEntryId)',
        'head.firstKeptEntryId',
      ],
      ['ends with the labels that still apply', 'forkBranch', 'yield* labelLines(session, kept, parentId, stamp)', '[]'],
      ['has no labels of other branches', 'labelLines', 'if (!kept.has(targetId)) continue;', ''],
      ['keeps the times of labels', 'labelLines', 'times.get(targetId) || stamp.now().toISOString()', 'stamp.now().toISOString()'],
      ['chains the labels', 'labelLines', 'parentId = id;', ''],
      ['begins before a chosen user message', 'planFork', "isPrompt(head) ? 'before' : 'at'", "'at'"],
      ['to another project has all entries', 'planFork', 'request.entryId === undefined && isWhole', 'false'],
      ['to another project keeps the leaf', 'forkWholeSession', 'session.leafId === last', 'true'],
      ['to another project skips damaged parents', 'entriesWithout', 'parentOf(head)', 'head.parentId'],
      ['is refused above version 3', 'planFork', 'session.version > CURRENT_VERSION', 'false'],
    ],
  ),
  ...of(
    'FORMAT 6.6, a fork',
    'files/write/forkSession',
    [submit],
    [
      ['omp: has a title slot', 'writePlan', 'DIALECT_FACTS[dialect].hasTitleSlot', 'false'],
      ['omp: keeps the name', 'writePlan', "name ?? ''", "''"],
      ['has the permission bits of its source', 'writePlan', 'wanted ?? mode', '0o600'],
      ['goes into the directory of another project', 'directoryOf', 'cwd === undefined', 'true'],
    ],
  ),
  ...of(
    'FORMAT 6.10, an import',
    'format/import/planCopy',
    [imported],
    [
      ['has its own id', 'planCopy', 'newSessionId(stamp)', 'header.id'],
      ['has the project’s folder', 'planCopy', 'timestamp: start, cwd, ...rest', 'timestamp: start, cwd: header.cwd, ...rest'],
      ['has no additional directories', 'planCopy', 'additionalDirectories, ...rest', '...rest'],
      ['continues at the leaf', 'planCopy', 'parentOf({ parentId: session.leafId })', 'null'],
      ['leaves out OpenClaw’s own entries', 'planCopy', 'DIALECT_FACTS[dialect].writable ? isDamaged', 'true ? isDamaged'],
      ['is refused above version 3', 'assertKnownVersion', 'version <= CURRENT_VERSION', 'true'],
    ],
  ),
  ...of('FORMAT 8, Claude Code', 'format/import/claude/claudeConverter', [converters], []),
  ...of('FORMAT 8, Claude Code', 'format/import/claude/claudeConverter', [foreignCases], []),
  ...of(
    'FORMAT 8, Claude Code',
    'format/import/claude/claudeTree',
    [foreignCases],
    [['a line without a message begins no branch', 'current', 'spot?.isSkipped ? this.tipOf(spot) : spot', 'spot']],
  ),
  ...of(
    'FORMAT 8, Codex',
    'format/import/codex/codexConverter',
    [converters],
    [
      ['rolled back turns are a branch', 'createCodexConverter', 'tip = prompts[prompts.length - count] ?? null;', ''],
      ['a repeated count is ignored', 'createCodexConverter', 'if (!isNew) return;', ''],
      ['an encrypted compaction is left out', 'createCodexConverter', "summary.trim() === ''", 'false'],
    ],
  ),
  ...of('FORMAT 8, Codex', 'format/import/codex/codexConverter', [foreignCases], []),
  ...of(
    'FORMAT 6.6, a fork',
    'files/write/copyEntries',
    [submit],
    [['keeps unchanged lines byte for byte', 'copyEntries', 'line === value && whole ? bytes :', '']],
  ),
  ...of(
    'FORMAT 6.6, a fork',
    'files/read/entryBytes',
    ['files/sessionFile'],
    [['fails if its source changed', 'parseEntryText', "|| (!session.hasGivenIds && value['id'] !== head.id)", '']],
  ),
];

const planted = 'files/plantedTrash';
const forged = 'files/forgedRecords';

const records = [
  ...of(
    'Records of deletions',
    'files/trash/trashRecords',
    [forged],
    [
      ['name a session', 'isTrashRecord', '!isListedName(basename(path)) ||', ''],
      ['name a trash folder', 'isTrashRecord', 'basename(folder) !== TRASH_FOLDER ||', ''],
      ['name a trash folder beside or above the session', 'isTrashRecord', '|| !isBelow(dirname(folder), path)', ''],
      [
        'name only files that belong to the session',
        'isTrashedFile',
        "typeof name === 'string' && isRelatedName(session, name)",
        "typeof name === 'string'",
      ],
      ['name kept files by one digit', 'isTrashedFile', '/^\\d$/.test(as)', 'true'],
    ],
  ),
  ...of(
    'Records of deletions',
    'files/trash/trashEntry',
    [planted, forged],
    [
      ['delete only the files that were moved', 'deletePermanently', 'if ((await inodeAt(kept)) !== file.ino) continue;', ''],
      [
        'restore only if all moved files are there',
        'restoreFromTrash',
        'if (!(await isComplete(record))) throw incompleteError(entryFolder(record));',
        '',
      ],
      ['restore only into the same folder', 'restoreFromTrash', 'await ensureFolderAt(dirname(record.path), record.parent);', ''],
    ],
  ),
  ...of(
    'Trash folders',
    'files/storage/privateFolder',
    [planted, forged],
    [
      ['aren’t links', 'assertOwnFolder', 'stats.isSymbolicLink()', 'false'],
      ['belong to the same user', 'assertOwnFolder', 'stats.uid !== process.getuid()', 'false'],
    ],
  ),
  ...of(
    'Deletions without a record',
    'files/trash/foundTrash',
    [planted],
    [
      ['are restored only below their folder', 'assertDestination', 'isNormalAbsolutePath(path) && isBelow(base, path)', 'true'],
      ['aren’t restored into a hidden folder', 'assertDestination', "(name) => name.startsWith('.')", '() => false'],
      [
        'are regular files with one name',
        'assertRegularTree',
        "!stats.isFile() || stats.nlink !== 1 || next.kind === 'folder'",
        "!stats.isFile() || next.kind === 'folder'",
      ],
    ],
  ),
  ...of(
    'Records for undo',
    'files/history/restoreBackup',
    [forged],
    [['restore only a backup beside the file', 'restoreBackup', '!isBeside', 'false']],
  ),
  ...of(
    'Records of pending changes',
    'files/history/pendingChanges',
    [forged],
    [['write outside the roots only for the window that added them', 'isOurs', 'rootOf(path, roots()) !== undefined', 'true']],
  ),
  ...of(
    'Records of locks between windows',
    'files/storage/crossWindowLocks',
    [forged],
    [
      [
        'release only locks of sessions',
        'leftTurns',
        'isNormalAbsolutePath(path) && isSessionName(basename(path))',
        'isNormalAbsolutePath(path)',
      ],
    ],
  ),
  ...of(
    'Records of migrations',
    'files/history/migrationRecovery',
    [forged],
    [['delete only backups that equal the file', 'cleanUpMigration', 'if (await isCopy(backupPath, path))', '']],
  ),
];

const readOnlyRoots = [
  ...of(
    'Git in repositories of others',
    'files/git/commitChanges',
    ['files/commitChanges'],
    [
      ['runs no filter', 'withoutFilters', "['-c', `${name}=`]", '[]'],
      ['runs no filter whose name contains an equals sign', 'withoutFilters', "name.includes('=')", 'false'],
    ],
  ),
  ...of(
    'Git in repositories of others',
    'files/git/runGit',
    ['files/commitChanges'],
    [['runs no transport, such as ssh', 'environment', "GIT_ALLOW_PROTOCOL: 'none',", '']],
  ),
  ...of('Git in repositories of others', 'files/git/runGit', ['files/repositoryCheck'], []),
  ...of('Git in repositories of others', 'files/git/repositoryCheck', ['files/repositoryCheck'], []),
  ...of('Programs of absolute folders', 'files/programs/runProgram', ['files/runProgram'], []),
  ...of(
    'Git in repositories of others',
    'files/git/gitNotes',
    ['files/commitChanges'],
    [['adds notes to no branch', 'addNote', "target.toString().trim() !== ''", 'false']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/write/fileQueue',
    ['files/readOnlyRoots'],
    [['are checked before each change', 'createFileQueue', 'await assertChangeable(path);', '']],
  ),
  ...of(
    'FORMAT 6.8, Git’s notes',
    'files/git/gitNotes',
    ['files/rootGuard'],
    [
      [
        'aren’t written in a repository within a read-only root',
        'addNote',
        'if (folder) await assertChangeable(resolve(repository, folder.toString().trimEnd()));',
        '',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.8, the session manager',
    'files/api/bufferedSession',
    ['files/rootGuard'],
    [['creates no file in a read-only root', 'createFile', 'await this.options.writer.assertChangeable(path);', '']],
  ),
  ...of(
    'FORMAT 1, roots',
    'files/locate/roots',
    ['files/roots'],
    [
      ['contain the files of their folders in any form of path', 'isNormal', ' && !SURPLUS_NAME.test(path)', ''],
      [
        'don’t contain folders whose names only begin alike',
        'rootOf',
        'if (full[folder.length] !== sep && !folder.endsWith(sep)) continue;',
        '',
      ],
      ['may be the root of a disk', 'rootOf', ' && !folder.endsWith(sep)', ''],
    ],
  ),
  ...of(
    'FORMAT 6.8, the guard of roots',
    'files/locate/readOnlyRoots',
    ['files/rootGuard'],
    [['its error names a root that isn’t responding', 'get', '() => silentRootError(folder, path)', '() => silentError(path)']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/locate/readOnlyRoots',
    ['files/rootGuard'],
    [
      ['protect a path that leads into them through a link', 'createRootGuard', '[...names, ...real]', 'names'],
      ['protect their files if they’re links themselves', 'createRootGuard', '[...folders, ...realFolders]', 'folders'],
      ['protect the folders around them from moving', 'createRootGuard', ' || isAround(one, folder)', ''],
      ['protect the folder that belongs to a session', 'createRootGuard', ', withoutSessionSuffix(resolve(path))', ''],
      [
        'refuse changes while their folder isn’t responding',
        'realPathInTime',
        '() => silentError(path))',
        '() => silentError(path)).catch(() => path)',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/write/forkSession',
    ['files/readOnlyRoots'],
    [
      [
        'get imports only if a program has no forks',
        'directoryOf',
        'throw importInsteadError(session.path, session.dialect);',
        'return root.path;',
      ],
      ['get no fork', 'forkLoadedSession', 'await options.assertChangeable?.(path);', ''],
      ['have forks with a folder of this machine', 'localCwd', 'mapPath(header.cwd, map)', 'header.cwd'],
    ],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/trash/trash',
    ['files/readOnlyRoots'],
    [['keep the entries of their trash', 'openTrash', ' || !(await isRemovable(record))', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/relink/mover',
    ['files/rootGuard'],
    [['get no session of a relinked project', 'move', 'if (newPath !== path) await writer.assertChangeable(newPath);', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/relink/stepChecks',
    ['files/rootGuard'],
    [
      [
        'get no session of an undone or recovered move',
        'assertInRoot',
        'for (const each of [path, newPath]) await writer.assertChangeable(each);',
        '',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/relink/planRelink',
    ['files/rootGuard'],
    [
      ['are an obstacle that the plan of a relink names', 'obstacleTo', 'await writer.assertChangeable(newPath);', ''],
      ['keep their sessions in the plan of a relink', 'check', 'await this.writer.assertChangeable(session.path);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/trash/foundTrash',
    ['files/rootGuard'],
    [['get no session that a note in a trash names', 'restoreFound', 'await assertChangeable(note.path);', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/history/undo',
    ['files/rootGuard'],
    [['don’t use up an undo that they refuse', 'isPermanent', ' && !(reason instanceof ReadOnlyRootError)', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/history/undoRelink',
    ['files/rootGuard'],
    [['don’t use up the undo of a move that they refuse', 'isLasting', ' && !(reason instanceof ReadOnlyRootError)', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/locate/parseRootSetting',
    ['files/parseRootSetting'],
    [
      [
        'a readOnly setting of another type protects, too',
        'rootOfSetting',
        'readOnly === undefined || readOnly === false',
        'readOnly !== true',
      ],
    ],
  ),
];

export const writing = [...readOnlyRoots, ...guards, ...appends, ...lines, ...readOnly, ...files, ...forks, ...records];
