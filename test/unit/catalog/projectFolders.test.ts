import assert from 'node:assert/strict';
import { projectFolders } from '../../../src/core/catalog/rows/projectFolders';
import { STEP_LENGTH } from '../../../src/core/format/session/steps';
import { countPauses } from '../../fixtures/countPauses';

describe('The folders of all projects', () => {
  it('are found in steps among thousands of sessions', () => {
    const sessions = Array.from({ length: 10 * STEP_LENGTH }, (_, modified) => ({ cwd: `/work/${modified % 3}`, modified }));
    const { pauses, result } = countPauses(projectFolders(sessions));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.deepEqual(result, ['/work/1', '/work/0', '/work/2']);
  });
});
