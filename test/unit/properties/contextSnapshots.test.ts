import assert from 'node:assert/strict';
import {
  contextPlan,
  contextStatuses,
  promptDeclaration,
  systemPromptEntries,
  type EntryHead,
  type Session,
} from '../../../src/core/index';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { elementAt } from '../../../src/core/format/values/lookups';
import type { JsonObject } from '../../../src/core/format/values/jsonValues';
import { parseEntry } from '../../../src/core/format/entry/parseEntry';
import { requireEntry } from '../../../src/core/format/session/requireEntry';
import { buildHeader } from '../../../src/context/snapshot/pageHeader';
import { readContext, type ContextSnapshot } from '../../../src/context/snapshot/contextSnapshot';
import type { SessionSource } from '../../../src/context/snapshot/sessionSource';
import { generateSession } from '../../fixtures/generate';
import { read } from '../../fixtures/read';

const SEEDS = 120;

/** Provides the bodies of a session's text. */
const sourceOf = (text: string, yieldIfDue: () => Promise<void> = () => Promise.resolve()): SessionSource => {
  const lines = text.split('\n');
  return {
    bodies: (session, ids) =>
      Promise.resolve(
        ids.map((id) => {
          const head = requireEntry(session, id);
          return parseEntry(JSON.parse(elementAt(lines, head.line - 1)) as JsonObject, head);
        }),
      ),
    blob: () => Promise.resolve(undefined),
    blobStart: () => Promise.resolve(undefined),
    home: '/home/me',
    yield: () => Promise.resolve(),
    yielder: () => ({ yieldIfDue }),
  };
};

function* sessions(): Generator<{ readonly name: string; readonly source: SessionSource; readonly session: Session }> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    for (const [name, text] of [
      ['pi', generateSession(seed).builder.text()],
      ['omp', generateSession(seed, { program: 'omp' }).text],
    ] as const) {
      yield { name: `${name} ${seed}`, source: sourceOf(text), session: read(text) };
    }
  }
}

/** Every fifth entry, and the leaf. */
const ends = ({ entries, leafId }: Session): (string | undefined)[] => [
  ...entries.filter((_, index) => index % 5 === 0).map(({ id }) => id),
  ...(leafId === null ? [] : [undefined]),
];

/** Returns the slots of a transcript as they follow from the heads of a path. */
function expectedSlots(session: Session, leafId: string | undefined): unknown[] {
  const plan = contextPlan(session, leafId);
  const statuses = contextStatuses(session, plan);
  const roleOf = ({ type, role }: EntryHead): string =>
    type === 'custom_message' ? 'custom' : type === 'branch_summary' ? 'branchSummary' : (role ?? 'other');
  return plan.path.map((head, index) => [
    head.id,
    roleOf(head),
    head.length,
    statuses[index],
    session.labels.get(head.id),
    head.isHidden === true,
    head.type !== 'message' && head.type !== 'custom_message',
  ]);
}

const seenSlots = ({ session, slots, places }: ContextSnapshot): unknown[] => {
  const order = places.map((place) => headsOf(session).idAt(place));
  return slots
    .toSorted((a, b) => order.indexOf(a.entryId) - order.indexOf(b.entryId))
    .map(({ entryId, role, bytes, contextStatus, label, isHidden, isEntryRow }) => [
      entryId,
      role,
      bytes,
      contextStatus,
      label,
      isHidden === true,
      isEntryRow === true,
    ]);
};

describe('Properties of context snapshots', () => {
  it('have the slots, the cost and the prompt that follow from the heads', async () => {
    let checked = 0;
    for (const { name, source, session } of sessions()) {
      for (const leafId of ends(session)) {
        const where = `${name} at ${leafId ?? 'the leaf'}`;
        const { path, steps, compaction } = contextPlan(session, leafId);
        const transcript = await readContext(session, source, leafId, 'transcript');
        const model = await readContext(session, source, leafId, 'model');
        assert.deepEqual(seenSlots(transcript), expectedSlots(session, leafId), where);
        assert.ok(
          Math.abs(transcript.cost - path.reduce((sum, { usage }) => sum + (usage?.cost?.total ?? 0), 0)) < 1e-9,
          `the cost of ${where}`,
        );
        assert.equal(model.declarationId, promptDeclaration(path)?.id, where);
        // A compaction may bring several messages, or none; answers that failed aren't sent.
        const unsent = new Set([
          compaction?.compactionId,
          ...transcript.slots.flatMap((slot) => (slot.contextStatus === 'failed' ? [slot.entryId] : [])),
        ]);
        const comparable = (list: typeof steps): unknown => list.filter(({ id }) => !unsent.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
        const sent = model.modelSlots.filter(({ isEntryRow }) => !isEntryRow).map(({ step }) => step);
        assert.deepEqual(comparable(sent), comparable(steps), where);
        const withoutCompaction = (ids: readonly string[]): string[] => ids.filter((id) => id !== compaction?.compactionId);
        assert.deepEqual(withoutCompaction(model.prompt?.ids ?? []), withoutCompaction(systemPromptEntries(model.plan)), where);
        assert.equal(
          buildHeader(model, leafId).hasHiddenMessages,
          model.slots.some(({ entryId, isEntryRow }) => !isEntryRow && session.byId.get(entryId)!.isHidden === true),
          where,
        );
        checked++;
      }
    }
    assert.ok(checked > 1000, `${checked} contexts`);
  });

  it('aren’t made if they are interrupted, wherever that is', async () => {
    const text = generateSession(9).builder.text();
    const session = read(text);
    const reason = new Error('not wanted');
    const interruptedAfter = async (pauses: number): Promise<ContextSnapshot | undefined> => {
      let left = pauses;
      const reading = readContext(
        session,
        sourceOf(text, () => (left-- === 0 ? Promise.reject(reason) : Promise.resolve())),
        undefined,
        'transcript',
      );
      return reading.catch((error: unknown) => {
        assert.equal(error, reason);
        return undefined;
      });
    };
    const whole = await interruptedAfter(Infinity);
    let pauses = 0;
    let made: ContextSnapshot | undefined;
    while (!(made = await interruptedAfter(pauses))) pauses++;
    assert.ok(pauses > 5, `${pauses} pauses`);
    assert.deepEqual(made.slots, whole?.slots);
  });
});
