import assert from 'node:assert/strict';
import {
  entryRefOf,
  flag,
  optionalString,
  optionalFolder,
  optionalOneOf,
  toArguments,
  sessionRefOf,
  requiredString,
} from '../../../src/commands/handler/commandArguments';

const refused = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Error);
  assert.equal((error as Error & { code?: unknown }).code, code);
  assert.match(error.message, message);
  return true;
};

describe('Command arguments', () => {
  it('must be an object', () => {
    for (const wrong of ['/s.jsonl', 3, [], true]) assert.throws(() => toArguments(wrong), refused('invalid', /an object/));
    assert.deepEqual(toArguments({ path: '/s.jsonl' }), { path: '/s.jsonl' });
  });

  it('name a session by its absolute path, and optionally an entry', () => {
    assert.deepEqual(sessionRefOf({ path: '/s.jsonl', more: 1 }), { path: '/s.jsonl' });
    assert.deepEqual(sessionRefOf({ path: '/s.jsonl', entryId: 'a' }), { path: '/s.jsonl', entryId: 'a' });
    assert.deepEqual(sessionRefOf({ path: '/s.jsonl', entryId: undefined }), { path: '/s.jsonl' });
    assert.throws(() => sessionRefOf({}), refused('invalid', /path/));
    assert.throws(() => sessionRefOf({ path: 'here/s.jsonl' }), refused('invalid', /absolute: here\/s\.jsonl/));
    assert.throws(() => sessionRefOf({ path: '/s.jsonl', entryId: 7 }), refused('invalid', /entryId/));
  });

  it('must name an entry for commands that need one', () => {
    assert.deepEqual(entryRefOf({ path: '/s.jsonl', entryId: 'a' }), { path: '/s.jsonl', entryId: 'a' });
    assert.throws(() => entryRefOf({ path: '/s.jsonl' }), refused('entry-required', /entryId/));
  });

  it('are checked by type, and may be empty strings', () => {
    assert.equal(requiredString({ label: '' }, 'label'), '');
    assert.throws(() => requiredString({}, 'label'), refused('invalid', /label/));
    assert.equal(optionalString({}, 'summary'), undefined);
    assert.throws(() => optionalString({ summary: null }, 'summary'), refused('invalid', /summary/));
    assert.equal(flag({}, 'force'), false);
    assert.equal(flag({ force: true }, 'force'), true);
    assert.throws(() => flag({ force: 'yes' }, 'force'), refused('invalid', /force/));
  });

  it('count only if they are own properties, and paths without NUL', () => {
    const inherited = Object.create({ path: '/s.jsonl', force: true, label: 'x' }) as Record<string, unknown>;
    assert.throws(() => sessionRefOf(inherited), refused('invalid', /path/));
    assert.equal(flag(inherited, 'force'), false);
    assert.equal(optionalString(inherited, 'label'), undefined);
    assert.throws(
      () => optionalString(JSON.parse('{"__proto__":{"path":"/s.jsonl"}}') as Record<string, unknown>, '__proto__'),
      refused('invalid', /__proto__/),
    );
    for (const name of ['toString', 'constructor', '__proto__']) assert.equal(optionalString({}, name), undefined);
    assert.throws(() => sessionRefOf({ path: '/s.jsonl\0.txt' }), refused('invalid', /absolute/));
    assert.throws(() => optionalFolder({ targetCwd: '/work\0/b' }, 'targetCwd'), refused('invalid', /absolute path/));
  });

  it('may be of any size', () => {
    const long = `/${'x/'.repeat(1_000_000)}s.jsonl`;
    assert.deepEqual(sessionRefOf({ path: long, entryId: long }), { path: long, entryId: long });
  });

  it('accept only absolute folders and listed choices', () => {
    assert.equal(optionalFolder({ targetCwd: '/work/b' }, 'targetCwd'), '/work/b');
    assert.throws(() => optionalFolder({ targetCwd: 'b' }, 'targetCwd'), refused('invalid', /absolute path: b/));
    assert.equal(optionalOneOf({ position: 'at' }, 'position', ['before', 'at']), 'at');
    assert.equal(optionalOneOf({}, 'position', ['before', 'at']), undefined);
    assert.throws(() => optionalOneOf({ position: 'after' }, 'position', ['before', 'at']), refused('invalid', /before, at/));
  });
});
