import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { detectDialect, DIALECT_FACTS, DIALECTS, type Dialect, type DialectFacts, type Fork } from '../../../src/core/format/entry/dialect';
import { resumeCommand, startCommand } from '../../../src/core/format/session/launchCommand';
import { findRoots } from '../../../src/core/files/locate/findRoots';
import { defaultRoot, dialectOfPath, forkOfPath } from '../../../src/core/files/locate/programs/programFolders';
import { dialectOfCommand } from '../../../src/core/files/presence/agents';

describe('A program that is added to the table', () => {
  const table = DIALECT_FACTS as Record<string, DialectFacts>;
  const names = DIALECTS as string[];
  const added = 'fork' as Dialect;
  const home = resolve('/home/me');
  const env = { FORK_CODING_AGENT_DIR: resolve('/data/fork') };

  before(() => {
    table[added] = {
      ...DIALECT_FACTS.pi,
      label: 'Fork',
      wrote: (line) => 'forkVersion' in line,
      folders: { layout: 'projects', config: '.fork', agent: 'agent', agentVariables: ['FORK_CODING_AGENT_DIR'] },
      processes: { names: ['fork'], scripts: ['/fork-cli/'] },
      program: ['fork'],
    };
    names.push(added);
  });
  after(() => {
    Reflect.deleteProperty(table, added);
    names.pop();
  });

  it('has its session folders', async () => {
    const pathsFor = async (variables: Record<string, string>): Promise<string[]> =>
      (await findRoots({ env: variables, home })).flatMap(({ dialect, path, flat }) => (dialect === added && !flat ? [path] : []));
    const own = join(home, '.fork', 'agent', 'sessions');
    const named = join(env.FORK_CODING_AGENT_DIR, 'sessions');
    assert.deepEqual(await pathsFor({}), [own]);
    assert.deepEqual(await pathsFor(env), [named, own]);
    assert.equal(defaultRoot(added, { env: {}, home }), own);
    assert.equal(defaultRoot(added, { env, home }), named);
  });

  it('is detected by the folder of a file, and by its lines', () => {
    assert.equal(dialectOfPath(join(home, '.fork', 'agent', 'sessions', 'a.jsonl'), { env: {}, home }), added);
    assert.equal(detectDialect({ type: 'custom', forkVersion: 1 }), added);
    assert.equal(detectDialect({ type: 'custom' }), undefined);
  });

  it('is recognized among the running processes', () => {
    assert.equal(dialectOfCommand(['/usr/bin/fork', '--resume']), added);
    assert.equal(dialectOfCommand(['node', '/lib/node_modules/fork-cli/node_modules/pi-coding-agent/dist/cli.js']), added);
  });

  it('opens and starts sessions', () => {
    assert.deepEqual(resumeCommand({ path: '/a.jsonl', dialect: added }), ['fork', '--session', '/a.jsonl']);
    assert.deepEqual(startCommand(added), ['fork']);
  });
});

describe('A fork of pi that is added to the list of names', () => {
  const forks = DIALECT_FACTS.pi.forks as Fork[];
  const home = resolve('/home/me');
  const own = join(home, '.tide', 'agent', 'sessions');
  const env = { TIDE_CODING_AGENT_DIR: resolve('/data/tide'), TIDE_CODING_AGENT_SESSION_DIR: resolve('/data/flat') };

  before(() => forks.push({ name: 'tide' }));
  after(() => forks.pop());

  it('has its session folders, which are pi’s for everything else', async () => {
    const pathsFor = async (variables: Record<string, string>): Promise<string[]> =>
      (await findRoots({ env: variables, home })).flatMap(({ dialect, path, flat, ofSubagents }) =>
        /tide|flat/.test(path) && !ofSubagents ? [`${dialect} ${path}${flat ? ' flat' : ''}`] : [],
      );
    assert.deepEqual(await pathsFor({}), [`pi ${own}`]);
    assert.deepEqual(await pathsFor(env), [
      `pi ${env.TIDE_CODING_AGENT_SESSION_DIR} flat`,
      `pi ${join(env.TIDE_CODING_AGENT_DIR, 'sessions')}`,
      `pi ${own}`,
    ]);
    assert.equal(defaultRoot('pi', { env, home }), join(home, '.pi', 'agent', 'sessions'));
  });

  it('is recognized by the folder of a file, and among the running processes', () => {
    const at = { env: {}, home };
    assert.deepEqual([dialectOfPath(join(own, 'p', 'a.jsonl'), at), forkOfPath(join(own, 'p', 'a.jsonl'), at)], ['pi', 'tide']);
    assert.equal(forkOfPath(join(env.TIDE_CODING_AGENT_DIR, 'a.jsonl'), { env, home }), 'tide');
    for (const path of ['.pi/agent/sessions/a.jsonl', '.tideland/a.jsonl', '.tide', '.omp/agent/sessions/a.jsonl'])
      assert.equal(forkOfPath(join(home, path), at), undefined, path);
    assert.equal(dialectOfCommand(['node', '/usr/lib/node_modules/.bin/tide']), 'pi');
    assert.equal(dialectOfCommand(['/usr/bin/tides']), undefined);
  });
});

describe('The manifest', () => {
  const root = resolve(__dirname, '../../../..');
  const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly contributes: {
      readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
      readonly viewsWelcome: { readonly contents: string; readonly when?: string }[];
    };
  };
  interface Setting {
    readonly enum?: string[];
    readonly enumDescriptions?: string[];
    readonly properties?: Readonly<Record<string, Setting>>;
    readonly items?: { readonly anyOf: Setting[] };
  }
  const setting = (name: string): Setting => contributes.configuration.find(({ properties }) => name in properties)!.properties[name]!;

  it('names the programs of the table in its settings', () => {
    const labels = DIALECTS.map((dialect) => DIALECT_FACTS[dialect].label);
    assert.deepEqual(setting('sessionTree.program').enum, ['all', ...DIALECTS]);
    assert.deepEqual(setting('sessionTree.program').enumDescriptions?.slice(1), labels);
    const dialects = setting('sessionTree.roots').items?.anyOf.flatMap(({ properties }) => properties?.['dialect']?.enum ?? []);
    assert.deepEqual(dialects, DIALECTS);
    assert.deepEqual(Object.keys(setting('sessionTree.programs').properties ?? {}), DIALECTS);
  });

  it('says of each program that it is installed', () => {
    const found = contributes.viewsWelcome.flatMap(({ contents, when = '' }) => {
      const program = /^%welcome\.installed\.(\w+)%$/.exec(contents)?.[1];
      return program !== undefined && when.includes(`\\b${program}\\b`) ? [program] : [];
    });
    assert.deepEqual(found, DIALECTS);
  });
});
