/** The session core's one door. */
export * from './format/entry';
export { DIALECTS, DIALECT_FACTS, isDialect, type Dialect, type DialectFacts } from './format/dialect';
export { SessionError, fill, type Problem, type ProblemCode, type SessionErrorCode, type MessageArgs } from './format/problem';
export type { EntryHead } from './format/head';
export type { Session } from './format/session';
export { FILTERS, isFilter, isVisible, type Filter } from './format/filter';
export { BRANCH_MARK, activityTime, forkPoint, pathTo, subtree, suspectedTip, tips } from './format/tree';
export { readBodies, readSession, followSession, fileVersion, type FileVersion, type ReadOptions } from './files/sessionFile';
export { agentHomes, currentEnvironment, expandPath, findRoots, rootOf, type Root, type RootEnvironment } from './files/roots';
export { isSessionName, type SessionPath } from './files/listFiles';
export { summarize, type SessionSummary } from './catalog/summary';
export { SessionStore, type StoredFile, type StoreChange } from './catalog/store';
export { branchPoint, isPrompt, writeRefusal, type Change, type NewLine } from './format/change';
export { folderName, type Stamp } from './format/names';
export { createWriter, migrate, type Migrated, type Submitted, type SubmitOptions, type Writer } from './files/submit';
export { forkSession, type Fork, type ForkOptions } from './files/forkFile';
export { presence, type Presence } from './files/presence';
