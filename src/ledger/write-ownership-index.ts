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

/** Summarizes the entries of a ledger; undefined if a summary could hide a claim. The kinds of objects decide about that, so it is passed in. */
export type SummarizeEntries = (entries: Ledger['entries']) => ClaimTexts | undefined;

/** A record and its place in the index. */
interface PlacedRecord {
  shard: string;
  account: string;
  record: OwnershipRecord;
}

/** How often a shard is written again because another run wrote it meanwhile. After that, the record is missing until the next apply. */
const maxWritesOfShard = 20;

/** The number of ledgers that are in memory at once while an index is built. */
const batchSize = 200;

/**
 * Creates the record of a ledger. Undefined if the ledger has none: a plan has to read it if the key did not sign it, if the store cannot tell its
 * version, or if it has creations with an unknown outcome, which only the ledger describes.
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

/** A run that has read so many ledgers of other stacks, because there is no index, begins one. With fewer, reading them takes less time than the index. */
const minLedgersForIndex = 100;

/**
 * Replaces the record of a stack's ledger in the ownership index, after a run that may have written the ledger. If the store has no index of this key,
 * and the run had to read many ledgers for that reason (`ledgersRead`), begins one. Until this has succeeded, the plans of other stacks read the ledger
 * itself.
 */
export async function updateOwnershipIndex(
  store: OwnershipStore,
  summarize: SummarizeEntries,
  key: LedgerKey,
  ledgersRead = 0,
): Promise<void> {
  const name = shardOf(store.ownName);
  const isMissed = store.mayBegin && ledgersRead >= minLedgersForIndex;
  const shards = await store.readShards(key.id, isMissed ? shardNames : [name]);
  if (isMissed && shards.size === 0) await rebuildOwnershipIndex(store, summarize, key);
  const document = shards.get(name);
  if (!document) return;
  const [ledger] = await store.readLedgers([store.ownName]);
  const placed = ledger && recordOf(ledger, summarize, key);
  if (placed) await replaceRecords(store, name, [placed], key, document);
}

/** The result of building an index. */
interface BuiltIndex {
  /** The number of ledgers with a record, and their size in characters. */
  covered: { count: number; size: number };
  /** The places of the files or documents without one, which each plan still reads. */
  uncovered: string[];
  /** The size of all shards, in characters: so much does a plan read instead of the covered ledgers. */
  size: number;
}

/**
 * Builds the ownership index of a store from all of its ledgers, for `trueup ledger index`, and replaces the one of this key, if there is one. Runs that
 * write at the same time keep their records.
 */
export async function rebuildOwnershipIndex(
  store: OwnershipStore,
  summarize: SummarizeEntries,
  key: LedgerKey,
): Promise<BuiltIndex> {
  const names = [...(await store.listVersions()).keys()];
  const placed: PlacedRecord[] = [];
  const uncovered: string[] = [];
  let coveredSize = 0;
  for (let start = 0; start < names.length; start += batchSize)
    for (const ledger of await store.readLedgers(names.slice(start, start + batchSize))) {
      const record = recordOf(ledger, summarize, key);
      if (!record) uncovered.push(ledger.place);
      else {
        placed.push(record);
        coveredSize += ledger.text!.length;
      }
    }
  const documents = await store.readShards(key.id, shardNames);
  let size = 0;
  for (const name of shardNames) {
    const records = placed.filter(({ shard }) => shard === name);
    const text = formatShard(name, groupByAccount(records), key);
    size += text.length;
    const stored = documents.get(name);
    if (stored?.text === text) continue;
    await store.writeShard(key.id, name, text, stored?.version).catch((error) => {
      if (!(error instanceof Conflict)) throw error;
      return replaceRecords(store, name, records, key, error.stored);
    });
  }
  return { covered: { count: placed.length, size: coveredSize }, uncovered, size };
}

/** Groups records as in a shard, which has those of an account together. */
function groupByAccount(placed: readonly PlacedRecord[]): Shard {
  const shard = new Map<string, OwnershipRecord[]>();
  for (const { account, record } of placed) shard.set(account, [...(shard.get(account) ?? []), record]);
  return shard;
}

/**
 * Replaces the records with the tags of these in a shard, and repeats that if another run has written the shard meanwhile. A shard that the key does not
 * verify is replaced as a whole, since its records count for nothing.
 */
async function replaceRecords(
  store: OwnershipStore,
  name: string,
  placed: readonly PlacedRecord[],
  key: LedgerKey,
  current: StoredDocument | undefined,
): Promise<void> {
  const tags = new Set(placed.map(({ record }) => record.tag));
  let stored = current;
  for (let attempt = 1; ; attempt++) {
    const shard = (stored && parseShard(name, stored.text, key)) ?? new Map<string, OwnershipRecord[]>();
    const otherRecords = [...shard].flatMap(([account, records]) =>
      records
        .filter(({ tag }) => !tags.has(tag))
        .map((record): PlacedRecord => ({ shard: name, account, record })),
    );
    const text = formatShard(name, groupByAccount([...otherRecords, ...placed]), key);
    if (stored?.text === text) return;
    try {
      return await store.writeShard(key.id, name, text, stored?.version);
    } catch (error) {
      if (!(error instanceof Conflict) || attempt === maxWritesOfShard) throw error;
      stored = error.stored;
      await setTimeout(Math.random() * 20 * attempt);
    }
  }
}
