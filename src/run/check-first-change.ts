/*
 * Checks that the account keeps the canary of a plan: the change that a run does first on an account that is new to its ledger. All other
 * changes wait for this check, so that a wrong assumption about the account spoils one object at most.
 */
import type { Kinds } from '../kind/kind.ts';
import { kindWith } from '../kind/load-on-use.ts';
import type { LeaseClock } from '../ledger/keep-lease.ts';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change, type FieldChange, isHiddenSide } from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { canaryOperation, type Plan } from '../model/plan.ts';
import type { Send } from '../model/request.ts';
import { type CollectionId, collectionId, type Live, type Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import { isRef, refsIn, type Value } from '../model/value.ts';
import { createRefresh } from '../observe/refresh.ts';
import type { PlanInput } from '../plan/input.ts';
import { plan } from '../plan/plan.ts';
import { findUnkeptWrites } from '../plan/unkept-writes.ts';
import type { PlannedRun } from './plan-run.ts';

/** A canary is only read a second time if it costs at most so many additional requests in all. */
const maxRequests = 2;

/** A canary that the account does not show as it was sent, or that could not be read. */
interface FailedCanary {
  error: Error;
  /** The digests of what the account shows instead, for the ledger, by address; see `unkept-writes.ts`. */
  memories: ReturnType<typeof findUnkeptWrites>;
}

/** Reads a canary after it was sent. Returns undefined if the account kept it. `ledger`: the ledger after the canary. */
export type CheckCanary = (ledger: Ledger) => Promise<FailedCanary | undefined>;

interface CanaryOptions {
  planned: Pick<PlannedRun, 'plan' | 'live' | 'input' | 'aliases'>;
  /** Only used for reads. */
  send: Send;
  clock: Pick<LeaseClock, 'sleep'>;
  /** Milliseconds that the platform may take to show a write; 0: the canary is read only once. */
  settle: number;
  /** Once aborted, the check does not wait any more: a canary that may only be shown late counts as unread. */
  stop: AbortSignal;
  /** Shows a message to the user. */
  say(text: string): void;
}

/**
 * Creates the error that stops an apply after its canary: the one harmless change that is sent first to an account that
 * was never applied to. `hint` tells the user what to do.
 */
const createCanaryError = (code: string, message: string, hint: string): Error =>
  Object.assign(
    new Error(`the platform accepted this first change, but ${message}. Nothing else was changed`),
    {
      code,
      hint,
    },
  );

/**
 * Returns the check that a run does after its canary: the change that it sends alone before all others, if the account is new to its
 * ledger. It reads the canary again, a second time if the platform may be late, and plans only the canary. The check returns undefined if
 * that plan sends nothing more, so that the run goes on. Otherwise it returns the error that ends the run: not kept, or unread if no
 * reading could decide. Throws only if a rate limit stops a reading.
 */
export function canaryCheck(options: CanaryOptions): CheckCanary {
  const { planned, clock, settle, stop, say } = options;
  const { input, plan: fullPlan } = planned;
  const { kinds, key } = input;
  const addresses = canaryOperation(fullPlan)!.changes;
  const changes = fullPlan.changes.filter(({ address }) => addresses.includes(address));
  const name = addressWithoutTarget(changes[0]!.address);
  return async (ledger) => {
    const canaryInput = inputForCanary(changes, { ...input, ledger });
    const firstReading = await readCanary(changes, canaryInput, options);
    const nextStep = stepAfterFirstReading(changes, firstReading, options);
    if (nextStep === 'give up') return createUnreadFailure('the account does not show it yet');
    if (nextStep === 'read again' && !stop.aborted) {
      say(`The account does not show ${name} as sent yet; reading it again in ${settle / 1000} s.`);
      await clock.sleep(settle, stop).catch(() => {});
    }
    if (nextStep === 'read again' && stop.aborted) return createUnreadFailure('the run was stopped');
    const lastReading =
      nextStep === 'decide' ? firstReading : await readCanary(changes, canaryInput, options);
    const failure = findCanaryFailure(changes, lastReading, { kinds, ledger, key });
    if (!failure) say(`First contact: the account shows ${name} as sent.`);
    return failure;
  };
}

/**
 * Returns how the check of the canary (the change that a first apply sends alone, as a test) goes on after its first reading. `decide`:
 * that reading proves whether the account kept the canary. `read again`: the platform may only be late. `give up`: it may be late, but a
 * second reading would exceed `maxRequests`. Values that are neither the sent ones nor those before then count as not kept (`decide`).
 */
function stepAfterFirstReading(
  changes: readonly Change[],
  { live, plan, requests }: CanaryReading,
  { planned, settle }: CanaryOptions,
): 'decide' | 'read again' | 'give up' {
  const addresses = changes.map(({ address }) => address);
  const mayBeLate = settle > 0 && live.unreadable.size === 0 && !isKept(plan, addresses);
  if (!mayBeLate) return 'decide';
  // A canary that was split from a batch took a request of its own.
  const writeRequests = planned.plan.firstContact?.isSplit ? 1 : 0;
  // The second reading takes as many requests as the first.
  if (writeRequests + 2 * requests <= maxRequests) return 'read again';
  return isAsBefore(plan, changes) ? 'give up' : 'decide';
}

/**
 * Returns why a reading does not show that the account kept the canary (the change that a first apply sends alone, as a test); undefined if
 * it does. Throws if a rate limit stopped the reading. `ledger`: the ledger after the canary. The failure also has digests of the values
 * that the account shows instead (`memories`), for the ledger.
 */
function findCanaryFailure(
  changes: readonly Change[],
  { plan, live, lastError }: CanaryReading,
  { kinds, ledger, key }: Pick<PlanInput, 'kinds' | 'ledger' | 'key'>,
): FailedCanary | undefined {
  const readFailure = live.unreadable.get(collectionOfCanary(changes));
  if (readFailure && (lastError as { rateLimit?: unknown } | undefined)?.rateLimit) throw lastError;
  if (readFailure) return createUnreadFailure(readFailure.why);
  const addresses = changes.map(({ address }) => address);
  if (isKept(plan, addresses)) return undefined;
  return {
    error: canaryNotKeptError(plan, changes),
    memories: findUnkeptWrites({ changes: [...changes] }, { plan, live, kinds, ledger, key }),
  };
}

/** Returns the failure of a canary (the change that a first apply sends alone) that could not be read again. */
const createUnreadFailure = (why: string): FailedCanary => ({
  error: canaryUnreadError(why),
  memories: new Map(),
});

/** Returns the collection (the objects of one kind under one parent) in which all changes of the canary are. */
const collectionOfCanary = (changes: readonly Change[]): CollectionId =>
  collectionId(changes[0]!.kind, changes[0]!.parent);

/** A fresh reading of the canary, and the plan for the canary alone that was made from it. */
interface CanaryReading {
  live: Live;
  plan: Plan;
  /** The number of requests that it took. */
  requests: number;
  /** The last error of a request. */
  lastError: unknown;
}

/**
 * Reads the objects of the canary (the change that a first apply sends alone, as a test) again, one by one if the platform can do that, and
 * plans only the canary, to see whether the account kept it. `canaryInput`: the input of that plan, from `inputForCanary`. Also returns the
 * number of requests, and the last error of a read.
 */
async function readCanary(
  changes: readonly Change[],
  canaryInput: PlanInput,
  { planned: { live: before, aliases, input, plan: fullPlan }, send }: CanaryOptions,
): Promise<CanaryReading> {
  const collection = collectionOfCanary(changes);
  let requests = 0;
  let lastError: unknown;
  const countingSend: Send = (request) => {
    requests++;
    return send(request).catch((error) => {
      lastError = error;
      throw error;
    });
  };
  const { desired, ledger, facts, key } = canaryInput;
  const kinds = readObjectsOneByOne(changes[0]!.kind, input.kinds);
  const refresh = createRefresh({ desired, ledger, facts, key, aliases, before, send: countingSend, kinds });
  const live = await refresh([collection]);
  const planNow = plan({ ...canaryInput, live: relevantLive(canaryInput, collection, live, fullPlan) });
  return { live, plan: planNow, requests, lastError };
}

/**
 * Returns the planning input reduced to the canary (the change that a first apply sends alone, as a test):
 * its changes and the objects that they need. Used to plan the canary again after it was sent, without the
 * cost of planning the whole stack.
 */
function inputForCanary(changes: readonly Change[], input: PlanInput): PlanInput {
  const { desired, ledger, options = {} } = input;
  const needed = new Set(changes.flatMap(({ address, needs = [] }) => [address, ...needs]));
  // Addresses that are added while the loop runs are visited, too.
  for (const address of needed)
    for (const otherAddress of addressesNeededByResource(desired.resources.get(address)))
      needed.add(otherAddress);
  const entries = Object.entries(ledger.entries).filter(([address]) => needed.has(address));
  // These members are about unfinished work and orders of all objects, and this plan leaves most objects out.
  const { begun: _, staged: __, orders: ___, ...otherMembers } = ledger;
  return {
    ...input,
    desired: {
      ...desired,
      resources: new Map([...desired.resources].filter(([address]) => needed.has(address))),
    },
    ledger: { ...otherMembers, entries: Object.fromEntries(entries) },
    options: { allow: options.allow ?? [] },
    otherStacks: [],
  };
}

/**
 * Returns the addresses of a resource's parent and of the resources whose attributes it uses. The plan of the canary
 * alone needs them, too.
 */
const addressesNeededByResource = (resource: Resource | undefined): Address[] =>
  resource === undefined
    ? []
    : [...(resource.parent === undefined ? [] : [resource.parent]), ...refsIn(resource.fields)];

/**
 * Returns a reading of the account with only the objects that matter for the plan of the canary (the change that a
 * first apply sends alone): those of its collection, which were just read again, and those that `canaryInput` declares,
 * which are the canary and the objects that it needs. For that plan nothing else is declared or recorded, so it would
 * treat all other objects of the account as unmanaged. An object without a natural key, such as a webhook, is live under another address
 * than it is declared: the full plan has its id.
 */
function relevantLive(
  canaryInput: PlanInput,
  collection: CollectionId,
  live: Live,
  fullPlan: Pick<Plan, 'changes'>,
): Live {
  const declared = canaryInput.desired.resources;
  const declaredObjects = new Set(
    fullPlan.changes.filter(({ address }) => declared.has(address)).map(({ kind, id }) => `${kind} ${id}`),
  );
  const resources = [...live.resources].filter(
    ([address, { kind, parent, id }]) =>
      collectionId(kind, parent) === collection ||
      declared.has(address) ||
      declaredObjects.has(`${kind} ${id}`),
  );
  return { ...live, resources: new Map(resources) };
}

/**
 * Returns the kinds, with one changed so that its objects are read one by one instead of from a list. Used to
 * check the canary (the change that a first apply sends alone), because a list may be long or may show a
 * write late. Kinds that the platform only lists stay as they are.
 */
function readObjectsOneByOne(name: string, kinds: Kinds): Kinds {
  const kind = kinds.get(name)!;
  if (!kind.read.single) return kinds;
  return new Map([...kinds, [name, kindWith(kind, { read: { ...kind.read, endpoint: undefined } })]]);
}

/**
 * True if a plan made from a fresh reading still knows these addresses and has nothing more to send for them. Then the account kept the
 * canary (the change that a first apply sends alone), and the run goes on.
 */
const isKept = ({ changes, operations }: Plan, addresses: readonly Address[]): boolean =>
  addresses.every(
    (address) =>
      changes.some((change) => change.address === address) &&
      !operations.some((operation) => operation.changes.includes(address)),
  );

/**
 * True if a fresh reading shows these objects as they were before the canary (the change that a first apply sends alone, as a test), except
 * for fields that have the sent values already. Then the platform may only be late in showing the write, so the run must not report that
 * it was not kept. `planNow`: the plan from the fresh reading.
 */
const isAsBefore = (planNow: Plan, changes: readonly Change[]): boolean =>
  changes.every(({ address, fields, before }) => {
    const currentChange = planNow.changes.find((change) => change.address === address);
    const hadObject = before !== undefined;
    const hasObject = currentChange?.before !== undefined;
    if (!hadObject || !hasObject) return hadObject === hasObject;
    const liveValueOf = ({ before }: FieldChange) => canonicalJson(revealed(before) ?? null);
    const valuesBefore = new Map(fields.map((field) => [field.path, liveValueOf(field)]));
    // A field with the sent value is not in the new change.
    return currentChange.fields.every((field) => valuesBefore.get(field.path) === liveValueOf(field));
  });

const notKeptHint =
  'run `trueup plan` to see the difference, and report it if the configuration is right. --no-canary applies the rest without this check, `trueup undo RUN` takes this change back; `trueup explain canary/not-kept` says more';

/**
 * Returns the error of a canary (the change that a first apply sends alone, as a test) that the account did not keep. It names the fields
 * with other values if all objects of the canary were found; otherwise it says that a fresh read does not show it. The first parameter is
 * the fresh plan; `plannedChanges` are the changes of the canary in the full plan.
 */
function canaryNotKeptError({ changes }: Plan, plannedChanges: readonly Change[]): Error {
  const canaryChanges = changes.filter(({ address }) =>
    plannedChanges.some((change) => change.address === address),
  );
  const fields = canaryChanges.flatMap((change) => change.fields.filter(asksForWrite));
  // A finding of the full plan can mark a field as secret. The fresh plan, for the canary alone, does not do that.
  const secretFields = plannedChanges.flatMap((change) => change.fields.filter(({ secret }) => secret));
  const secretPaths = new Set(secretFields.map(({ path }) => path));
  // Several objects of the canary can differ in the same field. It is named once.
  const fieldByPath = new Map(fields.map((field) => [field.path, field]));
  const differences = [...fieldByPath.values()].map((field) =>
    formatFieldDifference(secretPaths.has(field.path) ? { ...field, secret: true } : field),
  );
  const isShown = canaryChanges.length > 0 && canaryChanges.every(({ before }) => before !== undefined);
  const observation =
    isShown && differences.length > 0
      ? `a fresh read shows other values: ${differences.join('; ')}`
      : 'a fresh read does not show it';
  return createCanaryError('canary/not-kept', observation, notKeptHint);
}

/**
 * Returns the error of a canary (the change that a first apply sends alone, as a test) that could not be read
 * again. The run stops then, because it cannot know whether its writes have the planned effect.
 */
const canaryUnreadError = (why: string): Error =>
  createCanaryError(
    'canary/unread',
    `it could not be read back: ${why}`,
    'run it again: the next plan reads it first. --no-canary applies everything without this check; `trueup explain canary/unread` says more',
  );

/** Formats a field whose live value is not the applied one, for the error that stops a first apply. */
const formatFieldDifference = (field: FieldChange): string =>
  `\`${field.path}\` should be ${formatSide(field, field.after)}, but is ${formatSide(field, field.before)}`;

const maxShownValueLength = 80;

/**
 * Formats one side of a field, the desired or the live value, for the message that the account did not keep
 * the canary (the change that a first apply sends alone). Secrets are hidden and long values are cut.
 */
function formatSide(field: FieldChange, value: Value | undefined): string {
  if (isHiddenSide(field, value)) return '(secret)';
  if (value === undefined || value === null) return 'not set';
  if (isRef(value)) return value.$ref;
  const text = JSON.stringify(value);
  return text.length > maxShownValueLength ? `${text.slice(0, maxShownValueLength)}...` : text;
}
