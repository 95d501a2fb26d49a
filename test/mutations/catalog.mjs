// The catalog's database: a file that changed since it was written isn't used, and is made again.
import { of } from './row.mjs';

const archived = 'files/archivedSessions';
const archiving = 'files/archiving';
const pins = 'catalog/pinnedSessions';
const writable = 'catalog/writableDatabase';
const damage = 'catalog/databaseErrors';
const passes = 'catalog/twoPasses';

export const catalog = [
  ...of(
    'Shared entries of forks are counted once',
    'catalog/copies/forkParents',
    ['catalog/catalog'],
    [
      [
        'the parent may be named by its ID',
        'forkParents',
        '[file.row.summary.id, withoutSessionSuffix(basename(file.path))]',
        '[withoutSessionSuffix(basename(file.path))]',
      ],
      [
        'the parent may be named by its file name in another folder',
        'forkParents',
        '?? byName.get(withoutSessionSuffix(basename(name)))',
        '',
      ],
      ['sessions that name each other count once', 'forkParents', 'parent && isOlder(parent, file)', 'parent'],
    ],
  ),
  ...of(
    'Removed data is overwritten',
    'catalog/database/indexer',
    ['catalog/removedData'],
    [
      ['names of folders and models without a session are removed', 'purge', 'this.names.removeUnused();', ''],
      ['a session that moves leads to a purge', 'putRow', 'if (before.known.row.summary.cwd !== cwd) this.requestPurge();', ''],
      ['a rewritten file leads to a purge', 'put', 'this.requestPurge();', ';'],
      ['a small file that was rewritten longer leads to a purge', 'put', '|| !continues(new LineTable(scanned.lines).all(), earlier)', ''],
      ['a large file that was rewritten longer leads to a purge', 'put', '|| this.content.hasHeads(n)', ''],
      ['an append leads to no purge', 'put', 'earlier && (isRewritten', 'earlier && (true'],
      [
        'a file that can’t be read any more leads to a purge',
        'putUnreadable',
        'if (before && this.content.clear(n)) this.requestPurge();',
        'if (before) this.content.clear(n);',
      ],
      [
        'a requested purge happens after a restart',
        'purge',
        "if (!this.statements.get('isPurgeDue')) return;",
        'if (!this.statements.hasChanges) return;',
      ],
      ['the numbers of removed names aren’t used again', 'begin', 'this.names.begin();', ''],
    ],
  ),
  ...of(
    'Stored rows',
    'catalog/encoding/fileColumns',
    ['catalog/fileColumns'],
    [
      ['keep texts that a column would change as JSON', 'ifChanged', 'CHANGED_BY_COLUMN.test(text)', 'false'],
      ['are read with the texts in the JSON', 'addRest', 'if (cwd !== undefined) summary.cwd = cwd;', ''],
    ],
  ),
  ...of(
    'FORMAT 5, several machines',
    'catalog/copies/sessionCopies',
    ['catalog/sessionCopies'],
    [
      ['copies are on different machines', 'updateGroup', 'one.machine !== file.machine', 'true'],
      ['the longest copy comes first', 'longestFirst', 'b.version.size - a.version.size', 'a.version.size - b.version.size'],
      [
        'of equal copies, that of this machine comes first',
        'longestFirst',
        'Number(a.machine !== undefined) - Number(b.machine !== undefined)',
        '0',
      ],
      ['only grown files are compared in part', 'isSameOrGrown', 'sameVersion(before, now) || hasGrown(before, now)', 'true'],
      ['a rewritten file hides no other', 'isCopy', '&& sameVersion(both.longer, longer.version)', ''],
    ],
  ),
  ...of(
    'FORMAT 5, several machines',
    'catalog/copies/haveSameBytes',
    ['catalog/sessionCopies'],
    [['copies may have different titles', 'haveSameBytes', 'DIALECT_FACTS[dialect].hasTitleSlot', 'false']],
  ),
  ...of(
    'FORMAT 5, several machines',
    'catalog/copies/catalogCopies',
    ['catalog/severalMachines'],
    [
      [
        'the usage of shared entries counts once',
        'ownUsageOf',
        'usageFacts(session, { isLeftOut, dayOf })',
        'usageFacts(session, { dayOf })',
      ],
      ['unchanged copies aren’t read again', 'ownUsage', 'last?.file !== file || last.owner !== owner', 'true'],
      ['a copy that grew is counted again', 'ownUsage', 'last?.file !== file', '!last'],
      ['copies are counted again if the longest one changed', 'ownUsage', '|| last.owner !== owner', ''],
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
    [['a drive letter has no case', 'touchesOf', "isWindowsPath(file) ? 'win32' : process.platform", 'process.platform']],
  ),
  ...of(
    'FORMAT 5, several machines',
    'files/locate/mapPath',
    ['files/parseRootSetting'],
    [
      [
        'both UNC names of WSL are the same',
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
    [['a path means the file on its own machine', 'touches', '...(mapPath(file, map) === file ? [file] : [])', 'file']],
  ),
  ...of(
    'Overlapping inspections',
    'catalog/refresh/inspectionOrder',
    ['catalog/inspectionOrder'],
    [
      ['the one that began last counts', 'claim', '(this.latestByPath.get(path) ?? 0) > inspection', 'false'],
      ['also if it ends first', 'claim', 'first !== inspection', 'false'],
      ['paths that none claimed before are not remembered', 'claim', 'first !== inspection', 'true'],
    ],
  ),
  ...of(
    'The first rows of a new store',
    'catalog/refresh/newestFiles',
    ['catalog/newestFiles'],
    [
      ['are of sessions with a time in their names', 'newestNames', '!TIME.test(name) ||', ''],
      ['are of no other files', 'newestNames', '|| !isSessionName(name)', ''],
      ['are of the latest names', 'newestNames', 'newest.shift()', 'newest.pop()'],
      ['are of the folders that got a file last', 'newestFolders', 'b.mtimeMs - a.mtimeMs', '0'],
      ['are of no folder in which only some files are sessions', 'sessionFolders', 'if (root.names) return [];', ''],
    ],
  ),
  ...of(
    'FORMAT 1, pins',
    'catalog/refresh/pinnedSessions',
    [pins],
    [
      ['apply to sessions of oh-my-pi only', 'withPin', "summary.dialect !== 'omp' ||", ''],
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
      ['is unpacked up to a limit in pieces', 'unpackPieces', 'size > MAX_UNPACKED_BYTES', 'false'],
      ['is read up to a limit', 'assertCompressedSize', 'size > MAX_COMPRESSED_BYTES', 'false'],
    ],
  ),
  ...of(
    'A stream of unpacked bytes',
    'files/read/unpackedStream',
    ['files/unpackedStream', 'files/recentStreams'],
    [
      ['begins again for bytes that it no longer keeps', 'unpackPart', 'await this.restart();', ''],
      ['counts the archive itself', 'keptBytes', '(this.pieces ? this.packedSize : 0)', '0'],
      ['keeps only the last bytes', 'unpackNext', 'this.end - this.limit', '-Infinity'],
      ['keeps what is being read', 'unpackNext', 'Math.min(position, this.end - this.limit)', 'this.end - this.limit'],
      ['keeps more for other places', 'unpackPart', 'if (from !== this.readTo) this.limit = this.limits.later;', ''],
      ['keeps no more for what follows', 'unpackPart', 'if (from !== this.readTo)', ''],
      ['can be aborted', 'unpackPart', 'signal?.throwIfAborted();', ''],
      ['begins again after a failure', 'unpackNext', 'await this.restart();', ''],
    ],
  ),
  ...of(
    'A search',
    'catalog/search/search',
    ['catalog/search'],
    [
      ['reads more lines together if few are hits', 'search', 'Math.max(limit, Math.min(read, RANKED_TOGETHER))', 'limit'],
      ['has as many hits as are wanted', 'search', 'if (hits.length >= limit) break;\n        const', 'const'],
    ],
  ),
  ...of(
    'The archives that were read last',
    'files/read/recentStreams',
    ['files/recentStreams'],
    [
      ['have one reader at a time', 'open', 'this.idle.delete(key);', ''],
      ['are as many as are allowed', 'takeOldest', 'count <= MAX_STREAMS', 'true'],
      ['keep as much as is allowed', 'takeOldest', 'bytes <= MAX_BYTES', 'true'],
      ['have the last one', 'takeOldest', 'count === 1 ||', ''],
      ['are ended', 'takeOldest', '.reverse()', ''],
      ['are dropped after the last one was closed', 'close', 'clearTimeout(this.timer);', ''],
      ['are dropped', 'close', 'void this.clear()', 'undefined'],
      ['are ended if they were read twice', 'close', '[same, ...dropped]', 'dropped'],
      ['are given to no reader while they end', 'clear', 'this.idle.clear();', ''],
    ],
  ),
  ...of(
    'The archives that a search reads',
    'catalog/search/indexedLineReader',
    ['catalog/archivedCatalog'],
    [
      ['are unpacked once, in order', 'readAll', 'a.path < b.path ? -1 : a.path > b.path ? 1 : a.line.offset - b.line.offset', '0'],
      ['are closed one by one', 'file', 'await this.closeLastArchive()', 'undefined'],
    ],
  ),
  ...of(
    'The archives that a thread reads',
    'files/sync/threadBytes',
    ['catalog/archivedCatalog'],
    [
      [
        'are kept for the next search',
        'openForSearching',
        'new SearchedArchive(key(), () => new UnpackedStream(unpack, keepAll, packedSize), signal)',
        'openForScan(key, unpack, packedSize)',
      ],
    ],
  ),
  ...of(
    'A folder that is known',
    'catalog/refresh/folderReader',
    ['catalog/folderReader'],
    [
      ['is read again after another inspection found a file changed', 'fileChanged', 'this.known.delete(folder);', ''],
      [
        'is read again after a file was found changed meanwhile',
        'end',
        'for (const folder of this.changed) this.known.delete(folder);',
        '',
      ],
      ['is read again for another root', 'read', '&& isSameRoot(before.root, root)', ''],
      ['is read again for another owner', 'read', 'before?.owner === owner &&', ''],
    ],
  ),
  ...of(
    'FORMAT 1, the archive',
    'files/locate/shadowedArchives',
    [archived, archiving],
    [
      ['isn’t listed beside its session', 'shadowedArchives', 'return true;', 'return false;'],
      ['isn’t listed twice if it has two forms', 'shadowedArchives', "compressionOf(name) === 'gz'", 'false'],
      [
        'is listed beside another session’s file',
        'shadowedArchives',
        '&& (await haveSameTime(join(folder, name), join(folder, other)))',
        '',
      ],
    ],
  ),
  ...of(
    'FORMAT 1, the archive',
    'files/locate/listFiles',
    [archived, archiving],
    [['is listed beside a folder of that name', 'contentOf', 'else if (isListedName', 'if (isListedName']],
  ),
  ...of(
    'Files beside the catalog’s database',
    'catalog/database/database',
    [writable],
    [['a rollback journal is foreign', 'canBeOpened', 'return areFiles && !exists(`${path}-journal`);', 'return areFiles;']],
  ),
  ...of(
    'The catalog’s tables',
    'catalog/database/database',
    [writable],
    [
      ['tables are compared when it is opened', 'openForWriting', 'else checkSchema(opened, location.hasWordIndex);', ''],
      ['tables are compared when it is read', 'openForReading', 'checkSchema(database, location.hasWordIndex);', ''],
      [
        'a database that another window created isn’t set aside',
        'setAside',
        'if (ino !== undefined && lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== ino) return;',
        '',
      ],
    ],
  ),
  ...of(
    'The catalog’s tables',
    'catalog/database/schema',
    [writable],
    [
      ['a schema with more than it should have is refused', 'checkSchema', '(!isExpected', '(false'],
      ['a schema without a table is refused', 'checkSchema', 'expected.size > 0 ||', ''],
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
    'catalog/database/writableDatabase',
    [damage],
    [
      ['is checked after a process was killed', 'open', '!opened.hadWal', 'true'],
      ['isn’t checked if it was closed', 'open', '!opened.hadWal', 'false'],
    ],
  ),
  ...of(
    'Words that were left for later',
    'catalog/refresh/catalogRefresh',
    [passes],
    [
      ['are read by the next start', 'catchUp', '&& !this.isUnfinished()', ''],
      ['are read by the next refresh of everything', 'indexDifferences', '|| (isComplete && this.isUnfinished())', ''],
    ],
  ),
  ...of(
    'Words that were left for later',
    'catalog/worker/fileIndexer',
    [passes],
    [['are read with those of the growth', 'indexFile', '&& !indexer.isUnindexed(stored.n)', '']],
  ),
  ...of(
    'Words that were left for later',
    'catalog/worker/indexRun',
    [passes],
    [['are left by single files', 'run', 'if (isComplete) await this.addWords(scanThread);', 'await this.addWords(scanThread);']],
  ),
  ...of(
    'Words that were left for later',
    'catalog/worker/progressReport',
    [passes],
    [['count as not read', 'done', 'this.read - this.unindexed / 2', 'this.read']],
  ),
  ...of(
    'Words that were left for later',
    'catalog/database/indexer',
    [passes],
    [['are those of the stored version', 'addWords', '&& sameVersion(now.known.version, version)', '']],
  ),
  ...of(
    'Words that were left for later',
    'catalog/database/storedContent',
    [passes],
    [
      ['are added once', 'addWords', 'if (!this.isUnindexed(n)) return;', ''],
      ['are forgotten with the session', 'clear', "'removeContent', 'removeUnindexed', ", "'removeContent', "],
    ],
  ),
  ...of(
    'Words that were left for later',
    'catalog/index/storedTexts',
    [passes],
    [['are those of the same version', 'wordsOf', 'sameVersion(opened.version, version)', 'opened.version']],
  ),
  ...of(
    'A damaged catalog',
    'catalog/worker/catalogWriter',
    [damage],
    [
      ['is created again', 'serve', 'first && isDamage(error)', 'false'],
      ['is reported as new', 'serve', 'anew: !first', 'anew: false'],
    ],
  ),
  ...of(
    'A damaged catalog',
    'catalog/database/databaseRecovery',
    [damage],
    [
      ['is read again after it was created again', 'recover', 'isRebuilt || damage', 'damage'],
      ['is read again after another window created it again', 'recover', 'isRebuilt || damage', 'isRebuilt'],
      ['is queried again a few times', 'withRecovery', 'MAX_REBUILDS', '0'],
    ],
  ),
  ...of(
    'Search results',
    'catalog/database/wordMatches',
    ['catalog/search'],
    [
      ['have each document once', 'wordMatches', 'last.document)', 'last.document - 1)'],
      ['have all pages', 'wordMatches', '!last || first.length < together', 'true'],
      ['end when the database is closed', 'wordMatches', '|| !connection.isOpen(database)) return;', ') return;'],
    ],
  ),
  ...of(
    'Search results',
    'catalog/search/candidates',
    ['catalog/search'],
    [['with repeated words have a better score', 'scoresOf', 'repeated[index]!++;', ';']],
  ),
];
