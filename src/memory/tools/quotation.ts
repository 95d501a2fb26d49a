/**
 * Quotation of session text in answers for models. Whoever wrote it may have meant it as an instruction to the model that reads the
 * answer, so no text can end its quotation, and each answer says what a quotation is.
 */
import { randomBytes } from 'node:crypto';
import { isDialect, LOOKUP_NOTICE, sanitizeText } from '../../core/index';
import { escapeJson, withoutEffects } from '../escapeJson';

/** Characters that may be in a reference outside of quotation marks: ids as programs make them, which are no words. */
const PLAIN_REF = /^([a-z]+):[0-9a-f-]{8,36}(?:#[0-9a-f]{1,32})?$/;
const PLAIN_ID = /^[0-9a-f-]{1,36}$/;
const DIGITS = 5;
const MAX_NAME = 30;

export class Quotation {
  /** Isn't known before the answer is made. */
  private readonly mark = `data-${randomBytes(DIGITS).toString('hex')}`;
  private hasBlocks = false;

  /** Returns a text as one line in quotation marks, which are escaped in it. @param length UTF-16 units */
  inline(text: string, length = 1000): string {
    const line = sanitizeText(text.slice(0, length * 2))
      .replace(/\s+/g, ' ')
      .trim();
    return escapeJson(JSON.stringify(line.length > length ? `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : line));
  }

  /** Returns a text with its line breaks between marks that it can't have. */
  block(text: string): string {
    this.hasBlocks = true;
    return `<<${this.mark}\n${cleanBlock(text).replaceAll(this.mark, 'data-')}\n${this.mark}>>`;
  }

  /** Returns a path or another exact value in quotation marks. Characters that have an effect are escaped as in JSON. */
  exact(value: string): string {
    return escapeJson(JSON.stringify(value));
  }

  /** Returns a name such as a role without quotation marks, if it's a single short word. */
  word(name: string): string {
    return /^[A-Za-z_]{1,24}$/.test(name) ? name : this.inline(name, MAX_NAME);
  }

  /** Returns an entry's id, in quotation marks if it could be read as words. */
  id(id: string): string {
    return PLAIN_ID.test(id) ? id : this.exact(id);
  }

  /** Returns a reference as it can be passed to a tool: in quotation marks, if it could be read as words. */
  ref(ref: string): string {
    const [, program] = PLAIN_REF.exec(ref) ?? [];
    return isDialect(program) ? ref : this.exact(ref);
  }

  /** The sentence that says what is quoted. To be asked for when the answer is complete. */
  get notice(): string {
    const where = this.hasBlocks ? `Text in quotation marks or between <<${this.mark} and ${this.mark}>>` : 'Text in quotation marks';
    return `${where} ${LOOKUP_NOTICE}`;
  }
}

/** Returns a text with its line breaks without anything that has an effect of its own. */
export const cleanBlock = (text: string): string => withoutEffects(sanitizeText(text));
