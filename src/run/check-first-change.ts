import type { Kinds } from '../kind/kind.ts';
import type { LeaseClock } from '../ledger/lease.ts';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change, type FieldChange, isHiddenSide } from '../model/change.ts';
import type { Ledger } from '../model/ledger.ts';
import { canaryOperation, type Plan } from '../model/plan.ts';
import type { Send } from '../model/request.ts';
import { type CollectionId, collectionId, type Live, type Resource } from '../model/resource.ts';
import { holesIn, isRef, type Value } from '../model/value.ts';
import { addressOfWhole } from '../model/wholes.ts';
import { refresher } from '../observe/refresh.ts';
import type { PlanInput } from '../plan/input.ts';
import { plan } from '../plan/plan.ts';
import { unkeptWrites } from '../plan/unkept-writes.ts';
import type { PlannedRun } from './open-plan.ts';

/** The most requests that a canary may cost beside those that are sent anyway. */
const mostRequests = 2;

/** A canary that the account does not show as it was sent. */
export interface FailedCanary {
  error: Error;
  /** What the ledger has to remember of it, by address; see `unkept-writes.ts`. */
  memories: ReturnType<typeof unkeptWrites>;
}

/** Reads a canary after it was sent. Returns undefined if the account kept it. `ledger`: as it is after the canary. */
export type CheckCanary = (ledger: Ledger) => Promise<FailedCanary | undefined>;

interface CanaryOptions {
  planned: Pick<PlannedRun, 'plan' | 'live' | 'input' | 'aliases'>;
  /** Reads only. */
  send: Send;
  clock: Pick<LeaseClock, 'sleep'>;
  /** Milliseconds that the platform may take to show a write; 0: it is read once. */
  settle: number;
  /** Once aborted, nothing is waited for any more. */
  stop: AbortSignal;
  /** Tells a person something meanwhile. */
  say(text: string): void;
}

/** An error that says what became of a canary, and what to do. */
class CanaryError extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/**
 * Makes the check of a plan's canary: reads only its collection again, and plans only the canary. The account did not keep the values that
 * this plan would send. If the first read does not show the change, the platform may be late: it is read once more after `settle`, unless
 * that would take too many requests. Throws the error of a read that has to wait for a rate limit.
 */
export function canaryCheck({ planned, send, clock, settle, stop, say }: CanaryOptions): CheckCanary {
  const { input, live, aliases, plan: done } = planned;
  const addresses = canaryOperation(done)!.changes;
  const changes = done.changes.filter(({ address }) => addresses.includes(address));
  const { address, kind, parent } = changes[0]!;
  const name = addressOfWhole(address);
  const collection = collectionId(kind, parent);
  return async (ledger) => {
    let requests = done.firstContact?.isSplit ? 1 : 0;
    let refusal: unknown;
    const counted: Send = (request) => {
      requests++;
      return send(request).catch((error) => {
        refusal = error;
        throw error;
      });
    };
    const canaryInput = onlyCanary(changes, { ...input, ledger });
    const { desired, facts, key } = canaryInput;
    const refresh = refresher({
      ...{ desired, ledger: canaryInput.ledger, facts, key, aliases, before: live, send: counted },
      kinds: readByItself(kind, input.kinds),
    });
    const look = async () => {
      const sentBefore = requests;
      refusal = undefined;
      const liveNow = await refresh([collection]);
      const after = plan({ ...canaryInput, live: onlyCollection(canaryInput, collection, liveNow) });
      return { liveNow, after, cost: requests - sentBefore };
    };
    let last = await look();
    const isLate = () => last.liveNow.unreadable.size === 0 && !isKept(last.after, addresses);
    if (isLate() && settle > 0 && requests + last.cost <= mostRequests && !stop.aborted) {
      say(`The account does not show ${name} as sent yet; reading it again in ${settle / 1000} s.`);
      await clock.sleep(settle, stop).catch(() => {});
      if (!stop.aborted) last = await look();
    }
    const { liveNow, after } = last;
    const unread = liveNow.unreadable.get(collection);
    if (unread && (refusal as { rateLimit?: unknown } | undefined)?.rateLimit) throw refusal;
    if (unread) return { error: unreadError(unread.why), memories: new Map() };
    if (!isKept(after, addresses))
      return {
        error: unkeptError(after, addresses),
        memories: unkeptWrites({ changes }, { plan: after, live: liveNow, kinds: input.kinds, ledger, key }),
      };
    say(`First contact: the account shows ${name} as sent.`);
    return undefined;
  };
}

/** The input of a plan of nothing but these changes and the objects that they need. */
function onlyCanary(changes: readonly Change[], input: PlanInput): PlanInput {
  const { desired, ledger, options = {} } = input;
  const needed = new Set(changes.flatMap(({ address, needs = [] }) => [address, ...needs]));
  // Addresses that are added while the loop runs are visited, too.
  for (const address of needed)
    for (const other of neededBy(desired.resources.get(address))) needed.add(other);
  const entries = Object.entries(ledger.entries).filter(([address]) => needed.has(address));
  const { begun: _, staged: __, orders: ___, ...known } = ledger;
  return {
    ...input,
    desired: {
      ...desired,
      resources: new Map([...desired.resources].filter(([address]) => needed.has(address))),
    },
    ledger: { ...known, entries: Object.fromEntries(entries) },
    options: { allow: options.allow ?? [] },
    otherStacks: [],
  };
}

/** The parent of a resource, and the resources whose attributes it takes. */
const neededBy = (resource: Resource | undefined): Address[] =>
  resource === undefined
    ? []
    : [
        ...(resource.parent === undefined ? [] : [resource.parent]),
        ...holesIn(resource.fields).flatMap((hole) => (isRef(hole) ? [hole.$ref] : [])),
      ];

/** The objects of one collection, and those that the configuration mentions. */
function onlyCollection({ desired }: PlanInput, collection: CollectionId, live: Live): Live {
  const resources = [...live.resources].filter(
    ([address, { kind, parent }]) =>
      collectionId(kind, parent) === collection || desired.resources.has(address),
  );
  return { ...live, resources: new Map(resources) };
}

/** The kinds, with one whose objects are read one by one if the platform can do that, and not by their list. */
function readByItself(name: string, kinds: Kinds): Kinds {
  const kind = kinds.get(name)!;
  if (!kind.read.single) return kinds;
  return new Map([...kinds, [name, { ...kind, read: { ...kind.read, endpoint: undefined } }]]);
}

/** True if a plan made of a fresh read compares all of these and sends nothing for any of them. */
const isKept = ({ changes, operations }: Plan, addresses: readonly Address[]): boolean =>
  addresses.every(
    (address) =>
      changes.some((change) => change.address === address) &&
      !operations.some((operation) => operation.changes.includes(address)),
  );

const next =
  'run `trueup plan` to see the difference, and report it if the configuration is right. --no-canary applies the rest without this check, `trueup undo RUN` takes this change back; `trueup explain canary/not-kept` says more';

function unkeptError({ changes }: Plan, addresses: readonly Address[]): Error {
  const unkept = changes.filter(({ address }) => addresses.includes(address));
  const fields = unkept.flatMap((change) => change.fields.filter(asksForWrite));
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const isShown = unkept.length > 0 && unkept.every(({ before }) => before !== undefined);
  const what =
    isShown && byPath.size > 0
      ? `a fresh read shows other values: ${[...byPath.values()].map(differenceOf).join('; ')}`
      : 'a fresh read does not show it';
  return new CanaryError(
    'canary/not-kept',
    `the platform accepted this first change, but ${what}. Nothing else was changed`,
    next,
  );
}

const unreadError = (why: string): Error =>
  new CanaryError(
    'canary/unread',
    `the platform accepted this first change, but it could not be read back: ${why}. Nothing else was changed`,
    'run it again: the next plan reads it first. --no-canary applies everything without this check; `trueup explain canary/unread` says more',
  );

const differenceOf = (field: FieldChange): string =>
  `\`${field.path}\` should be ${sideText(field, field.after)}, but is ${sideText(field, field.before)}`;

const longestValue = 80;

function sideText(field: FieldChange, value: Value | undefined): string {
  if (isHiddenSide(field, value)) return '(secret)';
  if (value === undefined || value === null) return 'not set';
  if (isRef(value)) return value.$ref;
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
}
