// FORMAT section 6, rule 12: a project that moves.
import { of } from './row.mjs';

const relink = 'files/relink/relinkProject';
const killed = 'files/relink/killed';

export const relinks = [
  ...of(
    'FORMAT 6.12, a move',
    'files/relink/relocate',
    [relink],
    [
      ['keeps the time', 'move', 'mtimeMs: version.mtimeMs,', ''],
      ['takes artifacts along', 'move', 'await moveBack(thing, join(dirname(newPath), basename(thing)));', ''],
      ['keeps what is behind the header', 'relocate', 'await copyRange(file, header.offset + header.length, Infinity, put);', ''],
      ['keeps what is before the header', 'relocate', 'await copyRange(file, 0, header.offset, put);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, a removal of the original',
    'files/write/removeOriginal',
    [relink, 'files/archiving'],
    [
      ['isn’t done if it was written to', 'removeOriginal', 'await assertUnchanged();', ''],
      ['isn’t done if it’s open', 'removeOriginal', 'await assertClosed(hidden);', ''],
      ['isn’t done if it’s to be kept', 'removeOriginal', 'if (isKept) return;', ''],
      ['a failure brings it back', 'removeOriginal', 'await bringBack(original);', ''],
      [
        'keeps what came last',
        'removeOriginal',
        'await placeNewFile(path, (put) => copyAll(file, put), { mode, disk })',
        'await Promise.resolve()',
      ],
      ['leaves the copy if another file is in the way', 'bringBack', 'keptError(hidden, path)', 'error'],
      ['leaves the copy if it has no name but the hidden one', 'bringBack', 'hiddenError(hidden, path, error)', 'error'],
      ['leaves the copy if it’s gone', 'bringBack', 'throw goneError(path, error);', 'return;'],
    ],
  ),
  ...of(
    'FORMAT 6.12, the plan',
    'files/relink/planRelink',
    [relink],
    [
      [
        'a parent waits for its forks',
        'planRelink',
        'if (fork && reason) leave(move, parentOfBusyForkError(move.session.path, fork.path, reason)); return reason === undefined;',
        'return true;',
      ],
      ['sessions in use stay', 'add', "assertFree(session.path, presence.get(session.path) ?? { state: 'free' }, false);", ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, headers',
    'format/write/relinkHeader',
    [relink],
    [
      ['oh-my-pi’s former paths', 'projectMembers', "dialect === 'omp' && from !== undefined", 'false'],
      ['no checksum of another line', 'relinkedHeader', ".filter(([key]) => key !== 'payloadSha256')", ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, recovery',
    'files/history/relinkRecovery',
    [killed],
    [
      ['the parents of forks', 'finish', 'await mover.repoint(path, root.dialect);', ''],
      ['the file with a hidden name', 'isDone', 'await releaseHidden(hiddenPath(path), path);', ''],
      ['one of two files', 'isDone', 'await unlink(from);', ''],
      ['waits for the disk of the sessions', 'finish', 'isWhole = false;', ''],
      ['waits for roots that only the killed window had', 'finish', 'return record.roots.every(', 'return true || record.roots.every('],
      ['waits for the disk of a root', 'finish', '&& (await exists(root.path))', ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, recorded steps',
    'files/relink/possibleStep',
    ['files/forgedRecords', 'files/archiving'],
    [
      ['keep the file’s name', 'isStep', 'basename(path) === basename(newPath) &&', ''],
      ['are of sessions', 'isStep', 'isSessionName(basename(path)) &&', ''],
      [
        'are in one root',
        'assertInRoot',
        '[path, newPath].every((each) => rootOf(each, [one]))',
        'rootOf(path, [one]) || rootOf(newPath, [one])',
      ],
      ['keep the ID', 'isStep', "&& id === asString(headerIn(after)?.['id'])", ''],
      ['lead through no link', 'assertInRoot', 'await assertNoLink(dirname(each), root.path);', 'void each;'],
    ],
  ),
];
