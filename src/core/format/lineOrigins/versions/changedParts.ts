/** Shows what edits say about a file by themselves, where its whole text isn't known. */
import type { FileEdit } from '../record/fileEdit';

export interface ChangedParts {
  readonly before: string;
  readonly after: string;
}

/** Stands between two parts. */
const GAP = '\n⋯\n';
/** Parts that are shown. */
const MAX_PARTS = 1000;

/** Returns the texts that edits replaced, and their replacements. */
export function changedParts(edits: readonly FileEdit[]): ChangedParts {
  const parts = edits.flatMap(partsOf).slice(0, MAX_PARTS);
  const joined = (side: keyof ChangedParts): string => parts.map((part) => part[side]).join(GAP);
  return { before: joined('before'), after: joined('after') };
}

function partsOf({ before = '', text, isDeletion, hunks, replacements }: FileEdit): ChangedParts[] {
  if (text !== undefined || isDeletion === true) return [{ before, after: text ?? '' }];
  // A difference has the lines around, too.
  if (hunks.length > 0)
    return hunks.map(({ lines }) => {
      const side = (other: '+' | '-'): string => lines.flatMap(({ sign, text: line }) => (sign === other ? [] : [line])).join('\n');
      return { before: side('+'), after: side('-') };
    });
  return replacements.map(({ before: old, after }) => ({ before: old, after }));
}
