/** Links to files in Markdown: `[checkout.ts](src/checkout.ts:12)`. The page opens links to existing files; exports show their text. */
import type { StateInline } from 'markdown-it';
import { looksLikeFilePath } from '../../core/format/text/fileLocation';

/** The class of the element of such a link. Its title is the path. */
export const FILE_LINK_CLASS = 'file-link';

/** Labels without brackets, and short ones only, so that a text full of brackets takes linear time. */
const FILE_LINK = /\[([^[\]\n]{1,300})\]\(([^\s()<>]{1,400})\)/y;
/** Before an image, and where `[…](…)` is code: `handlers[name](event.data)`. */
const NO_LINK_AFTER = /[\w)\]!\\]/;

/** Returns an inline rule for markdown-it. Install it before the rule for links, which leaves these as text. */
export function fileLinkRule(): (state: StateInline, silent: boolean) => boolean {
  return (state, silent) => {
    const { src, pos, posMax } = state;
    if (src[pos] !== '[' || state.linkLevel > 0 || NO_LINK_AFTER.test(src[pos - 1] ?? '')) return false;
    FILE_LINK.lastIndex = pos;
    const [all = '', label = '', target = ''] = FILE_LINK.exec(src) ?? [];
    const path = decoded(target);
    // The label of a link to a page would become a link in the link.
    if (all === '' || pos + all.length > posMax || label.includes('://') || !looksLikeFilePath(path)) return false;
    if (!silent) {
      state.push('file_link_open', 'span', 1).attrs = [
        ['class', FILE_LINK_CLASS],
        ['title', path],
      ];
      state.pos = pos + 1;
      state.posMax = state.pos + label.length;
      state.linkLevel++;
      state.md.inline.tokenize(state);
      state.linkLevel--;
      state.push('file_link_close', 'span', -1);
    }
    state.pos = pos + all.length;
    state.posMax = posMax;
    return true;
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
