/** Parses oh-my-pi's patches that quote the text to replace, in steps. FORMAT section 2. */
import type { Steps } from '../../session/steps';
import { quotedMarker, withMarkersOnLines, type QuotedForm } from '../../toolCalls/quotedPatch';
import type { Replacement } from './fileEdit';
import { eachLine, type FilePatch } from './patchText';

/** A change as it's written in the patch. */
interface WrittenChange {
  /** The quoted lines, with changes within them in the forms that have such. */
  readonly find: string[];
  /** The lines in their place, or after them; `undefined` if the quoted lines show their changes themselves. */
  other?: { readonly kind: 'replace' | 'after'; readonly lines: string[] };
}

interface WrittenSection {
  readonly file: string;
  readonly all: boolean;
  readonly changes: WrittenChange[];
}

/** A change with its texts. */
interface ReadChange extends Replacement {
  /** False if the patch leaves out a part of the texts: it has `…` for lines that stay. */
  readonly isWhole: boolean;
}

/**
 * Parses such a patch. A section that leaves out lines that stay has the lines that it adds instead of replacements: the
 * result has the difference.
 */
export function* parseQuotedPatch(text: string, form: QuotedForm): Steps<FilePatch[]> {
  const found: FilePatch[] = [];
  for (const { file, all, changes } of yield* writtenSections(text, form)) {
    const read: ReadChange[] = [];
    for (const change of changes) {
      read.push(readChange(change, all));
      yield;
    }
    const isWhole = read.every((change) => change.isWhole);
    found.push({
      file,
      operation: 'update',
      hunks: isWhole ? [] : read.map((change) => ({ lines: addedLines(change).map((line) => ({ sign: '+', text: line })) })),
      replacements: isWhole ? read.map(({ before, after }) => ({ before, after, all })) : [],
    });
  }
  return found.map((patch) => ({ ...patch, hunks: patch.hunks.filter(({ lines }) => lines.length > 0) }));
}

function* writtenSections(text: string, form: QuotedForm): Steps<WrittenSection[]> {
  const sections: WrittenSection[] = [];
  let lines: string[] | undefined;
  const beginChange = (): void => {
    lines = [];
    sections.at(-1)?.changes.push({ find: lines });
  };
  // The last line break ends a line; it doesn't begin another one.
  yield* eachLine(withMarkersOnLines(text, form).replace(/\r?\n$/, ''), (line, next) => {
    const marker = quotedMarker(form, line, next);
    const change = sections.at(-1)?.changes.at(-1);
    switch (marker?.kind) {
      case undefined:
        lines?.push(line);
        return;
      case 'file': {
        const file = marker.file ?? sections.at(-1)?.file;
        lines = undefined;
        if (file === undefined) return;
        sections.push({ file, all: marker.all, changes: [] });
        if (marker.opensFind) beginChange();
        return;
      }
      case 'find':
        beginChange();
        return;
      case 'replace':
      case 'after':
        lines = [];
        if (change && !change.other) change.other = { kind: marker.kind, lines };
        return;
      case 'end':
        lines = undefined;
        return;
    }
  });
  return sections;
}

/** `…` stands for text that stays. */
const GAP = '…';
/** A line that is added where it stands. */
const ADDED = '＋';
const SELECTION = /⟪([^⟪│⟫]*)│([^⟪⟫]*)⟫/g;

function readChange({ find, other }: WrittenChange, all: boolean): ReadChange {
  const quoted = find.join('\n');
  if (!other) {
    const kept = find.filter((line) => !line.startsWith(ADDED)).join('\n');
    const now = find.map((line) => (line.startsWith(ADDED) ? line.slice(ADDED.length) : line)).join('\n');
    const [before, after] = [kept.replace(SELECTION, '$1'), now.replace(SELECTION, '$2')];
    return { before, after, all, isWhole: before !== after && !/[…⟪⟫]/.test(before) && !after.includes(GAP) };
  }
  const isWhole = quoted !== '' && !/[…⟪⟫]/.test(quoted);
  const written = other.lines.join('\n');
  if (other.kind === 'after') return { before: quoted, after: `${quoted}\n${written}`, all, isWhole };
  // Nothing in the place of lines removes them with their line break.
  if (other.lines.length === 0) return { before: `${quoted}\n`, after: '', all, isWhole };
  return { before: quoted, after: written, all, isWhole };
}

/** The lines that a change certainly wrote itself. */
function addedLines({ before, after }: Replacement): string[] {
  const old = new Set(before.split('\n'));
  return after.split('\n').filter((line) => line !== '' && !old.has(line) && !line.includes(GAP));
}
