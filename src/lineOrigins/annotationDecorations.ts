/**
 * Draws the annotations of a file in its editors. The editor takes plain ranges of a decoration type in a fraction of the
 * time that it takes for decorations with separate texts. So lines of one color become a few ranges, and a text that many
 * lines share gets its own decoration type.
 */
import * as vscode from 'vscode';
import type { Turn } from '../core/index';
import { LineDecorations, type DecoratedLine } from '../ui/safe/lineDecorations';
import type { AnnotatedLines } from './annotatedLines';
import { column, heatColor, letterOf, sessionColor } from './annotationText';
import { keyOf } from './turnReader';
import { promptText, type TextFunctions } from './turnText';

export type AnnotationKind = 'sessions' | 'heatmap';

export interface Annotations {
  readonly kind: AnnotationKind;
  readonly lines: AnnotatedLines;
  /** The index of each session in the order of colors and letters, by path. */
  readonly order: ReadonlyMap<string, number>;
  readonly turns: ReadonlyMap<string, Turn>;
}

/** Narrow characters of the column before the lines. A month with its year takes up to 10, in some languages. */
const WIDTHS: Readonly<Record<AnnotationKind, number>> = { sessions: 34, heatmap: 10 };
/** Texts on at least this many lines get their own decoration type. */
const MANY = 100;

/** A decoration type and its lines. */
interface Drawn {
  readonly lines: readonly DecoratedLine[];
  readonly make: () => LineDecorations;
}

export class AnnotationDecorations implements vscode.Disposable {
  private readonly types = new Map<string, { readonly decorations: LineDecorations; readonly editors: Set<vscode.TextEditor> }>();

  constructor(private readonly text: TextFunctions) {}

  /** Replaces the drawn annotations in an editor. */
  draw(editor: vscode.TextEditor, annotations: Annotations): void {
    const now = Date.now();
    const drawn = new Map([...coloredLines(annotations, now), ...this.textLines(annotations, now)]);
    for (const [key, { lines, make }] of drawn) {
      const type = valueOrNew(this.types, key, () => ({ decorations: make(), editors: new Set() }));
      type.editors.add(editor);
      type.decorations.show(editor, lines);
    }
    for (const key of this.types.keys()) if (!drawn.has(key)) this.removeType(editor, key);
  }

  clear(editor: vscode.TextEditor): void {
    for (const key of this.types.keys()) this.removeType(editor, key);
  }

  /** Removes all that is drawn. Editors can be drawn in again. */
  dispose(): void {
    for (const { decorations } of this.types.values()) decorations.dispose();
    this.types.clear();
  }

  /** A type that no editor has anymore is disposed of: ages, and so types, change with time. */
  private removeType(editor: vscode.TextEditor, key: string): void {
    const type = this.types.get(key);
    if (!type?.editors.delete(editor)) return;
    if (type.editors.size > 0) type.decorations.show(editor, []);
    else {
      type.decorations.dispose();
      this.types.delete(key);
    }
  }

  private textLines(annotations: Annotations, now: number): Map<string, Drawn> {
    const { kind, lines } = annotations;
    const byText = new Map<string, DecoratedLine[]>();
    // Lines without an origin have an empty column, so that the code stays aligned; but not if none has one.
    const hasAny = lines.some((origin) => origin !== undefined);
    for (let line = 0; hasAny && line < lines.length; line++)
      valueOrNew(byText, this.textOf(annotations, line, now), () => []).push({ line });
    const others: DecoratedLine[] = [];
    const found = new Map<string, Drawn>([[kind, { lines: others, make: () => textType(kind) }]]);
    for (const [text, all] of byText) {
      if (all.length < MANY) others.push(...all.map(({ line }) => ({ line, text })));
      else found.set(`${kind}: ${text}`, { lines: all, make: () => textType(kind, text) });
    }
    return found;
  }

  /** The letter of the session or the age on each line, and the prompt on the first line of a turn. */
  private textOf({ kind, lines, order, turns }: Annotations, line: number, now: number): string {
    const origin = lines[line];
    if (!origin) return '';
    if (kind === 'heatmap') return column('', this.text.age(origin.time, now), WIDTHS.heatmap);
    const letter = letterOf(order.get(origin.path) ?? 0);
    const before = lines[line - 1];
    if (before && keyOf(before) === keyOf(origin)) return letter;
    const turn = turns.get(keyOf(origin));
    const start = turn ? `${letter} ${this.text.truncate(promptText(turn), 60)}` : letter;
    return column(start, this.text.age(origin.time, now), WIDTHS.sessions);
  }
}

/** Returns the lines of each color, as ranges. */
function coloredLines({ kind, lines, order }: Annotations, now: number): Map<string, Drawn> {
  const byColor = new Map<string, DecoratedLine[]>();
  let range: { color: string; line: number; to: number } | undefined;
  for (const [line, origin] of lines.entries()) {
    const color = origin && (kind === 'sessions' ? sessionColor(order.get(origin.path) ?? 0) : heatColor(origin.time, now));
    if (color === undefined) range = undefined;
    else if (range?.color === color) range.to = line;
    else {
      range = { color, line, to: line };
      valueOrNew(byColor, color, () => []).push(range);
    }
  }
  return new Map([...byColor].map(([color, ranges]) => [color, { lines: ranges, make: () => colorType(color) }]));
}

const textType = (kind: AnnotationKind, text?: string): LineDecorations =>
  new LineDecorations(
    'before',
    {
      isWholeLine: true,
      before: { color: new vscode.ThemeColor('sessionTree.annotationForeground'), width: `${WIDTHS[kind]}ch`, margin: '0 1.5ch 0 1ch' },
    },
    text,
  );

function colorType(id: string): LineDecorations {
  const color = new vscode.ThemeColor(id);
  return new LineDecorations('before', {
    isWholeLine: true,
    borderStyle: 'solid',
    borderWidth: '0 0 0 3px',
    borderColor: color,
    overviewRulerColor: color,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

function valueOrNew<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
