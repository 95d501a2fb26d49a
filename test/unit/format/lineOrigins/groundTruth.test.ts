import assert from 'node:assert/strict';
import { claimLines } from '../../../../src/core/format/lineOrigins/claimLines';
import { editsOfCall, readingOfCall } from '../../../../src/core/format/lineOrigins/record/callEdits';
import { LineTexts, linesOf } from '../../../../src/core/format/lineOrigins/lineTexts';
import type { FileEvent } from '../../../../src/core/format/lineOrigins/replay/replay';
import { finishWork } from '../../../../src/core/format/lineOrigins/work';
import { replaying } from '../../../../src/core/format/lineOrigins/replay/replayFile';
import { EDIT_FORMS, fileHistory, type FileHistory, type HistoryOptions } from '../../../fixtures/fileHistory';
import { OriginScore } from '../../../fixtures/originScore';

function scoreOf(history: FileHistory, score: OriginScore): void {
  const texts = new LineTexts();
  const authors: string[] = [];
  const events = history.events.flatMap((event): FileEvent[] => {
    if (event.kind === 'commit') return [{ kind: 'text', text: event.text, isWhole: true }];
    const reading = readingOfCall(event.call, event.result);
    if (reading) return [{ kind: 'text', text: reading.text, isWhole: reading.isWhole }];
    const edits = editsOfCall(event.call, event.result);
    assert.equal(edits.length, 1);
    return edits.map((edit) => ({ kind: 'edit', edit }));
  });
  for (const event of history.events) authors.push(event.kind === 'call' ? event.id : '');
  const current = texts.numbersOf(linesOf(history.text));
  const claims = claimLines(finishWork(replaying(events, current, texts)), current, texts);
  score.add(history.truth, (at) => {
    const claim = claims[at];
    return claim && { author: authors[claim.origin]!, certainty: claim.certainty };
  });
}

/** `SEEDS=41-200` takes other histories than those that the tests have. */
const GIVEN = /^(\d+)-(\d+)$/.exec(process.env['SEEDS'] ?? '');

function scoreAll(seeds: number, options: Partial<HistoryOptions>): OriginScore {
  const score = new OriginScore();
  const [first, last] = GIVEN ? [Number(GIVEN[1]), Number(GIVEN[2])] : [1, seeds];
  for (let seed = first; seed <= last; seed++) scoreOf(fileHistory({ seed, steps: 30, sessions: 5, initialLines: 150, ...options }), score);
  return score;
}

const PRECISION = 0.99;
const CLAIMED = 0.01;
const RECALL = 0.95;

function check(score: OriginScore): void {
  if (process.env['FIGURES']) console.log(`      ${score.toString()}`);
  assert.ok(score.exact > 500 && score.human > 500, score.toString());
  assert.ok(score.precision >= PRECISION, score.toString());
  assert.ok(score.recall >= RECALL, score.toString());
  assert.ok(score.claimedOfHuman <= CLAIMED, score.toString());
}

describe('Origins of lines in generated histories', () => {
  for (const form of EDIT_FORMS)
    it(`are right for edits in the form ${form}, with a repository`, () => {
      check(scoreAll(40, { isInGit: true, forms: [form] }));
    });

  it('are right for edits in all forms, without a repository', () => {
    check(scoreAll(60, { forms: EDIT_FORMS.filter((form) => form !== 'plain') }));
  });

  it('are right in short files that change all the time', () => {
    check(scoreAll(60, { isInGit: true, initialLines: 50, steps: 20, forms: ['pi'] }));
  });

  it('are right in such files if only arguments are recorded', () => {
    check(scoreAll(60, { isInGit: true, initialLines: 50, steps: 20, forms: ['plain'] }));
  });

  it('are found in stretches that were rewritten, although their short lines stand anywhere', () => {
    const rewritten = { isRewriting: true, commonLines: 0.3, initialLines: 900, steps: 80, sessions: 10 };
    check(scoreAll(8, { ...rewritten, forms: ['pi'] }));
    check(scoreAll(8, { ...rewritten, forms: ['plain'] }));
  });
});
