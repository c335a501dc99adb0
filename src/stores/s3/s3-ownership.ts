import { setTimeout } from 'node:timers/promises';
import {
  Conflict,
  type OwnershipStore,
  type ShardWrite,
  type StoredDocument,
} from '../../ledger/documents.ts';
import { shardNames } from '../../ledger/ownership-index.ts';
import { mapConcurrently } from '../../model/map-concurrently.ts';
import { ConditionFailed, type ObjectBucket } from './bucket.ts';
import { concurrentReads, headName, readOtherLedger } from './read-bucket.ts';
import type { S3Place } from './s3-place.ts';

/** The folder of the index in the prefix of the ledgers. No stack has such a name. */
const indexFolder = '_ownership';
/** How often a write is repeated that the service refused although the shard is still the expected one. */
const maxShardAttempts = 5;

/**
 * Opens the ownership index (it lists which stack owns which objects, so that a plan need not read all ledgers) of the ledgers in a bucket.
 * The index is split into shards (`shardNames`), each a document of its own. The first shard is written last, and of several shards the
 * first is read first: if it is missing, there is no index. The version of a ledger is the tag of its head (the object that names the
 * current objects of a stack), so one list of the heads gives all versions.
 */
export function s3Ownership(stack: string, bucket: ObjectBucket, where: S3Place): OwnershipStore {
  const keyOf = (folder: string, shard: string) => `${where.prefix}${indexFolder}/${folder}/${shard}.json`;
  /** True if later shards may exist without the first one, because this run has tried to write some. */
  let mayBePartial = false;
  const listVersions = async () => {
    const heads = await bucket.listHeads(where.prefix, headName);
    return new Map(
      [...heads].map(([key, tag]) => [key.slice(where.prefix.length, -headName.length - 1), tag]),
    );
  };
  return {
    ownName: stack,
    mayBegin: true,
    readShards: async (folder, [first, ...others]) => {
      const shards = new Map<string, StoredDocument>();
      const add = async (name: string) => {
        const shard = await readShard(bucket, keyOf(folder, name));
        if (shard) shards.set(name, shard);
      };
      if (first !== undefined) await add(first);
      if (shards.size > 0 || mayBePartial) await Promise.all(others.map(add));
      return shards;
    },
    writeShards: async (folder, writes) => {
      mayBePartial = true;
      const isFirst = ({ name }: ShardWrite) => name === shardNames[0];
      const laterWrites = writes.filter((write) => !isFirst(write));
      const write = (shard: ShardWrite) => writeShard(bucket, keyOf(folder, shard.name), shard);
      await Promise.all(laterWrites.map(write));
      // A run that dies here leaves no first shard, so the next run writes all again.
      for (const firstWrite of writes.filter(isFirst)) await write(firstWrite);
    },
    listNames: async () => [...(await listVersions()).keys()],
    listVersions,
    readLedgers: async (names) => {
      const ledgers = await mapConcurrently(names, concurrentReads, async (name) => {
        const ledger = await readOtherLedger(bucket, where, `${where.prefix}${name}/`);
        return ledger && { name, ...ledger };
      });
      return ledgers.filter((ledger) => ledger !== undefined);
    },
  };
}

/**
 * Reads a shard (a part of the ownership index) from its object in the bucket, with the tag of the object as its version; undefined if it
 * does not exist.
 */
async function readShard(bucket: ObjectBucket, key: string): Promise<StoredDocument | undefined> {
  const stored = await bucket.get(key);
  return stored && { text: stored.text, version: stored.tag };
}

/**
 * Writes a shard (a part of the ownership index) if its object in the bucket still has the expected version. Throws `Conflict` if it has
 * another one, or if the service refuses the write each time.
 */
async function writeShard(
  bucket: ObjectBucket,
  key: string,
  { text, expected }: Omit<ShardWrite, 'name'>,
): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await bucket.put(key, text, expected === undefined ? 'none' : { tag: expected });
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const stored = await readShard(bucket, key);
      // The write succeeded, although the service reported a failure.
      if (stored?.text === text) return;
      if (stored?.version !== expected || attempt === maxShardAttempts) throw new Conflict(stored);
      await setTimeout(Math.random() * 20 * attempt);
    }
}
