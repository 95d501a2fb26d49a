/** Strings of a line or of a message that the caller has named. */
import { NONE } from '../../scanner/scannerLayout';
import { valueEnd } from '../json/json';
import { addField, createFields, Fields, fieldOf, MAX_KEYS } from '../json/keys';
import { readPlain, Span } from '../json/spans';

/** `spans`: the `Span` of each field. */
@unmanaged
export class Texts {
  fields: Fields;
  spans: usize;
}

export function createTexts(): Texts {
  const texts = changetype<Texts>(heap.alloc(offsetof<Texts>()));
  texts.fields = createFields();
  texts.spans = heap.alloc(MAX_KEYS * offsetof<Span>());
  return texts;
}

export function addText(texts: Texts, key: i32): i32 {
  return addField(texts.fields, key);
}

export function clearTexts(texts: Texts): void {
  memory.fill(texts.spans, 0, <usize>texts.fields.count * offsetof<Span>());
}

export function textAt(texts: Texts, number: i32): Span {
  return changetype<Span>(texts.spans + <usize>number * offsetof<Span>());
}

/** Reads the value of a member, and returns its end; 0 if it is one of the texts and isn't a string of plain characters. */
export function readText(texts: Texts, key: i32, at: usize): usize {
  const number = fieldOf(texts.fields, key);
  return number == NONE ? valueEnd(at) : readPlain(at, textAt(texts, number));
}
