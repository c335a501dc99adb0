import { isEntryMadeOf } from '../kind/digests.ts';
import type { ItemOutcome, Kind, Refusal } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, StagedEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Masking } from '../model/masking.ts';
import type { Operation } from '../model/plan.ts';
import { isRead, type Request } from '../model/request.ts';
import {
  type CollectionId,
  groupByCollection,
  type Live,
  type StagedVersion,
  withAlternatives,
} from '../model/resource.ts';
import { revealed, sealedIn } from '../model/sealed.ts';
import { isPlainObject, type Path, valueAtPath } from '../model/value.ts';
import { createdBy } from './intents.ts';

/** The error of a request that may have had its effect. Reports must not call its change unrecorded. */
class UnknownOutcome extends Error {
  readonly isUnknown = true;
}

/** The error of a request whose outcome is unknown. `unread`: the error in place of a readable answer; `unseen`: what the account never shows. */
export const notKnown = (unread: Error | undefined, said: string | undefined, unseen?: string[]): Error => {
  const cause = unread ? { cause: unread } : {};
  if (isNotFound(unread))
    return new UnknownOutcome(
      `${unread!.message}; but the account still shows it, or cannot be read: run again to check once more`,
      cause,
    );
  const answer = unread ? `${unread.message}; it` : "the platform's answer";
  const also = said === undefined ? '' : ` (it says: ${said})`;
  return new UnknownOutcome(
    unseen
      ? `${answer} does not show the outcome, and ${unseen.map((path) => `\`${path}\``).join(', ')} cannot be read back${also}: run again to send it once more`
      : `${answer} does not show the outcome, and neither does the account${also}: run again to check once more`,
    cause,
  );
};

/**
 * The error of a request whose answer, or what the account showed after it, was not as trueup expects. `refusal`: the platform's own words.
 * The error of the language behind it is its cause.
 */
export const unexpectedAnswer = (
  { endpoint }: Request,
  { changes }: Operation,
  refusal: Error | undefined,
  cause: unknown,
): Error => {
  const words = refusal ? ` (${refusal.message})` : '';
  return new UnknownOutcome(
    `the answer to ${endpoint} for ${someOf(changes)} was not as expected, so its outcome is unknown${words}: run again to check it`,
    { cause },
  );
};

/** The error of an operation for which trueup read something that it does not expect, before it sent anything. */
export const unexpectedState = ({ changes }: Operation, cause: unknown): Error =>
  new Error(`what the account shows for ${someOf(changes)} is not as expected, so nothing was sent`, {
    cause,
  });

const someOf = ([first, ...others]: Address[]): string =>
  others.length > 0 ? `${first} and ${others.length} more` : first!;

/** True for a value that can be an id. */
export const isId = (id: unknown): boolean => (typeof id === 'string' && id !== '') || typeof id === 'number';

/** The addresses that show the outcome of a request. If more writes follow, only those whose objects it creates or deletes. */
export function lookedUpFor(request: Request, { changes }: Operation, isLast: boolean): Address[] {
  if (isRead(request) || request.stages || request.shows) return [];
  if (isLast) return request.batch?.flat() ?? changes;
  return [...createdBy(request), ...(request.drops ?? []).map(({ address }) => address)];
}

/** The addresses whose objects a request should have made, if its answer denies that: a proxy in between may have answered. */
export const refusedFor = (
  error: unknown,
  request: Request,
  { begun = {} }: Pick<Ledger, 'begun'>,
): Address[] =>
  isRefusal(error) && !isRead(request) && !request.stages
    ? createdBy(request).filter((address) => begun[address])
    : [];

/** The error of a request that was refused although it made these. */
export const madeAnyway = (refusal: Error, made: Iterable<Address>): Error =>
  new Error(
    `${refusal.message}; but the account shows that it was done (${[...made].join(', ')}): run again to continue from there`,
    { cause: refusal },
  );

const statusOf = (error: unknown): number => (error as { status?: number } | undefined)?.status ?? 0;

/** True for a refusal that can be looked up: with a refused token nothing can be read, and a rate limit holds up everything. */
const isRefusal = (error: unknown) => {
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
};

const isNotFound = (error: unknown) => [404, 410].includes(statusOf(error));

/** True if the object of a deletion is not found: somebody else was first, or the answer is wrong. */
export const isGone = (error: unknown, { endpoint, stages }: Request) =>
  // A staged list differs from the one that was planned on.
  isNotFound(error) && endpoint.startsWith('DELETE ') && !stages;

/**
 * True if only the account can tell the outcome of a write: a success that cannot be read, "not found" for a deletion, or a refused
 * promotion, since another run may have promoted what this one staged.
 */
export const isOpen = (error: unknown, request: Request) =>
  isUnreadable(error) || isGone(error, request) || (isRefusal(error) && isPromotion(request));

const isPromotion = ({ stages, body }: Request): boolean =>
  stages !== undefined && stages.version === undefined && isPlainObject(body) && body.action === 'promote';

/** True for a success that cannot be read: it does not tell what was done. */
const isUnreadable = (error: unknown) => {
  const status = statusOf(error);
  return status >= 200 && status < 300;
};

/** A copy of an answer with a value at a path of names. */
export function withValue(answer: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name !== 'string') return answer;
  const members = isPlainObject(answer) ? answer : {};
  return { ...members, [name]: withValue(members[name], rest, value) };
}

/** True if an answer says all that is needed about what it staged. */
export const saysStaged = ({ stages, returns = [] }: Request, answer: unknown): boolean =>
  stages?.version === undefined ||
  [stages.version, ...returns.flatMap((one) => ('path' in one ? [one.path] : []))].every((path) =>
    isId(valueAtPath(answer, path)),
  );

/** True if the request at this index is the last one that stages: the next ones promote. */
export const isLastStaged = ({ requests }: Operation, index: number): boolean =>
  requests[index]!.stages?.version !== undefined &&
  !requests.slice(index + 1).some(({ stages }) => stages?.version !== undefined);

interface StagedLook {
  /** A request that stages, promotes or discards. */
  request: Request;
  answer: unknown;
  /** The reason why there is no answer. */
  unread: Error | undefined;
  /** True if the next request promotes, so that everything has to be staged by now. */
  isLast: boolean;
  /** The content that the run stages. */
  staged: Ledger['staged'];
  kind: Kind;
  key?: LedgerKey | undefined;
  /** The collection as it is now; undefined if it cannot be read. */
  live: Live | undefined;
}

/**
 * The answer to a request on a staged collection, completed from the account: the id of the staged version, if it has exactly what this
 * run stages, and the ids in it. Throws if the account does not show that the request was done. Pure.
 */
export function stagedAnswer(look: StagedLook): unknown {
  const { request, answer, live, staged } = look;
  const { collection, version } = request.stages!;
  if (!live || live.unreadable.has(collection)) throw notShown(look, 'the versions cannot be read');
  const stagedEntry = staged?.[collection];
  if (version === undefined) {
    if (isActedOn(request, live, collection) || isPromoted(live, stagedEntry, look)) return answer;
    throw isRefusal(look.unread) ? notPromoted(look, live) : notShown(look, 'the versions do not show it');
  }
  const stagedVersion = live.staged.get(collection);
  if (!stagedVersion || !stagedEntry)
    throw notShown(look, 'no version is staged that has this and nothing else');
  const ids = (request.returns ?? []).flatMap((one) => {
    if (!('path' in one)) return [];
    const made = stagedVersion.objects.find(
      ({ address, id }) => address === one.address && !stagedEntry.of[address]?.ids.includes(id),
    );
    if (!made) throw notShown(look, `${one.address} is not in the staged version`);
    return [{ path: one.path, id: made.id }];
  });
  const left = look.isLast ? notIn(stagedVersion, stagedEntry, look) : undefined;
  if (left !== undefined) throw notShown(look, `${left} is not correct in the staged version`);
  return ids.reduce(
    (said, { path, id }) => withValue(said, path, id),
    withValue(answer, version, stagedVersion.id),
  );
}

/** The first address that a version does not have as wanted. */
function notIn(
  { objects }: Pick<StagedVersion, 'objects'>,
  { of }: StagedEntry,
  { kind, key }: StagedLook,
): Address | undefined {
  const wanted = Object.entries(of);
  const missing = wanted.find(([at, { ids, entry }]) =>
    entry
      ? !objects.some(({ address, fields }) => address === at && isEntryMadeOf(fields, entry, kind, { key }))
      : objects.some(({ id }) => ids.includes(id)),
  );
  return missing?.[0];
}

/** True if a version was promoted, or discarded. */
function isActedOn({ body }: Request, { versions }: Live, collection: CollectionId): boolean {
  const { id, action } = isPlainObject(body) ? body : {};
  const { live, staged } = versions.get(collection) ?? {};
  return action === 'promote' ? live === String(id) : staged !== String(id);
}

/** True if another version is live than the one that was built on, and has all that was staged: somebody else promoted it, under whatever id. */
function isPromoted(
  { versions, resources }: Live,
  stagedEntry: StagedEntry | undefined,
  look: StagedLook,
): boolean {
  const { collection } = look.request.stages!;
  if (!stagedEntry || stagedEntry.base === versions.get(collection)?.live) return false;
  return (
    notIn({ objects: withAlternatives(groupByCollection(resources).get(collection)) }, stagedEntry, look) ===
    undefined
  );
}

/** The error of a refused promotion. Where the version is staged as it was, it has another reason, and the next run goes on from there. */
function notPromoted({ request, unread }: StagedLook, live: Live): Error {
  const { collection } = request.stages!;
  if (live.staged.has(collection)) return unread!;
  const why = live.versions.get(collection)?.staged
    ? 'somebody else has staged more on top of it, so that it goes live with that or not at all: run again once that is promoted or discarded'
    : 'somebody else discarded or replaced what this run had staged, and it is not live: run again to stage it once more';
  return new Error(`${unread!.message}; ${why}`, { cause: unread });
}

const notShown = ({ request, unread }: StagedLook, why: string): Error => {
  const { endpoint, stages } = request;
  const next =
    stages?.version === undefined
      ? 'run again to check once more'
      : 'it is not promoted, so none of it is live; run again to discard it and stage it again';
  const said = (unread && `${unread.message}; it`) ?? `the platform's answer to ${endpoint.split('?')[0]}`;
  return new Error(`${said} does not show the outcome, and ${why}: ${next}`, {
    ...(unread ? { cause: unread } : {}),
  });
};

type NotDone = { address: Address; error: Error }[];

/** Thrown if items of a batch were refused or have an unknown outcome; the others are done. */
export class PartlyRefused extends Error {
  readonly notDone: NotDone;

  constructor(notDone: NotDone) {
    super(textOf(notDone));
    this.notDone = notDone;
  }
}

/** Throws if an answer shows that the basis of the plan has changed since. Versions are kept as texts, numbers included. */
export function expectAsPlanned({ expects = [] }: Request, answer: unknown): void {
  for (const { path, value, orAbsent } of expects) {
    const found = valueAtPath(answer, path);
    if (orAbsent && found === undefined) continue;
    if (String(found) !== String(value))
      throw new Error('it was changed by somebody else after it was read; plan again');
  }
}

/** The reasons in one text; one that several addresses share is said once. */
export function textOf(notDone: NotDone): string {
  const byText = groupBy(notDone, ({ error }) => error.message);
  return [...byText]
    .map(([text, of]) => `${of.map(({ address }) => address).join(', ')}: ${text}`)
    .join('; ');
}

/** The answer's result for each address of a batch; an address that is nowhere here was done. */
interface BatchAnswer {
  /** The items that were refused, and why. */
  refused: Map<Address, Error>;
  /** Items whose outcome is unknown, each with any words of the answer that may be about it. */
  unknown: Map<Address, string | undefined>;
  /** The ids of those that were done. */
  ids: Map<Address, string>;
}

/** Reads the answer to a batch; `isUnread`: there is none. Masks secrets of the request that the platform quotes. */
export function batchAnswer(
  request: Request,
  answer: unknown,
  kind: Kind,
  { masking, isUnread }: { masking: Masking; isUnread: boolean },
): BatchAnswer {
  const { batch = [], body } = request;
  const said: BatchAnswer = { refused: new Map(), unknown: new Map(), ids: new Map() };
  // Items are told by what was sent of them, secrets too.
  const sent = { ...request, body: revealed(body) };
  const outcome = batch.length === 0 || isUnread ? [] : kind.shape.outcome!(answer, sent);
  const textOf = ({ code = '', error }: Refusal): string => {
    for (const secret of sealedIn(body)) masking.know(secret);
    return [masking.name(code) ?? masking.mask(code), masking.mask(error)].filter(Boolean).join(': ');
  };
  for (const [index, addresses] of batch.entries()) {
    const result: ItemOutcome = outcome[index] ?? { unknown: true };
    for (const address of addresses) {
      if ('error' in result) said.refused.set(address, new Error(textOf(result)));
      else if ('unknown' in result) said.unknown.set(address, result.said?.map(textOf).join('; '));
      else said.ids.set(address, result.id);
    }
  }
  return said;
}
