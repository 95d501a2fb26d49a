// FORMAT section 6: when, where and how something is written.
import { of } from './row.mjs';

const submit = 'files/sessionWriter';
const between = 'files/betweenLookAndWrite';
const disturbances = 'files/disturbances';
const guard = 'files/writeGuard';
const change = 'format/change';
const fork = 'format/fork';
const newFile = 'files/atomicFile';
const rules = 'files/rulesWriting';
const signs = 'files/rulesSigns';
const live = 'files/live';
const formatRules = 'format/rulesWriting';

const guards = [
  ...of('FORMAT 6.1, guard', 'files/write/writeGuard', [guard, rules, submit], [
    ['a live session is refused', "if (presence.state === 'live') throw", "if (presence.state === 'live' && !force) throw"],
    ['in doubt it is refused', "if (presence.state === 'unsure' && !force) throw", 'if (false) throw'],
    ['in doubt one may insist', "=== 'unsure' && !force", "=== 'unsure'"],
    ["omp's lock is held", "dialect === 'omp' ? () => tryCreateLockFile(files[0], disk) :", 'false ? () => tryCreateLockFile(files[0], disk) :'],
    ["omp's lock names process and time", '`${process.pid}:${Date.now()}\\n`', '`${process.pid}`'],
    ["gsd's lock is held", "dialect === 'gsd' ?", 'false ?'],
    ['a lock is made exclusively', "disk.open(lock, 'wx', 0o600)", "disk.open(lock, 'w', 0o600)"],
    ['a lock is waited for, not forever', 'if (performance.now() >= end) throw', 'if (false) throw'],
    ['a lock of a process that is gone is taken', ': !isRunning(holder.pid)) await', ': false) await'],
    ["gsd's lock that was left is taken", 'if (await isStaleLockFolder(lock)) await', 'if (false) await'],
    ['a lock is released', 'await release();', ''],
    ['only our own lock is removed', "if ((await readLock(lock)) === mine) await", 'await'],
  ]),
  ...of('FORMAT 6.1, signs', 'files/presence/presence', [signs, guard, submit], [
    ['a descriptor of another process', "else if (opener) found.set(path, { state: 'live'", "else if (opener) found.set(path, { state: 'unsure'"],
    ['a lock', 'if (lock) found.set', 'if (false) found.set'],
    ['a program at work in the project, while the file grows', "if (worker && growth !== 'none') return", 'if (false) return'],
    ['growth of a session of omp', "(await isGrowthConclusive(path, about)) ? 'alone'", "false ? 'alone'"],
    ['a program at work in the project, in doubt', '...(worker ? [worker] : []), ', ''],
    ['it works in that very project', 'able.find((one) => one.cwd === cwd)', 'able[0]'],
    ['it is of that dialect', '(dialect === undefined || dialect === one.dialect)', 'true'],
    ['growth', "[...(growth === 'beside' ? [{ how: 'growth' } as const] : []), ", '['],
    ["omp's breadcrumb with its process", 'if (crumb?.pid !== undefined) return', 'if (false) return'],
  ]),
  ...of('FORMAT 6.1, signs', 'files/presence/system', [guard], [
    ['not our own descriptors', ' && Number(name) !== process.pid', ''],
  ]),
  ...of('FORMAT 6.1, signs', 'files/presence/inspectProcesses', [signs], [
    ['who has it open for a moment alone is no sign', 'if (first.size === 0) return', 'if (true) return'],
  ]),
  ...of('FORMAT 6.1, signs', 'files/presence/programLocks', [guard, submit, live], [
    ['the lock with the whole name', 'of [...files, folder].filter', 'of [...files.slice(1), folder].filter'],
    ['the lock with the short name', 'of [...files, folder].filter', 'of [files[0], folder].filter'],
    ["OpenClaw's lock", 'of [...files, folder].filter', 'of files.filter'],
    ["gsd's lock", 'return isFolder && (await isRecent(folder, STALE_FOLDER_MS, now)) ?', 'return false ?'],
    ["gsd's lock that was left is no sign", 'return isFolder && (await isRecent(folder, STALE_FOLDER_MS, now)) ?', 'return isFolder ?'],
    ['a lock of a process that is gone is no sign', ' && isRunning(holder.pid) && ', ' && '],
    ['our own lock is no sign', 'holder.pid !== process.pid && ', ''],
    ['a lock that was just made is one', 'if (await isRecent(file, EMPTY_LOCK_MS, now)) return {};', ''],
  ]),
  ...of('FORMAT 6.1, signs', 'files/presence/recentWrites', [guard, submit], [
    ['growth within seconds', "!== 'ours';", "=== 'nobody';"],
    ['growth long ago is no sign', 'age >= RECENT_WRITE_MS ||', 'age >= RECENT_WRITE_MS * 1000 ||'],
    ['a time that is still to come is growth', "age <= -RECENT_WRITE_MS && futures?.(path, stats) === 'still'", 'age <= -RECENT_WRITE_MS'],
    ['not for ever', "age <= -RECENT_WRITE_MS && futures?.(path, stats) === 'still'", 'false'],
    ['until it was the same for some time', "< RECENT_WRITE_MS ? 'growing'", "< RECENT_WRITE_MS / 2 ? 'growing'"],
  ]),
  ...of('FORMAT 6.1, signs', 'files/write/ownWrites', [submit], [
    ['what we wrote is no growth', "? 'ours' : 'theirs';", "? 'theirs' : 'theirs';"],
    ['what others wrote beside us is', '&& Math.abs(Date.now() - known.foreignMs) > RECENT_WRITE_MS', ''],
  ]),
  ...of('FORMAT 6.1, signs', 'files/write/preWriteCheck', [submit, between], [
    ['the guard is asked', 'assertFree(path, found, force);', ''],
    ['what comes while the signs are looked for is looked at', 'if (!sameVersion(seen, version) && !(hasGrown(seen, version) && hasGrowthSign(found))) throw changedError(path);', ''],
  ]),
  ...of('FORMAT 6.1, signs', 'files/write/sessionWriter', [submit], [
    ['the lock is held while writing', 'return withProgramLock(path, session.dialect, async () => {', 'return (async (_path: string, _dialect: unknown, work: () => Promise<Submitted>, _disk: unknown) => work())(path, session.dialect, async () => {'],
  ]),
];

const appends = [
  ...of('FORMAT 6.2, one line', 'files/write/appendText', [rules, submit, between, disturbances], [
    ['at the end, whatever else was written', 'constants.O_RDWR | constants.O_APPEND', 'constants.O_RDWR'],
    ['only if the file is what was read', 'assertUnchanged(session, version, fileVersion(stats));', ''],
    ['only if the path still leads to it', 'assertUnchanged(session, version, fileVersion(await disk.stat(path, { bigint: true })));', ''],
    ['only after a line break', 'await assertEndsWithNewline(file, session, version.size);', ''],
    ['only if all was understood', ' && session.size === size) return;', ') return;'],
    ['the look after it is taken', 'const appended = await verifyAppend(file, session, version, bytes, disk);', "const appended = { version: await assertInPlace(file, session.path, disk), concurrent: false, interveningLines: '' };"],
    ['others beside us are reported', 'concurrent: version.size > before.size + bytes.length,', 'concurrent: false,'],
    ['a line that is not whole is damaged', 'if (tail && at < 0) throw damaged(session, before.size);', ''],
    ['bytes that are missing are damage', 'if (!tail || version.size < size) throw shortened(session);', 'if (!tail) return { version, concurrent: false, interveningLines: "" };'],
    ['our line stands on its own', 'Buffer.concat([NEWLINE, tail]).indexOf(Buffer.concat([NEWLINE, bytes]))', 'tail.indexOf(bytes)'],
  ]),
  ...of('FORMAT 6.2, one line', 'files/io/assertInPlace', [disturbances], [
    ['another file in its place is damage', '=> a.ino === b.ino && a.dev === b.dev', '=> a.dev === b.dev'],
    ['a file that is gone is damage', 'if (there && isSameFile(written, there)) return', 'if (!there || isSameFile(written, there)) return'],
    ['the sentence names its new place', 'return there && isSameFile(written, there) ? path : undefined;', 'return undefined;'],
  ]),
  ...of('FORMAT 6.2, one line', 'files/read/compareVersions', [rules, submit, between], [
    ['the size is what was read', 'a.size === b.size && ', ''],
    ['the time is what was read', 'a.mtimeMs === b.mtimeMs && ', ''],
    ['the inode is what was read', ' && a.ino === b.ino;', ';'],
    ['another file did not grow', 'before.ino === now.ino && before.size', 'before.size'],
  ]),
  ...of('FORMAT 6.2, one line', 'files/write/sessionWriter', [between], [
    ['beside a busy program it is decided anew', 'if (left === 1 || !(await onlyGrew(error, path, looked))) throw error;', 'throw error;'],
    ['not for ever', 'if (left === 1 || ', 'if ('],
    ['a file that was replaced is not', 'return looked === undefined || hasGrown(looked.version, await readFileVersion(path));', 'return true;'],
  ]),
  ...of('FORMAT 6.2, one line', 'files/write/preserveLeaf', [rules, submit], [
    ['with a line break last', '`${JSON.stringify(line)}\\n`', '`\\n${JSON.stringify(line)}`'],
  ]),
  ...of('FORMAT 6.3, labels', 'files/write/preserveLeaf', [between], [
    ['that were overtaken are said once more', "if (overtaken === '' ||", 'if (overtaken !== overtaken + 1 ||'],
    ['a branch is not', "(kind !== 'label' && kind !== 'rename')", 'false'],
    ['at the newest entry', 'parentId: leafId }', '}'],
    ['or it is said that they moved the session', 'if (leafId !== undefined) throw leafNotPreservedError(session);', ''],
  ]),
  ...of('FORMAT 6.2, one line', 'files/write/sessionWriter', [rules, submit], [
    ['one after the other for a file', '(queues.get(key) ?? Promise.resolve())', 'Promise.resolve()'],
    ['by whatever name', 'withDeadline(realpath(path),', 'withDeadline(Promise.resolve(path),'],
  ]),
  ...of('FORMAT 6.2, the last line', 'format/write/change', [change, submit], [
    ['is valid', "if (last) return new SessionError('torn'", "if (false) return new SessionError('torn'"],
    ['ends with a line break', 'if (session.readerState.beforeLastLine) {', 'if (false) {'],
    ['a bad line further up is no reason', ' && (problem.lastLine ?? problem.line ?? 0) >= session.readerState.line', ''],
  ]),
];

const lines = [
  ...of('FORMAT 6.3, labels', 'format/write/change', [change, submit], [
    ['hang off the leaf', 'parentId = leafId, timestamp', 'parentId = line[\'targetId\'] as string, timestamp'],
    ['name their target', "type: 'label', targetId: change.entryId", "type: 'label', targetId: session.leafId"],
    ['an empty one is no text', "...(label === '' ? {} : { label })", 'label'],
    ['stand on an entry that is there', '      requireEntry(session, change.entryId);\n', ''],
  ]),
  ...of('FORMAT 6.4, a branch', 'format/write/change', [change, submit], [
    ['is a line of ours', "type: 'custom', parentId, customType: BRANCH_MARK", "type: 'custom', parentId, customType: 'other'"],
    ['says from where', 'data: { from: session.leafId, at: head.id }', 'data: { at: head.id }'],
    ['has the chosen entry as parent', 'if (!isPrompt(head)) return head.id;', 'if (!isPrompt(head)) return head.parentId;'],
    ['before what the user said', " || head.role === 'user' || head", ' || head'],
    ['before a custom message', "head.type === 'custom_message' || ", ''],
    ['before a custom message of old', " || head.role === 'custom';", ';'],
    ['is a summary if there is one', "if (summary.trim() === '') return", 'if (true) return'],
    ['names the leaf that was left', "session.dialect === 'pi' ? session.leafId : parentId", 'parentId'],
    ['names where it begins elsewhere', "session.dialect === 'pi' ? session.leafId : parentId", 'session.leafId'],
    ['a parent that is not there is none', 'head.parentId !== null && session.byId.has(head.parentId) ? head.parentId : null', 'head.parentId'],
    ['before the first entry', "fromId: from ?? 'root'", 'fromId: from'],
    ['a line of ours has an id that is free', 'added.has(id) || session.byId.has(id) || ', 'added.has(id) || '],
  ]),
  ...of('FORMAT 6.7, a rename', 'format/write/change', [change, submit], [
    ['is a session_info', "type: 'session_info', name", "type: 'session_info', title: name"],
    ['omp: a title_change', "type: 'title_change', title: name", "type: 'session_info', title: name"],
    ['omp: only with a slot', 'if (session.readerState.slotIsExact) return;', 'if (session.readerState.slotTitle !== undefined) return;'],
    ['omp: the slot says it too', '{ ...decision, titleSlot: { title: name, source', '{ ...decision, other: { title: name, source'],
    ['gsd keeps a name', "name === '' && facts.nameSource === 'last-named-info'", 'false'],
  ]),
  ...of('FORMAT 6.7, a rename', 'format/write/sessionNames', [change, formatRules], [
    ['the slot is exactly 256 bytes', 'bytes(line) !== TITLE_SLOT_BYTES || ', ''],
    ['the slot is of version 1', " || value['v'] !== 1", ''],
    ['a title that is too long is cut', 'if (room >= 0) return', 'if (room >= -1000) return'],
  ]),
  ...of('FORMAT 6.7, a rename', 'files/write/appendText', [rules, submit], [
    ['the slot is overwritten in place', 'await writeAll(file, after, 0);', ''],
    ['a slot that is none is left alone', 'if (slot) await assertSlot(file, session);', ''],
  ]),
];

const readOnly = [
  ...of('FORMAT 6.8, read-only', 'format/write/change', [change, submit], [
    ['versions above 3', 'version > CURRENT_VERSION', 'version > 99'],
    ['OpenClaw', 'if (!program.writable) {', 'if (false) {'],
    ['versions 1 and 2', 'if (version < CURRENT_VERSION) {', 'if (version < 2) {'],
    ['entries without ids', 'if (session.hasGivenIds) {', 'if (false) {'],
    ['and a way out is offered', 'what is written now would be lost. Migrate it first, or fork it: {path}\', { version', 'what is written now would be lost: {path}\', { version'],
  ]),
  ...of('FORMAT 6.8, read-only', 'files/write/migrateFile', [submit], [
    ['no migration of versions above 3', 'if (version > CURRENT_VERSION) return', 'if (version > 99) return'],
    ['no migration of OpenClaw', 'if (!DIALECT_FACTS[session.dialect].writable) {', 'if (false) {'],
    ['no migration of what is current', 'if (version === CURRENT_VERSION && !session.hasGivenIds) return', 'if (false) return'],
  ]),
  ...of('FORMAT 6.9, nothing is ever shortened', 'files/write/appendText', [rules, submit], [
    ['by what is damaged', 'if (tail && at < 0) throw damaged(session, before.size);', 'if (tail && at < 0) {\n    await file.truncate(before.size);\n    throw damaged(session, before.size);\n  }'],
    ['by a title', 'await writeAll(file, after, 0);', 'await writeAll(file, after, 0);\n      await file.truncate(TITLE_SLOT_BYTES);'],
  ]),
];

const files = [
  ...of('FORMAT 6.5, a new file', 'files/io/atomicFile', [newFile, submit], [
    ['has a name that no listing takes', 'join(dirname(path), temporaryName(basename(path)))', 'join(dirname(path), `tmp${basename(path)}`)'],
    ['never overwrites', 'await disk.link(temporary, path);', 'await disk.rename(temporary, path);'],
    ['leaves no temporary name', 'await disk.unlink(temporary).catch(() => undefined);\n}', '}'],
    ['leaves nothing when it fails', 'await disk.unlink(temporary).catch(() => undefined);\n    throw', 'throw'],
    ['is whole', '  await flush();\n}', '}'],
    ['takes the place of an old one after a last look', 'await check();', ''],
    ['keeps the mode', 'await file.chmod(mode);', 'await file.chmod(0o600);'],
  ]),
  ...of('FORMAT 6.5, a new file', 'files/io/atomicFile', [disturbances], [
    ['is there when it is said to be', 'await assertPlaced(path, placed, disk);', ''],
    ['is the one that was written', 'if (there && isSameFile(made, there) && there.size >= made.size) return;', 'if (there) return;'],
  ]),
  ...of('FORMAT 6.5, a migration', 'files/write/migrateFile', [disturbances], [
    ['keeps what came to the old file since', 'await copyReplacing(source, backupPath, mode, disk);', ''],
    ['is there when it is said to be', 'await assertPlaced(path, placed, disk);', ''],
  ]),
  ...of('FORMAT 6.5, a migration', 'files/write/backup', [submit, rules], [
    ['makes the backup exclusively', 'if (await isSame(source, backupPath)) return', 'if (true) return'],
    ['makes a backup', 'await copyToNewFile(source, backupPath, mode, disk);', ''],
    ['takes the backup away when it fails', 'return () => disk.unlink(backupPath).catch(() => undefined);', 'return () => Promise.resolve();'],
  ]),
  ...of('FORMAT 6.5, a migration', 'files/write/migrateFile', [rules, submit], [
    ['has a name that no listing takes', '`${path}.v${session.version}.bak`', '`${path}.v${session.version}.jsonl`'],
    ['looks whether the file is what was read', 'assertUnchanged(session, version, fileVersion(now));', ''],
    ['keeps lines that nobody can read', "if (read.kind === 'bad') await to.line(text);", ''],
    ['keeps what is no entry', '} else await to.line(text.slice(start, end));', '}'],
    ['knows when something is missing', 'if (!done.header || done.entries !== heads.size) throw', 'if (false) throw'],
  ]),
];

const forks = [
  ...of('FORMAT 6.6, a fork', 'format/write/fork', [fork, formatRules, submit], [
    ['has its own id', 'id: newSessionId(stamp)', 'id: session.header.id'],
    ['is of now', '    timestamp: stamp.now().toISOString(),\n    cwd', '    timestamp: session.header.timestamp,\n    cwd'],
    ['keeps the project', 'cwd: cwd ?? session.header.cwd', "cwd: cwd ?? ''"],
    ['or goes to another', 'cwd: cwd ?? session.header.cwd', 'cwd: session.header.cwd'],
    ['names its source', 'parentSession: session.path', 'parentSession: session.header.id'],
    ['takes the header over', '    ...rest,\n', ''],
    ['holds the path from the root', 'const path = pathTo(session, id);', 'const path = [...session.entries];'],
    ['without label lines', "path.filter((head) => head.type !== 'label')", 'path'],
    ['chained anew', '    parentId = head.id;\n    return', '    parentId = head.parentId;\n    return'],
    ['with the first kept entry remapped', '(instead.get(head.firstKeptEntryId) ?? head.firstKeptEntryId)', 'head.firstKeptEntryId'],
    ['then the labels that still apply', 'addedLines: labelLines(session, ids, parentId, stamp)', 'addedLines: []'],
    ['and no others', 'if (!ids.has(targetId)) continue;', ''],
    ['labels keep their times', 'times.get(targetId) || stamp', 'stamp'],
    ['labels are chained', '    parentId = id;\n  }\n  return lines;', '  }\n  return lines;'],
    ['stands before a question', "isPrompt(head) ? 'before' : 'at'", "'at'"],
    ['to another project: all entries', 'if (request.entryId === undefined && request.cwd !== undefined) return', 'if (false) return'],
    ['to another project: the leaf stays', 'if (session.leafId === (session.entries.at(-1)?.id ?? null)) return', 'if (true) return'],
    ['is refused above version 3', 'if (session.version > CURRENT_VERSION) {', 'if (false) {'],
  ]),
  ...of('FORMAT 6.6, a fork', 'files/write/forkSession', [submit], [
    ['has a slot in omp', 'if (DIALECT_FACTS[session.dialect].hasTitleSlot) {', 'if (false) {'],
    ['keeps the name in omp', "titleSlotLine({ title: session.name ?? ''", "titleSlotLine({ title: ''"],
    ['has the mode of its source', '{ mode: Number(stats.mode) & 0o777, ', '{ mode: 0o600, '],
    ['goes into the directory of another project', 'root.path, cwd === undefined ?', 'root.path, true ?'],
  ]),
  ...of('FORMAT 6.6, a fork', 'files/write/copyEntries', [submit], [
    ['keeps unchanged lines byte for byte', 'line === value && whole ? bytes : ', ''],
    ['knows when its source changed', "if (!bytes || read?.kind !== 'objects' || !value || (!session.hasGivenIds && value['id'] !== head.id)) throw", "if (!bytes || read?.kind !== 'objects' || !value) continue;\n    if (false) throw"],
  ]),
];

const planted = 'files/plantedTrash';
const forged = 'files/forgedRecords';

const records = [
  ...of('Records, a deletion', 'files/trash/trashRecords', [forged], [
    ['is of a session', '!isSessionName(basename(path)) || ', ''],
    ['lies in a trash folder', 'basename(folder) !== TRASH_FOLDER || ', ''],
    ['lies beside or above the session', ' || !isBelow(dirname(folder), path)) return false', ') return false'],
    ['moves what belongs to a session', ' && isRelatedName(session, name)', ''],
    ['keeps things under simple names', '/^\\d$/.test(as)', 'true'],
  ]),
  ...of('Records, a deletion', 'files/trash/trashEntry', [planted, forged], [
    ['removes nothing but what it moved', 'if ((await inodeAt(kept)) !== thing.ino) continue;', ''],
    ['restores nothing but what it moved', 'if (!(await isComplete(record))) throw incompleteError(entryFolder(record));', ''],
    ['goes back where the session was', 'await ensureFolderAt(dirname(record.path), record.parent);\n  await records', 'await records'],
  ]),
  ...of('Records, a trash folder', 'files/storage/privateFolder', [planted, forged], [
    ['is no link', 'if (stats.isSymbolicLink()) throw', 'if (false) throw'],
    ['is ours', 'stats.uid !== process.getuid()', 'false'],
  ]),
  ...of('Records, what is found', 'files/trash/foundTrash', [planted], [
    ['goes back within its folder', 'isNormalAbsolutePath(path) && isBelow(base, path)', 'true'],
    ['goes into no hidden folder', "some((name) => name.startsWith('.'))", 'some(() => false)'],
    ['is a file with one name', 'stats.nlink !== 1 || ', ''],
  ]),
  ...of('Records, undo', 'files/history/undo', [forged], [
    ['takes only a backup beside the file', 'if (!isBeside) throw', 'if (false) throw'],
  ]),
  ...of('Records, the queue', 'files/history/pendingChanges', [forged], [
    ['writes outside the roots only what this window was told', 'rootOf(path, roots()) !== undefined', 'true'],
  ]),
  ...of('Records, turns', 'files/storage/crossWindowLocks', [forged], [
    ['free the locks of sessions', ' && isSessionName(basename(path))', ''],
  ]),
  ...of('Records, migrations', 'files/history/migrationRecovery', [forged], [
    ['take away only copies', 'if (await isCopy(backupPath, path)) await', 'await'],
  ]),
];

export const writing = [...guards, ...appends, ...lines, ...readOnly, ...files, ...forks, ...records];
