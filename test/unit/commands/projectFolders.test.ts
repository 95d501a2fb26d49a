import assert from 'node:assert/strict';
import { dialectsIn, distinctFolders } from '../../../src/commands/handler/sessions/projectFolders';

describe('Folders of projects', () => {
  it('are the same on Windows in any case and with either separator, and differ elsewhere', () => {
    const written = ['c:\\Work\\shop', 'C:\\work\\shop', 'C:/Work/shop', '\\\\wsl$\\Ubuntu\\work', '\\\\WSL$\\ubuntu\\work'];
    assert.deepEqual(distinctFolders(written, 'win32'), ['c:\\Work\\shop', '\\\\wsl$\\Ubuntu\\work']);
    assert.deepEqual(distinctFolders(['/work/shop', '/Work/shop', '/work/shop'], 'linux'), ['/work/shop', '/Work/shop']);
  });

  it('have the programs of their sessions, the most recently used first', () => {
    const sessions = [
      { cwd: 'C:\\work\\shop', dialect: 'omp' as const },
      { cwd: 'D:\\work\\shop', dialect: 'gsd' as const },
      { cwd: 'c:\\Work\\shop', dialect: 'pi' as const },
      { cwd: 'c:\\Work\\shop', dialect: 'omp' as const },
    ];
    assert.deepEqual(dialectsIn(sessions, 'c:\\work\\shop', 'win32'), ['omp', 'pi']);
    assert.deepEqual(dialectsIn(sessions, 'c:\\Work\\shop', 'linux'), ['pi', 'omp']);
  });
});
