/** The places of comments in open documents, which move with what is typed there and what programs write. */
import * as vscode from 'vscode';
import { movePlace, placeOfLines, type KeptComment, type LineEdit, type LinePlace } from '../../core/index';

/** A comment's place in the text, and the lines that are there; `undefined` if they're gone. */
export interface FoundLines extends LinePlace {
  readonly lines: string;
}

export class CommentPlaces {
  private readonly places = new Map<string, LinePlace | undefined>();

  /** Returns where a comment's lines are in a document. */
  in(document: vscode.TextDocument, comment: KeptComment): FoundLines | undefined {
    if (!this.places.has(comment.id)) this.places.set(comment.id, placeOfLines(document.getText(), comment.lines, comment));
    const place = this.places.get(comment.id);
    return place && { ...place, lines: linesAt(document, place) };
  }

  /** Moves the comments of a document after a change of it. */
  changed({ document, contentChanges }: vscode.TextDocumentChangeEvent, comments: readonly KeptComment[]): void {
    for (const { id, lines, from } of comments) {
      let place = this.places.get(id);
      // The editor reports them from the last to the first, each as of the text before the others.
      for (const change of contentChanges) place &&= movePlace(place, lineEditOf(change));
      this.places.set(id, place ?? placeOfLines(document.getText(), lines, { from }));
    }
  }

  /** Forgets places, such as those in a document that was closed. */
  forget(comments: readonly Pick<KeptComment, 'id'>[]): void {
    for (const { id } of comments) this.places.delete(id);
  }
}

export const linesAt = (document: vscode.TextDocument, { from, to }: LinePlace): string =>
  document.getText(new vscode.Range(from - 1, 0, to - 1, Number.MAX_SAFE_INTEGER)).replaceAll('\r\n', '\n');

/** Returns a change as whole lines: an insertion between lines leaves them as they are. */
function lineEditOf({ range: { start, end }, text }: vscode.TextDocumentContentChangeEvent): LineEdit {
  const added = text.split(/\r\n|\r|\n/).length - 1;
  const isOfWholeLines = start.character === 0 && end.character === 0 && (text === '' || /[\r\n]$/.test(text));
  const removed = end.line - start.line + (isOfWholeLines ? 0 : 1);
  return { first: start.line, removed, inserted: added + (isOfWholeLines ? 0 : 1) };
}
