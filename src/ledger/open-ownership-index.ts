import type { LedgerKey } from '../model/digest.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import type { OwnershipStore } from './documents.ts';
import {
  idOfClaim,
  OwnershipDigests,
  type OwnershipRecord,
  parseShard,
  shardNames,
  shardOf,
} from './ownership-index.ts';

/** The ownership index of a store as a plan sees it. See the premise in `ownership-index.ts`. */
export interface OwnershipIndex {
  /** The names of other ledgers without a record of their present version. They have to be read. */
  uncovered: readonly string[];
  /** The number of other ledgers of the same account that have a record. */
  coveredCount: number;
  /** Returns the names of the ledgers with a record that have one of these names or ids. */
  find(question: { ids: Iterable<string>; names: Iterable<string> }): ReadonlySet<string>;
  /** True if a ledger with a record, except these, has a claim with this key. */
  isOwned(claimKey: string, except: ReadonlySet<string>): boolean;
}

/**
 * Reads the ownership index of a store of ledgers for a plan: it lists which stack owns which objects, so that the plan need not read all
 * ledgers. Undefined if there is none. A ledger's record in the index counts only if the key signed it and the ledger still has the version
 * that the record was made from. Other ledgers are `uncovered` and have to be read, also one that may be a copy of this stack's own (it has
 * the same `tag`). Records of ledgers in other accounts match nothing.
 */
export async function openOwnershipIndex(
  store: OwnershipStore,
  { baseUrl, owner, stack }: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>,
  key: LedgerKey,
): Promise<OwnershipIndex | undefined> {
  const documents = await store.readShards(key.id, shardNames);
  if (documents.size === 0) return undefined;
  const digests = new OwnershipDigests(key, { baseUrl, owner });
  const recordsByShard = new Map(
    [...documents].map(([name, { text }]) => [name, indexByProof(parseShard(name, text, key) ?? new Map())]),
  );
  const uncovered: string[] = [];
  const covered = new Map<string, OwnershipRecord>();
  for (const [name, version] of await store.listVersions()) {
    if (name === store.ownName) continue;
    // The proof is a digest of the name and the version, so only the record of exactly this version is found.
    const match =
      version === undefined
        ? undefined
        : recordsByShard.get(shardOf(name))?.get(digests.proof(name, version));
    if (!match || match.record.tag === digests.tag(stack)) uncovered.push(name);
    else if (match.account === digests.account) covered.set(name, match.record);
  }
  return { uncovered, ...createFinder(covered, digests) };
}

/** A record with the digest of its account. */
interface AccountRecord {
  account: string;
  record: OwnershipRecord;
}

/**
 * Indexes the records in a shard (a file of the ownership index, which lists what each stack owns) by their proof: a digest of the name and
 * version of the ledger that a record is about. Used to find the record of a ledger.
 */
const indexByProof = (
  shard: ReadonlyMap<string, readonly OwnershipRecord[]>,
): ReadonlyMap<string, AccountRecord> =>
  new Map(
    [...shard].flatMap(([account, records]) =>
      records.map((record) => [record.proof, { account, record }] as const),
    ),
  );

/**
 * Creates the functions with which a plan asks the ownership index which other stacks own an object. `covered`: the records of the account,
 * by the name of their ledger. Records have digests only, so everything that is asked for is digested, too. `owned` has claims, each made
 * of the digests of an id and a kind; `find` looks for the id in them, and `isOwned` for the whole claim.
 */
function createFinder(
  covered: ReadonlyMap<string, OwnershipRecord>,
  digests: OwnershipDigests,
): Pick<OwnershipIndex, 'coveredCount' | 'find' | 'isOwned'> {
  const ownersByClaim = new Map<string, string[]>();
  for (const [name, { owned }] of covered) for (const claim of owned) addTo(ownersByClaim, claim, name);
  return {
    coveredCount: covered.size,
    find: ({ ids, names }) => {
      const askedIds = new Set([...ids].map((id) => digests.id(id)));
      const askedNames = new Set([...names].map((name) => digests.name(name)));
      const isAsked = ({ owned, ids: recordedIds, names: recordedNames }: OwnershipRecord) =>
        recordedNames.some((name) => askedNames.has(name)) ||
        recordedIds.some((id) => askedIds.has(id)) ||
        owned.some((claim) => askedIds.has(idOfClaim(claim)));
      return new Set([...covered].flatMap(([name, record]) => (isAsked(record) ? [name] : [])));
    },
    isOwned: (claimKey, except) =>
      (ownersByClaim.get(digests.claim(claimKey)) ?? []).some((name) => !except.has(name)),
  };
}
