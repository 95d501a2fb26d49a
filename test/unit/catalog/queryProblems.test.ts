import assert from 'node:assert/strict';
import { findQueryProblems, type QueryProblem } from '../../../src/core/catalog/search/query/queryProblems';
import { ROLE_NAMES } from '../../../src/core/catalog/search/query/queryPrefixes';

describe('findQueryProblems', () => {
  const problems = (text: string): QueryProblem[] =>
    findQueryProblems(text, { tools: ['bash', 'read'], folders: ['/code/shop', '/code/my lab', '/old/shop', ''] });

  it('suggests existing values for an unknown one', () => {
    const [role] = problems('why role:bot now');
    assert.deepEqual(role?.kind === 'value' && [role.prefix, role.value, role.replacements[0], role.replacements.length], [
      'role',
      'bot',
      { name: 'role:user', text: 'why role:user now' },
      ROLE_NAMES.length,
    ]);
    assert.deepEqual(problems('tool:nothing'), [
      {
        kind: 'value',
        prefix: 'tool',
        value: 'nothing',
        replacements: ['bash', 'read'].map((tool) => ({ name: `tool:${tool}`, text: `tool:${tool}` })),
      },
    ]);
    const [project] = problems('project:"no lab" a');
    assert.deepEqual(project?.kind === 'value' && project.replacements.map(({ text }) => text), ['project:shop a', 'project:"my lab" a']);
  });

  it('reports a prefix without a value', () => {
    for (const prefix of ['role', 'tool', 'file', 'project'] as const)
      assert.deepEqual(problems(`why ${prefix}: now`), [{ kind: 'empty', prefix }]);
  });

  it('reports a word that looks like a prefix', () => {
    assert.deepEqual(
      problems('from:me sender: From:you date:2026-11-01'),
      ['from', 'sender', 'From', 'date'].map((typed) => ({ kind: 'prefix', typed })),
    );
  });

  it('reports that there is no word', () => {
    for (const text of ['"', '-', '(...)', '🚀', '""']) assert.deepEqual(problems(text), [{ kind: 'noWord' }], text);
    assert.deepEqual(problems('猫'), []);
  });

  it('reports nothing else', () => {
    for (const text of [
      'why',
      'role:USER tool:ba project:sh file:x label: label:fix',
      'https://a.b std::move a.ts:12 12:30 C:\\x',
      '"from:me" x',
      'node_modules',
    ])
      assert.deepEqual(problems(text), [], text);
  });
});
