/** The marks of a review next to changed lines: a bar whose color and pattern say who wrote the lines, and words. */
import * as vscode from 'vscode';
import { uiLine, type ReviewedRange } from '../../../core/index';
import { LineDecorations, type DecoratedLine } from '../../../ui/safe/lineDecorations';

/** The kinds of what wrote a range: the session that is reviewed, any other, or a person or command. */
const WRITER_KINDS = ['session', 'otherSession', 'others'] as const;
type WriterKind = (typeof WRITER_KINDS)[number];

/** @param session the reviewed session; in a review of all sessions each counts */
export function writerOf({ origin }: ReviewedRange, session: string | undefined): WriterKind {
  if (!origin) return 'others';
  return session === undefined || origin.path === session ? 'session' : 'otherSession';
}

const COLORS: Readonly<Record<WriterKind, string>> = {
  session: 'sessionTree.review.session',
  otherSession: 'sessionTree.review.otherSession',
  others: 'sessionTree.review.others',
};
const PATTERNS: Readonly<Record<WriterKind, string>> = { session: 'solid', otherSession: 'dashed', others: 'dotted' };

export interface WriterTexts {
  /** Returns the origin of a range, in a few words. */
  readonly short: (range: ReviewedRange) => string;
  /** Says it in lines. */
  readonly long: (range: ReviewedRange) => Promise<readonly string[]>;
}

/** UTF-16 units of the words after a range. */
const MAX_WORDS = 60;

/** One type of decoration for each writer, for as long as a review is open. */
export class ReviewMarks implements vscode.Disposable {
  private readonly decorations = new Map(
    WRITER_KINDS.map((writer) => {
      const color = new vscode.ThemeColor(COLORS[writer]);
      const decorations = new LineDecorations('after', {
        isWholeLine: true,
        borderStyle: PATTERNS[writer],
        borderWidth: '0 0 0 2px',
        borderColor: color,
        overviewRulerColor: color,
        overviewRulerLane: vscode.OverviewRulerLane.Left,
        after: { color, margin: '0 0 0 2em', fontStyle: 'italic' },
      });
      return [writer, decorations] as const;
    }),
  );

  constructor(
    private readonly session: string | undefined,
    private readonly texts: WriterTexts,
  ) {}

  /** Marks the ranges in an editor, and removes its earlier marks. The words follow the first line of each range, with a check mark where `isDone`. */
  async show(editor: vscode.TextEditor, ranges: readonly ReviewedRange[], isDone: (range: ReviewedRange) => boolean): Promise<void> {
    const marks = new Map<WriterKind, DecoratedLine[]>(WRITER_KINDS.map((writer) => [writer, []]));
    for (const range of ranges) {
      const hover = await this.texts.long(range);
      const line = range.from - 1;
      marks
        .get(writerOf(range, this.session))
        ?.push(
          { line, to: range.to - 1, hover },
          { line, text: uiLine(`${isDone(range) ? '✓ ' : ''}${this.texts.short(range)}`, MAX_WORDS) },
        );
    }
    for (const [writer, decorations] of this.decorations) decorations.show(editor, marks.get(writer) ?? []);
  }

  dispose(): void {
    for (const decorations of this.decorations.values()) decorations.dispose();
  }
}
