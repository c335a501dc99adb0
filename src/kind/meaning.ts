/*
 * The contract between the checks of a provider and the commands that run them. Terms:
 *
 *   view      the objects of one account at one moment, and how completely each collection was read
 *   check     finds configuration that is valid and harmful, such as a redirect loop. Its result depends only on a view.
 *   finding   a problem that a check is sure of. A check that cannot decide is silent: `unknown` never becomes a finding.
 *   subject   tells findings with one code about one object apart. With code and address, it identifies a finding before and after a plan.
 *   trace     what happens to one request of a visitor in the state that a view shows, rule by rule
 *
 *   | view                | objects                                                            | made for                        |
 *   | ------------------- | ------------------------------------------------------------------ | ------------------------------- |
 *   | configuration       | the declared objects                                               | `validate`                      |
 *   | account, before     | the live objects that a plan has read                              | `plan`: existing problems       |
 *   | account, after      | the live objects with the changes of the plan applied              | `plan`: problems that it causes |
 */
import type { Address } from '../model/address.ts';
import type { Send } from '../model/request.ts';
import type { NameAnswer, RequestAnswer, Trace, Verdict, VisitorRequest } from '../model/trace.ts';
import type { Fields } from '../model/value.ts';
import type { WayJudgement } from '../model/way.ts';

export type {
  NameAnswer,
  RequestAnswer,
  Trace,
  TraceStep,
  Verdict,
  VisitorRequest,
} from '../model/trace.ts';
export type * from '../model/way.ts';

/** Returns `yes` for true and `no` for false, to combine a certain answer with answers that may be `unknown`. */
export const verdictOf = (isTrue: boolean): Verdict => (isTrue ? 'yes' : 'no');

/**
 * Combines the answers to several questions with "and", such as whether each condition of a rule holds. One `no` decides, although other
 * answers are `unknown`. Without a `no`, one `unknown` makes the result `unknown`. Returns `yes` for no questions. Used by checks and
 * traces, because these claim only certain facts.
 */
export function allOf(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = 'yes';
  for (const verdict of verdicts) {
    if (verdict === 'no') return 'no';
    if (verdict === 'unknown') result = 'unknown';
  }
  return result;
}

/**
 * Combines the answers to several questions with "or", such as whether any group of conditions holds. One `yes` decides, although other
 * answers are `unknown`. Without a `yes`, one `unknown` makes the result `unknown`. Returns `no` for no questions. Used by checks and
 * traces, because these claim only certain facts.
 */
export function anyOf(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = 'no';
  for (const verdict of verdicts) {
    if (verdict === 'yes') return 'yes';
    if (verdict === 'unknown') result = 'unknown';
  }
  return result;
}

/** Returns the answer to the opposite question, for inverted conditions. `unknown` stays `unknown`. */
export function negate(verdict: Verdict): Verdict {
  if (verdict === 'unknown') return 'unknown';
  return verdict === 'yes' ? 'no' : 'yes';
}

/** An object of a configuration or an account, as checks see it. */
export interface ViewedObject {
  address: Address;
  kind: string;
  parent: Address | undefined;
  /**
   * Its fields in the normal form of its kind: the declared ones, and in a view of an account also the live ones that the configuration
   * does not state. Values can be holes (known after an apply) or sealed secrets: a check treats both as unknown, and never opens a secret.
   */
  fields: Fields;
  /** True if a configuration declares it, also with `$existing`. */
  isDeclared: boolean;
  /**
   * What the account says about it beside its fields (`read.facts` of its kind). Absent in the view of a configuration, and for a new
   * object.
   */
  facts?: Record<string, unknown> | undefined;
  /** The sections whose objects the configuration declares completely (`$exclusive`). Absent in the view of an account. */
  exclusive?: readonly string[] | undefined;
  /**
   * The number of the configuration that declares it, in a view of several configurations. Items of one list with different numbers have no
   * known order, because each configuration orders only its own. Absent in other views.
   */
  configuration?: number | undefined;
}

/**
 * How completely a view has a collection (the objects of a kind under a parent). Checks need it before they conclude that an object does
 * not exist. `declared`: the view has the declared objects, and the account may have more. `nothing`: the view may lack any object.
 */
export type Knowledge = 'all' | 'declared' | 'nothing';

/**
 * The objects of one account at one moment. Checks and traces read only a view, so that they work the same for a configuration without an
 * account, and for an account before and after a plan. All lookups take constant time.
 */
export interface View {
  /** Returns all objects of a kind, sorted by parent, those of one parent in the order in which the platform applies them. */
  ofKind(kind: string): readonly ViewedObject[];
  /** Returns the objects of a kind under a parent (undefined: in the account itself), in the order in which the platform applies them. */
  under(parent: Address | undefined, kind: string): readonly ViewedObject[];
  /** Returns the object at an address; undefined if the view has none. */
  at(address: Address): ViewedObject | undefined;
  /**
   * Returns the facts (`read.facts` of the kind) of each object under a parent that no configuration can declare, such as the platform's
   * own records. Undefined if the plan has not read the collection. The view of a configuration lacks this function, because only the
   * account has such objects.
   */
  undeclarable?(parent: Address, kind: string): readonly Record<string, unknown>[] | undefined;
  /**
   * Returns how completely the view has the objects of a kind under a parent or, without `parent`, in the whole account. In the view of a
   * configuration it is `declared` if the configuration owns the parent (without `parent`: an object of the kind), otherwise `nothing`.
   */
  knows(kind: string, parent?: Address): Knowledge;
  /**
   * The views of configurations of the same account that are judged on their own, such as those of other stages. `unread`: the account has
   * more configurations that were not read, such as other stacks of a workspace.
   */
  besides?: readonly View[] | 'unread';
  /**
   * Only in the view of an account after a plan: the view before the plan. The facts that the account reports describe that earlier state.
   */
  before?: View;
  /** What `readMore` of the provider has read in addition, for the provider's own checks. */
  more?: unknown;
}

/** The account before and after a plan. */
export interface PlanViews {
  before: View;
  after: View;
}

/** How bad a finding is. `error`: it cannot work; `warning`: it harms; `note`: it could be safer. */
export type FindingSeverity = 'error' | 'warning' | 'note';

/** A problem that a check is sure of. Commands print it as a diagnostic, and a plan says whether it is new, unchanged or fixed. */
export interface Finding {
  /** As in `firewall/unreachable`; docs/troubleshooting.md explains it. */
  code: string;
  severity: FindingSeverity;
  /** The problem and its cause. It quotes no secret. */
  message: string;
  /** What to do. Never something dangerous. */
  hint?: string;
  /** The object to change. */
  address: Address;
  /** The field to change, as a dotted path. */
  path?: string;
  /** Fields that hold a secret in clear: no report shows their values, or quotes their lines. */
  secrets?: readonly { address: Address; path: string }[];
  /** Other objects that take part, each with its role: `{ message: 'the rule above it', address }`. */
  related?: { message: string; address: Address; path?: string }[];
  /** Distinguishes several findings with one code about one object, such as the source of a redirect. Equal before and after a plan. */
  subject?: string;
}

/** Finds valid and harmful configuration: one mistake, or several related ones. */
export interface Check {
  /** The codes of its findings. */
  codes: readonly string[];
  /**
   * Returns all its findings in a view. Takes time in proportion to the number of objects, except within small groups such as the rules of
   * one firewall.
   */
  find(view: View): Iterable<Finding>;
}

/** The parts of a planned change that checks read. */
export interface ViewedChange {
  address: Address;
  kind: string;
  parent: Address | undefined;
  action: string;
  /** The dotted paths of the fields that certainly change in the account. */
  paths: readonly string[];
  /** Its fields in the account before the change; undefined for a new object. */
  before: Fields | undefined;
  /** True if it only reverts a change that was made outside, so that the account is again as the last run left it. */
  onlyUndoesDrift: boolean;
}

/** A plan as a `ChangeCheck` sees it. */
export interface ViewedChanges {
  changes: readonly ViewedChange[];
  /** The actions that follow the plan: `{ action: 'redeploy', about: 'projects/web' }`. */
  actions: readonly { action: string; about: Address }[];
}

/** Checks that look at the same kinds. They are loaded only if a view has an object of these kinds, so that other commands start faster. */
export interface CheckGroup {
  /** The kinds without whose objects the checks find nothing. */
  kinds: readonly string[];
  load(): Promise<readonly Check[]>;
}

/** Finds changes of a plan that need something else to take effect, such as a deployment. */
export interface ChangeCheck {
  codes: readonly string[];
  /** Returns all its findings about the changes. `after`: the account after the plan. */
  find(changes: ViewedChanges, after: View): Iterable<Finding>;
}

/** What a provider knows about the effects of configurations on its platform: checks for harmful ones, and the trace of a request. */
export interface Meaning {
  checks: readonly CheckGroup[];
  loadChangeCheck(): Promise<ChangeCheck>;
  /**
   * Reads parts of the account that planning does not read, if only these parts decide whether the changes of a plan do harm. Returns the
   * views with them (`more`). Sends few requests at most, and none for other plans. Returns the views unchanged if a read fails.
   */
  readMore?(views: PlanViews, changes: readonly ViewedChange[], send: Send): Promise<PlanViews>;
  /** Loads the code that says what happens to a request of a visitor, as data, for tests of configurations. */
  loadRequestAnswer(): Promise<(view: View, request: VisitorRequest) => RequestAnswer>;
  /** Loads the code that says which records a DNS name has, for tests of configurations. */
  loadNameAnswer(): Promise<(view: View, name: string, type: string) => NameAnswer>;
  /** Loads the code that follows a request of a visitor, for `trueup trace`. */
  loadTrace(): Promise<(view: View, request: VisitorRequest) => Trace>;
  /**
   * The kinds that decide what happens to a request of a visitor. Only their objects are read again after a request of a rehearsed apply.
   */
  visitorKinds: readonly string[];
  /**
   * The kinds of `visitorKinds` that say which project answers for a host. An apply can give a new project a host that visitors already use.
   */
  hostKinds: readonly string[];
  /**
   * Loads the code that judges what visitors meet while an apply changes an account, for rehearsals. `way`: a view of the account before
   * the apply, then one after each of its requests. `src/model/way.ts` has the terms.
   */
  loadWayJudge(): Promise<(way: readonly View[]) => WayJudgement>;
}

/** Returns the codes of all findings of a platform, sorted, to check the names in `findings:` and in guards. */
export async function findingCodes({ checks, loadChangeCheck }: Meaning): Promise<string[]> {
  const loaded = await Promise.all(checks.map((group) => group.load()));
  return [...loaded.flat(), await loadChangeCheck()].flatMap(({ codes }) => codes).sort();
}
