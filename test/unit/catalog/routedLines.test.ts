import assert from 'node:assert/strict';
import { originsOf, type LineOrigin } from '../../../src/core/catalog/origins/lineOrigins';
import { writersOf } from '../../../src/core/catalog/review/writersOfRange';
import { claimLines } from '../../../src/core/format/lineOrigins/claimLines';
import { LineTexts, linesOf } from '../../../src/core/format/lineOrigins/lineTexts';
import { editsOfCall, readingOfCall } from '../../../src/core/format/lineOrigins/record/callEdits';
import { replaying } from '../../../src/core/format/lineOrigins/replay/replayFile';
import { finishWork } from '../../../src/core/format/lineOrigins/work';
import { EDIT_FORMS, fileHistory, type FileHistory } from '../../fixtures/fileHistory';

/** The lines' origins, with a session's number as its path. */
function originsIn(history: FileHistory): LineOrigin[] {
  const texts = new LineTexts();
  const events = history.events.flatMap((event): Parameters<typeof originsOf>[1][number][] => {
    if (event.kind === 'commit') return [{ time: event.time, event: { kind: 'text', text: event.text, isWhole: true } }];
    const reading = readingOfCall(event.call, event.result);
    if (reading) return [{ time: event.time, event: { kind: 'text', text: reading.text, isWhole: reading.isWhole } }];
    const source = { path: String(event.session), entryId: event.id, promptId: undefined, key: event.id, time: event.time };
    return editsOfCall(event.call, event.result).map((edit) => ({
      time: event.time,
      event: { kind: 'edit' as const, edit },
      source: { ...source, file: '', movedTo: undefined, pastedFrom: [], edit },
    }));
  });
  const current = texts.numbersOf(linesOf(history.text));
  const replayed = finishWork(
    replaying(
      events.map(({ event }) => event),
      current,
      texts,
    ),
  );
  return originsOf(claimLines(replayed, current, texts), events);
}

/** Comments on lines of sessions, and on lines that only people wrote. */
class Score {
  bySessions = 0;
  right = 0;
  /** Not sent to any session, because that's uncertain, or because no session is known. */
  uncertain = 0;
  unknown = 0;
  /** Sent to some of the sessions that wrote lines of the range. */
  partly = 0;
  wrong = 0;
  byPeople = 0;
  sent = 0;

  add(history: FileHistory): void {
    const origins = originsIn(history);
    const sessions = new Map(history.events.flatMap((event) => (event.kind === 'call' ? [[event.id, String(event.session)]] : [])));
    for (let at = 0; at < history.truth.length; at++) {
      // A comment is mostly on a line, or on a few.
      const range = { from: at + 1, to: Math.min(at + 1 + (at % 3), history.truth.length) };
      const lines = history.truth.slice(at, range.to);
      const writers = new Set(lines.flatMap(({ author }) => sessions.get(author ?? '') ?? []));
      const untouched = new Set(lines.flatMap(({ author, isUntouched }) => (isUntouched ? (sessions.get(author ?? '') ?? []) : [])));
      const found = writersOf(origins, range);
      const reached = new Set(found instanceof Error ? [] : found.map(({ path }) => path));
      if (writers.size === 0) {
        this.byPeople++;
        if (reached.size > 0) this.sent++;
      } else if (untouched.size > 0) {
        this.bySessions++;
        if ([...reached].some((one) => !writers.has(one))) this.wrong++;
        else if ([...untouched].every((one) => reached.has(one))) this.right++;
        else if (reached.size > 0) this.partly++;
        else if (found instanceof Error && found.message.includes('uncertain')) this.uncertain++;
        else this.unknown++;
      }
    }
  }
}

describe('The way of comments in generated histories', () => {
  it('leads to the sessions that wrote the lines, and hardly ever from a person’s lines', () => {
    const score = new Score();
    for (const form of EDIT_FORMS) {
      const ofForm = new Score();
      for (let seed = 1; seed <= 20; seed++) {
        const history = fileHistory({ seed, steps: 30, sessions: 5, initialLines: 150, isInGit: true, forms: [form] });
        for (const one of [score, ofForm]) one.add(history);
      }
      if (process.env['FIGURES']) console.log(`      ${form}: ${JSON.stringify(ofForm)}`);
    }
    const { bySessions, right, wrong, byPeople, sent } = score;
    if (process.env['FIGURES']) console.log(`      ${JSON.stringify(score)}`);
    assert.ok(bySessions > 10_000 && byPeople > 10_000, JSON.stringify(score));
    assert.ok(right / bySessions > 0.92, JSON.stringify(score));
    assert.ok(wrong / bySessions < 0.002, JSON.stringify(score));
    assert.ok(sent / byPeople < 0.0005, JSON.stringify(score));
  });
});
