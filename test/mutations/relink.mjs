// FORMAT section 6, rule 10: a project that moves.
import { of } from './row.mjs';

const relink = 'files/relink/relinkProject';
const killed = 'files/relink/killed';

export const relinks = [
  ...of(
    'FORMAT 6.10, a move',
    'files/relink/relocate',
    [relink],
    [
      ['keeps the time', 'move', 'mtimeMs: version.mtimeMs,', ''],
      ['takes artifacts along', 'move', 'await moveBack(thing, join(dirname(newPath), basename(thing)));', ''],
      [
        'keeps what came to the old file since',
        'move',
        'if (isHeld) await release(path, disk); else await placeNewFile(path, (put) => copyAll(file, put), { mode: options.mode, disk });',
        '',
      ],
      ['keeps what came late on a full disk', 'move', 'isHeld = await hold(path, disk);', ''],
      ['keeps what is behind the header', 'relocate', 'await copyRange(file, header.offset + header.length, Infinity, put);', ''],
      ['keeps what is before the header', 'relocate', 'await copyRange(file, 0, header.offset, put);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.10, the plan',
    'files/relink/planRelink',
    [relink],
    [
      [
        'a parent waits for its forks',
        'planRelink',
        'if (fork && reason) leave(move, parentOfBusyForkError(move.session.path, fork.path, reason)); return reason === undefined;',
        'return true;',
      ],
      ['what is in use stays', 'add', "assertFree(session.path, presence.get(session.path) ?? { state: 'free' }, false);", ''],
    ],
  ),
  ...of(
    'FORMAT 6.10, headers',
    'format/write/relinkHeader',
    [relink],
    [
      ['oh-my-pi’s former paths', 'projectMembers', "dialect === 'omp' && from !== undefined", 'false'],
      ['no checksum of another line', 'relinkedHeader', ".filter(([key]) => key !== 'payloadSha256')", ''],
    ],
  ),
  ...of(
    'FORMAT 6.10, recovery',
    'files/history/relinkRecovery',
    [killed],
    [
      ['the parents of forks', 'finish', 'await mover.repoint(path, root.dialect);', ''],
      ['the file with a hidden name', 'isDone', 'await releaseHeld(path);', ''],
      ['one of two files', 'isDone', 'await unlink(from);', ''],
    ],
  ),
  ...of(
    'FORMAT 6.10, recorded steps',
    'files/relink/possibleStep',
    ['files/forgedRecords', 'files/archiving'],
    [
      ['keep the file’s name', 'isStep', 'basename(path) === basename(newPath) &&', ''],
      ['keep the ID', 'isStep', "&& id === asString(headerIn(after)?.['id'])", ''],
      ['lead through no link', 'assertInRoot', 'await assertNoLink(dirname(each), root.path);', 'void each;'],
    ],
  ),
];
