// Origins of lines: what sessions record of edits, their replay, and the claims. A line is never claimed wrongly.
import { of } from './row.mjs';

const calls = 'format/lineOrigins/record/callEdits';
const claims = 'format/lineOrigins/claimLines';
const traced = 'format/lineOrigins/traceLine';
const truth = 'format/lineOrigins/groundTruth';
const blocks = 'format/lineOrigins/replay/blockEnds';
const changes = 'format/lineOrigins/replay/changedOrigins';
const replay = 'format/lineOrigins/replay/replay';
const places = 'format/lineOrigins/replay/findLines';
const lines = 'files/callLines';
const numbered = 'format/lineOrigins/numberedText';
const origins = 'catalog/lineOrigins';
const scanned = 'properties/messages';

export const lineOrigins = [
  ...of(
    'Edits of a call',
    'format/lineOrigins/record/callEdits',
    [calls],
    [
      ['are none if it failed', 'editsOfCall', "result?.['isError'] === true ||", ''],
      ['are uncertain without a result', 'editsOfCall', 'result !== undefined', 'true'],
      ['are those of the result where it has a difference', 'editsOfCall', 'if (!first) return argued;', 'return argued;'],
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
    'Readings of a call',
    'format/lineOrigins/record/callEdits',
    [calls],
    [
      ['are parts if the call asked for some lines', 'readingOfCall', '!isPart &&', ''],
      ['have no notice of the tool', 'readingOfCall', 'withoutNotice(shown)', 'shown'],
      ['have no numbers', 'readingOfCall', "isNumbered ? lines.map((line) => line.replace(NUMBERED, '')).join('\\n') : text", 'text'],
    ],
  ),
  ...of(
    'Differences',
    'format/lineOrigins/record/patchText',
    [calls],
    [
      ['have no place where the numbers don’t count up', 'placeOf', 'number !== old', 'false'],
      ['name the line before an empty range', 'parseUnifiedDiff', 'count === 0 ? from : from - 1', 'from - 1'],
    ],
  ),
  ...of(
    'The replay',
    'format/lineOrigins/replay/replay',
    [replay, truth, origins],
    [
      ['applies edits with a result alone', 'Replay.addEdit', '!edit.isCertain', 'edit.isCertain === undefined'],
      ['keeps replaced lines, which undoing brings back', 'Replay.replace', 'this.unplaced.addReplaced(document, splices);', ''],
      ['isn’t complete after an edit of a part', 'Replay.changeKnown', 'placed, known.isWhole', 'placed, true'],
      ['keeps a document rather than a part', 'Replay.changeKnown', '|| (!known.isWhole && document !== UNKNOWN_DOCUMENT)', ''],
    ],
  ),
  ...of(
    'A rewritten text',
    'format/lineOrigins/replay/changedOrigins',
    [changes, blocks, truth],
    [
      ['has the origin of what was there in between', 'changedOrigins', 'foreign && foreign[at]! >= 0) return', 'false) return'],
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
  ...of(
    'An alignment',
    'format/lineOrigins/alignLines',
    [changes],
    [['keeps distinctive lines', 'alignLines', 'texts.isDistinctive(line) ? DISTINCTIVE_WEIGHT : 1', '1']],
  ),
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
      ['is of no line that stands elsewhere with another indentation', 'claimIndented', 'isAnchored && texts', 'texts'],
      ['is of no line that others wrote at some time', 'openShapes', 'if (!foreignShapes.has(shape)) open', 'open'],
    ],
  ),
  ...of(
    'A claim of a bracket or blank line',
    'format/lineOrigins/claimMarks',
    [claims],
    [
      ['is only likely away from lines of its edit', 'weakenMarks', "claims[at] = { ...claim, certainty: 'likely' }", ''],
      ['is no claim among a person’s lines', 'weakenMarks', 'if (!before && !next) claims[at] = undefined', 'if (false) continue'],
      ['is certain in a block of its edit', 'weakenMarks', '|| opening?.origin === claim.origin', ''],
    ],
  ),
  ...of(
    'A line of an earlier text',
    'format/lineOrigins/traceLine',
    [traced],
    [
      ['is as far from the end after a change', 'traceLine', 'at + before.length - after.length', 'at'],
      ['is the aligned one', 'traceLine', 'pair >= 0', 'false'],
      ['is similar', 'similarPlace', 'score >= SIMILAR &&', ''],
      ['is the most similar one', 'similarPlace', 'score > best.score ||', ''],
      ['is in the same place among equally similar ones', 'similarPlace', '|| (score === best.score && isInPlace)', ''],
      ['comes after the neighbor before it', 'similarPlace', 'before < 0 ? 0 : places[before]! + 1', '0'],
      ['comes before the neighbor after it', 'similarPlace', 'after < places.length ? places[after]! : old.length', 'old.length'],
    ],
  ),
  ...of(
    'The events of a file',
    'catalog/origins/fileEvents',
    [origins],
    [
      ['have a call once', 'fileEvents', '!known.has(key) && known.add(key)', 'true'],
      ['name the oldest session of copies', 'touchingSessions', 'a.created - b.created', '0'],
      ['have a file’s former names', 'fileEvents', ', ...former.keys()', ''],
      ['begin with what was read before a whole text', 'fileEvents', '...readings,', ''],
    ],
  ),
  ...of(
    'Numbers of a text’s lines',
    'format/lineOrigins/numberedText',
    [numbered],
    [
      [
        'are taken over for whole lines alone',
        'equalUntil',
        '(at + equal === other.length || other.charCodeAt(at + equal) === LINE_FEED)',
        'true',
      ],
      ['are looked up only where texts differ', 'placeNear', 'numbers[at] === wanted', 'false'],
      ['have a limit', 'numberedLike', 'count > maxLines', 'false'],
    ],
  ),
  ...of(
    'The edits of a session',
    'catalog/origins/sessionEdits',
    [origins],
    [
      ['are of the file alone', 'sessionEdits', 'path !== undefined && isFile(absolutePath(session, path))', 'true'],
      [
        'are those of the entries that the catalog means',
        'forEachCall',
        "![undefined, touch.entryId].includes(asString(line.value['id']))",
        'false',
      ],
    ],
  ),
  ...of(
    'The file at an entry',
    'catalog/origins/lineOrigins',
    [origins],
    [
      ['has no later events', 'fileAt', 'time <= end ||', 'true ||'],
      [
        'isn’t certain after a command',
        'fileAt',
        '&& !(await ranCommands(catalog, [ref.path, ...sessions], timeOfLastWholeText(before), end))',
        '',
      ],
    ],
  ),
  ...of(
    'Results of calls',
    'files/read/callLines',
    [lines],
    [
      ['come after their calls', 'PendingCalls.takeResult', 'after > offset', 'false'],
      ['are of entries that are read at once', 'readAll', 'offset - group.offset', '0'],
      ['may be far away', 'readAll', 'await readFar(file, far, pause);', ''],
      ['are messages with that role', 'PendingCalls.takeResult', "message['role'] === 'toolResult'", 'true'],
    ],
  ),
  ...of(
    'The prompt of an entry',
    'catalog/index/promptFinder',
    [scanned, origins],
    [['is among its ancestors', 'promptFinder', 'heads.parentAt(place)', 'place - 1']],
  ),
  ...of(
    'Files of a patch',
    'format/toolCalls/patchedFiles',
    [origins, calls],
    [['are those of parts by hashes', 'fileOfLine', '?? hashed?.[1] ?? hashed?.[2]', '']],
  ),
  ...of(
    'A trace record',
    'catalog/agentTrace/traceRecord',
    ['catalog/agentTrace'],
    [
      ['says mixed of lines that are only likely', 'traceFile', "certainty === 'exact'", 'true'],
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
      ['have no address of a session without an id', 'namesFor', "session && sessionId !== ''", 'session'],
      ['have a revision only for what it has', 'revisionWith', "linesOf(committed).join('\\n') === linesOf(text).join('\\n')", 'true'],
      ['have what a commit added', 'addedBySessions', 'intersection(origins, addedLines(former, text))', 'origins'],
      ['have what sessions had written by then', 'addedBySessions', 'until: time + COMMIT_PRECISION_MS', 'until: Infinity'],
    ],
  ),
];
