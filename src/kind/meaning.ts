/*
 * The contract between the checks of a provider and the commands that run them. A check finds configuration that is valid and harmful, such as a
 * redirect loop. It is a pure function of a view: the objects of one account at one moment.
 *
 *   | view                | objects                                                            | made for                        |
 *   | ------------------- | ------------------------------------------------------------------ | ------------------------------- |
 *   | configuration       | the declared ones                                                  | `validate`                      |
 *   | account, before     | the live ones that a plan has read                                 | `plan`: what was wrong already  |
 *   | account, after      | the live ones with the changes of the plan applied                 | `plan`: what the plan causes    |
 *
 * A finding says that something is wrong for sure. A check that cannot decide is silent: `unknown` never becomes a finding.
 */
import type { Address } from '../model/address.ts';
import type { Send } from '../model/request.ts';
import type { Trace, Verdict, VisitorRequest } from '../model/trace.ts';
import type { Fields } from '../model/value.ts';

export type { Trace, TraceStep, Verdict, VisitorRequest } from '../model/trace.ts';

/** Returns `yes` for true and `no` for false. */
export const verdictOf = (isTrue: boolean): Verdict => (isTrue ? 'yes' : 'no');

/** Returns whether all of several questions are answered by yes: `no` as soon as one is, otherwise `unknown` if one is. `yes` for none. */
export function allOf(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = 'yes';
  for (const verdict of verdicts) {
    if (verdict === 'no') return 'no';
    if (verdict === 'unknown') result = 'unknown';
  }
  return result;
}

/** Returns whether any of several questions is answered by yes: `yes` as soon as one is, otherwise `unknown` if one is. `no` for none. */
export function anyOf(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = 'no';
  for (const verdict of verdicts) {
    if (verdict === 'yes') return 'yes';
    if (verdict === 'unknown') result = 'unknown';
  }
  return result;
}

/** Returns the answer to the opposite question. */
export const negate = (verdict: Verdict): Verdict =>
  verdict === 'unknown' ? verdict : verdict === 'yes' ? 'no' : 'yes';

/** An object of a view. */
export interface ViewedObject {
  address: Address;
  kind: string;
  parent: Address | undefined;
  /**
   * Its fields in the normal form of its kind: the declared ones, and in a view of an account also the live ones that the configuration does not
   * state. Values can be holes (known after an apply) or sealed secrets: a check treats both as unknown, and never opens a secret.
   */
  fields: Fields;
  /** True if a configuration declares it, also with `$existing`. */
  isDeclared: boolean;
  /** What the account says about it beside its fields (`read.facts` of its kind). Absent in the view of a configuration, and for a new object. */
  facts?: Record<string, unknown> | undefined;
  /**
   * In a view of several configurations, the number of the one that declares it: how the platform orders the items of one list that several
   * configurations declare is not known then. Otherwise absent.
   */
  configuration?: number | undefined;
}

/** What a view knows about a collection, the objects of a kind under a parent. `declared`: the account may have more objects. */
export type Knowledge = 'all' | 'declared' | 'nothing';

/** The objects that checks look at. All lookups take constant time. */
export interface View {
  /** Returns all objects of a kind, sorted by parent, those of one parent in the order in which the platform applies them. */
  ofKind(kind: string): readonly ViewedObject[];
  /** Returns the objects of a kind under a parent, in the order in which the platform applies them. */
  under(parent: Address, kind: string): readonly ViewedObject[];
  /** Returns the object at an address; undefined if the view has none. */
  at(address: Address): ViewedObject | undefined;
  /**
   * Returns what the objects under a parent that nobody can declare, such as the platform's own, say about themselves (`read.facts` of their kind);
   * undefined for a collection that a plan has not read. Absent in the view of a configuration, where it is unknown.
   */
  undeclarable?(parent: Address, kind: string): readonly Record<string, unknown>[] | undefined;
  /**
   * Returns what the view knows about the objects of a kind: under a parent, or without one about those of the whole account. In the view of
   * a configuration it is `declared` if the configuration owns the parent (or, without a parent, has an object of the kind), else `nothing`.
   */
  knows(kind: string, parent?: Address): Knowledge;
  /**
   * The views of configurations of the same account that are judged on their own, such as those of other stages. `unread`: the account has more
   * configurations, which were not read, such as other stacks of a workspace.
   */
  besides?: readonly View[] | 'unread';
  /** In the view of an account after a plan, the view before it: what the account shows is about that. */
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

/** Something that is wrong for sure, found by a check. */
export interface Finding {
  /** As in `firewall/unreachable`; docs/troubleshooting.md explains it. */
  code: string;
  severity: FindingSeverity;
  /** What is wrong, and why. It quotes no secret. */
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

/** A rule about configurations. */
export interface Check {
  /** The codes of its findings. */
  codes: readonly string[];
  /** Returns everything that it finds in a view. Linear in the number of objects, apart from small groups such as the rules of one firewall. */
  find(view: View): Iterable<Finding>;
}

/** A change of a plan, as far as checks need it. */
export interface ViewedChange {
  address: Address;
  kind: string;
  parent: Address | undefined;
  action: string;
  /** The dotted paths of the fields that certainly change in the account. */
  paths: readonly string[];
  /** Its fields in the account before the change; undefined for a new object. */
  before: Fields | undefined;
  /** True if it takes nothing but a change made outside back, so that the account is as the last run left it. */
  onlyUndoesDrift: boolean;
}

/** The changes of a plan, for checks of what they need to take effect. */
export interface ViewedChanges {
  changes: readonly ViewedChange[];
  /** The actions that follow the plan: `{ action: 'redeploy', about: 'projects/web' }`. */
  actions: readonly { action: string; about: Address }[];
}

/** Checks of the same objects. They are loaded only if a view has such objects, so that other commands start as fast as before. */
export interface CheckGroup {
  /** The kinds without whose objects the checks find nothing. */
  kinds: readonly string[];
  load(): Promise<readonly Check[]>;
}

/** A rule about the changes of a plan: they need something else to take effect, such as a deployment. */
export interface ChangeCheck {
  codes: readonly string[];
  /** Returns everything that it finds. `after`: the account after the plan. */
  find(changes: ViewedChanges, after: View): Iterable<Finding>;
}

/** The semantics of a platform. */
export interface Meaning {
  checks: readonly CheckGroup[];
  loadChangeCheck(): Promise<ChangeCheck>;
  /**
   * Reads parts of the account that a plan leaves out, if only they decide whether its changes do harm, and returns the views with them (`more`). It sends
   * nothing for other plans, and few requests at most. If a read fails, it returns the views as they are.
   */
  readMore?(views: PlanViews, changes: readonly ViewedChange[], send: Send): Promise<PlanViews>;
  /** Loads the function that returns what happens to a request of a visitor, for `trueup trace`. */
  loadTrace(): Promise<(view: View, request: VisitorRequest) => Trace>;
}

/** Returns the codes of all findings of a platform, sorted, to check the names in `findings:` and in guards. */
export async function findingCodes({ checks, loadChangeCheck }: Meaning): Promise<string[]> {
  const loaded = await Promise.all(checks.map((group) => group.load()));
  return [...loaded.flat(), await loadChangeCheck()].flatMap(({ codes }) => codes).sort();
}
