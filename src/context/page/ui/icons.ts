/** The page's icons: strokes in a 16 × 16 box, in the current text color. */
import { svg } from './dom';

const PATHS = {
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  tree: 'M3.5 2.5v8.5h4M3.5 5.5h4M10 4h3.5v3H10zM10 9.5h3.5v3H10z',
  context: 'M2.5 3.5h11M2.5 6.5h11M2.5 9.5h7M11 12.5l2.5-2.5M11 12.500l-1.500-1.500M2.5 12.5h4',
  markdown: 'M1.5 4.5h13v7h-13zM4 9.500v-3l1.500 1.500L7 6.500v3M10.500 6.500v3M9 8.200l1.500 1.500L12 8.200',
  export: 'M8.500 2.500h-6v11h11v-4M6.500 8.500c0-3 2-4.500 7-4.500M11 1.500L13.500 4 11 6.500',
  branch:
    'M5 5.500v5M5 10.500a1.500 1.500 0 1 0 .01 0M5 2.500a1.500 1.500 0 1 0 .01 0M11 4.500a1.500 1.500 0 1 0 .01 0M11 7.500c0 2-3 1.500-6 3',
  label: 'M8.500 2.500h5v5l-6 6-5-5zM11 5v.010',
  fork: 'M4.500 2.500a1.500 1.500 0 1 0 .01 0M11.500 2.500a1.500 1.500 0 1 0 .01 0M8 10.500a1.500 1.500 0 1 0 .01 0M4.500 5.500v2h7v-2M8 7.500v3',
  resume: 'M1.500 3.500h13v9h-13zM4 6.500l2 1.500-2 1.500M8 10h4',
  model: 'M3.500 5.500h9v7h-9zM8 5.500v-2.500M6 8.500v1M10 8.500v1M1.500 8v2.500M14.500 8v2.500',
  thinking: 'M6 12.500h4M6.500 14.500h3M6 12.500c0-2-2-2.500-2-5a4 4 0 0 1 8 0c0 2.500-2 3-2 5',
  compact: 'M8 1.500v4M6 4l2 2 2-2M8 14.500v-4M6 12l2-2 2 2M2.500 8h11',
  edit: 'M3 13l.5-3 7-7 2.500 2.500-7 7zM9 4.500l2.500 2.500',
  extension: 'M2.500 5.500h3.500a1.500 1.500 0 1 1 3 0h2.500v3a1.500 1.500 0 1 1 0 3v2h-9z',
  chevron: 'M6 3.500L10.500 8 6 12.500',
  user: 'M8 2.500a2.500 2.500 0 1 0 .010 0M3 13.500c0-3 2-4.500 5-4.500s5 1.500 5 4.500',
  reply: 'M2.500 3h11v7.500h-6l-3 2.500v-2.500h-2z',
  theme: 'M8 2a6 6 0 1 0 .010 0M8 2v12M8 5l4-1M8 8h6M8 11l4 1',
  print: 'M4.500 6v-3.500h7v3.500M4.500 11.500h-2v-5.500h11v5.500h-2M4.500 9.500h7v4h-7z',
  goTo: 'M8 1.500v13M4.500 5L8 1.500 11.500 5M4.500 11L8 14.500l3.500-3.500',
  link: 'M7 5l2-2a2.500 2.500 0 0 1 4 4l-2 2M9 11l-2 2a2.500 2.500 0 0 1-4-4l2-2M6 10l4-4',
  dot: 'M8 6.500a1.500 1.500 0 1 0 .01 0',
  up: 'M8 13V3.500M4 7.500l4-4 4 4',
  down: 'M8 3v9.500M4 8.500l4 4 4-4',
  ok: 'M3 8.500l3.500 3.500L13 4.500',
  error: 'M4 4l8 8M12 4l-8 8',
  file: 'M9 2.500H4.500v11h7.500v-8zM9 2.500v3h3',
  more: 'M3 8a.500.500 0 1 0 .010-.010M8 8a.500.500 0 1 0 .010-.010M13 8a.500.500 0 1 0 .010-.010',
  warning: 'M8 2L14.500 13.500h-13zM8 6.500v3.500M8 12v.010',
  waiting: 'M8 3.500V8l3 2M8 1.500a6.500 6.500 0 1 0 .01 0',
} as const;
export type IconName = keyof typeof PATHS;

/** Each icon is made once: copies take a fraction of the time, and a page has hundreds. */
const made = new Map<IconName, SVGSVGElement>();

export function icon(name: IconName): SVGSVGElement {
  let whole = made.get(name);
  if (!whole) {
    whole = svg('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' }, svg('path', { d: PATHS[name] }));
    made.set(name, whole);
  }
  return copyOf(whole);
}

/** The DOM's types don't tell that a copy is of the same kind. */
const copyOf = <E extends Element>(element: E): E => element.cloneNode(true) as E;
