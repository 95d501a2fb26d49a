import assert from 'node:assert/strict';
import type { Catalog } from '../../../src/core/index';
import { QuerySessions } from '../../../src/editorCatalog/querySessions';
import { until } from '../../fixtures/until';

describe('The sessions of a query', () => {
  /** The words of each session. */
  let texts: Map<string, string>;
  /** The paths that were searched, `undefined` for all. */
  let searched: (readonly string[] | undefined)[];
  let problem: Error | undefined;
  let errors: unknown[];
  let changes: number;
  let sessions: QuerySessions;

  beforeEach(() => {
    texts = new Map([
      ['/a', 'floor'],
      ['/b', 'roof'],
    ]);
    searched = [];
    problem = undefined;
    errors = [];
    changes = 0;
    const catalog: Pick<Catalog, 'sessionsMatching'> = {
      sessionsMatching: (query, { paths, running } = {}) => {
        searched.push(paths && [...paths]);
        if (problem) return Promise.reject(problem);
        const isFound = (path: string): boolean =>
          texts.get(path)?.includes(query) === true || (query === 'is:running' && !!running?.has(path));
        return Promise.resolve([...texts.keys()].filter((path) => (!paths || paths.has(path)) && isFound(path)));
      },
    };
    sessions = new QuerySessions({
      open: () => Promise.resolve(catalog as Catalog),
      running: (paths) => new Set([...(paths ?? ['/b'])].filter((path) => path === '/b')),
      onChange: () => void changes++,
      onError: (error) => errors.push(error),
      // A busy machine would make the pauses between searches long.
      now: () => 0,
    });
  });

  const listed = (): string[] | undefined => {
    const isFound = sessions.filter();
    return isFound && ['/a', '/b', '/c'].filter(isFound);
  };

  it('are known once the query is set, and none are before', async () => {
    assert.equal(listed(), undefined);
    const known = sessions.set('floor');
    assert.deepEqual(listed(), []);
    await known;
    assert.deepEqual(listed(), ['/a']);
    await sessions.set('floor');
    await sessions.set('is:running');
    assert.deepEqual(listed(), ['/b']);
    await sessions.set('');
    assert.equal(listed(), undefined);
    assert.deepEqual(searched, [undefined, undefined]);
  });

  it('follow changes, of which only the changed ones are searched', async () => {
    await sessions.set('floor');
    changes = 0;
    texts.set('/c', 'floor').set('/a', 'wall');
    sessions.sessionsChanged(['/a', '/c']);
    assert.deepEqual(listed(), ['/a']);
    sessions.catalogChanged();
    await until(() => changes === 1);
    assert.deepEqual(listed(), ['/c']);
    texts.set('/c', 'floors');
    sessions.sessionsChanged(['/c']);
    sessions.catalogChanged();
    await until(() => searched.length === 3);
    texts.delete('/c');
    sessions.refresh(['/c']);
    await until(() => changes === 2);
    assert.deepEqual(listed(), []);
    sessions.sessionsChanged(Array.from({ length: 101 }, (_, n) => `/${n}`));
    sessions.catalogChanged();
    await until(() => searched.length === 5);
    assert.deepEqual(searched, [undefined, ['/a', '/c'], ['/c'], ['/c'], undefined]);
  });

  it('are those of the newest query, whichever search ends last', async () => {
    const first = sessions.set('floor');
    const second = sessions.set('roof');
    await Promise.all([first, second]);
    assert.deepEqual(listed(), ['/b']);
  });

  it('are all if searching fails, until it works again', async () => {
    problem = new Error('The disk is full.');
    await sessions.set('floor');
    assert.equal(listed(), undefined);
    assert.deepEqual(errors, [problem]);
    problem = undefined;
    sessions.catalogChanged();
    await until(() => listed() !== undefined);
    assert.deepEqual(listed(), ['/a']);
    assert.deepEqual(searched, [undefined, undefined]);
  });
});
