/** The snippet of one entry for a typed query, as a search makes it. */
import type { Entry } from '../../format/entry/entry';
import { unwrapUserText } from '../../format/text/wrappers/userText';
import { textOfLine } from '../index/words/lineText';
import { parseSearchQuery } from './query/queryPrefixes';
import { parseQuery, snippetOf, type Snippet } from './query/searchQuery';

/** UTF-16 units of the beginning that stands for an entry without a match. */
const BEGINNING = 200;

/** Returns the text around the first match in an entry that was changed since the search, such as by redaction; without a match, its beginning. */
export function entrySnippet(entry: Entry, typed: string): Snippet {
  const { role, text } = textOfLine({ ...entry });
  const query = parseQuery(parseSearchQuery(typed).query);
  const said = role === 'user' ? unwrapUserText(text).text : text;
  const found = query && query.all.length > 0 ? (snippetOf(said, query) ?? snippetOf(text, query)) : undefined;
  return found ?? { snippet: said.slice(0, BEGINNING).replace(/\s+/g, ' '), marks: [] };
}
