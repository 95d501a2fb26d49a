import assert from 'node:assert/strict';
import { isAbsolute, join } from 'node:path';
import { findRoots } from '../../../src/core/files/locate/findRoots';
import { defaultRoot, dialectOfPath } from '../../../src/core/files/locate/programs/programFolders';
import { DIALECTS } from '../../../src/core/index';
import { FOLDER_VARIABLES } from '../../fixtures/environment';
import { testFolder } from '../../fixtures/folder';

const ODD = [
  '',
  ' ',
  '~',
  '~/x',
  'relative/folder',
  '..',
  '../../..',
  '/',
  '/a\0b',
  '\n',
  '[a](command:b)',
  '$(id)',
  'x'.repeat(100_000),
  '/dev/null',
  '\u001b[2J',
];

describe('Environment variables with odd values', () => {
  const folder = testFolder();

  it('are used as folders, and keep nothing else from being found', async () => {
    const home = folder.path;
    for (const name of FOLDER_VARIABLES) {
      for (const value of ODD) {
        const at = { env: { [name]: value }, home };
        const roots = await findRoots(at);
        for (const { path } of roots) assert.ok(isAbsolute(path), `${name}=${JSON.stringify(value)}: ${path}`);
        const isPi = name === 'PI_CODING_AGENT_DIR';
        if (name !== 'PI_CONFIG_DIR')
          assert.ok(
            roots.some(({ path, dialect }) => dialect === 'pi' && path === join(home, '.pi', 'agent', 'sessions')) || isPi,
            `${name}=${JSON.stringify(value)}`,
          );
        for (const dialect of DIALECTS) assert.equal(typeof defaultRoot(dialect, at), 'string');
        dialectOfPath(join(home, 'a.jsonl'), at);
      }
    }
  });
});
