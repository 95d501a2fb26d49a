import assert from 'node:assert/strict';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { followLink } from '../../src/commands/open/followLink';
import { linkToSession, linkToSessionId } from '../../src/commands/open/sessionLink';
import type { SessionRef } from '../../src/contract';
import { readSession, type SessionSummary } from '../../src/core/index';
import type { SharedCatalog } from '../../src/commands/handler/commandDeps';
import { session } from '../fixtures/build';
import { OwnSessions } from './temporarySessions';

describe('A link that is opened', () => {
  let own: OwnSessions;
  let path: string;
  before(async () => {
    own = await OwnSessions.make();
    path = await own.put('linked', session({ cwd: own.cwd }).user('Look here', { id: 'here' }).name('Linked'));
  });
  after(() => own.remove());

  /** Opens a link. Resolves to the opened document, or to the reason of the failure. */
  const follow = async (link: string): Promise<unknown> => {
    const done: unknown[] = [];
    const deps = {
      rootsReady: () => Promise.resolve(),
      roots: () => [{ path: own.folder, dialect: 'pi' as const, flat: false }],
      session: (file: string) => readSession(file),
      sessions: () => [{ path, id: 'known', dialect: 'pi' }] as Partial<SessionSummary>[] as SessionSummary[],
      catalog: { settled: () => Promise.resolve() } as Partial<SharedCatalog> as SharedCatalog,
      showContext: (ref: SessionRef) => {
        done.push(ref);
        return Promise.resolve({ messages: 1 });
      },
    };
    await followLink(deps, { error: (error) => done.push((error as { code?: string }).code) }, vscode.Uri.parse(link), (ref) =>
      Promise.resolve(done.push({ review: ref })),
    );
    return done.length === 1 ? done[0] : done;
  };
  const to = (ref: SessionRef): string => linkToSession('vscode', ref);

  it('opens the context at its entry, or where the session continues', async () => {
    assert.deepEqual(await follow(to({ path, entryId: 'here' })), { path, entryId: 'here' });
    assert.deepEqual(await follow(to({ path })), { path });
  });

  it('opens the review of the files at an entry', async () => {
    const link = to({ path, entryId: 'here' }).replace('/open', '/restore');
    assert.deepEqual(await follow(link), { review: { path, entryId: 'here' } });
    assert.equal(await follow(link.replace('=here', '=gone')), 'unknown-entry');
  });

  it('opens the context of a session by its id', async () => {
    const byId = { program: 'pi', sessionId: 'known' } as const;
    assert.deepEqual(await follow(linkToSessionId('vscode', { ...byId, entryId: 'here' })), { path, entryId: 'here' });
    assert.equal(await follow(linkToSessionId('vscode', { ...byId, sessionId: 'other' })), 'not-found');
    assert.equal(await follow(linkToSessionId('vscode', { ...byId, program: 'omp' })), 'not-found');
  });

  it('reports that the entry or the file is gone', async () => {
    assert.equal(await follow(to({ path, entryId: 'gone' })), 'unknown-entry');
    assert.equal(await follow(to({ path: join(own.folder, 'gone.jsonl'), entryId: 'here' })), 'not-found');
  });

  it('opens nothing in a trash folder, under any name', async () => {
    const place = join(own.folder, '.session-tree-trash', 'x');
    await mkdir(place, { recursive: true });
    await copyFile(path, join(place, 's.jsonl'));
    await symlink(place, join(own.folder, 'project'));
    assert.equal(await follow(to({ path: join(place, 's.jsonl') })), 'invalid');
    assert.equal(await follow(to({ path: join(own.folder, 'project', 's.jsonl') })), 'invalid');
  });

  it('opens nothing that is foreign or malformed', async () => {
    const start = to({ path }).split('?')[0]!;
    const links = [
      to({ path: join(own.cwd, 's.jsonl') }),
      to({ path: '/etc/passwd', entryId: 'a' }),
      to({ path: `${own.folder}/../s.jsonl` }),
      start,
      `${start}?entry=here`,
      `${start}?path=%E0%A4%A`,
      to({ path }).replace('/open', '/delete'),
    ];
    for (const link of links) assert.equal(await follow(link), 'invalid', link);
  });
});
