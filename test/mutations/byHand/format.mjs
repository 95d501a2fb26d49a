// Mutations of rules of the format that Stryker doesn't make: other values, other arguments, and steps that are left out.
import { of } from './row.mjs';

export const format = [
  ...of(
    'FORMAT 5, the last answer',
    'format/session/lastAnswer',
    ['format/lastAnswer'],
    [['is searched on the active branch, not at the end of the file', 'endsWithAnswer', 'heads.placeOf(tipId)', 'heads.length - 1']],
  ),
  ...of(
    'FORMAT 3, entries without ids',
    'format/session/objectCollector',
    ['format/session', 'format/rulesReading'],
    [
      ['form a chain', 'addEntry', 'this.lastId', 'null'],
      ['have IDs made of their positions in the file', 'addEntry', 'state.objects', 'place.line'],
    ],
  ),
  ...of(
    'FORMAT 3, an entry that is its own ancestor',
    'format/linking/breakCycles',
    ['format/session', 'format/rulesReading'],
    [['becomes a root', 'breakCycles', 'parents[cut] = NO_PARENT;', '']],
  ),
  ...of(
    'FORMAT 3, the scanner',
    'format/scanner/scanner',
    ['properties/foldedWords'],
    [['folds backslashes of a given text as they are', 'foldText', 'JSON.stringify(text)', 'text']],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/leafAndLabels',
    ['format/session', 'format/rulesReading'],
    [['is the last entry of any type', 'applyEntry', 'head.side', "head.side && head.type !== 'label'"]],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/leafLine',
    ['format/session', 'format/rulesReading'],
    [['is found through several leaf lines', 'resolveLeafLine', 'resolveParent(head.targetId, leafTargets)', 'head.targetId']],
  ),
  ...of(
    'FORMAT 3, a leaf on a dead branch',
    'format/session/treeTraversal',
    ['format/rulesReading', 'format/treeTraversal'],
    [['the tip is offered, not an entry before it', 'suspectedTip', 'session.children.has(id)', 'false']],
  ),
  ...of(
    'FORMAT 3, an entry that is its own ancestor',
    'format/linking/resolveHeads',
    ['files/rules'],
    [['is detected when the file grew', 'resolveHeads', '!isOrdered', '!isOrdered && !earlier']],
  ),
  ...of(
    'FORMAT 3, the leaf',
    'format/linking/resolveHeads',
    ['files/rules'],
    [
      [
        'children of a leaf line are children of its target, when the file grew',
        'resolveHeads',
        'leafTargets.size > 0',
        'leafTargets.size > 0 && !earlier',
      ],
    ],
  ),
  ...of(
    'FORMAT 3, a file that grew',
    'format/linking/linkSession',
    ['files/rules', 'files/sessionFile'],
    [
      ['keeps its earlier roots', 'linkSession', 'previous.roots.concat(roots)', 'roots'],
      ['gets its new roots', 'linkSession', 'previous.roots.concat(roots)', 'previous.roots'],
    ],
  ),
  ...of(
    'FORMAT 3, a file that grew',
    'format/linking/layeredMap',
    ['format/layeredMap', 'properties/grownSessions'],
    [['keeps what was added before', 'with', 'extended(extended(this.added, this.layer), added)', 'extended(this.layer, added)']],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/session/objectCollector',
    ['format/rulesReading', 'format/session', 'files/sessionFile'],
    [['heads have the names of version 3', 'addEntry', 'chained ? withGivenIds(value) : value', 'value']],
  ),
  ...of(
    'FORMAT 3, versions 1 and 2',
    'format/parse/migrateLine',
    ['format/migrateLine', 'files/sessionWriter'],
    [['a migration writes the IDs that reading gave', 'migrateLine', "changes['id'] = target.id", "changes['id'] = `m${target.id}`"]],
  ),
  ...of(
    'FORMAT 4, the system prompt',
    'format/context/systemMessage',
    ['format/systemPrompt'],
    [['is read from entries of the context only', 'systemPromptEntries', 'steps.map', 'path.map']],
  ),
  ...of(
    'FORMAT 4.1, the path',
    'format/context/contextPlan',
    ['format/context', 'format/rulesContext'],
    [['leads to the leaf unless an entry is named', 'contextPlan', 'session.leafId', 'session.entries.at(-1)?.id ?? null']],
  ),
  ...of(
    'FORMAT 4.2, settings',
    'format/context/contextPlan',
    ['format/context', 'format/rulesContext'],
    [
      [
        'are read from the whole path, also before a compaction',
        'contextPlanSteps',
        'defaultSettings(session, path)',
        "defaultSettings(session, path.slice(path.findLastIndex((head) => head.type === 'compaction') + 1))",
      ],
    ],
  ),
  ...of(
    'FORMAT 4.3, compactions',
    'format/context/contextPlan',
    ['format/context', 'format/rulesContext'],
    [
      [
        'the newest counts',
        'contextPlanSteps',
        "path.findLastIndex((head) => head.type === 'compaction')",
        "path.findIndex((head) => head.type === 'compaction')",
      ],
    ],
  ),
  ...of(
    'FORMAT 4.4, reset boundaries',
    'format/context/contextPlan',
    ['format/context', 'format/rulesContext'],
    [
      [
        'the last one counts',
        'contextPlanSteps',
        "path.findLastIndex((head) => head.type === 'reset_boundary')",
        "path.findIndex((head) => head.type === 'reset_boundary')",
      ],
      [
        'one before a compaction hides no kept entry',
        'contextPlanSteps',
        '? compaction : named',
        '? compaction : Math.max(named, reset + 1)',
      ],
    ],
  ),
  ...of(
    'FORMAT 4.6, entries to messages',
    'format/context/contextMessages',
    ['format/context', 'format/rulesContext'],
    [['a custom message has the role custom', 'unchangedMessages', "'custom'", "'user'"]],
  ),
  ...of(
    'FORMAT 4, messages as text',
    'format/context/llmMessages',
    ['format/llmMessages', 'format/rulesContext'],
    [
      ['a compaction’s summary has pi’s wrapper', 'COMPACTION_WRAPPER', "'\\n</summary>'", "'</summary>'"],
      ['a branch’s summary has pi’s wrapper', 'BRANCH_WRAPPER', "'</summary>'", "'\\n</summary>'"],
    ],
  ),
  ...of(
    'FORMAT 6.8, the session manager',
    'files/api/bufferedSession',
    ['files/rootGuard'],
    [['creates no file in a read-only root', 'createFile', 'await this.options.writer.assertChangeable(path);', '']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/locate/readOnlyRoots',
    ['files/rootGuard'],
    [
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
    [['have forks with a folder of this machine', 'localCwd', 'mapPath(header.cwd, map)', 'header.cwd']],
  ),
  ...of(
    'FORMAT 6.8, read-only roots',
    'files/trash/foundTrash',
    ['files/rootGuard'],
    [['get no session that a note in a trash names', 'restoreFound', 'await assertChangeable(note.path);', '']],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/presence',
    ['files/rules', 'files/writeGuard', 'files/sessionWriter'],
    [['growth alone means live in sessions of omp', 'presence', '(await isGrowthConclusive(path, about))', 'false']],
  ),
  ...of(
    'FORMAT 6.1, signs',
    'files/presence/recentWrites',
    ['files/writeGuard', 'files/sessionWriter'],
    [
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
    'files/write/submitChange',
    ['files/sessionWriter'],
    [
      [
        'the lock is held while writing',
        'writeAt',
        'withProgramLock',
        '(async (_path: string, _dialect: unknown, work: () => Promise<SubmitResult>, _disk: unknown) => work())',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.2, one line',
    'files/write/appendText',
    ['files/rules', 'files/sessionWriter', 'files/changedBeforeWrite', 'files/diskErrors'],
    [
      ['is written at the end, even if the file grew meanwhile', 'appendText', 'constants.O_RDWR | constants.O_APPEND', 'constants.O_RDWR'],
      ['is written only after a line break', 'appendText', 'await assertEndsWithNewline(file, session, version.size);', ''],
      [
        'is verified after it was written',
        'finishAppend',
        'await verifyAppend(file, session, version, bytes, disk)',
        "{ version: await assertInPlace(file, session.path, disk), concurrent: false, interveningLines: '' }",
      ],
    ],
  ),
  ...of(
    'FORMAT 6.3, labels',
    'format/write/change',
    ['format/change', 'files/sessionWriter'],
    [['have the leaf as their parent', 'planLines', 'parentId = leafId', "parentId = line['targetId'] as string"]],
  ),
  ...of(
    'FORMAT 6.9, no file is shortened',
    'files/write/appendText',
    ['files/rules', 'files/sessionWriter'],
    [
      [
        'a damaged append leaves all bytes',
        'verifyAppend',
        'throw damaged(session, before.size);',
        '{ await file.truncate(before.size); throw damaged(session, before.size); }',
      ],
    ],
  ),
  ...of(
    'FORMAT 6.5, a new file',
    'files/io/atomicFile',
    ['files/atomicFile', 'files/sessionWriter'],
    [
      ['has a temporary name that no program lists', 'withTemporary', 'temporaryName(basename(path))', '`tmp${basename(path)}`'],
      ['leaves no temporary name', 'linkNew', 'await disk.unlink(temporary).catch(() => undefined);', ''],
      ['has all lines', 'writeLines', '}); await flush();', '});'],
      ['has the given permission bits', 'withTemporary', 'file.chmod(mode)', 'file.chmod(0o600)'],
    ],
  ),
  ...of(
    'FORMAT 6.5, a new file',
    'files/io/atomicFile',
    ['files/diskErrors'],
    [['is reported only if it’s at its path', 'createFile', 'await assertPlaced(path, placed, disk);', '']],
  ),
  ...of(
    'FORMAT 6.5, a migration',
    'files/migration/migrateFile',
    ['files/diskErrors'],
    [
      ['backs up lines that the old file got meanwhile', 'backUpLateWrites', 'await copyReplacing(source, backupPath, mode, disk);', ''],
      ['is reported only if the new file is at its path', 'migrateFile', 'await assertPlaced(path, placed, disk);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.6, a fork',
    'format/write/fork',
    ['format/fork', 'format/rulesWriting', 'files/sessionWriter'],
    [
      ['has the current time', 'forkHeader', 'stamp.now().toISOString()', 'session.header.timestamp'],
      ['names its source as parentSession', 'forkHeader', 'session.path', 'session.header.id'],
      ['keeps the header’s other members', 'forkHeader', ', ...rest', ''],
      ['has the path from the root', 'forkBranch', 'pathPlaces(heads, id)', '[...session.entries.keys()]'],
      ['chains its entries', 'forkBranch', 'parentId = head.id', 'parentId = head.parentId'],
      ['chains the labels', 'labelLines', 'parentId = id;', ''],
    ],
  ),
  ...of(
    'FORMAT 6.10, an import',
    'format/import/planCopy',
    ['files/import/importSession'],
    [
      ['has no additional directories', 'planCopy', 'additionalDirectories, ...rest', '...rest'],
      ['leaves out OpenClaw’s own entries', 'planCopy', 'DIALECT_FACTS[dialect].writable ? isDamaged', 'true ? isDamaged'],
    ],
  ),
  ...of(
    'FORMAT 1, the archive',
    'files/read/compressedSession',
    ['files/archivedSessions', 'files/archiving'],
    [['is unpacked up to a limit', 'OPTIONS', 'maxOutputLength: MAX_UNPACKED_BYTES,', '']],
  ),
  ...of(
    'FORMAT 6.12, a removal of the original',
    'files/write/removeOriginal',
    ['files/relink/relinkProject', 'files/archiving'],
    [
      ['doesn’t happen if the file was written to', 'removeOriginal', 'await assertUnchanged();', ''],
      ['doesn’t happen if the file is open', 'removeOriginal', 'await assertClosed(hidden);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, recovery',
    'files/history/relinkRecovery',
    ['files/relink/killed'],
    [
      ['gives a hidden file its name back', 'isDone', 'await releaseHidden(movingPath(path), path);', ''],
      ['removes one of two equal files', 'isDone', 'await unlink(from);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, recorded steps',
    'files/relink/stepChecks',
    ['files/forgedRecords', 'files/archiving'],
    [['lead through no link', 'assertInRoot', 'await assertNoLink(dirname(each), root.path);', 'void each;']],
  ),
  ...of(
    'FORMAT 6.11, unarchiving',
    'files/archive/archiveFile',
    ['files/archiving'],
    [['unpacks sessions only', 'unarchiveFile', 'await readSession(archive);', '']],
  ),
  ...of(
    'FORMAT 6.11, an interruption',
    'files/archive/endInterrupted',
    ['files/archiving'],
    [
      ['a hidden session comes back', 'endInterrupted', 'await releaseHidden(hidden, path, disk);', ';'],
      ['a damaged archive hides no session', 'endInterrupted', '.catch(unlessDamaged)', ''],
    ],
  ),
  ...of(
    'FORMAT 6.11, an archive in the trash',
    'files/archive/archiver',
    ['files/archiving'],
    [['needs its original to be removed', 'createArchiver', 'await assertOriginalRemoved(path);', '']],
  ),
];
