import assert from 'node:assert/strict';
import { win32 } from 'node:path';
import { isWithin, pathKey } from '../../../src/core/files/locate/paths/pathMatch';

describe('path comparison', () => {
  it('ignores case and separators on Windows', () => {
    const file = win32.resolve('C:\\Code\\Shop', 'src/Index.ts');
    for (const other of ['c:\\code\\shop\\src\\index.ts', 'C:/Code/Shop/src/Index.ts', 'c:\\Code\\Shop\\lib\\..\\src\\.\\Index.ts'])
      assert.equal(pathKey(other, 'win32'), pathKey(file, 'win32'), other);
    assert.notEqual(pathKey('d:\\Code\\Shop\\src\\Index.ts', 'win32'), pathKey(file, 'win32'));
    assert.equal(pathKey('//Server/Share/a', 'win32'), pathKey('\\\\server\\share\\A', 'win32'));
    assert.equal(pathKey('//WSL.localhost/Ubuntu/a', 'win32'), pathKey('\\\\wsl$\\Ubuntu\\A', 'win32'));
    assert.notEqual(pathKey('\\\\wsl.localhost2\\a', 'win32'), pathKey('\\\\wsl$2\\a', 'win32'));
  });

  it('is exact on other systems', () => {
    assert.notEqual(pathKey('/Code', 'linux'), pathKey('/code', 'linux'));
    assert.equal(pathKey('/a\\b', 'linux'), '/a\\b');
  });

  it('recognizes paths in a folder', () => {
    assert.ok(isWithin('C:\\Code\\Shop', 'c:/code/shop', 'win32'));
    assert.ok(isWithin('C:\\Code\\Shop\\src', 'c:\\code', 'win32') && isWithin('C:\\Code', 'c:\\', 'win32'));
    assert.ok(!isWithin('C:\\Codex', 'c:\\code', 'win32'));
    assert.ok(
      isWithin('/code/shop', '/code', 'linux') && isWithin('C:\\code\\shop', 'C:\\code', 'linux') && isWithin('/code', '/', 'linux'),
    );
    assert.ok(!isWithin('/Code/shop', '/code', 'linux') && !isWithin('/codex', '/code', 'linux'));
  });
});
