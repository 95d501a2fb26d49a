/** The keys that go to the next or previous target. In VS Code, the keybindings in package.json handle them; they must match these. */
import { TARGET_KINDS, type TargetKind } from '../../shared/protocol';

export type Direction = 1 | -1;

export const TARGET_KEYS: Readonly<Record<TargetKind, (by: Direction) => string>> = {
  user: (by) => (by === 1 ? 'Alt+ArrowDown' : 'Alt+ArrowUp'),
  error: (by) => (by === 1 ? 'F8' : 'Shift+F8'),
  label: (by) => (by === 1 ? 'Shift+Alt+ArrowDown' : 'Shift+Alt+ArrowUp'),
  cut: (by) => (by === 1 ? 'Alt+PageDown' : 'Alt+PageUp'),
};

/** Returns the target of a key, for pages without keybindings. A list of choices keeps its own keys. */
export function targetOfKey(event: KeyboardEvent): { readonly kind: TargetKind; readonly by: Direction } | undefined {
  if (event.ctrlKey || event.metaKey || event.target instanceof HTMLSelectElement) return undefined;
  const pressed = [...(event.shiftKey ? ['Shift'] : []), ...(event.altKey ? ['Alt'] : []), event.key].join('+');
  return TARGET_KINDS.flatMap((kind) => ([1, -1] as const).map((by) => ({ kind, by }))).find(
    ({ kind, by }) => TARGET_KEYS[kind](by) === pressed,
  );
}
