import assert from 'node:assert/strict';
import { compareMoved, type WholeFile } from '../../../../src/core/files/relink/compareMoved';
import { testFolder } from '../../../fixtures/folder';

const before = '{"type":"session","version":3,"id":"s","cwd":"/old"}';
const after = '{"type":"session","version":3,"id":"s","cwd":"/new/place"}';
const rest = '\n{"type":"message","id":"a","parentId":null}\n';

describe('Two files of a session whose move was interrupted', () => {
  const folder = testFolder();
  const compare = async (old: string, next: string): Promise<WholeFile> =>
    compareMoved({ path: await folder.write('old.jsonl', old), newPath: await folder.write('new.jsonl', next), before, after });

  it('are the same but for their headers: the new one is whole', async () => {
    assert.equal(await compare(before + rest, after + rest), 'new');
  });

  it('differ in their length: the longer one is whole', async () => {
    assert.equal(await compare(before + rest, `${after}${rest}{}\n`), 'new');
    assert.equal(await compare(`${before}${rest}{}\n`, after + rest), 'old');
  });

  it('have something of their own: none is whole', async () => {
    assert.equal(await compare(`${before}${rest}{"a":1}\n`, `${after}${rest}{"b":1}\n`), 'neither');
    assert.equal(await compare(`{"a":1}\n${before}${rest}`, `{"b":1}\n${after}${rest}`), 'neither');
    assert.equal(await compare(`{"a":1}\n${before}${rest}`, after + rest), 'neither');
  });

  it('have other headers than the move gives them: none is whole', async () => {
    assert.equal(await compare(after + rest, after + rest), 'neither');
    assert.equal(await compare(before + rest, before + rest), 'neither');
    assert.equal(await compare(rest, after + rest), 'neither');
    assert.equal(await compare(before + rest, rest), 'neither');
  });
});
