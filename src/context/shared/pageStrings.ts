/** Localized strings that the host sends to the page. */
import type { ContextUsageKind } from '../../core/format/context/contextUsage';
import type { ArticleKind, FoldContent, PromptChange, ShownStatus } from './article';
import type { TargetKind } from './positions';
import type { ViewMode } from './pageSections';

/** Placeholders: `{0}` is a number or a name; `{1}` and `{2}` are further arguments. */
export interface OverviewStrings {
  readonly title: string;
  readonly show: string;
  readonly counting: string;
  readonly kinds: Readonly<Record<ContextUsageKind, string>>;
  readonly prompt: string;
  readonly resultsOf: string;
  readonly tokens: string;
  readonly about: string;
  readonly ofWindow: string;
  readonly aboutOfWindow: string;
  readonly windowHint: string;
  readonly recordedHint: string;
  readonly estimatedHint: string;
  readonly segment: string;
  readonly kind: string;
  readonly share: string;
  readonly tokensHead: string;
  readonly growth: string;
  readonly growthText: string;
  readonly growthNone: string;
  readonly growthCut: string;
  readonly growthCuts: string;
  readonly goThere: string;
  readonly point: string;
  readonly cut: string;
  readonly totals: string;
  readonly totalsOf: readonly [string, string, string];
  readonly input: string;
  readonly output: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly cost: string;
  readonly largest: string;
  readonly largestOf: string;
  readonly allKinds: string;
  readonly nothing: string;
}

export interface FindStrings {
  readonly title: string;
  readonly input: string;
  readonly matchCase: string;
  readonly wholeWord: string;
  readonly anyWord: string;
  readonly previous: string;
  readonly next: string;
  readonly close: string;
  readonly count: string;
  readonly countSoFar: string;
  readonly none: string;
  readonly searching: string;
}

export interface NavigationStrings {
  readonly title: string;
  readonly next: Readonly<Record<TargetKind, string>>;
  readonly previous: Readonly<Record<TargetKind, string>>;
}

/** All localized strings of the page. The placeholder `{0}` is a number or a text. */
export interface PageStrings {
  readonly kinds: Readonly<Record<ArticleKind, string>>;
  /** A short name and a sentence. */
  readonly statuses: Readonly<Record<ShownStatus, readonly [string, string]>>;
  readonly views: Readonly<Record<ViewMode, readonly [string, string]>>;
  readonly view: string;
  readonly overview: OverviewStrings;
  readonly find: FindStrings;
  readonly navigation: NavigationStrings;
  readonly promptFolds: Readonly<Record<FoldContent, string>>;
  /** A short name and a sentence. */
  readonly hiddenMessages: readonly [string, string];
  readonly characters: string;
  readonly promptChanges: Readonly<Record<PromptChange, string>>;
  readonly original: string;
  readonly thinking: string;
  readonly arguments: string;
  readonly result: string;
  readonly noOutput: string;
  readonly nestedResult: string;
  readonly lacksCalls: string;
  readonly emptyMessage: string;
  readonly taskDone: string;
  readonly taskOpen: string;
  readonly waiting: string;
  readonly ok: string;
  readonly failed: string;
  readonly cancelled: string;
  readonly exitCode: string;
  readonly fullOutput: string;
  readonly imageGone: string;
  readonly imageType: string;
  readonly imageEmpty: string;
  readonly imageDamaged: string;
  readonly imageAddress: string;
  readonly fileGone: string;
  readonly branchSwitched: string;
  readonly branchSwitchBack: string;
  readonly dismiss: string;
  readonly moreActions: string;
  readonly image: string;
  readonly imageOfSize: string;
  readonly enlarge: string;
  readonly closeImage: string;
  readonly showAllLines: string;
  readonly showLess: string;
  readonly showMore: string;
  readonly openRaw: string;
  readonly copy: string;
  readonly copyCode: string;
  readonly copyLink: string;
  readonly openFile: string;
  readonly copied: string;
  readonly reveal: string;
  readonly contextHere: string;
  readonly openMarkdown: string;
  readonly exportSession: string;
  readonly branchHere: string;
  readonly label: string;
  readonly fork: string;
  readonly resume: string;
  readonly toLeaf: string;
  readonly entry: string;
  readonly newMessages: string;
  readonly newMessage: string;
  readonly messages: string;
  readonly actions: string;
  readonly loading: string;
  readonly empty: string;
  readonly stopped: string;
  readonly toEnd: string;
  readonly branches: string;
  readonly showBranches: string;
  readonly hideBranches: string;
}
