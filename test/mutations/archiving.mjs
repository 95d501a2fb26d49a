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
      ['keeps time', 'archiveFile', 'mtimeMs: version.mtimeMs,', ''],
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
      ['says if it was continued', 'archiveFile', 'if (await exists(path)) throw continuedError(path, archive);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, the only copy',
    'files/io/removeName',
    [archiving],
    [
      [
        'isn’t removed after a removal that was done and reported as failed',
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
      ['makes sessions alone', 'unarchiveFile', 'await readSession(archive);', ''],
      ['not in oh-my-pi’s archive', 'unarchiveFile', 'if (!canUnarchive(archive)) throw notArchivedError(archive);', ''],
      ['keeps time', 'unarchiveFile', 'mtimeMs: version.mtimeMs,', ''],
      [
        'takes the original back if it’s there',
        'bringOriginalBack',
        "(await beginsWith(hidden, await contentOf(archive))) === 'different'",
        'true',
      ],
      [
        'takes no other file for the original',
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
      ['an original that is kept stays', 'endInterrupted', '(await mayRemove(hidden)) &&', ''],
      ['an original that was written to meanwhile stays', 'endInterrupted', '&& sameVersion(version, await readFileVersion(hidden))', ''],
      [
        'an original whose session was written anew goes',
        'endInterrupted',
        '|| ((await exists(path)) && (await containsFile(path, hidden)))',
        '',
      ],
      ['a damaged archive hides no session', 'endInterrupted', '.catch(unlessDamaged)', ''],
      ['a reserved path hides no archive', 'endInterrupted', '(await isEmpty(reserved)) &&', 'false &&'],
      ['a hidden copy goes', 'endInterrupted', "(await beginsWith(hidden, packed)) === 'equal'", 'false'],
      ['a hidden session with more stays', 'endInterrupted', "(await beginsWith(hidden, packed)) === 'equal'", 'true'],
      ['an archive that the session begins with goes', 'endInterrupted', "(await beginsWith(path, packed)) !== 'different'", 'false'],
      ['another archive stays', 'endInterrupted', "(await beginsWith(path, packed)) !== 'different'", 'true'],
    ],
  ),
  ...of(
    'FORMAT 6.11, records',
    'files/history/archivingRecord',
    [archiving],
    [
      ['lead into the session folders', 'recoverArchiving', 'if (!(await isInRoots({ path, archive }, { writer, roots }))) return;', ''],
      ['wait for a missing folder', 'recoverArchiving', 'if (!(await exists(dirname(path)))) return;', ''],
      ['keep the original for a day', 'recoverArchiving', 'isKept ? KEEP_MS : 0', '0'],
      ['say that a session is back', 'recoverArchiving', 'onReturned(hadArchive ? continuedNotice(path) : archiveGoneNotice(path));', ''],
      ['and why', 'recoverArchiving', 'hadArchive ?', 'true ?'],
      ['become the journal’s', 'recoverArchiving', 'await journal.add(entryOf(begun));', ''],
      ['are of what was done', 'recoverArchiving', "left === (kind === 'archive' ? 'archive' : 'session') &&", ''],
      ['are there once', 'recoverArchiving', '&& !isJournalNoted', ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, records',
    'files/archive/archivePaths',
    [archiving],
    [['name a session and its archive', 'areArchivePaths', '&& unarchivedPath(archive) === path', '']],
  ),
  ...of(
    'FORMAT 6.11, what is archived',
    'files/archive/archivable',
    [archiving, cleaning],
    [
      [
        'isn’t another program’s',
        'assertArchivable',
        'if (!DIALECT_FACTS[dialect].writable) throw readOnlyError(path, DIALECT_FACTS[dialect].label);',
        '',
      ],
      ['isn’t a file that is kept', 'assertArchivable', 'assertWritable(path, file.mode);', ''],
      ['can be read', 'assertArchivable', 'file.size > MAX_UNPACKED_BYTES', 'false'],
      ['has no archive yet', 'assertArchivable', 'if (await exists(taken)) throw pathTakenError(taken);', ''],
      ['isn’t in oh-my-pi’s archive', 'assertArchivable', '|| isInOmpArchive(path)', ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, an archive in the trash',
    'files/archive/archiver',
    [archiving],
    [['has no original left', 'createArchiver', 'await assertOriginalRemoved(path);', '']],
  ),
  ...of(
    'FORMAT 6.11, an archive in the trash',
    'files/trash/relatedPaths',
    [archiving],
    [['leaves what another file has, too', 'relatedPaths', '(await hasOtherFile(path))', 'false']],
  ),
  ...of(
    'FORMAT 6.11, an archive in the trash',
    'files/trash/foundTrash',
    ['files/plantedTrash'],
    [['isn’t restored to oh-my-pi’s', 'assertDestination', '!isInOmpArchive(path) &&', '']],
  ),
  ...of(
    'FORMAT 6.11, a clean-up',
    'files/archive/planCleanUp',
    [cleaning],
    [
      ['is of old messages', 'candidatesOf', 'modified <= before &&', ''],
      ['is of old files', 'candidatesOf', '&& version.mtimeMs <= before', ''],
      ['is of large files', 'candidatesOf', 'version.size >= largerThan &&', ''],
      ['of a project', 'candidatesOf', '(isInProject?.(cwd) ?? true) &&', ''],
      ['of a program', 'candidatesOf', '(program === undefined || program === dialect) &&', ''],
      ['not of subagents', 'candidatesOf', '&& !owners.has(dirname(path))', ''],
      ['not of archives', 'candidatesOf', "to === 'trash' && canUnarchive(path)", 'canUnarchive(path)'],
      ['not of oh-my-pi’s', 'candidatesOf', "to === 'trash' && canUnarchive(path)", "to === 'trash'"],
      ['not of links', 'plan', 'if (isLink) throw linkedError(path);', ''],
      ['not of sessions in use', 'planCleanUp', "assertFree(path, presence.get(path) ?? { state: 'free' }, false);", ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, a clean-up',
    'files/archive/planCleanUp',
    [archiving],
    [['not of archives with their original', 'plan', 'if (isArchivedSession(path)) await assertOriginalRemoved(path);', '']],
  ),
  ...of(
    'FORMAT 6.11, a clean-up',
    'files/archive/cleanUp',
    [cleaning],
    [
      ['leaves what changed', 'cleanUp', 'if (!sameVersion(await readFileVersion(path), version)) throw changedError(path);', ''],
      ['archives what was planned', 'cleanUp', '{ version, group, dialect }', '{ group, dialect }'],
      ['is one change', 'cleanUp', '{ version, group, dialect }', '{ version, dialect }'],
      ['can be canceled', 'cleanUp', 'if (signal?.aborted) throw canceledError(path);', ''],
    ],
  ),
];
