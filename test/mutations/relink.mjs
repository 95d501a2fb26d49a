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
      ['takes artifacts along', 'move', 'await moveBack(related, join(dirname(newPath), basename(related)));', ''],
      ['keeps the bytes after the header', 'relocate', 'await copyRange(file, header.offset + header.length, Infinity, put);', ''],
      ['keeps the bytes before the header', 'relocate', 'await copyRange(file, 0, header.offset, put);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, a removal of the original',
    'files/write/removeOriginal',
    [relink, 'files/archiving'],
    [
      ['doesn’t happen if the file was written to', 'removeOriginal', 'await assertUnchanged();', ''],
      ['doesn’t happen if the file is open', 'removeOriginal', 'await assertClosed(hidden);', ''],
      ['doesn’t happen if the file is to be kept', 'removeOriginal', 'if (isKept) return;', ''],
      ['gives the file its name back after a failure', 'removeOriginal', 'await bringBack(original);', ''],
      [
        'keeps lines that were written last',
        'removeOriginal',
        'await placeNewFile(path, (put) => copyAll(file, put), { mode, disk })',
        'await Promise.resolve()',
      ],
      ['leaves the copy if another file has the name', 'bringBack', 'keptError(hidden, path)', 'error'],
      ['leaves the copy if the original can’t get its name back', 'bringBack', 'hiddenError(hidden, path, error)', 'error'],
      ['leaves the copy if the original is gone', 'bringBack', 'throw goneError(path, error);', 'return;'],
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
      ['keep the former path in oh-my-pi’s header', 'projectMembers', "dialect === 'omp' && from !== undefined", 'false'],
      ['lose the checksum of the old line', 'relinkedHeader', ".filter(([key]) => key !== 'payloadSha256')", ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, recovery',
    'files/history/relinkRecovery',
    [killed],
    [
      ['updates the parents of forks', 'finish', 'await mover.repoint(path, root.dialect);', ''],
      ['gives a hidden file its name back', 'isDone', 'await releaseHidden(movingPath(path), path);', ''],
      ['removes one of two equal files', 'isDone', 'await unlink(from);', ''],
      ['waits for the disk of the sessions', 'finish', 'isWhole = false;', ''],
      ['waits for roots that only the killed window had', 'finish', 'return move.roots.every(', 'return true || move.roots.every('],
      ['waits for the disk of a root', 'finish', '&& (await exists(root.path))', ''],
    ],
  ),
  ...of(
    'FORMAT 6.12, recorded steps',
    'files/relink/stepChecks',
    ['files/forgedRecords', 'files/archiving'],
    [
      [
        'stay in one root',
        'assertInRoot',
        '[path, newPath].every((each) => rootOf(each, [one]))',
        'rootOf(path, [one]) || rootOf(newPath, [one])',
      ],
      ['lead through no link', 'assertInRoot', 'await assertNoLink(dirname(each), root.path);', 'void each;'],
    ],
  ),
];
