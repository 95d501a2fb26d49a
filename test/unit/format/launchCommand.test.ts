import assert from 'node:assert/strict';
import { DIALECTS, resumeCommand, startCommand } from '../../../src/core/index';

describe('Launch commands', () => {
  it('open a session by its path or by its key', () => {
    const commands = DIALECTS.map((dialect) => resumeCommand({ path: '/s/a.jsonl', dialect }, { key: 'agent:main:main' }));
    assert.deepEqual(commands, [
      ['pi', '--session', '/s/a.jsonl'],
      ['omp', '--resume', '/s/a.jsonl'],
      ['jensen', '--session', '/s/a.jsonl'],
      ['gsd', '--session', '/s/a.jsonl'],
      ['openclaw', 'tui', '--session', 'agent:main:main'],
    ]);
  });

  it('are refused if a key is needed and missing', () => {
    assert.throws(() => resumeCommand({ path: '/s/a.jsonl', dialect: 'openclaw' }), { code: 'invalid', message: /\/s\/a\.jsonl/ });
  });

  it('are refused for arguments that a program would take for an option', () => {
    assert.throws(() => resumeCommand({ path: '/s/a.jsonl', dialect: 'openclaw' }, { key: '--config=/tmp/evil' }), {
      code: 'invalid',
      message: /--config=\/tmp\/evil/,
    });
    assert.throws(() => resumeCommand({ path: '-e', dialect: 'pi' }), { code: 'invalid' });
  });

  it('pass any path as one argument', () => {
    for (const name of ['$(id)', '`id`', '; id', "' || id '", '" & calc & "', 'a\nb', '\u001b[201~\nid\n', '--help', '%PATH%', 'x y']) {
      assert.deepEqual(resumeCommand({ path: `/s/${name}.jsonl`, dialect: 'pi' }), ['pi', '--session', `/s/${name}.jsonl`]);
    }
  });

  it('start a new session', () => {
    assert.deepEqual(
      DIALECTS.map((dialect) => startCommand(dialect)),
      [['pi'], ['omp'], ['jensen'], ['gsd'], ['openclaw', 'tui']],
    );
  });

  it('use the program from the settings', () => {
    const program = ['npx', 'pi'];
    assert.deepEqual(resumeCommand({ path: '/s/a.jsonl', dialect: 'pi' }, { program }), ['npx', 'pi', '--session', '/s/a.jsonl']);
    assert.deepEqual(startCommand('openclaw', { program }), ['npx', 'pi', 'tui']);
  });
});
