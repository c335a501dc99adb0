import type { Address } from './address.ts';
import { type Change, createsObject } from './change.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { NotCompared } from './not-compared.ts';
import { isOpenAction, type PlannedAction } from './planned-action.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { Endpoint, Method, Request } from './request.ts';

/** Requests that belong together, in order. Operations are scheduled and reported as a whole. */
export interface Operation {
  /** Stable within a plan: kind, verb and address. */
  id: string;
  kind: string;
  parent?: Address;
  /** The addresses whose changes this operation carries out. */
  changes: Address[];
  requests: Request[];
  dependsOn: string[];
  /**
   * Ids of operations whose `reserved` requests must have room in the rate limits before this operation deletes
   * anything.
   */
  reserves?: string[];
}

/** Counts for the summary line and the JSON document. */
export interface Summary {
  create: number;
  adopt: number;
  /** The adoptions that also change the object; `adopt` counts them, too. */
  adoptAndUpdate: number;
  update: number;
  replace: number;
  delete: number;
  move: number;
  release: number;
  noop: number;
  /** The changes that only renew what the ledger remembers; no other number counts them. */
  renew: number;
  /** Objects of the account that no stack manages. */
  unmanaged: number;
  /** Objects of the account that other stacks manage. */
  ofOtherStacks: number;
  /** Objects that were not compared with the account. */
  notCompared: number;
  /** Secrets that were not compared. */
  secretsNotCompared: number;
}

/** The owner of the account, for people. */
export interface Account {
  type: 'team' | 'personal';
  name: string;
  /** The URL of the API, if it is not the platform's usual one. */
  baseUrl?: string;
}

/** The source of a secret or a variable in the configuration. No value. */
export interface PlanSource {
  /** `secret database`, `variable region`, `field value of projects/web/env/TOKEN`. */
  name: string;
  /** `env DATABASE_URL`, `file secrets/db.txt`, `command op read op://deploy/db`, `field secret of projects/web/protectionBypass/e2e`. */
  source: string;
  /** Set if the source is not the one of the last apply. */
  since?: 'new' | 'changed';
  /** The source at the last apply. */
  before?: string;
}

/** A declared object that is not ready yet, or will not be right after its creation. That is no change. */
export interface PlanWait {
  address: Address;
  /** A phrase for people. */
  why: string;
  /** The time that an apply waits for it. */
  minutes?: number;
  /** It will not be ready by waiting. */
  failed?: true;
}

/** The person behind a change outside, as far as the platform tells; a missing name proves nothing. */
export interface DriftSource {
  address: Address;
  /** The name of a person, an app or the platform itself. */
  who: string;
  /** ISO 8601, UTC. */
  when: string;
  /** The words of the platform for the tool that made the change: `token`, `dashboard`, the name of an app. */
  through?: string;
}

/** The operator's guards that judged a plan. The configuration cannot change them. */
export interface PlanGuards {
  /** The file of guards, as it was named, and a digest of its text. */
  file?: string;
  digest?: string;
  /** The programs that judged the plan, as commands. */
  checks?: string[];
  verdict: 'allowed' | 'refused';
}

/** The beginning of the first apply of a ledger on an account. */
export interface FirstContact {
  /** The change that is done first and checked by a fresh read, by its first address; absent if no change is harmless. */
  firstChange?: Address;
  /** It takes one request more than usual, which would otherwise be part of a batch. */
  isSplit?: true;
}

/** A live object that a stack does not own. */
export interface UnmanagedObject {
  kind: string;
  address: Address;
  id: string;
  /** Another stack owns it, or declares it in a plan of the same command. Reports do not count it as unmanaged. */
  isOfOtherStack?: true | undefined;
}

/** An object that counts for limits on deletions. */
export interface DeletedObject {
  address: Address;
  kind: string;
  /** The addresses of further units that people count as the same object: a variable in other targets. */
  otherUnits?: Address[] | undefined;
  /** The address of the deletion that deletes it: its own, or that of the container around it. Absent if it is replaced or recreated. */
  cause?: Address | undefined;
}

/** The order of a list in which order decides, before and after a plan, with the objects that are not declared. */
export interface PlannedList {
  kind: string;
  parent?: Address | undefined;
  before: Address[];
  after: Address[];
}

/** The result of planning, as plain data: differences, requests, problems. */
export interface Plan {
  stack: string;
  account?: Account;
  complete: boolean;
  /** True if `--target` or `--exclude` selects a part of the stack. */
  isNarrowed?: true;
  changes: Change[];
  /**
   * The objects that count for limits on deletions: those that this plan deletes or replaces, those inside deleted
   * ones, lost parts of objects that stay, and those that it creates again because somebody deleted them or because
   * they are in a replaced one. Absent if there are none, or if they are unknown, as for a saved plan.
   */
  deletedObjects?: DeletedObject[];
  /** The addresses that other names of objects make, for guards. Not part of the approval. */
  otherAddresses?: Readonly<Record<Address, readonly Address[]>> | undefined;
  /** The units that joined rows of ours outside, selected or not: the ledger must not learn them as known targets. */
  joinedUnits?: Address[];
  operations: Operation[];
  /** Absent unless this is the first contact with the account and several changes are sent. */
  firstContact?: FirstContact;
  /** The actions that come last: asked for by `$then`, or owed by an earlier run. Absent if there are none. */
  actions?: PlannedAction[];
  /** The lists in which order decides, such as firewall rules. Absent if there are none. */
  lists?: PlannedList[];
  /** The findings that the account has and that the changes remove; `diagnostics` has those that remain. Absent if there are none. */
  fixedFindings?: Diagnostic[];
  /** The findings that `findings:` of the configuration turns off, new and unchanged ones. Absent if there are none. */
  suppressedFindings?: Diagnostic[];
  /** The objects and secrets that could not be compared with the account, by cause; absent if all were compared. */
  notCompared?: NotCompared[];
  /** Live objects that this stack does not own: never changed, only counted. */
  unmanaged: UnmanagedObject[];
  /**
   * Kinds with a collection in the state `partial` (see `Live`), so that the number of their unmanaged objects is unknown. `unlisted` in
   * JSON.
   */
  partialKinds?: string[];
  /** By address; absent if nothing has to be waited for. Not part of the approval: it may be ready by now. */
  waiting?: PlanWait[];
  /** The authors of changes outside since the last apply, by address. Not part of the approval. */
  changedBy?: DriftSource[];
  /** The objects that other stacks create first; afterwards this is planned again. */
  awaits?: { address: Address; stack: string }[];
  diagnostics: Diagnostic[];
  /** The guards that judged it; their refusals are among the diagnostics. Not part of the approval: the plan is judged again. */
  guards?: PlanGuards;
  /** By name. Absent if no source is read. */
  sources?: PlanSource[];
  /** The result of applying it to a twin (`plan --rehearse`). Not part of the approval. */
  rehearsal?: Rehearsal;
  /** The reads of the plan and of its apply; absent if unknown, as in a saved plan. Not part of the approval. */
  reads?: PlanReads;
}

/** Numbers of requests by endpoint, with placeholders in its path. */
export type RequestCounts = ReadonlyMap<Endpoint, number>;

/** The reads of a plan, for its forecast. */
interface PlanReads {
  /** The number of requests that planning took. */
  sent: number;
  /** The reads that an apply sends: it plans again, and reads lists again before it changes them. */
  ofApply: RequestCounts;
}

/** Returns the sum of counted requests, for example for `Read with 28 requests.` */
export const totalOf = (counts: RequestCounts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** True if applying a plan would do nothing, not even to the ledger. */
export const isEmpty = ({ changes, operations, actions = [] }: Plan): boolean =>
  operations.length === 0 &&
  changes.every(({ action }) => action === 'noop') &&
  actions.every(({ state }) => state === 'left');

/**
 * Returns the canary: the operation that a first apply to an account does and checks before all others, the one with the change that the
 * plan has chosen for that (`firstContact.firstChange`). Undefined if the plan has none.
 */
export const canaryOperation = ({
  operations,
  firstContact,
}: Pick<Plan, 'operations' | 'firstContact'>): Operation | undefined =>
  firstContact?.firstChange === undefined
    ? undefined
    : operations.find(({ changes }) => changes.includes(firstContact.firstChange!));

/**
 * True if an apply sends and adopts nothing: it would at most update the ledger. Reports show such a plan as unchanged,
 * and guards are not asked about it.
 */
export const asksForNothing = ({
  changes,
  operations,
  actions = [],
}: Pick<Plan, 'changes' | 'operations' | 'actions'>): boolean =>
  operations.length === 0 &&
  changes.every(({ action, changesLedgerOnly }) => action === 'noop' || changesLedgerOnly === true) &&
  !actions.some(isOpenAction);

/** Room in the platform's rate limits, reserved for later requests. */
export interface Quota {
  /**
   * Reserves one call of each endpoint, for requests that are `reserved` under this name: all or none. Waits for room
   * like a request, and throws the same errors.
   */
  reserve(name: string, endpoints: Endpoint[]): Promise<void>;
  /** Releases the reserved calls that were not used. */
  release(name: string): void;
  /** Announces to other runs with the same limits how many requests this run will send. */
  announce?(endpoints: Endpoint[]): void;
}

/**
 * True if somebody changed the subject of a change in the account: the object itself (`outside`: deleted, replaced or renamed it, for
 * example), its place in an ordered list, or a field (`conflict`: the configuration changed it, too), or created an object that
 * `$exclusive` deletes. Reports show these as drift. Differences without a recorded value never count, since their author is unknown.
 */
export const isDrift = ({ action, fields, outside, exclusive, position }: Change): boolean =>
  outside === true ||
  (exclusive === true && action === 'delete') ||
  position?.cause === 'drift' ||
  fields.some(({ cause }) => cause === 'drift' || cause === 'conflict');

/**
 * Returns the number of objects that somebody changed in the account since the last apply, which `plan` prints as drift. Changes made in
 * the configuration do not count. At least 1 if a value that cannot be read may have changed.
 */
export function driftCount({ changes, diagnostics }: Plan): number {
  // Of a value that cannot be read, a plan only sees that the object was written later (`writtenOutside`), and warns.
  const hasWarning = diagnostics.some(({ code }) => code === 'secret/changed-outside');
  const drifted = changes.filter(
    (change) => isDrift(change) || (hasWarning && change.writtenOutside === true),
  );
  const leastCount = hasWarning ? 1 : 0;
  return Math.max(drifted.length, leastCount);
}

/** True if any object was changed outside since the last apply. */
export const hasDrift = (plan: Plan): boolean => driftCount(plan) > 0;

/**
 * True if a change only reverts changes made in the account (to fields or to its place in an ordered list), or repeats values that the
 * platform did not keep: `$then` actions with `drift` run for it. False if it also sends an edit of the configuration, or sends nothing.
 */
function onlyReverts({ fields, position }: Change): boolean {
  // The ledger takes over a live value (`recorded`) or gives a field up (`released`) without a request.
  const sent = fields.filter(({ cause }) => cause !== 'recorded' && cause !== 'released');
  const isMoved = position?.cause !== undefined;
  const fieldsAreReverted = sent.every(({ cause, notKept }) => cause === 'drift' || notKept === true);
  const isMovedBack = position?.cause === 'drift' || position?.cause === 'not-kept';
  return (sent.length > 0 || isMoved) && fieldsAreReverted && (!isMoved || isMovedBack);
}

/**
 * True if a change only reverts changes made in the account, so that the account is as the last run left it again. Such a change needs no
 * follow-up, such as a deployment.
 */
export const onlyUndoesDrift = (change: Change): boolean =>
  onlyReverts(change) || (isDrift(change) && (createsObject(change) || change.action === 'delete'));

/**
 * True if the operations of a replacement create the new object before they delete the old one. Plans show this order,
 * because the object is then never missing. The requests of the kind decide it.
 */
export function createsFirst(operations: Operation[]): boolean {
  const findByMethod = (method: Method) =>
    operations.find(({ requests }) => requests.some(({ endpoint }) => endpoint.startsWith(method)));
  const creation = findByMethod('POST');
  const deletion = findByMethod('DELETE');
  if (!creation || !deletion) return false;
  if (creation !== deletion) return deletion.dependsOn.includes(creation.id);
  // One operation has both requests, in the order in which they are sent.
  const methods = creation.requests.map(({ endpoint }) => endpoint.split(' ', 1)[0]);
  return methods.indexOf('POST') < methods.indexOf('DELETE');
}
