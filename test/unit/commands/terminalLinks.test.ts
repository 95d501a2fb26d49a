import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as linksModule from '../../../src/commands/terminal/terminalLinks';
import { loadWithVscode, translate } from '../../fixtures/loadWithVscode';

const MODULE = join(__dirname, '../../../src/commands/terminal/terminalLinks.js');
const { findSessionLinks } = loadWithVscode(MODULE, {}) as typeof linksModule;

const ID = '0197a8f2-1c3d-7e4f-8a9b-0c1d2e3f4a5b';
const ROOT = '/home/me/.pi/agent/sessions';
const PATH = `${ROOT}/--work app--/2026-01-01T00-00-00-000Z_${ID}.jsonl`;
const LINUX = { platform: 'linux', separator: '/', home: '/home/me' } as const;
const WINDOWS = { platform: 'win32', separator: '\\', home: 'C:\\Users\\Me' } as const;

describe('Links in terminals', () => {
  const known = [
    { path: PATH, id: ID, modified: 1 },
    { path: '/elsewhere/job-2026.jsonl', id: 'job-2026.07', modified: 1 },
  ];
  /** Returns the linked texts of a line, and where they lead. */
  const links = (line: string, sessions: readonly (typeof known)[number][] = known): [string, string][] =>
    findSessionLinks(line, [ROOT], () => sessions, LINUX).map(({ start, length, target }) => [line.slice(start, start + length), target]);

  it('are the ids of known sessions, alone or in a file’s name', () => {
    assert.deepEqual(links(`Resume with pi --session ${ID}, or job-2026.07.`), [[ID, PATH]]);
    assert.deepEqual(links(`(job-2026.07) and 2026-01-01T00-00-00-000Z_${ID}.jsonl`), [
      ['job-2026.07', '/elsewhere/job-2026.jsonl'],
      [ID, PATH],
    ]);
    assert.deepEqual(links(`${ID.slice(0, -1)}0 ${ID}f x${ID.slice(0, 8)}`), []);
  });

  it('are the paths of known session files below a root, also with ~ and with spaces', () => {
    assert.deepEqual(links(`wrote ${PATH}:12 and more`), [[PATH, PATH]]);
    const short = PATH.replace('/home/me', '~');
    assert.deepEqual(links(`"${short}"`), [[short, PATH]]);
    assert.deepEqual(links(`${PATH.replace(ID, 'gone')} ${PATH.replace('.pi', '.omp').replace(ID, 'x')}`), []);
    assert.deepEqual(links(`${PATH.replace(ID, 'x')}.bak`), []);
  });

  it('lead to the session that was active last, if several have the id', () => {
    const copies = [2, 3, 1].map((modified) => ({ path: `/copy${modified}`, id: ID, modified }));
    assert.deepEqual(links(ID, copies), [[ID, '/copy3']]);
  });

  it('take Windows paths in any case and with either separator', () => {
    const root = 'C:\\Users\\Me\\.pi\\agent\\sessions';
    const path = `${root}\\--C--App--\\A_${ID}.jsonl`;
    const written = [path, path.toLowerCase(), path.replaceAll('\\', '/'), path.replace('C:\\Users\\Me', '~')];
    for (const text of written) {
      const found = findSessionLinks(`İ ${text} x`, [root], () => [{ path, id: 'other', modified: 0 }], WINDOWS);
      assert.deepEqual(found, [{ start: 2, length: text.length, target: path }], text);
    }
  });

  it('cost nothing where no id or path is written, and little on hostile lines', () => {
    const none = (): never => assert.fail('the sessions were looked through');
    assert.deepEqual(findSessionLinks('npm run build -- --watch', [ROOT], none, LINUX), []);
    const lines = ['a1'.repeat(50_000), `${ROOT}/`.repeat(5000), '.jsonl'.repeat(20_000), `${ID} `.repeat(3000), '-1'.repeat(9000)];
    for (const line of lines) assert.ok(links(line).length <= 50);
    assert.deepEqual(links(`${' '.repeat(2000)}${ID}`), []);
  });

  it('open the context as from a row, under a tooltip without anything of the session', () => {
    const calls: unknown[][] = [];
    let provider: { provideTerminalLinks: (context: object) => object[]; handleTerminalLink: (link: object) => void } | undefined;
    const api = {
      l10n: { t: translate },
      TerminalLink: class {
        constructor(
          readonly startIndex: number,
          readonly length: number,
          readonly tooltip: string,
        ) {}
      },
      commands: { executeCommand: (...args: unknown[]) => Promise.resolve(calls.push(args)) },
      window: { registerTerminalLinkProvider: (given: typeof provider) => (provider = given) },
    };
    (loadWithVscode(MODULE, api) as typeof linksModule).terminalLinks({ sessions: () => known, roots: () => [{ path: ROOT }] });
    const [link] = provider!.provideTerminalLinks({ line: `> ${ID}` });
    assert.deepEqual({ ...link }, { startIndex: 2, length: ID.length, tooltip: 'Show Context', target: PATH });
    provider!.handleTerminalLink(link!);
    assert.deepEqual(calls, [['sessionTree.showContext', { row: 'session', path: PATH }]]);
  });
});
