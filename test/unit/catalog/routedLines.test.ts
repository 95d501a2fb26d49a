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

describe('The way of comments in generated histories', () => {
  const kinds: Record<string, number> = {};
  const all = { right: 0, wrong: 0, sent: 0 };
  const score = { sessions: 0, right: 0, wrong: 0, human: 0, sent: 0 };
  for (const form of EDIT_FORMS)
    for (let seed = 1; seed <= 20; seed++) {
      const history = fileHistory({ seed, steps: 30, sessions: 5, initialLines: 150, isInGit: true, forms: [form] });
      const origins = originsIn(history);
      const sessionOf = new Map(history.events.flatMap((event) => (event.kind === 'call' ? [[event.id, String(event.session)]] : [])));
      for (let at = 0; at < history.truth.length; at++) {
        // A comment is mostly on a line, or on a few.
        const range = { from: at + 1, to: Math.min(at + 1 + (at % 3), history.truth.length) };
        const lines = history.truth.slice(range.from - 1, range.to);
        const authors = new Set(
          lines.flatMap(({ author, isUntouched }) => (author === undefined || !isUntouched ? [] : (sessionOf.get(author) ?? []))),
        );
        const isHuman = lines.every(({ author }) => author === undefined);
        if (authors.size === 0 && !isHuman) continue;
        const found = writersOf(origins, range);
        const sent = new Set(typeof found === 'string' ? [] : found.map(({ path }) => path));
        const any = new Set(origins.filter((o) => o.from <= range.to && o.to >= range.from).map(({ path }) => path));
        if (isHuman) {
          if (any.size > 0) all.sent++;
        } else {
          if ([...authors].every((one) => any.has(one))) all.right++;
          if ([...any].some((one) => !lines.some(({ author }) => author !== undefined && sessionOf.get(author) === one))) all.wrong++;
          if (![...authors].every((one) => sent.has(one))) {
            for (const [i, l] of lines.entries())
              if (l.author !== undefined && l.isUntouched && !sent.has(sessionOf.get(l.author)!)) {
                const n = range.from + i;
                const o = origins.find((x) => x.from <= n && x.to >= n);
                const k = `${o ? o.certainty + (o.path === sessionOf.get(l.author) ? '' : '!') : 'none'} ${l.text.trim().length < 4 ? 'short' : 'long'}`;
                kinds[k] = (kinds[k] ?? 0) + 1;
              }
          }
        }
        if (isHuman) {
          score.human++;
          if (sent.size > 0) score.sent++;
        } else {
          score.sessions++;
          if ([...authors].every((one) => sent.has(one))) score.right++;
          if ([...sent].some((one) => !lines.some(({ author }) => author !== undefined && sessionOf.get(author) === one))) score.wrong++;
        }
      }
    }

  it('leads to the session that wrote the lines', () => {
    console.log(
      JSON.stringify(score),
      score.right / score.sessions,
      score.wrong / score.sessions,
      score.sent / score.human,
      JSON.stringify(all),
      JSON.stringify(kinds),
    );
  });
});
