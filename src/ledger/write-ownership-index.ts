import { setTimeout } from 'node:timers/promises';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { tryParseJson } from '../model/read-json.ts';
import { Conflict, type OwnershipStore, type StoredDocument, type VersionedLedger } from './documents.ts';
import {
  type ClaimTexts,
  createRecord,
  formatShard,
  OwnershipDigests,
  type OwnershipRecord,
  parseShard,
  type Shard,
  shardNames,
  shardOf,
} from './ownership-index.ts';
import { isVerified, verifyText } from './proof.ts';

/**
 * Summarizes the entries of a ledger; undefined if a summary could hide a claim. The kinds of objects decide about that, so it is passed
 * in.
 */
export type SummarizeEntries = (entries: Ledger['entries']) => ClaimTexts | undefined;

/** A record and its place in the index. */
interface PlacedRecord {
  shard: string;
  account: string;
  record: OwnershipRecord;
}

/**
 * How often shards are written again because another run wrote one of them meanwhile. After that, records are missing until the next apply.
 */
const maxWrites = 20;

/** The number of ledgers that are in memory at once while an index is built. */
const batchSize = 200;

/**
 * Creates the record of a ledger for the ownership index: what its stack owns, so that plans of other stacks need not read the ledger.
 * Undefined if they have to read it: if the key did not sign it, if the store cannot tell its version, or if it has creations with an
 * unknown outcome, which only the ledger describes.
 */
function recordOf(
  { name, text, version, place }: VersionedLedger,
  summarize: SummarizeEntries,
  key: LedgerKey,
): PlacedRecord | undefined {
  if (text === undefined || version === undefined || !isVerified(verifyText(text, key, place)))
    return undefined;
  const { entries, begun, stack, baseUrl, owner } = tryParseJson(text) as Ledger;
  const summary = begun ? undefined : summarize(entries);
  if (!summary) return undefined;
  const digests = new OwnershipDigests(key, { baseUrl, owner });
  const record = createRecord(digests, { name, version, stack }, summary);
  return { shard: shardOf(name), account: digests.account, record };
}

/**
 * A run that has read so many ledgers of other stacks, because there is no index, begins one. With fewer, reading them takes less time than
 * the index.
 */
const minLedgersForIndex = 100;

/**
 * Renews the record of a stack's ledger in the ownership index (which stack owns which objects), after a run that may have written the
 * ledger. A changed ledger invalidates its old record, so until then the plans of other stacks read the ledger itself. Without an index of
 * this key, does nothing, unless the run had to read many ledgers because there is none (`ledgersRead`) and the store lets a run begin one
 * (`mayBegin`): then it builds the index, with this record. Throws what the store throws; the caller ignores it, because nothing depends on
 * the record. `signal`: ends the building of an index, without a trace.
 */
export async function updateOwnershipIndex(
  store: OwnershipStore,
  summarize: SummarizeEntries,
  key: LedgerKey,
  { ledgersRead = 0, signal }: { ledgersRead?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const ownShard = shardOf(store.ownName);
  const isWorthBuilding = store.mayBegin && ledgersRead >= minLedgersForIndex;
  const documents = isWorthBuilding
    ? await readOrBuildIndex(store, summarize, key, signal)
    : await store.readShards(key.id, [ownShard]);
  // There is no index, or it was built just now.
  if (!documents?.has(ownShard)) return;
  const [ledger] = await store.readLedgers([store.ownName]);
  const ownRecord = ledger && recordOf(ledger, summarize, key);
  // The old record stays, and counts for nothing.
  if (!ownRecord) return;
  // Also replaces the record of another stack whose tag is equal by chance. Plans then read that ledger.
  const withOwn = (records: readonly PlacedRecord[]) => [
    ...records.filter(({ record }) => record.tag !== ownRecord.record.tag),
    ownRecord,
  ];
  await writeOwnershipRecords(store, key, documents, new Map([[ownShard, withOwn]]));
}

/**
 * Reads all shards of the ownership index, twice if the first answer has none: it may come from an answer that the store remembers from
 * earlier in the run. If there is no index, builds it and returns undefined: it then has the records of all ledgers. Throws the reason of
 * `signal` if it is aborted before the index is written.
 */
async function readOrBuildIndex(
  store: OwnershipStore,
  summarize: SummarizeEntries,
  key: LedgerKey,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, StoredDocument> | undefined> {
  const firstAnswer = await store.readShards(key.id, shardNames);
  if (firstAnswer.size > 0) return firstAnswer;
  const names = await store.listNames();
  // For the list of names, a store that remembers an answer has asked again.
  const documents = await store.readShards(key.id, shardNames);
  if (documents.size > 0) return documents;
  await buildShards(store, { names, documents, summarize, key, signal });
  return undefined;
}

/** The result of building an index. */
export interface BuiltIndex {
  /** The number of ledgers with a record, and their size in characters. */
  covered: { count: number; size: number };
  /** The places of the files or documents without one, which each plan still reads. */
  uncovered: string[];
  /** The size of all shards, in characters: so much does a plan read instead of the covered ledgers. */
  size: number;
}

/**
 * Builds the ownership index of a store from all of its ledgers, for `trueup ledger index`, and replaces the one that this key signed, if
 * there is one. Records that runs write at the same time are kept, because `mergeBuilt` recognizes them.
 */
export async function rebuildOwnershipIndex(
  store: OwnershipStore,
  summarize: SummarizeEntries,
  key: LedgerKey,
): Promise<BuiltIndex> {
  const names = await store.listNames();
  const documents = await store.readShards(key.id, shardNames);
  return buildShards(store, { names, documents, summarize, key });
}

/** The input of `buildShards`. `names`: of all ledgers; `documents`: the shards that exist. */
interface BuildInput {
  names: readonly string[];
  documents: ReadonlyMap<string, StoredDocument>;
  summarize: SummarizeEntries;
  key: LedgerKey;
  signal?: AbortSignal | undefined;
}

/**
 * Reads these ledgers and replaces all shards (files of the ownership index, each about a part of the ledgers) by shards with their
 * records. `documents`: the shards as they were read before. Records that runs add meanwhile are recognized by these, and stay. Throws the
 * reason of `signal` if it is aborted before the shards are written.
 */
async function buildShards(
  store: OwnershipStore,
  { names, documents, summarize, key, signal }: BuildInput,
): Promise<BuiltIndex> {
  const { placed, uncovered, coveredSize } = await createRecords(store, { names, summarize, key, signal });
  const merges = new Map(
    shardNames.map((name) => {
      const built = placed.filter(({ shard }) => shard === name);
      const recordsBefore = recordsIn(name, documents.get(name), key);
      const proofsBefore = new Set(recordsBefore.map(({ record }) => record.proof));
      return [name, mergeBuilt(built, proofsBefore)];
    }),
  );
  const size = await writeOwnershipRecords(store, key, documents, merges);
  return { covered: { count: placed.length, size: coveredSize }, uncovered, size };
}

/**
 * Reads these ledgers, a batch at a time, and creates their records for the ownership index: which objects each of them claims.
 * `uncovered`: the places of ledgers without a record, which every plan still reads. `coveredSize`: the characters of the other ledgers,
 * which plans no longer read.
 */
async function createRecords(
  store: OwnershipStore,
  { names, summarize, key, signal }: Omit<BuildInput, 'documents'>,
): Promise<{ placed: PlacedRecord[]; uncovered: string[]; coveredSize: number }> {
  const placed: PlacedRecord[] = [];
  const uncovered: string[] = [];
  let coveredSize = 0;
  for (let start = 0; start < names.length; start += batchSize) {
    for (const ledger of await store.readLedgers(names.slice(start, start + batchSize))) {
      const record = recordOf(ledger, summarize, key);
      if (record) {
        placed.push(record);
        coveredSize += ledger.text!.length;
      } else uncovered.push(ledger.place);
    }
    signal?.throwIfAborted();
  }
  return { placed, uncovered, coveredSize };
}

/**
 * Returns the function which merges the records that were built for a shard with those that it has by now. Records that are not among
 * `proofsBefore` (those of the shard before its ledgers were read) come from runs since then, maybe of ledgers that were read before. So
 * they replace the built ones. The `tag` of a record stands for its stack, the `proof` for the version of its ledger.
 */
const mergeBuilt =
  (built: readonly PlacedRecord[], proofsBefore: ReadonlySet<string>): MergeRecords =>
  (stored) => {
    const later = stored.filter(({ record }) => !proofsBefore.has(record.proof));
    const laterTags = new Set(later.map(({ record }) => record.tag));
    return [...later, ...built.filter(({ record }) => !laterTags.has(record.tag))];
  };

/** Returns the records that a shard should have instead of those that are stored in it. */
type MergeRecords = (stored: readonly PlacedRecord[]) => readonly PlacedRecord[];

/**
 * Writes those of these shards (files of the ownership index) that change, all at once, and returns the size of all in characters.
 * `documents`: the shards as they were read last. `merges`: for each shard, a function from its stored records to its new ones. If another
 * run has written one of the shards since, merges again with its records. Throws `Conflict` if other runs are faster each
 * time.
 */
async function writeOwnershipRecords(
  store: OwnershipStore,
  key: LedgerKey,
  documents: ReadonlyMap<string, StoredDocument>,
  merges: ReadonlyMap<string, MergeRecords>,
): Promise<number> {
  let current = documents;
  for (let attempt = 1; ; attempt++) {
    const shards = [...merges].map(([name, merge]) => {
      const stored = current.get(name);
      const text = formatShard(name, groupByAccount(merge(recordsIn(name, stored, key))), key);
      return { name, text, stored };
    });
    const writes = shards.flatMap(({ name, text, stored }) =>
      text === stored?.text ? [] : [{ name, text, expected: stored?.version }],
    );
    try {
      if (writes.length > 0) await store.writeShards(key.id, writes);
      return shards.reduce((size, { text }) => size + text.length, 0);
    } catch (error) {
      if (!(error instanceof Conflict) || attempt === maxWrites) throw error;
      await setTimeout(Math.random() * 20 * attempt);
      current = await store.readShards(key.id, [...merges.keys()]);
    }
  }
}

/** Returns the records in a shard; none if the key does not verify it, since they count for nothing. */
const recordsIn = (name: string, document: StoredDocument | undefined, key: LedgerKey): PlacedRecord[] =>
  [...((document && parseShard(name, document.text, key)) ?? [])].flatMap(([account, records]) =>
    records.map((record) => ({ shard: name, account, record })),
  );

/**
 * Groups records of the ownership index (which stack owns which objects) by account, the form that they have in a shard: a part of the
 * index in a file of its own.
 */
function groupByAccount(placed: readonly PlacedRecord[]): Shard {
  const shard = new Map<string, OwnershipRecord[]>();
  for (const { account, record } of placed) shard.set(account, [...(shard.get(account) ?? []), record]);
  return shard;
}
