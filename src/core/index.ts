/** Entry point of the session core: everything that the extension and other programs may use of it. */
export { ageFormatter, ageOf, relativeTimeFormatter, type Age, type RelativeTimeFormatter } from './format/text/quantities/relativeTime';
export * from './format/entry/entry';
export * from './format/entry/message';
export * from './format/values/checks';
export * from './format/values/jsonValues';
export { appendAll, keepRecent } from './format/values/lists';
export { defined, type Defined } from './format/values/defined';
export { modelName, tokensIn, type ModelRef, type Usage } from './format/entry/usage';
export { CURRENT_VERSION as CURRENT_SESSION_VERSION } from './format/entry/entry';
export { DIALECTS, DIALECT_FACTS, isDialect, type Dialect, type DialectFacts } from './format/entry/dialect';
export { fitsArgument, promptArguments, resumeCommand, startCommand, type LaunchOptions } from './format/session/launchCommand';
export {
  SessionError,
  formatMessage,
  uiArgs,
  type Problem,
  type ProblemCode,
  type SessionErrorCode,
  type MessageArgs,
} from './format/entry/problem';
export type { EntryHead } from './format/entry/entryHead';
export { endsWithAnswer, UNFINISHED, type Unfinished } from './format/session/lastAnswer';
export type { Session, SessionMarks, SessionState } from './format/session/session';
export { finishSteps, STEP_LENGTH, stepCounter, type Steps } from './format/session/steps';
export { sortSteps } from './files/concurrency/sortSteps';
export { WorkQueue } from './files/concurrency/workQueue';
export { NO_PARENT, type HeadSource } from './format/columns/headSource';
export { headsOf } from './format/linking/headsById';
export { ChildPlaces } from './format/linking/childIndex';
export { isRewind } from './format/entry/rewind';
export { isArchivedAt } from './format/session/archivedEntries';
export { FILTER_FACTS, FILTERS, isFilter, isVisible, isVisibleAt, type Filter } from './format/session/entryFilter';
export {
  BRANCH_MARK,
  isBranchMark,
  isOriginMark,
  activityTime,
  activityTimeAt,
  findEntry,
  forkPoint,
  isOnPath,
  pathPlaces,
  pathTo,
  subtree,
  suspectedTip,
  tipPlaces,
  tips,
} from './format/session/treeTraversal';
export {
  activityAt,
  activitySummary,
  commonAncestor,
  commonAncestorSteps,
  type ActivitySummary,
  type ComparedBranch,
} from './format/branches/compareBranches';
export { newestBranches, newestTipBelow, type NewestBranch } from './format/branches/newestBranches';
export { branchState, type BranchState } from './format/branches/branchState';
export { branchDigest, type BranchDigest } from './files/read/branchDigest';
export { conversationText, lastMessages, type Conversation } from './files/read/conversationText';
export { abandonedEntries } from './files/write/branchFiles';
export { branchMap, branchMapSteps, type BranchMap, type MapEntry, type MapRow } from './format/branches/branchMap';
export { assertEntry, requireEntry } from './format/session/requireEntry';
export { parseSessionEntries } from './format/session/read/parseSessionEntries';
export {
  readBodies,
  readSession,
  followSession,
  fileVersion,
  findFileVersion,
  sessionFileVersion,
  type FileVersion,
  type ReadOptions,
} from './files/read/sessionFile';
export { readWholeSession } from './files/read/bytes/sessionBytes';
export { databaseOf } from './files/database/databaseSession';
export { canUnarchive, isArchivedSession, unarchivedPath, withoutSessionSuffix } from './format/session/archivedSession';
export { countOldSessions, planCleanUp, type CleanUpFilter, type CleanUpPlan, type CleanUpTarget } from './files/archive/planCleanUp';
export { claimOnce } from './files/storage/claimOnce';
export { CacheFolder } from './files/storage/cacheFolder';
export {
  appendPrivateLine,
  overwritePrivateFile,
  readPrivateJson,
  readPrivateLines,
  timeOrderedId as newGroupId,
  writePrivateFile,
} from './files/storage/privateStorage';
export { makePrivateFolder } from './files/storage/privateFolder';
export { cleanUp, plannedCleanUp, type CleanUpResult } from './files/archive/cleanUp';
export type { ArchivePaths, ArchiveOptions } from './files/archive/archiver';
export { isMissing } from './files/io/fileErrors';
export { notRegularFileError } from './files/io/regularFile';
export { sessionKey } from './files/locate/programs/sessionKey';
export { readSmallFile, readSmallFileWithStats, readSmallText, type SmallFile, type SmallFileOptions } from './files/io/smallFile';
export { findRoots } from './files/locate/findRoots';
export { sessionRecap } from './files/locate/programs/sessionRecap';
export { forkOfPath, settingsFolder } from './files/locate/programs/programFolders';
export { currentEnvironment, expandPath, rootOf, type Root, type RootEnvironment } from './files/locate/roots';
export { parseRootSetting, type RootSetting } from './files/locate/parseRootSetting';
export { ReadOnlyRootError, readOnlyRootOf } from './files/locate/readOnlyRoots';
export { folderName, mapPath, type PathMap } from './files/locate/paths/mapPath';
export { pinFilesOf } from './files/locate/programs/sessionPins';
export { shortPath } from './files/locate/paths/shortPath';
export type { DiskAccess } from './files/locate/folderQueries';
export { isArchivedName, isNamedLikeSession, isSessionName, type SessionPath } from './files/locate/listFiles';
export { isEntryLimitError } from './files/locate/folderEntries';
export { byLastActivity, summarize, type SessionSummary } from './catalog/rows/sessionSummary';
export { progressText, type SessionProgress } from './format/session/sessionProgress';
export { NO_MESSAGES, NO_PROMPT, firstWords, sessionTitle, titleOrNothing } from './format/session/sessionTitle';
export type { CatalogSource, ReadFile, RowIndex } from './catalog/store/catalogSource';
export type { IndexWork } from './catalog/worker/protocol/workerProtocol';
export { SessionStore } from './catalog/store/sessionStore';
export type { CopyOf } from './catalog/copies/sessionCopies';
export type { StoreChange } from './catalog/store/changeReporter';
export { callOf, subagentParents, subagentsBelow, subagentsOf, type StartedSession } from './catalog/store/familyLinks';
export { agentOfCall, callThatStarted, isSubagentTool } from './format/families/subagentCalls';
export { familyFinder, pathsAbove, type FamilyPlace, type FindFamily } from './catalog/store/families';
export { findByPath, parentFinder, type FindParent } from './catalog/store/sessionParents';
export type { ListedFile, ListedSession } from './catalog/store/listedSession';
export { openCatalog } from './catalog/catalog';
export { copyDatabase } from './catalog/database/copyDatabase';
export { lineOrigins, type LineOrigin, type LineOriginsOptions } from './catalog/origins/lineOrigins';
export { promptExcerpt, turnOf, type Turn } from './catalog/origins/turn';
export { fileAt, fileBefore, fileParts, fileStateAt, fileStateBefore, type FileAt, type FileState } from './catalog/origins/fileStates';
export { filesAt } from './catalog/restore/pointStates';
export { lastRecordedText } from './catalog/restore/lastRecordedText';
export { briefReason } from './format/restore/briefReasons';
export type { FileAtPoint, PlannedFile, PlannedState, RestoreAction, RestorePlan } from './format/restore/restorePlan';
export { planRestore, type PlanRestoreOptions } from './catalog/restore/planRestore';
export { restoredPoints, type RestoredPoint } from './files/restore/restoredPoints';
export { changedInGit } from './files/restore/changedInGit';
export { applyRestore, type AppliedRestore, type ApplyOptions } from './files/restore/applyRestore';
export type { RestoreStorage } from './files/restore/restoreRecord';
export { finishRestore, undoRestore, type UndoneRestore } from './files/restore/undoRestore';
export type { InterruptedRestore } from './files/history/restores';
export { pruneRestores, recoverRestores, type KeptRestore } from './files/restore/recoverRestores';
export { fileVersions, type FileRevision, type RevisionKind } from './catalog/origins/fileVersions';
export { TooManyChanges } from './catalog/origins/events/fileEvents';
export { lineHistory, type LineVersion } from './catalog/origins/lineHistory';
export { lineCommit, type LineCommit } from './files/git/lineCommit';
export { traceCommits, traceFiles, type AgentTraceOptions, type TracedCommit } from './catalog/agentTrace/agentTrace';
export { saveTrace } from './catalog/agentTrace/saveTrace';
export { resolveCommit } from './files/git/commitChanges';
export type { TracedEntry, TraceFile, TraceRecord } from './catalog/agentTrace/traceRecord';
export { addNote, notedCommits, NOTES_REF } from './files/git/gitNotes';
export { blobTexts, repositoryOf } from './files/git/fileCommits';
export { reviewChanges, reviewText, type Review, type ReviewedFile, type ReviewedRange } from './catalog/origins/reviewChanges';
export {
  commentRoutes,
  routeComments,
  type CommentRoutes,
  type ReviewComment,
  type RoutedComments,
  type RoutedPrompt,
  type RouteOptions,
} from './catalog/review/routeComments';
export {
  changeComments,
  readComments,
  type CommentAnswer,
  type KeptComment,
  type SentComment,
  type SentHow,
} from './files/review/reviewComments';
export { addPrompt, claimSession, takePrompt, waitingPrompts, type WaitingPrompt } from './files/review/promptQueue';
export { movePlace, placeOfLines, type LineEdit, type LinePlace } from './format/review/movedLines';
export { changeStory, draftStory, type ChangeStory, type ChangeStoryOptions, type StoryDraft } from './catalog/review/changeStory';
export type { OriginCertainty } from './format/lineOrigins/lineClaim';
export type { Catalog, CatalogOptions, CatalogProblem, RefreshResult } from './catalog/catalogApi';
export type { CatalogRoot } from './files/locate/catalogRoots';
export type { DiskInventory } from './catalog/refresh/diskInventory';
export { diskState, type DiskState } from './catalog/refresh/diskState';
export { errorCode } from './files/io/fileErrors';
export { errorFromProblem, type CatalogRow, type RowProblem } from './catalog/rows/catalogRow';
export type { KnownWord } from './catalog/search/knownWords';
export { LOOKUP_NOTICE } from './catalog/search/lookups';
export type { SearchHit, SearchOptions, SearchOrder } from './catalog/search/search';
export { dayName, localDayOf, type DayOf } from './catalog/rows/localDays';
export { turnCosts, type TurnCost } from './format/session/costs/turnCosts';
export { USAGE_KEYS } from './catalog/rows/usageBy';
export type { UsageFilter, UsageKey, UsageSum } from './catalog/rows/usageBy';
export { USAGE_CAUSES, type UsageCause } from './catalog/rows/usageCauses';
export {
  rangeAt,
  dayNumber,
  lengthOf,
  isInRange,
  USAGE_RANGES,
  type ComparedRange,
  type DayRange,
  type UsageRangeName,
} from './catalog/rows/usageRange';
export {
  usageReport,
  REPORT_KEYS,
  type ReportFilter,
  type ReportKey,
  type ReportRow,
  type ReportRows,
  type UsageFact,
  type UsageReport,
} from './catalog/rows/usageReport';
export { branchPoint, isPrompt, writeRefusal, type Change, type NewLine } from './format/write/change';
export { projectFolderName, type Stamp } from './format/write/sessionNames';
export {
  createWriter,
  migrate,
  type GuardedFile,
  type MigratedSession,
  type Writer,
  type WriterOptions,
} from './files/write/sessionWriter';
export type { SubmitResult, SubmitOptions } from './files/write/submitChange';
export { relinkProject, type RelinkOptions, type RelinkResult } from './files/relink/relinkProject';
export { findMovedProject } from './files/relink/findMoved';
export type { LeftSession } from './files/relink/planRelink';
export type { MoveLog, MoveStep } from './files/write/moveLog';
export { permissionRefusal } from './files/write/assertWritable';
export { assertFree } from './files/write/writeGuard';
export { SessionInUseError } from './files/presence/sessionInUse';
export { forkSession, type Fork, type ForkOptions } from './files/write/forkSession';
export { importSession, needsImport, type ImportOptions } from './files/import/importSession';
export { recoverSession, type RecoverOptions } from './files/import/recoverSession';
export type { CopiedSession } from './files/import/writeCopy';
export type { CopyNote } from './format/import/planCopy';
export { UntrustedPaths, type UntrustedPathsOptions } from './files/io/untrustedPaths';
export { findProgram, type HostEnvironment } from './files/programs/findProgram';
export { ProcessThread } from './files/presence/processThread';
export { mayContactServer, isUnc, type Mount } from './format/text/remotePath';
export { presence, type Presence, type PresenceOptions, type Sign } from './files/presence/presence';
export {
  contextPlan,
  type ContextCompaction,
  type ContextPlan,
  type ContextSettings,
  type ContextStep,
} from './format/context/contextPlan';
export {
  totalChars,
  contextUsage,
  messageShares,
  CONTEXT_USAGE_KINDS,
  type ContextUsage,
  type ContextUsageKind,
  type ContextUsagePart,
  type MessageShare,
} from './format/context/contextUsage';
export {
  downsample,
  firstAnswer,
  contextGrowth,
  lastRecordedTokens,
  type ContextGrowth,
  type GrowthPoint,
} from './format/context/contextGrowth';
export { parseFileLocation, type FileLocation } from './format/text/fileLocation';
export { WorktreeFinder } from './files/git/worktreeFinder';
export { recordedWorktrees, worktreeOf, type Worktree } from './files/git/worktree';
export { argumentWords, displayPath, type PathBases } from './format/toolCalls/callWords';
export { jsonSteps, jsonText } from './format/text/jsonText';
export { unwrapUserText } from './format/text/wrappers/userText';
export { isWrapperRow, userRowText } from './format/entry/rowText';
export { inlineText } from './format/text/markdown/markdownText';
export { lacksNestedCalls, nestedCalls } from './format/toolCalls/fileTouches';
export { summaryFileList } from './format/context/markdown/summaryFileList';
export { isWithoutHeader } from './format/parse/readErrors';
export { beginning } from './format/text/characters';
export { oneLine } from './format/text/oneLine';
export { plainLine } from './format/text/plainLine';
export { markdownMarks, withoutMarkdown, withoutRanges, type TextRange } from './format/text/plainText';
export { providerErrorText } from './format/entry/providerError';
export { columnCostText, costText, numberText, percentText } from './format/text/quantities/numberText';
export { plainRow, plainRowWithRole } from './format/entry/plainRow';
export { sanitizeText, withVisibleBidi } from './format/text/sanitizeText';
export { uiError, uiLine, uiPath, uiText } from './format/text/uiText';
export { imageTokens } from './format/context/imageTokens';
export { contextWindow, MODEL_WINDOWS } from './format/context/modelWindows';
export { normalizeMarkdown } from './format/text/markdown/markdownProse';
export { findPattern, type FindQuery } from './format/text/findPattern';
export { isWithin, pathKey } from './files/locate/paths/pathMatch';
export { MAX_QUERY_UNITS, MAX_QUERY_WORDS } from './catalog/search/query/searchQuery';
export * from './catalog/search/query/queryPrefixes';
export { entrySnippet } from './catalog/search/entrySnippet';
export { parsePeriod, type Period } from './catalog/search/query/queryDates';
export { findQueryProblems, type QueryProblem } from './catalog/search/query/queryProblems';
export { contextStatuses, type ContextStatus } from './format/context/contextStatus';
export { entryMessages, toolCalls, withoutFailedTurns, type SourcedMessage } from './format/context/contextMessages';
export { executionText, toLlmMessages, toLlmText, type LlmMessage } from './format/context/llmMessages';
export {
  branchUsage,
  ownUsage,
  sessionUsage,
  totalsOf,
  sumOfTotals,
  type ModelTotals,
  type Totals,
  type UsageTotals,
} from './format/session/costs/usageTotals';
export { entryPlainText } from './format/entry/entryPlainText';
export { buildSessionContext, type SessionContext } from './files/read/buildSessionContext';
export { readSystemPrompt } from './files/read/readSystemPrompt';
export { promptDeclaration, replaySystemMessage, replaySystemPrompt, systemPromptEntries } from './format/context/systemMessage';
export {
  parseSessionInit,
  parseSystemMessage,
  hasPromptParts,
  hasPromptText,
  promptValueText,
  type PromptSection,
  type PromptTool,
  type SystemPrompt,
} from './format/entry/prompts/systemPrompt';
export { settledWithin } from './files/concurrency/deadline';
export { Yielder, yieldToEventLoop } from './files/concurrency/eventLoop';
export { escapeHtml, htmlFrame, policyHash } from './files/export/htmlDocument';
export { exportHtml, infoBlock, PAGE_SCRIPTS, pageTranslations, type HtmlExportOptions } from './files/export/htmlExport';
export { embedLine, extractLine, extractLines, extractSession } from './format/export/htmlData';
export { sessionToMarkdown, type MarkdownOptions } from './files/export/markdown/sessionMarkdown';
export type { ExportHead } from './files/export/exportFormat';
export { EXPORT_FORMATS, FORMAT_FACTS, type ExportFormat, type ExportStyle } from './files/export/exportFormats';
export {
  exportPage,
  exportParts,
  exportSession,
  fileImages,
  type ExportResult,
  type ExportedParts,
  type ExportedText,
  type ExportOptions,
} from './files/export/exportSession';
export { titledExportName } from './files/export/batch/exportNames';
export {
  MAX_BATCH_SESSIONS,
  BATCH_FORMATS,
  BatchExport,
  type FailedExport,
  type SessionFinding,
  type BatchChoices,
  type BatchExportResult,
  type BatchFormat,
  type BatchOptions,
} from './files/export/batch/batchExport';
export { freeExportPath } from './files/export/exportTarget';
export { findSecrets, type FindSecretsOptions, type RedactOptions } from './files/redact/redactSession';
export { SecretFilter } from './files/redact/secretFilter';
export type { RedactionRules, ReviewChoices } from './files/redact/redaction';
export type { Finding } from './format/redact/redactor';
export { PERSONAL_KINDS, type PersonalKind } from './format/redact/detectors/personalData';
export { branchChanges } from './files/export/markdown/branchChanges';
export type { ChangeCertainty, FileChange } from './format/context/fileChanges';
export { sideToMarkdown } from './files/export/markdown/comparisonMarkdown';
export { readBlob, readBlobStart } from './files/read/blobs';
export { SessionManager, type CreateOptions, type ManagerOptions, type OpenArgument } from './files/api/sessionManager';
export type { NewSessionOptions } from './files/api/newSession';
export type { SessionProjection, SessionTreeNode } from './files/api/sessionReadApi';
export type { NewMessage, SessionInit } from './files/api/sessionAppendApi';
export type { ListArgument, ListOptions, OnProgress, SessionInfo } from './files/api/listSessions';
export { createFile, replaceFile, type FileDigest } from './files/io/atomicFile';
export { errorsOf } from './files/concurrency/runGrouped';
export { openWrites, type Writes, type WritesOptions } from './files/history/writes';
export type { JournalEntry, Journal, StoredJournalEntry } from './files/history/journal';
export type { UndoResult } from './files/history/undo';
export type { PendingChanges, SettleResult, PendingChange, DeferrableChange } from './files/history/pendingChanges';
export {
  hasOtherFiles,
  relatedPaths,
  forksOf,
  withTrashedName,
  TRASH_FOLDER,
  type DeleteOptions,
  type FoundTrash,
  type Trash,
  type TrashItem,
} from './files/trash/trash';
export { migrationRefusal } from './files/migration/migrateFile';
export { migrateAll, planMigration, type MigrateAllOptions, type MigrationPlan, type MigrationResult } from './files/migration/migrateAll';
