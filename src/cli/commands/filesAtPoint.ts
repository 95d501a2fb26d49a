/** The commands about files at a point of the tree, which share most of their code. */
export { at } from './at';
export { files } from './files';
export { restore } from './restore';
