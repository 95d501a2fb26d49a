// FORMAT section 6: the conditions, positions and content of writes.
import { of } from './row.mjs';

const submit = 'files/sessionWriter';
const between = 'files/betweenLookAndWrite';
const disturbances = 'files/disturbances';
const guard = 'files/writeGuard';
const change = 'format/change';
const fork = 'format/fork';
const imported = 'files/import/importSession';
const converters = 'format/import/converters';
const newFile = 'files/atomicFile';
const rules = 'files/rulesWriting';
const signs = 'files/rulesSigns';
const live = 'files/live';
const archived = 'files/archivedSessions';
const formatRules = 'format/rulesWriting';

const guards = [
  ...of(
    'FORMAT 6.1, guard',
    'files/write/writeGuard',
    [guard, rules, submit],
    [
      ['a live session is refused', 'assertFree', "presence.state === 'live'", "presence.state === 'live' && !force"],
      ['in doubt it is refused', 'assertFree', "presence.state === 'unsure' && !force", 'false'],
      ['in doubt it can be forced', 'assertFree', "presence.state === 'unsure' && !force", "presence.state === 'unsure'"],
      ["omp's lock is held", 'acquireProgramLock', "dialect === 'omp'", 'false'],
      ["omp's lock names process and time", 'tryCreateLockFile', '`${process.pid}:${Date.now()}\\n`', '`${process.pid}`'],
      ["gsd's lock is held", 'acquireProgramLock', "dialect === 'gsd'", 'false'],
      ['a lock is made exclusively', 'tryCreateLockFile', "disk.open(lock, 'wx', 0o600)", "disk.open(lock, 'w', 0o600)"],
      ['a lock is waited for, not forever', 'acquireProgramLock', 'performance.now() >= end', 'false'],
      ['a lock of a process that is gone is taken', 'removeStaleLockFile', '!isProcessRunning(holder.pid)', 'false'],
      ["gsd's lock that was left is taken", 'takeFolder', 'await isStaleLockFolder(lock)', 'false'],
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
        'a descriptor of another process',
        'presence',
        "{ state: 'live', signs: [{ how: 'open', ...opener }] }",
        "{ state: 'unsure', signs: [{ how: 'open', ...opener }] }",
      ],
      ['a lock', 'presence', 'if (lock', 'if (false'],
      ['a program at work in the project, while the file grows', 'combineSigns', "worker && growth !== 'none'", 'false'],
      ['growth of a session of omp', 'presence', '(await isGrowthConclusive(path, about))', 'false'],
      ['a program at work in the project, in doubt', 'combineSigns', '...(worker ? [worker] : []),', ''],
      ['it works in that very project', 'agentSign', 'able.find((one) => one.cwd === folder)', 'able[0]'],
      ['it is of that dialect', 'agentSign', '(dialect === undefined || dialect === one.dialect)', 'true'],
      ['growth', 'combineSigns', "...(growth === 'beside' ? [{ how: 'growth' } as const] : []),", ''],
      ["omp's breadcrumb with its process", 'combineSigns', 'crumb?.pid !== undefined', 'false'],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/system',
    [guard],
    [['not our own descriptors', 'processIds', '/^\\d+$/.test(name) && Number(name) !== process.pid', '/^\\d+$/.test(name)']],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/inspectProcesses',
    [signs],
    [['a process that has the file open for a moment alone is no sign', 'inspectProcesses', 'first.size === 0', 'true']],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/programLocks',
    [guard, submit, live],
    [
      ['the lock with the whole name', 'findLockHolder', '...files', '...files.slice(1)'],
      ['the lock with the short name', 'findLockHolder', '...files', 'files[0]'],
      ["OpenClaw's lock", 'findLockHolder', '[...files, folder]', 'files'],
      ["gsd's lock", 'findLockHolder', 'isFolder && (await isRecent(folder, STALE_FOLDER_MS, now))', 'false'],
      ["gsd's lock that was left is no sign", 'findLockHolder', 'isFolder && (await isRecent(folder, STALE_FOLDER_MS, now))', 'isFolder'],
      ['a lock of a process that is gone is no sign', 'findLockHolder', 'isProcessRunning(holder.pid) &&', ''],
      [
        'our own lock is no sign',
        'findLockHolder',
        'holder.pid !== process.pid && isProcessRunning(holder.pid)',
        'isProcessRunning(holder.pid)',
      ],
      ['a lock that was just made is one', 'findLockHolder', 'if (await isRecent(file, EMPTY_LOCK_MS, now)) return {};', ''],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/recentWrites',
    [guard, submit],
    [
      [
        'growth within seconds',
        'hasRecentForeignWrite',
        "(await lastBytes?.(path, stats)) !== 'ours'",
        "(await lastBytes?.(path, stats)) === 'nobody'",
      ],
      ['growth long ago is no sign', 'hasRecentForeignWrite', 'age >= RECENT_WRITE_MS', 'age >= RECENT_WRITE_MS * 1000'],
      [
        'a time that is still to come is growth',
        'hasRecentForeignWrite',
        "age <= -RECENT_WRITE_MS && futures?.(path, stats) === 'still'",
        'age <= -RECENT_WRITE_MS',
      ],
      ['not for ever', 'hasRecentForeignWrite', "age <= -RECENT_WRITE_MS && futures?.(path, stats) === 'still'", 'false'],
      ['until it was the same for some time', 'createFutureMtimeCheck', 'RECENT_WRITE_MS', 'RECENT_WRITE_MS / 2'],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/write/ownWrites',
    [submit],
    [
      ['the extension’s own writes are no growth', 'lastBytes', "? 'ours'", "? 'theirs'"],
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
        'lines that arrive during the check for signs are read',
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
        '(async (_path: string, _dialect: unknown, work: () => Promise<Submitted>, _disk: unknown) => work())',
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
      ['at the end, whatever else was written', 'appendText', 'constants.O_RDWR | constants.O_APPEND', 'constants.O_RDWR'],
      ['only if the file is what was read', 'appendText', 'assertUnchanged(session, version, fileVersion(stats));', ''],
      [
        'only if the path still leads to it',
        'appendText',
        'assertUnchanged(session, version, fileVersion(await disk.stat(path, { bigint: true })));',
        '',
      ],
      ['only after a line break', 'appendText', 'await assertEndsWithNewline(file, session, version.size);', ''],
      ['only if all was understood', 'assertEndsWithNewline', 'last?.[0] === 10 && session.size === size', 'last?.[0] === 10'],
      [
        'the look after it is taken',
        'finishAppend',
        'await verifyAppend(file, session, version, bytes, disk)',
        "{ version: await assertInPlace(file, session.path, disk), concurrent: false, interveningLines: '' }",
      ],
      ['others beside us are reported', 'verifyAppend', 'version.size > before.size + bytes.length', 'false'],
      ['a line that is not whole is damaged', 'verifyAppend', 'if (tail && at < 0) throw damaged(session, before.size);', ''],
      [
        'bytes that are missing are damage',
        'verifyAppend',
        'if (!tail || version.size < size) throw shortened(session);',
        'if (!tail) return { version, concurrent: false, interveningLines: "" };',
      ],
      [
        'our line stands on its own',
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
      ['another file in its place is damage', 'isSameFile', 'a.ino === b.ino && a.dev === b.dev', 'a.dev === b.dev'],
      ['a file that is gone is damage', 'assertInPlace', 'there && isSameFile(written, there)', '!there || isSameFile(written, there)'],
      ['the sentence names its new place', 'pathOfHandle', 'there && isSameFile(written, there) ? path : undefined', 'undefined'],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/read/compareVersions',
    [rules, submit, between],
    [
      ['the size is what was read', 'sameVersion', 'a.size === b.size && a.mtimeMs === b.mtimeMs', 'a.mtimeMs === b.mtimeMs'],
      [
        'the time is what was read',
        'sameVersion',
        'a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino',
        'a.size === b.size && a.ino === b.ino',
      ],
      [
        'the inode is what was read',
        'sameVersion',
        'a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino',
        'a.size === b.size && a.mtimeMs === b.mtimeMs',
      ],
      ['another file did not grow', 'hasGrown', 'before.ino === now.ino && before.size < now.size', 'before.size < now.size'],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/write/submitChange',
    [between],
    [
      ['beside a busy program it is decided anew', 'createSubmit', 'if (left === 1 || !(await onlyGrew(error, path, looked)))', ''],
      ['not for ever', 'createSubmit', 'left === 1 || !(await onlyGrew(error, path, looked))', '!(await onlyGrew(error, path, looked))'],
      [
        'a file that was replaced is not',
        'onlyGrew',
        'looked === undefined || hasGrown(looked.version, await readFileVersion(path))',
        'true',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/write/preserveLeaf',
    [rules, submit],
    [['with a line break last', 'serializeLines', '`${JSON.stringify(line)}\\n`', '`\\n${JSON.stringify(line)}`']],
  ),
  ...of(
    'FORMAT 6.3, labels',
    'files/write/preserveLeaf',
    [between],
    [
      ['that were overtaken are said once more', 'displacedLeaf', "overtaken === ''", 'overtaken !== overtaken + 1'],
      ['a branch is not', 'displacedLeaf', "(kind !== 'label' && kind !== 'rename')", 'false'],
      ['at the newest entry', 'preserveLeaf', '{ ...sameAgain(decision), parentId: leafId }', '{ ...sameAgain(decision), }'],
      ['another window’s label behind ours continues nothing', 'opensAt', '!NAMING_TYPES.has(head.type)', 'true'],
      ['or it is said that they moved the session', 'preserveLeaf', 'if (leafId !== undefined) throw leafNotPreservedError(session);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/write/fileQueue',
    [rules, submit],
    [
      ['one after the other for a file', 'createFileQueue', '(queues.get(key) ?? Promise.resolve())', 'Promise.resolve()'],
      ['by whatever name', 'keyOf', 'realpath', 'Promise.resolve'],
    ],
  ),
  ...of(
    'FORMAT 6.2, the last line',
    'format/write/change',
    [change, submit],
    [
      ['is valid', 'writeRefusal', 'if (last', 'if (false'],
      ['ends with a line break', 'writeRefusal', '!endsWithNewline(session)', 'false'],
      ['a bad line further up is no reason', 'writeRefusal', '&& (problem.lastLine ?? problem.line ?? 0) >= endOfLines(session).line', ''],
    ],
  ),
];

const lines = [
  ...of(
    'FORMAT 6.3, labels',
    'format/write/change',
    [change, submit],
    [
      ['hang off the leaf', 'planLines', 'parentId = leafId', "parentId = line['targetId'] as string"],
      ['name their target', 'planChange', 'targetId: change.entryId', 'targetId: session.leafId'],
      ['an empty one is no text', 'planChange', "...(label === '' ? {} : { label })", 'label'],
      ['stand on an entry that is there', 'planChange', 'assertWhole(requireEntry(session, change.entryId));', ''],
    ],
  ),
  ...of(
    'FORMAT 6.4, a branch',
    'format/write/change',
    [change, submit],
    [
      ['is a line of ours', 'branchLine', 'BRANCH_MARK', "'other'"],
      ['says from where', 'branchLine', '{ from: session.leafId, at: head.id }', '{ at: head.id }'],
      ['has the chosen entry as parent', 'branchPoint', 'return head.id;', 'return head.parentId;'],
      ['before what the user said', 'isPrompt', ".role === 'user' || head", ''],
      ['before a custom message', 'isPrompt', "head.type === 'custom_message' || head.role === 'user'", "head.role === 'user'"],
      ['before a custom message of old', 'isPrompt', "|| head.role === 'custom'", ''],
      ['is a summary if there is one', 'branchLine', "summary.trim() === ''", 'true'],
      ['names the leaf that was left', 'branchLine', "session.dialect === 'pi' ? session.leafId : parentId", 'parentId'],
      ['names where it begins elsewhere', 'branchLine', "session.dialect === 'pi' ? session.leafId : parentId", 'session.leafId'],
      ['a parent that is not there is none', 'branchPoint', '!== null && session.byId.has(head.parentId) ? head.parentId : null', ''],
      ['before the first entry', 'branchLine', "from ?? 'root'", 'from'],
      ['a line of ours has an id that is free', 'has', '|| isIdTaken(session, id)', ''],
    ],
  ),
  ...of(
    'FORMAT 6.4, a branch',
    'format/session/fileState',
    [change, submit],
    [['a line of ours has no id of a leaf line', 'isIdTaken', '|| readerStateOf(session).links.leafTargets.has(id)', '']],
  ),
  ...of(
    'FORMAT 6.7, a rename',
    'format/write/change',
    [change, submit],
    [
      ['is a session_info', 'planRename', "{ type: 'session_info', name }", "{ type: 'session_info', title: name }"],
      ['omp: a title_change', 'planRename', "'title_change'", "'session_info'"],
      ['omp: only with a slot', 'assertTitleSlot', 'titleSlot(session)?.isExact', 'titleSlot(session)'],
      ['omp: the slot says it too', 'planRename', 'titleSlot', 'other'],
      ['gsd keeps a name', 'planRename', "name === '' && facts.nameSource === 'last-named-info'", 'false'],
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
      ['the slot is of version 1', 'isTitleSlotLine', "|| value['v'] !== 1", ''],
      ['a title that is too long is cut', 'titleSlotLine', 'room >= 0', 'room >= -1000'],
    ],
  ),
  ...of(
    'FORMAT 6.7, a rename',
    'files/write/appendText',
    [rules, submit],
    [
      ['the slot is overwritten in place', 'writeSlot', 'await writeAll(file, after, 0);', ''],
      ['a slot that is none is left alone', 'appendText', 'if (slot) await assertSlot(file, session);', ''],
    ],
  ),
];

const readOnly = [
  ...of(
    'FORMAT 6.8, read-only',
    'files/write/assertWritable',
    [archived],
    [['archived sessions', 'assertIsOwnFile', 'isArchivedSession(path)', 'false']],
  ),
  ...of(
    'FORMAT 6.8, read-only',
    'format/write/change',
    [archived],
    [
      ['archived sessions, before anything is written', 'writeRefusal', 'isArchivedSession(path, session.dialect)', 'false'],
      ['archived sessions of subagents', 'writeRefusal', 'isArchivedSession(path, session.dialect)', 'isArchivedSession(path)'],
    ],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/presence',
    [archived],
    [['archived sessions are in no one’s hands', 'presence', '!isArchivedSession(path)', 'true']],
  ),
  ...of(
    'FORMAT 6.8, read-only',
    'format/write/change',
    [change, submit],
    [
      ['versions above 3', 'writeRefusal', 'version > CURRENT_VERSION', 'version > 99'],
      ['OpenClaw', 'writeRefusal', '!program.writable', 'false'],
      ['versions 1 and 2', 'writeRefusal', 'version < CURRENT_VERSION', 'version < 2'],
      ['entries without ids', 'writeRefusal', 'session.hasGivenIds', 'false'],
      [
        'and a way out is offered',
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
      ['no migration of versions above 3', 'migrationRefusal', 'version > CURRENT_VERSION', 'version > 99'],
      ['no migration of OpenClaw', 'migrationRefusal', '!DIALECT_FACTS[session.dialect].writable', 'false'],
      ['no migration of what is current', 'migrationRefusal', 'version === CURRENT_VERSION && !session.hasGivenIds', 'false'],
    ],
  ),
  ...of(
    'FORMAT 6.9, nothing is ever shortened',
    'files/write/appendText',
    [rules, submit],
    [
      [
        'by what is damaged',
        'verifyAppend',
        'throw damaged(session, before.size);',
        '{ await file.truncate(before.size); throw damaged(session, before.size); }',
      ],
      [
        'by a title',
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
      ['has a name that no listing takes', 'withTemporary', 'temporaryName(basename(path))', '`tmp${basename(path)}`'],
      ['never overwrites', 'linkNew', 'disk.link', 'disk.rename'],
      ['leaves no temporary name', 'linkNew', 'await disk.unlink(temporary).catch(() => undefined);', ''],
      ['leaves nothing when it fails', 'withTemporary', 'await disk.unlink(temporary).catch(() => undefined);', ''],
      ['is whole', 'writeLines', '}); await flush();', '});'],
      ['takes the place of an old one after a last look', 'placeInstead', 'await check();', ''],
      ['keeps the mode', 'withTemporary', 'file.chmod(mode)', 'file.chmod(0o600)'],
    ],
  ),
  ...of(
    'FORMAT 6.5, a new file',
    'files/io/atomicFile',
    [disturbances],
    [
      ['is there when it is said to be', 'createFile', 'await assertPlaced(path, placed, disk);', ''],
      ['is the one that was written', 'assertPlaced', 'there && isSameFile(made, there) && there.size >= made.size', 'there'],
    ],
  ),
  ...of(
    'FORMAT 6.5, a migration',
    'files/migration/migrateFile',
    [disturbances],
    [
      ['keeps what came to the old file since', 'backUpLateWrites', 'await copyReplacing(source, backupPath, mode, disk);', ''],
      ['is there when it is said to be', 'migrateFile', 'await assertPlaced(path, placed, disk);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.5, a migration',
    'files/migration/backup',
    [submit, rules],
    [
      ['makes the backup exclusively', 'backUp', 'await isSame(source, backupPath)', 'true'],
      ['makes a backup', 'backUp', 'await copyToNewFile(source, backupPath, mode, disk);', ''],
      ['takes the backup away when it fails', 'backUp', 'disk.unlink(backupPath).catch(() => undefined)', 'Promise.resolve()'],
    ],
  ),
  ...of(
    'FORMAT 6.5, a migration',
    'files/migration/migrateFile',
    [rules, submit],
    [
      ['has a name that no listing takes', 'migrateFile', '`${path}.v${session.version}.bak`', '`${path}.v${session.version}.jsonl`'],
      ['looks whether the file is what was read', 'check', 'assertUnchanged(session, version, fileVersion(now));', ''],
      ['keeps unreadable lines', 'flush', "if (read.kind === 'bad') await to.line(text);", ''],
      ['keeps what is no entry', 'flush', 'else await to.line(text.slice(start, end));', ''],
      ['knows when something is missing', 'writeMigrated', '!done.header || done.entries !== heads.size', 'false'],
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
      ['is of now', 'forkHeader', 'stamp.now().toISOString()', 'session.header.timestamp'],
      ['keeps the project', 'forkHeader', 'session.header.cwd', "''"],
      ['or goes to another', 'forkHeader', 'cwd ?? session.header.cwd', 'session.header.cwd'],
      ['names its source', 'forkHeader', 'session.path', 'session.header.id'],
      ['takes the header over', 'forkHeader', ', ...rest', ''],
      ['holds the path from the root', 'forkBranch', 'pathTo(session, id)', '[...session.entries]'],
      ['without label lines', 'forkBranch', 'path.filter((head) => !isLeftOut(head))', 'path'],
      ['without damaged lines', 'isLeftOut', ' || isDamaged(head)', ''],
      ['chained anew', 'forkBranch', 'parentId = head.id', 'parentId = head.parentId'],
      [
        'with the first kept entry remapped',
        'forkBranch',
        '(replacements.get(head.firstKeptEntryId) ?? head.firstKeptEntryId)',
        'head.firstKeptEntryId',
      ],
      ['then the labels that still apply', 'forkBranch', 'labelLines(session, ids, parentId, stamp)', '[]'],
      ['and no others', 'labelLines', 'if (!ids.has(targetId)) continue;', ''],
      ['labels keep their times', 'labelLines', 'times.get(targetId) || stamp.now().toISOString()', 'stamp.now().toISOString()'],
      ['labels are chained', 'labelLines', 'parentId = id;', ''],
      ['stands before a question', 'planFork', "isPrompt(head) ? 'before' : 'at'", "'at'"],
      ['to another project: all entries', 'planFork', 'request.entryId === undefined && isWhole', 'false'],
      ['to another project: the leaf stays', 'forkWholeSession', 'session.leafId === last', 'true'],
      ['to another project: past damaged lines', 'forkWholeSession', 'parentOf(head)', 'head.parentId'],
      ['is refused above version 3', 'planFork', 'session.version > CURRENT_VERSION', 'false'],
    ],
  ),
  ...of(
    'FORMAT 6.6, a fork',
    'files/write/forkSession',
    [submit],
    [
      ['has a slot in omp', 'writePlan', 'DIALECT_FACTS[dialect].hasTitleSlot', 'false'],
      ['keeps the name in omp', 'writePlan', "name ?? ''", "''"],
      ['has the mode of its source', 'writePlan', 'wanted ?? mode', '0o600'],
      ['goes into the directory of another project', 'directoryOf', 'cwd === undefined', 'true'],
    ],
  ),
  ...of(
    'FORMAT 6.10, an import',
    'format/import/planCopy',
    [imported],
    [
      ['has its own id', 'planCopy', 'newSessionId(stamp)', 'header.id'],
      ['is of the project', 'planCopy', 'timestamp: start, cwd, ...rest', 'timestamp: start, cwd: header.cwd, ...rest'],
      ['works in no other folders', 'planCopy', 'additionalDirectories, ...rest', '...rest'],
      ['continues at the leaf', 'planCopy', 'parentOf({ parentId: session.leafId })', 'null'],
      ['has no entries of OpenClaw', 'planCopy', 'DIALECT_FACTS[dialect].writable ? isDamaged', 'true ? isDamaged'],
      ['is refused above version 3', 'assertKnownVersion', 'version <= CURRENT_VERSION', 'true'],
    ],
  ),
  ...of(
    'FORMAT 8, Claude Code',
    'format/import/claudeConverter',
    [converters],
    [
      ['an answer is one entry', 'createClaudeConverter', 'messageId === undefined ? undefined : turns.get(messageId)', 'undefined'],
      ['a compaction follows its logical parent', 'createClaudeConverter', 'boundary?.place ?? parent', 'parent'],
      ['a repeated line is read once', 'createClaudeConverter', "typeof uuid === 'string' && places.has(uuid)", 'false'],
    ],
  ),
  ...of(
    'FORMAT 8, Codex',
    'format/import/codexConverter',
    [converters],
    [
      ['rolled back turns are a branch', 'createCodexConverter', 'tip = prompts[prompts.length - count] ?? null;', ''],
      ['a count is added once', 'createCodexConverter', 'if (!isNew) return;', ''],
      [
        'a count before its answer is kept',
        'createCodexConverter',
        'usage = early.take() ?? usageOf(0, 0, 0, 0)',
        'usage = usageOf(0, 0, 0, 0)',
      ],
      ['an encrypted compaction is none', 'createCodexConverter', "summary.trim() === ''", 'false'],
    ],
  ),
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
    [['knows when its source changed', 'parseEntryBytes', "|| (!session.hasGivenIds && value['id'] !== head.id)", '']],
  ),
];

const planted = 'files/plantedTrash';
const forged = 'files/forgedRecords';

const records = [
  ...of(
    'Records, a deletion',
    'files/trash/trashRecords',
    [forged],
    [
      ['is of a session', 'isTrashRecord', '!isListedName(basename(path)) ||', ''],
      ['lies in a trash folder', 'isTrashRecord', 'basename(folder) !== TRASH_FOLDER ||', ''],
      ['lies beside or above the session', 'isTrashRecord', '|| !isBelow(dirname(folder), path)', ''],
      [
        'moves what belongs to a session',
        'isThing',
        "typeof name === 'string' && isRelatedName(session, name)",
        "typeof name === 'string'",
      ],
      ['keeps things under simple names', 'isThing', '/^\\d$/.test(as)', 'true'],
    ],
  ),
  ...of(
    'Records, a deletion',
    'files/trash/trashEntry',
    [planted, forged],
    [
      ['removes nothing but what it moved', 'deletePermanently', 'if ((await inodeAt(kept)) !== thing.ino) continue;', ''],
      [
        'restores nothing but what it moved',
        'restoreFromTrash',
        'if (!(await isComplete(record))) throw incompleteError(entryFolder(record));',
        '',
      ],
      ['goes back where the session was', 'restoreFromTrash', 'await ensureFolderAt(dirname(record.path), record.parent);', ''],
    ],
  ),
  ...of(
    'Records, a trash folder',
    'files/storage/privateFolder',
    [planted, forged],
    [
      ['is no link', 'assertOwnFolder', 'stats.isSymbolicLink()', 'false'],
      ['is ours', 'assertOwnFolder', 'stats.uid !== process.getuid()', 'false'],
    ],
  ),
  ...of(
    'Records, what is found',
    'files/trash/foundTrash',
    [planted],
    [
      ['goes back within its folder', 'assertDestination', 'isNormalAbsolutePath(path) && isBelow(base, path)', 'true'],
      ['goes into no hidden folder', 'assertDestination', "(name) => name.startsWith('.')", '() => false'],
      [
        'is a file with one name',
        'assertRegularTree',
        "!stats.isFile() || stats.nlink !== 1 || next.kind === 'folder'",
        "!stats.isFile() || next.kind === 'folder'",
      ],
    ],
  ),
  ...of(
    'Records, undo',
    'files/history/restoreBackup',
    [forged],
    [['takes only a backup beside the file', 'restoreBackup', '!isBeside', 'false']],
  ),
  ...of(
    'Records, the queue',
    'files/history/pendingChanges',
    [forged],
    [['writes outside the roots only what this window was told', 'isOurs', 'rootOf(path, roots()) !== undefined', 'true']],
  ),
  ...of(
    'Records, turns',
    'files/storage/crossWindowLocks',
    [forged],
    [
      [
        'free the locks of sessions',
        'leftTurns',
        'isNormalAbsolutePath(path) && isSessionName(basename(path))',
        'isNormalAbsolutePath(path)',
      ],
    ],
  ),
  ...of(
    'Records, migrations',
    'files/history/migrationRecovery',
    [forged],
    [['take away only copies', 'cleanUpMigration', 'if (await isCopy(backupPath, path))', '']],
  ),
];

const readOnlyRoots = [
  ...of(
    'Git in repositories of others',
    'files/git/commitChanges',
    ['files/commitChanges'],
    [
      ['runs no filter', 'withoutFilters', "['-c', `${name}=`]", '[]'],
      ['nor one with an odd name', 'withoutFilters', "name.includes('=')", 'false'],
    ],
  ),
  ...of(
    'Git in repositories of others',
    'files/git/runGit',
    ['files/commitChanges'],
    [['runs no transport', 'environment', "GIT_ALLOW_PROTOCOL: 'none',", '']],
  ),
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
    'FORMAT 6.8, the guard of read-only folders, of Git’s notes',
    'files/git/gitNotes',
    ['files/rootGuard'],
    [['is asked', 'addNote', 'if (folder) await assertChangeable(resolve(repository, folder.toString().trimEnd()));', '']],
  ),
  ...of(
    'FORMAT 6.8, the guard of read-only folders, of the session manager',
    'files/api/bufferedSession',
    ['files/rootGuard'],
    [['is asked', 'createFile', 'await this.options.writer.assertChangeable(path);', '']],
  ),
  ...of(
    'FORMAT 1, roots',
    'files/locate/roots',
    ['files/roots'],
    [
      ['contain the files of their folders in any form of path', 'isNormal', ' && !SURPLUS_NAME.test(path)', ''],
      ['aren’t the beginnings of names', 'rootOf', 'if (full[folder.length] !== sep && !folder.endsWith(sep)) continue;', ''],
      ['may be the disk', 'rootOf', ' && !folder.endsWith(sep)', ''],
    ],
  ),
  ...of(
    'FORMAT 6.8, the guard of read-only folders, of roots',
    'files/locate/readOnlyRoots',
    ['files/rootGuard'],
    [['names a folder that doesn’t answer', 'get', '() => silentRootError(folder, path)', '() => silentError(path)']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/locate/readOnlyRoots',
    ['files/rootGuard'],
    [
      ['are recognized behind links', 'createRootGuard', '[...names, ...real]', 'names'],
      ['are recognized if they are links', 'createRootGuard', '[...folders, ...realFolders]', 'folders'],
      ['are recognized in what moves along', 'createRootGuard', ' || isAround(one, folder)', ''],
      ['are recognized beside a session', 'createRootGuard', ', withoutSessionSuffix(resolve(path))', ''],
      ['are unknown until a folder answers', 'realPathInTime', '() => silentError(path))', '() => silentError(path)).catch(() => path)'],
    ],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/write/forkSession',
    ['files/readOnlyRoots'],
    [
      [
        'are imported where there are no forks',
        'directoryOf',
        'throw importInsteadError(session.path, session.dialect);',
        'return root.path;',
      ],
      ['get no fork', 'forkLoadedSession', 'await options.assertChangeable?.(path);', ''],
      ['are continued in a folder of this machine', 'localCwd', 'mapPath(header.cwd, map)', 'header.cwd'],
    ],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/trash/trash',
    ['files/readOnlyRoots'],
    [['keep their trash', 'openTrash', ' || !(await isRemovable(record))', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/relink/mover',
    ['files/rootGuard'],
    [['get nothing that moves', 'move', 'if (newPath !== path) await writer.assertChangeable(newPath);', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/relink/possibleStep',
    ['files/rootGuard'],
    [['get nothing back', 'assertInRoot', 'for (const each of [path, newPath]) await writer.assertChangeable(each);', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/relink/planRelink',
    ['files/rootGuard'],
    [
      ['are told before a project moves', 'obstacleTo', 'await writer.assertChangeable(newPath);', ''],
      ['are told before they would move along', 'check', 'await this.writer.assertChangeable(session.path);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/trash/foundTrash',
    ['files/rootGuard'],
    [['get nothing that a note names', 'restoreFound', 'await assertChangeable(note.path);', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/history/undo',
    ['files/rootGuard'],
    [['never use up an undo', 'isPermanent', ' && !(reason instanceof ReadOnlyRootError)', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/history/undoRelink',
    ['files/rootGuard'],
    [['never use up the undo of a move', 'isLasting', ' && !(reason instanceof ReadOnlyRootError)', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/locate/parseRootSetting',
    ['files/parseRootSetting'],
    [['an odd value protects', 'rootOfSetting', 'readOnly === undefined || readOnly === false', 'readOnly !== true']],
  ),
];

export const writing = [...readOnlyRoots, ...guards, ...appends, ...lines, ...readOnly, ...files, ...forks, ...records];
