import assert from 'node:assert/strict';
import { linksMarkdown, trustOf, type CommandLink } from '../../../src/ui/safe/commandLink';

describe('Links of hovers', () => {
  const EVIL = 'a) [b](command:evil.run) \'c\' "d" <e>\n`f` \ud800';
  const links: readonly CommandLink[] = [
    { title: 'Show Context', command: 'sessionTree.showContext', argument: { row: 'session', path: EVIL } },
    { title: 'Resume', command: 'sessionTree.resume', argument: {} },
  ];

  it('have their argument whole, whatever it contains', () => {
    const found =
      /^\[Show Context\]\(command:sessionTree\.showContext\?([^()<>\s'"`]+)\) · \[Resume\]\(command:sessionTree\.resume\?[^()]+\)$/.exec(
        linksMarkdown(links),
      );
    assert.deepEqual(JSON.parse(decodeURIComponent(found?.[1] ?? '')), [links[0]!.argument]);
  });

  it('run their own commands and no others', () => {
    assert.deepEqual(trustOf(links), { enabledCommands: ['sessionTree.showContext', 'sessionTree.resume'] });
  });
});
