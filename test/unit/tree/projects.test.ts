import assert from 'node:assert/strict';
import type { ListedSession } from '../../../src/core/index';
import type { ProjectsInput } from '../../../src/tree/projects/projects';
import { broken, file } from './storedFiles';
import { buildGroups } from '../../../src/tree/projects/projects';
import { inputFrom, projectsOf, projectsPicture, text } from './renderRows';

function shows(files: readonly ListedSession[], expected: string, input: Partial<ProjectsInput> = {}): void {
  const projects = projectsOf({ files: new Map(files.map((each) => [each.path, each])), ...input });
  assert.equal(projectsPicture(projects), text(expected));
}

describe('buildGroups', () => {
  it('returns nothing without files', () => shows([], ''));

  it('takes steps that don’t grow with the number of sessions, also if some are forks or copies', () => {
    let looks = 0;
    const many = Array.from({ length: 20_000 }, (_, index) => {
      const one = file(
        `/r/${index}`,
        `/w/${index % 4}`,
        index,
        index === 9 ? { parentSession: '/r/8' } : index === 7 ? { parentSession: 'gone' } : {},
      );
      return Object.defineProperty(one, 'path', { get: () => (looks++, `/r/${index}`) });
    });
    const each: number[] = [];
    for (const steps = buildGroups(inputFrom({ files: new Map(many.map((one, index) => [`/r/${index}`, one])) })); !steps.next().done;)
      each.push(looks - each.reduce((sum, step) => sum + step, 0));
    assert.ok(looks > 40_000 && Math.max(...each) <= 3000, `${looks} looks at paths, ${Math.max(...each)} of them in one step`);
  });

  it('groups the sessions of all roots by folder, the newest first', () =>
    shows(
      [file('/pi/a', '/work/one', 1), file('/pi/b', '/work/two', 3), file('/omp/c', '/work/one', 2, { dialect: 'omp' })],
      `
      ▸ /work/two
        /pi/b
      ▸ /work/one
        /omp/c
        /pi/a
      `,
    ));

  it('lists the sessions of a repository’s worktrees in its project, with their names, and forks between them below their sessions', () => {
    const files = [
      file('/main', '/code/größe', 1),
      file('/left', '/wt/日本', 2),
      file('/fork', '/wt/日本/inner', 3, { parentSession: '/main' }),
      file('/else', '/wt/elsewhere', 1, { parentSession: '/left' }),
    ];
    const worktreeOf: ProjectsInput['worktreeOf'] = (cwd) =>
      cwd.startsWith('/wt/日本') ? { folder: '/wt/日本', repository: '/code/größe' } : undefined;
    const expected = `
      ▸ /code/größe
        /main
          /fork
        /left
      ▸ /wt/elsewhere
        /else ← /left in /wt/日本
      `;
    shows(files, expected, { worktreeOf });
    const input = { files: new Map(files.map((each) => [each.path, each])), worktreeOf };
    const [project, other] = projectsOf(input);
    assert.deepEqual(
      [...(project?.items ?? []), ...(other?.items ?? [])].map(
        (item) => item.kind === 'session' && [item.path, item.worktree, item.forkedFrom?.path],
      ),
      [
        ['/main', undefined, undefined],
        ['/left', '日本', undefined],
        ['/else', undefined, '/left'],
      ],
    );
    assert.deepEqual(
      projectsOf({ ...input, workspaceOnly: true, workspace: ['/code/größe'] }).map(({ cwd }) => cwd),
      ['/code/größe'],
    );
  });

  it('lists copies of other machines below the longest one, and forks of any of them below that', () =>
    shows(
      [
        file('/here/a', '/w', 1, { copyOf: { path: '/laptop/a', hasDiverged: false } }),
        file('/laptop/a', '/w', 3, { machine: 'laptop' }),
        file('/pc/a', '/w', 2, { machine: 'pc', copyOf: { path: '/laptop/a', hasDiverged: true } }),
        file('/here/fork', '/w', 4, { parentSession: '/here/a' }),
        file('/laptop/other', '/v', 1, { machine: 'laptop', parentSession: '/pc/b' }),
        file('/pc/b', '/v', 1, { machine: 'pc', copyOf: { path: '/laptop/other', hasDiverged: true } }),
      ],
      `
      ▸ /w
        /laptop/a
          /here/fork
          /pc/a
          /here/a
      ▸ /v
        /laptop/other
          /pc/b
      `,
    ));

  it('says that a folder is gone only for sessions of this machine', () => {
    const missing = (...files: ListedSession[]): unknown =>
      projectsOf({ files: new Map(files.map((each) => [each.path, each])), isMissing: () => true }).map(({ isMissing }) => isMissing);
    assert.deepEqual(missing(file('/a', '/w', 1, { machine: 'laptop' })), [undefined]);
    assert.deepEqual(missing(file('/a', '/w', 1, { machine: 'laptop' }), file('/b', '/w', 1)), [true]);
  });

  it('lists sessions that were pinned in the view first, unless they are archived', () =>
    shows(
      [file('/a', '/w', 3), file('/b', '/w', 2), file('/c', '/w', 1), file('/old', '/w', 4, { marks: { isArchived: true } })],
      `
      ▸ /w
        /c
        /a
        /b
        /old
      `,
      { isPinned: ({ path }) => path === '/c' || path === '/old' },
    ));

  it('lists pinned sessions first and archived ones last, without moving their project', () =>
    shows(
      [
        file('/plain', '/w', 2),
        file('/pinned', '/w', 1, { marks: { isPinned: true } }),
        file('/archived', '/w', 9, { marks: { isArchived: true } }),
        file('/both', '/w', 8, { marks: { isPinned: true, isArchived: true } }),
        file('/newer', '/w', 3),
        broken('/r/broken.jsonl.gz', 20),
        file('/other', '/v', 5),
        file('/fork', '/v', 4, { parentSession: '/other', marks: { isArchived: true } }),
        file('/pinned fork', '/v', 3, { parentSession: '/other', marks: { isPinned: true } }),
      ],
      `
      ▸ /w
        /pinned
        /newer
        /plain
        /archived
        /both
      ▸ /v
        /other
          /pinned fork
          /fork
      ▸ (no folder)
        ✗ /r/broken.jsonl.gz
      `,
    ));

  it('lists sessions of the same time by the names of their files, the newest name first', () =>
    shows(
      [file('/r/02', '/w', 1), file('/r/03', '/w', 1), file('/r/01', '/w', 1)],
      `
      ▸ /w
        /r/03
        /r/02
        /r/01
      `,
    ));

  it('lists the workspace’s projects first, with symlinks resolved, and sessions without a folder last', () =>
    shows(
      [
        file('/1', '', 9),
        file('/2', '/work/other', 8),
        file('/3', '/work/app', 1),
        file('/4', '/work/app/packages/x', 2),
        file('/5', '/link', 3),
        file('/6', '/work/app-two', 7),
        file('/7', '/work', 6),
      ],
      `
      ▾ /link
        /5
      ▾ /work/app/packages/x
        /4
      ▾ /work/app
        /3
      ▸ /work/other
        /2
      ▸ /work/app-two
        /6
      ▸ /work
        /7
      ▸ (no folder)
        /1
      `,
      { workspace: ['/work/app'], realPath: (cwd) => (cwd === '/link' ? '/work/app/linked' : cwd) },
    ));

  it('lists forks of an archived session beside it unless they are archived, too', () =>
    shows(
      [
        file('/r/old.jsonl.gz', '/w', 1, { marks: { isArchived: true } }),
        file('/r/live', '/w', 2, { parentSession: '/before/old.jsonl' }),
        file('/r/fork of fork', '/w', 3, { parentSession: '/r/live' }),
        file('/r/put aside', '/w', 4, { parentSession: '/before/old.jsonl', marks: { isArchived: true } }),
      ],
      `
      ▸ /w
        /r/live
          /r/fork of fork
        /r/old.jsonl.gz
          /r/put aside
      `,
    ));

  it('counts a project to the workspace if one of its sessions works in a folder of it, too', () =>
    shows(
      [
        file('/1', '/elsewhere', 1),
        file('/2', '/elsewhere', 2, { additionalDirectories: ['relative', '/other', '/link'] }),
        file('/3', '/third', 9, { additionalDirectories: ['/work/app-two', 'work/app'] }),
        file('/4', '/fourth', 3),
        file('/5', '/fourth', 3, { parentSession: '/4', additionalDirectories: ['/work/app/inner'] }),
      ],
      `
      ▾ /fourth
        /4
          /5
      ▾ /elsewhere
        /2
        /1
      ▸ /third
        /3
      `,
      { workspace: ['/work/app'], realPath: (folder) => (folder === '/link' ? '/work/app' : folder) },
    ));

  it('lists forks one level below their oldest ancestor in the project', () =>
    shows(
      [
        file('/old', '/w', 1),
        file('/fork', '/w', 2, { parentSession: '/old' }),
        file('/fork of fork', '/w', 9, { parentSession: '/fork' }),
        file('/another', '/w', 4, { parentSession: '/old' }),
        file('/plain', '/w', 5),
      ],
      `
      ▸ /w
        /old
          /fork of fork
          /another
          /fork
        /plain
      `,
    ));

  it('names the origin of a fork whose parent is in another project or gone', () =>
    shows(
      [
        file('/a', '/one', 1, { name: 'The idea' }),
        file('/b', '/two', 2, { parentSession: '/a' }),
        file('/c', '/two', 3, { parentSession: '/b' }),
        file('/d', '/one', 4, { parentSession: '/b' }),
        file('/e', '/one', 5, { parentSession: '/gone.jsonl' }),
      ],
      `
      ▸ /one
        /e ← /gone.jsonl
        The idea
          /d ← /b in /two
      ▸ /two
        /b ← The idea in /one
          /c
      `,
    ));

  it('finds a parent also by its id, and by its file name if the folder has moved', () =>
    shows(
      [
        file('/s/a.jsonl', '/w', 1, { id: 'abc' }),
        file('/s/b.jsonl', '/w', 2, { parentSession: 'abc' }),
        file('/s/c.jsonl', '/w', 3, { parentSession: '/old/home/s/a.jsonl' }),
      ],
      `
      ▸ /w
        /s/a.jsonl
          /s/c.jsonl
          /s/b.jsonl
      `,
    ));

  it('picks the same copy as parent in any order of the files', () => {
    const copies = [file('/r/x', '/w', 3, { id: 'one' }), file('/r/y', '/w', 2, { id: 'one' })];
    const fork = file('/r/z', '/w', 1, { parentSession: 'one' });
    for (const files of [
      [...copies, fork],
      [fork, ...copies.reverse()],
    ])
      shows(
        files,
        `
        ▸ /w
          /r/x
            /r/z
          /r/y
        `,
      );
  });

  it('handles parents that name each other or themselves', () =>
    shows(
      [
        file('/a', '/w', 1, { parentSession: '/c' }),
        file('/b', '/w', 2, { parentSession: '/a' }),
        file('/c', '/w', 3, { parentSession: '/b' }),
        file('/self', '/w', 4, { parentSession: '/self' }),
      ],
      `
      ▸ /w
        /self
        /a
          /c
          /b
      `,
    ));

  it('lists sessions of subagents below their owner, whatever their folder', () =>
    shows(
      [
        file('/s.jsonl', '/w', 1),
        file('/s/0-Look.jsonl', '/w/sub', 2, { owner: '/s.jsonl' }),
        file('/s/0-Look/0-Deep.jsonl', '/w', 3, { owner: '/s/0-Look.jsonl' }),
        file('/other', '/w', 2),
      ],
      `
      ▸ /w
        /s.jsonl
          /s/0-Look.jsonl (subagent)
            /s/0-Look/0-Deep.jsonl (subagent)
        /other
      `,
    ));

  it('lists an unreadable file in the project of its neighbors', () =>
    shows(
      [
        file('/r/p/a', '/w', 3),
        broken('/r/p/bad', 2),
        file('/r/p/old', '/w', 1),
        file('/r/m/x', '/w-1', 1),
        file('/r/m/y', '/w/1', 1),
        broken('/r/m/bad', 4),
        broken('/r/alone/bad', 3),
        broken('/flat/bad', 2, { flat: true }),
      ],
      `
      ▸ /w
        /r/p/a
        /r/p/old
        ✗ /r/p/bad
      ▸ /w-1
        /r/m/x
      ▸ /w/1
        /r/m/y
      ▸ (no folder)
        ✗ /r/m/bad
        ✗ /r/alone/bad
        ✗ /flat/bad
      `,
    ));

  it('lists a subagent’s unreadable file below its owner', () =>
    shows(
      [file('/s.jsonl', '/w', 1), broken('/s/0.jsonl', 2, { owner: '/s.jsonl' })],
      `
      ▸ /w
        /s.jsonl
          ✗ /s/0.jsonl
      `,
    ));

  it('hides sessions without messages if set, but never an unreadable file', () => {
    const files = [file('/full', '/w', 1), file('/empty', '/w', 2, { messageCount: 0 }), broken('/bad', 3)];
    shows(
      files,
      `
      ▸ /w
        /full
        ✗ /bad
      `,
    );
    shows(
      files,
      `
      ▸ /w
        /empty
        /full
        ✗ /bad
      `,
      { hideEmpty: false },
    );
  });

  it('shows a session without messages whose lines are damaged', () =>
    shows(
      [file('/empty', '/w', 2, { messageCount: 0 }), file('/torn', '/w', 1, { messageCount: 0, problems: 1 })],
      `
      ▸ /w
        /torn
      `,
    ));

  it('keeps a fork whose parent is hidden', () =>
    shows(
      [file('/empty', '/w', 1, { messageCount: 0 }), file('/fork', '/w', 2, { parentSession: '/empty' })],
      `
      ▸ /w
        /fork
      `,
    ));

  it('filters by program', () =>
    shows(
      [file('/pi', '/w', 1), file('/omp', '/w', 2, { dialect: 'omp' }), broken('/x/bad', 3), broken('/y/bad', 4, { dialect: 'omp' })],
      `
      ▸ /w
        /omp
      ▸ (no folder)
        ✗ /y/bad
      `,
      { program: 'omp' },
    ));

  it('handles ten thousand sessions', () => {
    const files = Array.from({ length: 10_000 }, (_, i) =>
      file(`/r/${String(i)}`, `/w/${String(i % 50)}`, i, i % 3 === 0 && i > 50 ? { parentSession: `/r/${String(i - 50)}` } : {}),
    );
    const projects = projectsOf({
      files: new Map(files.map((each) => [each.path, each])),
      workspace: ['/w/1'],
      realPath: (cwd) => cwd,
      program: 'all',
      hideEmpty: true,
    });
    assert.equal(projects.length, 50);
  });
});
