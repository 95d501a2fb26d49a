// Origins of lines: what sessions record of edits, their replay, and the claims. A line is never claimed wrongly.
import { of } from './row.mjs';

const calls = 'format/lineOrigins/record/callEdits';
const claims = 'format/lineOrigins/claimLines';
const traced = 'format/lineOrigins/traceLine';
const truth = 'format/lineOrigins/groundTruth';
const blocks = 'format/lineOrigins/replay/blockEnds';
const changes = 'format/lineOrigins/replay/changedOrigins';
const replay = 'format/lineOrigins/replay/replay';
const effort = 'format/lineOrigins/replay/replayWork';
const work = 'format/lineOrigins/work';
const places = 'format/lineOrigins/replay/findLines';
const lines = 'files/callLines';
const numbered = 'format/lineOrigins/numberedText';
const origins = 'catalog/lineOrigins';
const states = 'catalog/fileStates';
const finder = 'format/lineOrigins/versions/versionFinder';
const applied = 'format/lineOrigins/versions/applyEdit';
const shown = 'format/lineOrigins/record/shownText';
const scanned = 'properties/messages';

export const lineOrigins = [
  ...of(
    'Edits of a call',
    'format/lineOrigins/record/callEdits',
    [calls],
    [
      ['are none if it failed', 'callEditSteps', "result?.['isError'] === true ||", ''],
      ['are uncertain without a result', 'callEditSteps', 'result !== undefined', 'true'],
      ['are those of the result if it has a diff', 'callEditSteps', 'if (!first) return argued;', 'return argued;'],
      [
        'replace all only where the call says so',
        'replacementOf',
        "edit['all'] === true || edit['replace_all'] === true || edit['replaceAll'] === true",
        'true',
      ],
      ['create a file with the added lines', 'editOfPatch', "operation === 'add'", 'false'],
    ],
  ),
  ...of(
    'Text that a call has read',
    'format/lineOrigins/record/callEdits',
    [calls],
    [
      ['is a part if the call asked for some lines', 'readingOfCall', '!isPart &&', ''],
      ['doesn’t include the tool’s notice', 'readingOfCall', 'withoutNotice(shown)', 'shown'],
    ],
  ),
  ...of(
    'Unified diffs',
    'format/lineOrigins/record/patchText',
    [calls],
    [
      ['have no position if the line numbers don’t match', 'placeOf', 'number !== old', 'false'],
      ['name the line before an empty range', 'parseUnifiedDiff', 'count === 0 ? from : from - 1', 'from - 1'],
    ],
  ),
  ...of(
    'The replay of edits',
    'format/lineOrigins/replay/replay',
    [replay, truth, origins, effort],
    [
      ['applies only edits with a result', 'Replay.addEdit', '!edit.isCertain', 'edit.isCertain === undefined'],
      ['prefers a whole document to a part', 'Replay.changeKnown', '|| (!known.isWhole && document !== UNKNOWN_DOCUMENT)', ''],
    ],
  ),
  ...of('Work on lines', 'format/lineOrigins/work', [work], [['pauses between its parts', 'workSteps', 'amount < STEP', 'true']]),
  ...of('Hunks without a place', 'format/lineOrigins/replay/placeHunks', [effort], []),
  ...of(
    'A rewritten text',
    'format/lineOrigins/replay/changedOrigins',
    [changes, blocks, truth],
    [
      ['has the origins of the text in between', 'changedOrigins', 'foreign && foreign[at]! >= 0) return', 'false) return'],
      ['keeps the origin of lines that stay', 'changedOrigins', 'place >= 0 && doubtful[at] === 0', 'false'],
      ['has guesses for doubtful lines', 'changedOrigins', 'if (doubtful[at] === 1) return doubtfulOrigin(line, at);', ''],
      ['claims no blank line between an old block and a new one', 'changedOrigins', 'places[at + 1] === -1', 'false'],
      [
        'has no certain origin for doubtful lines outside of new blocks',
        'changedOrigins',
        'opening !== undefined && isNew[opening] === 1 ? changed[opening]!',
        'false ? 0',
      ],
      ['guesses that a new block has its own end', 'changedOrigins', 'return guess(changed[opening]!);', 'return undefined;'],
      ['keeps the end of a block whose beginning was changed', 'changedOrigins', 'old !== undefined && stays[old] === 0', 'false'],
    ],
  ),
  ...of('An alignment', 'format/lineOrigins/alignLines', [changes], []),
  ...of(
    'The end of a block',
    'format/lineOrigins/replay/blockEnds',
    [blocks],
    [
      ['has its indentation', 'findOpening', 'outer > indentation ||', ''],
      ['has an opening line', 'findOpening', '&& OPENING.test(texts.text(before).trimEnd())', ''],
      ['comes before a blank line', 'findOpening', 'at > 0 && isClosing(lines[at - 1]!, texts)', 'at > 0'],
    ],
  ),
  ...of(
    'Lines in a text',
    'format/lineOrigins/replay/findLines',
    [places],
    [['are found where they overlap', 'findLines', 'matched = borders[matched - 1]!;\n  }\n}', 'matched = 0;\n  }\n}']],
  ),
  ...of(
    'A claim',
    'format/lineOrigins/claimLines',
    [claims],
    [
      ['is only likely for a doubtful line', 'claimAligned', 'doubtful[at] === 0 &&', ''],
      ['needs a neighbor for a line with another indentation', 'claimIndented', 'isAnchored && texts', 'texts'],
      ['takes no line that another author wrote at some time', 'openShapes', 'if (!foreignShapes.has(shape)) open', 'open'],
    ],
  ),
  ...of(
    'A claim of a bracket or blank line',
    'format/lineOrigins/claimMarks',
    [claims],
    [
      ['is only likely away from lines of its edit', 'weakenMarks', "claims[at] = { ...claim, certainty: 'likely' }", ''],
      ['doesn’t apply among a person’s lines', 'weakenMarks', 'if (!before && !next) claims[at] = undefined', 'if (false) continue'],
      ['is certain in a block of its edit', 'weakenMarks', '|| opening?.origin === claim.origin', ''],
    ],
  ),
  ...of(
    'A line of an earlier text',
    'format/lineOrigins/traceLine',
    [traced],
    [
      ['keeps its distance from the end after a change above it', 'traceLine', 'at + before.length - after.length', 'at'],
      ['is the aligned line if there is one', 'traceLine', 'pair >= 0', 'false'],
      ['is a similar line otherwise', 'similarPlace', 'score >= SIMILAR &&', ''],
      ['is the most similar of several lines', 'similarPlace', 'score > best.score ||', ''],
      ['is the line at the same position among equally similar ones', 'similarPlace', '|| (score === best.score && isInPlace)', ''],
      ['comes after the neighbor before it', 'similarPlace', 'before < 0 ? 0 : places[before]! + 1', '0'],
      ['comes before the neighbor after it', 'similarPlace', 'after < places.length ? places[after]! : old.length', 'old.length'],
    ],
  ),
  ...of(
    'The events of a file',
    'catalog/origins/fileEvents',
    [origins],
    [
      ['include each call once', 'eventsAt', '!known.has(key) && known.add(key)', 'true'],
      ['name the oldest session of copies', 'touchingSessions', 'a.created - b.created', '0'],
      ['begin with those of the name before a move', 'eventsAcrossMoves', '...former.events.slice(0, end),', ''],
      [
        'don’t ask the disk about a name that may lead to a server',
        'eventsBeforeMove',
        '(await new UntrustedPaths().isRefused(file))',
        'false',
      ],
    ],
  ),
  ...of(
    'Numbers of a text’s lines',
    'format/lineOrigins/numberedText',
    [numbered],
    [
      [
        'are reused for whole lines only',
        'equalUntil',
        '(at + equal === other.length || other.charCodeAt(at + equal) === LINE_FEED)',
        'true',
      ],
      ['are reused at the same position if the numbers match', 'placeNear', 'numbers[at] === wanted', 'false'],
      ['have a limit', 'numberedLike', 'count > maxLines', 'false'],
    ],
  ),
  ...of(
    'The edits of a session',
    'catalog/origins/sessionEdits',
    [origins],
    [
      ['are those of the file only', 'sessionEdits', 'path !== undefined && isFile(absolutePath(session, path))', 'true'],
      [
        'are those of the entries that the catalog names',
        'forEachCall',
        "![undefined, touch.entryId].includes(asString(line.value['id']))",
        'false',
      ],
    ],
  ),
  ...of(
    'The file at an entry',
    'catalog/origins/fileStates',
    [origins, states],
    [['ignores later events', 'fileStateAt', 'event.time <= end ||', 'true ||']],
  ),
  ...of(
    'Commands that may have changed a file',
    'catalog/origins/commandsBetween',
    [states],
    [['are those of all sessions in its folder', 'ranCommands', '[...paths, ...inFolder]', 'paths']],
  ),
  ...of(
    'A text at a point of a record',
    'format/lineOrigins/versions/versionFinder',
    [finder],
    [['is contradicted by a part that was read', 'VersionFinder.addReading', '!hasLines(', 'false && !hasLines(']],
  ),
  ...of(
    'An edit of a known text',
    'format/lineOrigins/versions/applyEdit',
    [applied],
    [['fits only at its recorded place', 'recordedPlaces', '&& hasAt(lines, old, at)', '']],
  ),
  ...of(
    'A reading of a whole file',
    'format/lineOrigins/record/shownText',
    [shown],
    [['isn’t one of a part', 'shownTextOfCall', '!isPart && !isCut(result)', 'true']],
  ),
  ...of(
    'Results of calls',
    'files/read/callLines',
    [lines],
    [
      ['come after their calls', 'PendingCalls.takeResult', 'after > offset', 'false'],
      ['are read at their offset in a group', 'readAll', 'offset - group.offset', '0'],
      ['may be far away from their calls', 'readAll', 'await readFar(file, far, pause);', ''],
      ['are only messages with the role toolResult', 'PendingCalls.takeResult', "message['role'] === 'toolResult'", 'true'],
    ],
  ),
  ...of(
    'The prompt of an entry',
    'catalog/index/promptFinder',
    [scanned, origins],
    [['is one of its ancestors', 'promptFinder', 'heads.parentAt(place)', 'place - 1']],
  ),
  ...of(
    'Files of a patch',
    'format/toolCalls/patchedFiles',
    [origins, calls],
    [['may be named by sections with hashes', 'fileOfLine', '?? hashed?.[1] ?? hashed?.[2]', '']],
  ),
  ...of(
    'A trace record',
    'catalog/agentTrace/traceRecord',
    ['catalog/agentTrace'],
    [
      ['names lines that are only likely “mixed”', 'traceFile', "certainty === 'exact'", 'true'],
      ['separates models', 'traceFile', 'JSON.stringify([origin.path, modelOf(origin)])', 'origin.path'],
      ['has the hash of its own lines', 'traceFile', 'lines.slice(from - 1, to)', 'lines.slice(from, to)'],
      [
        'names each prompt once',
        'traceFile',
        '[...new Set(group.flatMap(({ promptId }) => promptId ?? []))]',
        'group.flatMap(({ promptId }) => promptId ?? [])',
      ],
    ],
  ),
  ...of(
    'Trace records',
    'catalog/agentTrace/agentTrace',
    ['catalog/agentTrace'],
    [
      ['have no address for a session without an ID', 'namesFor', "session && sessionId !== ''", 'session'],
      [
        'name a revision only if it has the same text',
        'revisionWith',
        "linesOf(committed).join('\\n') === linesOf(text).join('\\n')",
        'true',
      ],
      [
        'have only lines that a commit added',
        'addedBySessions',
        'intersection(origins, await new Yielder(signal).run(workSteps(addedLines(former, text))))',
        'origins',
      ],
      ['have only lines that sessions had written by then', 'addedBySessions', 'until: time + COMMIT_PRECISION_MS', 'until: Infinity'],
    ],
  ),
];
