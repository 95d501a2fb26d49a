// The catalog's database: a file that changed since it was written isn't used, and is made again.
import { of } from './row.mjs';

const archived = 'files/archivedSessions';
const archiving = 'files/archiving';
const pins = 'catalog/pinnedSessions';
const seal = 'catalog/sealedFile';
const damage = 'catalog/databaseErrors';

export const catalog = [
  ...of(
    'What forks have in common is counted once',
    'catalog/copies/forkParents',
    ['catalog/catalog'],
    [
      [
        'the parent may be named by its id',
        'forkParents',
        '[file.row.summary.id, withoutSessionSuffix(basename(file.path))]',
        '[withoutSessionSuffix(basename(file.path))]',
      ],
      ['and by the name of a file that was moved', 'forkParents', '?? byName.get(withoutSessionSuffix(basename(name)))', ''],
      ['sessions that name each other count once', 'forkParents', 'parent && isOlder(parent, file)', 'parent'],
    ],
  ),
  ...of(
    'Removed data is overwritten',
    'catalog/database/indexer',
    ['catalog/forgotten'],
    [
      ['the names of folders and models, too', 'purge', 'this.names.removeUnused();', ''],
      ['and that of a folder that the session has left', 'putRow', 'if (before.known.row.summary.cwd !== cwd) this.requestPurge();', ''],
      ['words of a file that was written anew', 'put', 'this.requestPurge();', ';'],
      ['and of a small one that became longer in its place', 'put', '|| !continues(new LineTable(scanned.lines).all(), earlier)', ''],
      ['also if it became longer in its place', 'put', '|| this.content.hasHeads(n)', ''],
      ['nothing is merged for an append', 'put', 'earlier && (isRewritten', 'earlier && (true'],
      [
        'words of a file that can’t be read any more',
        'putUnreadable',
        'if (before && this.content.clear(n)) this.requestPurge();',
        'if (before) this.content.clear(n);',
      ],
      [
        'the request outlives the process',
        'purge',
        "if (!this.statements.get('isPurgeDue')) return;",
        'if (!this.statements.hasChanges) return;',
      ],
      ['names that are removed have no number any more', 'begin', 'this.names.begin();', ''],
    ],
  ),
  ...of(
    'Stored rows are as they were encoded',
    'catalog/encoding/fileColumns',
    ['catalog/fileColumns'],
    [
      ['texts that a column would change are in the JSON', 'ifChanged', 'CHANGED_BY_COLUMN.test(text)', 'false'],
      ['and are read from there', 'addRest', 'if (cwd !== undefined) summary.cwd = cwd;', ''],
    ],
  ),
  ...of(
    'FORMAT 5, several machines',
    'catalog/copies/sessionCopies',
    ['catalog/sessionCopies'],
    [
      ['are of different machines', 'updateGroup', 'one.machine !== file.machine', 'true'],
      ['the longest first', 'longestFirst', 'b.version.size - a.version.size', 'a.version.size - b.version.size'],
      ['this machine first', 'longestFirst', 'Number(a.machine !== undefined) - Number(b.machine !== undefined)', '0'],
      ['only grown files are compared in part', 'isSameOrGrown', 'sameVersion(before, now) || hasGrown(before, now)', 'true'],
      ['a file that was written anew in its place hides no other', 'isCopy', '&& sameVersion(both.longer, longer.version)', ''],
    ],
  ),
  ...of(
    'FORMAT 5, several machines',
    'catalog/copies/haveSameBytes',
    ['catalog/sessionCopies'],
    [['titles may differ', 'haveSameBytes', 'DIALECT_FACTS[dialect].hasTitleSlot', 'false']],
  ),
  ...of(
    'FORMAT 5, several machines',
    'catalog/copies/catalogCopies',
    ['catalog/severalMachines'],
    [
      ['shared entries count once', 'ownUsageOf', 'usageFacts(session, { isLeftOut, dayOf })', 'usageFacts(session, { dayOf })'],
      ['unchanged copies aren’t read again', 'ownUsage', 'last?.file !== file || last.owner !== owner', 'true'],
      ['a copy that grew is counted again', 'ownUsage', 'last?.file !== file', '!last'],
      ['the longest copy that grew is, too', 'ownUsage', '|| last.owner !== owner', ''],
    ],
  ),
  ...of(
    'Usage by the days of a time zone',
    'catalog/rows/localUsage',
    ['catalog/localUsage'],
    [
      ['unchanged sessions aren’t read again', 'convert', 'last?.file === file', 'false'],
      ['sessions that changed are read again', 'convert', 'last?.file === file', 'last'],
      ['forks may have older entries', 'localDay', 'parentSession === undefined &&', ''],
      ['compactions may cost something after the last message', 'localDay', 'Math.max(modified, version.mtimeMs)', 'modified'],
      ['a session of one day isn’t read', 'localDay', 'day === dayOf(last) ? day : undefined', 'undefined'],
      ['work on both sides of midnight isn’t of one day', 'localDay', 'day === dayOf(last) ? day : undefined', 'day'],
    ],
  ),
  ...of(
    'FORMAT 5, several machines',
    'catalog/database/touchQueries',
    ['catalog/severalMachines'],
    [['the case of a drive doesn’t matter', 'touchesOf', "isWindowsPath(file) ? 'win32' : here", 'here']],
  ),
  ...of(
    'FORMAT 5, several machines',
    'files/locate/mapPath',
    ['files/parseRootSetting'],
    [
      [
        'both names of a Linux in Windows',
        'withOldWslName',
        "path.replace(/^[\\\\/]{2}wsl\\.localhost(?=[\\\\/])/i, '\\\\\\\\wsl$$')",
        'path',
      ],
    ],
  ),
  ...of(
    'FORMAT 5, several machines',
    'catalog/copies/machineFiles',
    ['catalog/severalMachines'],
    [['a path means a file of its machine', 'touches', '...(mapPath(file, map) === file ? [file] : [])', 'file']],
  ),
  ...of(
    'FORMAT 1, pins',
    'catalog/refresh/pinnedSessions',
    [pins],
    [
      ['are of oh-my-pi’s sessions alone', 'withPin', "summary.dialect !== 'omp' ||", ''],
      [
        'stay while they can’t be read',
        'refresh',
        'if (ids) this.pins.set(elementAt(due, at), ids);',
        'this.pins.set(elementAt(due, at), ids || new Set());',
      ],
    ],
  ),
  ...of(
    'FORMAT 1, the archive',
    'files/read/compressedSession',
    [archived, archiving],
    [
      ['is unpacked up to a limit', 'OPTIONS', 'maxOutputLength: MAX_UNPACKED_BYTES,', ''],
      ['is read up to a limit', 'assertCompressedSize', 'size > MAX_COMPRESSED_BYTES', 'false'],
    ],
  ),
  ...of(
    'FORMAT 1, the archive',
    'files/locate/listFiles',
    [archived, archiving],
    [
      ['isn’t a second session', 'shadowedArchives', 'return true;', 'return false;'],
      ['isn’t one beside another archive', 'shadowedArchives', "compressionOf(name) === 'gz'", 'false'],
      ['isn’t hidden by another file', 'shadowedArchives', '&& (await haveSameTime(join(folder, name), join(folder, other)))', ''],
      ['isn’t hidden by a folder', 'shadowedArchives', 'entry.isDirectory() ? [] : [entry.name]', 'entry.name'],
    ],
  ),
  ...of(
    'Files beside the catalog’s database',
    'catalog/database/database',
    [seal],
    [['a rollback journal is foreign', 'canBeOpened', 'return areFiles && !exists(`${path}-journal`);', 'return areFiles;']],
  ),
  ...of(
    'The catalog’s seal',
    'catalog/database/integrity/sealedFile',
    [seal],
    [
      ['a seal is checked when it’s read', 'read', 'return isSeal(seal) ? seal : undefined;', 'return seal as Seal;'],
      ['the CRC is compared', 'checkFile', 'size !== seal.size || crc !== seal.crc', 'size !== seal.size'],
      ['the size is compared', 'checkFile', 'size !== seal.size || crc !== seal.crc', 'crc !== seal.crc'],
      ['commits are not fewer', 'checkState', 'now.commits > seal.state.commits', 'true'],
      ['as many commits are those that were sealed', 'checkState', '&& now.base === seal.state.base', ''],
      ['later commits are based on it', 'checkState', '[seal.id, seal.previous, seal.state.base].includes(now.base)', 'true'],
      ['later commits may be based on it', 'checkState', '[seal.id, seal.previous, seal.state.base]', '[seal.previous, seal.state.base]'],
      ['the file is compared before a checkpoint', 'checkpoint', 'this.checkFile();', ''],
      [
        'the WAL is compared at a checkpoint',
        'checkpoint',
        'movedFrames <= validFrames || movedFrames <= countValidFrames(`${this.path}-wal`)',
        'true',
      ],
    ],
  ),
  ...of(
    'The catalog’s seal',
    'catalog/database/integrity/walFrames',
    [seal],
    [
      ['frames are compared', 'framesIn', 'if (!matches(sums, frames, at + 16)) return count;', ''],
      ['pages are in the checksums', 'framesIn', 'add(sums, frames, at + FRAME, size - FRAME);', ''],
    ],
  ),
  ...of(
    'The catalog’s seal',
    'catalog/database/database',
    [seal],
    [
      ['the file is compared when it is opened', 'openForWriting', 'file.checkFile();', ''],
      ['the state is compared when it is opened', 'openForWriting', 'file.checkState(database);', ''],
      ['tables are compared when it is opened', 'openForWriting', 'checkSchema(database, location.indexed);', ''],
      ['tables are compared when it is read', 'openForReading', 'checkSchema(database, location.indexed);', ''],
      [
        'a new one stays that another window made',
        'setAside',
        'if (ino !== undefined && lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== ino) return;',
        '',
      ],
    ],
  ),
  ...of(
    'The catalog’s seal',
    'catalog/database/schema',
    [seal],
    [
      ['nothing else is in the schema', 'checkSchema', '(!isExpected', '(false'],
      ['no table is missing', 'checkSchema', 'expected.size > 0 ||', ''],
      [
        'the version is compared',
        'checkSchema',
        "|| Number(database.prepare('PRAGMA user_version').get()?.['user_version']) !== SCHEMA_VERSION",
        '',
      ],
    ],
  ),
  ...of(
    'A damaged catalog',
    'catalog/database/integrity/sealedFile',
    [damage],
    [
      [
        'no other descriptor is closed',
        'checksum',
        'const fd = this.descriptor();',
        'const fd = this.descriptor(); closeSync(openSync(this.path, constants.O_RDONLY));',
      ],
    ],
  ),
  ...of(
    'A damaged catalog',
    'catalog/worker/catalogWriter',
    [damage],
    [
      ['is made anew', 'serve', 'first && isDamage(error)', 'false'],
      ['is told to be anew', 'serve', 'anew: !first', 'anew: false'],
    ],
  ),
  ...of(
    'A damaged catalog',
    'catalog/database/integrity/databaseRecovery',
    [damage],
    [
      ['is checked before the first answer', 'withRecovery', 'await this.ensureChecked();', ''],
      ['is read again', 'recover', 'isRebuilt || damage', 'damage'],
      ['is read again when another window made it anew', 'recover', 'isRebuilt || damage', 'isRebuilt'],
      ['is asked again a few times', 'withRecovery', 'MAX_REBUILDS', '0'],
    ],
  ),
  ...of(
    'Matches of a search',
    'catalog/database/catalogReader',
    ['catalog/search'],
    [
      ['are found once', 'matches', 'last.document)', 'last.document - 1)'],
      ['are all found', 'matches', '!last || first.length < together', 'true'],
      ['end with the database', 'matches', '|| !this.connection.isOpen(database)) return;', ') return;'],
    ],
  ),
  ...of(
    'Matches of a search',
    'catalog/search/candidates',
    ['catalog/search'],
    [['with repeated words are better', 'scoresOf', 'repeated[index]!++;', ';']],
  ),
];
