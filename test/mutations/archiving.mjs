// FORMAT section 6, rule 11: archives, and clean-ups of old sessions.
import { of } from './row.mjs';

const archiving = 'files/archiving';
const cleaning = 'files/cleanUp';

export const archives = [
  ...of(
    'FORMAT 6.11, an archive',
    'files/archive/archiveFile',
    [archiving],
    [
      ['keeps the modification time', 'archiveFile', 'mtimeMs: version.mtimeMs,', ''],
      [
        'is compared with the session',
        'archiveFile',
        "await assertUnpacksTo(archive, { size: version.size, sha256: hash.digest('hex') });",
        '',
      ],
      [
        'a failure leaves no archive',
        'archiveFile',
        'if (!(error instanceof NotAtPathError)) await removePlaced(archive, placed, disk);',
        '',
      ],
      ['fails if the session was continued meanwhile', 'archiveFile', 'if (await exists(path)) throw continuedError(path, archive);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, the only copy',
    'files/io/removeName',
    [archiving],
    [
      [
        'isn’t taken for unremoved if the removal failed only seemingly',
        'removeName',
        'if (!(await isGone(path))) throw error;',
        'throw error;',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.11, unarchiving',
    'files/archive/archiveFile',
    [archiving],
    [
      ['unpacks sessions only', 'unarchiveFile', 'await readSession(archive);', ''],
      ['is refused in oh-my-pi’s archive', 'unarchiveFile', 'if (!canUnarchive(archive)) throw notArchivedError(archive);', ''],
      ['keeps the modification time', 'unarchiveFile', 'mtimeMs: version.mtimeMs,', ''],
      [
        'gives the hidden original its name back',
        'bringOriginalBack',
        "(await beginsWith(hidden, await contentOf(archive))) === 'different'",
        'true',
      ],
      [
        'checks that the hidden file is the original',
        'bringOriginalBack',
        "|| (await beginsWith(hidden, await contentOf(archive))) === 'different'",
        '',
      ],
      ['a failure leaves no session', 'unarchiveFile', 'await removePlaced(path, placed, disk);', ''],
      ['follows no link', 'openOwn', 'followLink: false,', ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, an interruption',
    'files/archive/endInterrupted',
    [archiving],
    [
      ['a hidden session comes back', 'endInterrupted', 'await releaseHidden(hidden, path, disk);', ';'],
      ['a kept original stays', 'endInterrupted', '(await mayRemove(hidden)) &&', ''],
      ['an original that was written to meanwhile stays', 'endInterrupted', '&& sameVersion(version, await readFileVersion(hidden))', ''],
      [
        'an original that the unarchived session contains is removed',
        'endInterrupted',
        '|| ((await exists(path)) && (await containsFile(path, hidden)))',
        '',
      ],
      ['a damaged archive hides no session', 'endInterrupted', '.catch(unlessDamaged)', ''],
      ['a reserved path hides no archive', 'endInterrupted', '(await isEmpty(reserved)) &&', 'false &&'],
      ['a hidden session that equals its archive is removed', 'endInterrupted', "(await beginsWith(hidden, packed)) === 'equal'", 'false'],
      ['a hidden session with more than its archive stays', 'endInterrupted', "(await beginsWith(hidden, packed)) === 'equal'", 'true'],
      ['an archive that the session begins with is removed', 'endInterrupted', "(await beginsWith(path, packed)) !== 'different'", 'false'],
      ['an archive with other content stays', 'endInterrupted', "(await beginsWith(path, packed)) !== 'different'", 'true'],
    ],
  ),
  ...of(
    'FORMAT 6.11, records',
    'files/history/archivingRecord',
    [archiving],
    [
      [
        'must lead into the session folders',
        'archivingHandler',
        'if (!(await isInRoot({ path, newPath: archive }, { writer, roots }))) return false;',
        '',
      ],
      ['wait for a missing folder', 'archivingHandler', 'if (!(await exists(dirname(path)))) return false;', ''],
      ['keep the original for a day', 'archivingHandler', 'isKept ? KEEP_MS : 0', '0'],
      [
        'lead to a notice if a session is back',
        'archivingHandler',
        'onReturned(hadArchive ? continuedNotice(path) : archiveGoneNotice(path));',
        '',
      ],
      ['lead to a notice that says why a session is back', 'archivingHandler', 'hadArchive ?', 'true ?'],
      ['are added to the journal', 'archivingHandler', 'await journal.add(entryOf(subject));', ''],
      [
        'are added to the journal only if the archive was made',
        'archivingHandler',
        "left === (kind === 'archive' ? 'archive' : 'session') &&",
        '',
      ],
      ['are added to the journal once', 'archivingHandler', '&& !isJournalNoted', ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, a session to archive',
    'files/archive/archivable',
    [archiving, cleaning],
    [
      [
        'is of a program whose sessions may be changed',
        'assertArchivable',
        'if (!DIALECT_FACTS[dialect].writable) throw readOnlyError(path, DIALECT_FACTS[dialect].label);',
        '',
      ],
      ['is writable', 'assertArchivable', 'assertWritable(path, file.mode);', ''],
      ['isn’t larger than an archive may be unpacked', 'assertArchivable', 'file.size > MAX_UNPACKED_BYTES', 'false'],
      ['has no archive yet', 'assertArchivable', 'if (await exists(taken)) throw pathTakenError(taken);', ''],
      ['isn’t in oh-my-pi’s archive', 'assertArchivable', '|| isInOmpArchive(path)', ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, an archive in the trash',
    'files/archive/archiver',
    [archiving],
    [['needs its original to be removed', 'createArchiver', 'await assertOriginalRemoved(path);', '']],
  ),
  ...of(
    'FORMAT 6.11, an archive in the trash',
    'files/trash/relatedPaths',
    [archiving],
    [
      [
        'leaves the folder and the backups if another file of the session is beside it',
        'relatedPaths',
        '(await hasOtherFile(path))',
        'false',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.11, an archive in the trash',
    'files/trash/foundTrash',
    ['files/plantedTrash'],
    [['isn’t restored into oh-my-pi’s archive', 'assertDestination', '!isInOmpArchive(path) &&', '']],
  ),
  ...of(
    'FORMAT 6.11, a clean-up',
    'files/archive/planCleanUp',
    [cleaning],
    [
      ['selects by the newest message', 'candidatesOf', 'modified <= before &&', ''],
      ['selects by the file’s last change', 'candidatesOf', '&& version.mtimeMs <= before', ''],
      ['selects by size', 'candidatesOf', 'version.size >= largerThan &&', ''],
      ['selects by project', 'candidatesOf', '(isInProject?.(cwd) ?? true) &&', ''],
      ['selects by program', 'candidatesOf', '(program === undefined || program === dialect) &&', ''],
      ['leaves sessions of subagents', 'candidatesOf', '&& !owners.has(dirname(path))', ''],
      ['doesn’t archive archives', 'candidatesOf', "to === 'trash' && canUnarchive(path)", 'canUnarchive(path)'],
      ['leaves oh-my-pi’s archive', 'candidatesOf', "to === 'trash' && canUnarchive(path)", "to === 'trash'"],
      ['leaves links', 'plan', 'if (isLink) throw linkedError(path);', ''],
      ['leaves sessions in use', 'planCleanUp', "assertFree(path, presence.get(path) ?? { state: 'free' }, false);", ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, a clean-up',
    'files/archive/planCleanUp',
    [archiving],
    [['leaves archives whose original is still there', 'plan', 'if (isArchivedSession(path)) await assertOriginalRemoved(path);', '']],
  ),
  ...of(
    'FORMAT 6.11, a clean-up',
    'files/archive/cleanUp',
    [cleaning],
    [
      [
        'leaves files that changed since the plan',
        'cleanUp',
        'if (!sameVersion(await readFileVersion(path), version)) throw changedError(path);',
        '',
      ],
      ['archives the version that was planned', 'cleanUp', '{ version, group, dialect }', '{ group, dialect }'],
      ['is undone as one change', 'cleanUp', '{ version, group, dialect }', '{ version, dialect }'],
      ['can be canceled', 'cleanUp', 'if (signal?.aborted) throw canceledError(path);', ''],
    ],
  ),
];
