import assert from 'node:assert/strict';
import { FILTERS, isFilter, isVisible } from '../../../src/core/format/session/entryFilter';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';

/** Returns the texts of the entries that each filter shows. */
function rows(built: SessionBuilder): Record<string, string[]> {
  const found = read(built);
  return Object.fromEntries(
    FILTERS.map((filter) => [filter, found.entries.filter((head) => isVisible(found, head, filter)).map(({ text }) => text)]),
  );
}

describe('Filters', () => {
  it('hide the entries that their names promise', () => {
    const built = session().user('u').assistant('a').tool('ls', {}).label(entryId(1), 'x').model('p', 'm').entry('usage', {}).user('end');
    assert.deepEqual(rows(built), {
      default: ['user: u', 'assistant: a', '[ls: .]', 'user: end'],
      'no-tools': ['user: u', 'assistant: a', 'user: end'],
      'user-only': ['user: u', 'user: end'],
      'labeled-only': ['user: u'],
      all: ['user: u', 'assistant: a', '[ls: .]', '[label: x]', '[model: m]', 'user: end'],
    });
  });

  it('show an answer without text only at the leaf, or if it failed', () => {
    assert.deepEqual(
      rows(
        session()
          .assistant([])
          .assistant([], { message: { stopReason: 'aborted' } })
          .assistant([]),
      )['default'],
      ['assistant: (aborted)', 'assistant: (no content)'],
    );
  });

  it('also hide bookkeeping entries of oh-my-pi', () => {
    assert.deepEqual(
      rows(
        session().entry('mode_change', { mode: 'plan' }).entry('title_change', { title: 't' }).entry('reset_boundary').entry('model_usage'),
      )['default'],
      ['[reset]'],
    );
  });

  it('show what oh-my-pi paid for besides answers only among all entries', () => {
    const found = rows(
      session().user('u').entry('model_usage', { purpose: 'заголовок\nx', model: 'p/m' }).entry('model_usage', { model: 'p/m' }).user('v'),
    );
    assert.deepEqual(found['all'], ['user: u', '[usage: заголовок x]', '[usage: p/m]', 'user: v']);
    assert.deepEqual(
      [found['default'], found['no-tools']],
      [
        ['user: u', 'user: v'],
        ['user: u', 'user: v'],
      ],
    );
  });

  it('are found by name', () => {
    assert.deepEqual([isFilter('no-tools'), isFilter('none'), isFilter(7)], [true, false, false]);
  });
});
