/** The commands that are asked most, in one file: a file for each would take longer to find than to read. */
export { digest } from './digest';
export { list } from './list';
export { search } from './search';
export { show } from './show';
export { tree } from './tree';
export { usage } from './usage';
