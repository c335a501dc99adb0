import { expect, it } from 'vitest';
import { Conflict, type StoredDocument } from '../../src/ledger/documents.ts';
import { shardNames } from '../../src/ledger/ownership-index.ts';
import { ConditionFailed, type ObjectBucket } from '../../src/stores/s3/bucket.ts';
import { s3Ownership } from '../../src/stores/s3/s3-ownership.ts';
import type { S3Place } from '../../src/stores/s3/s3-place.ts';

/** A bucket in memory that refuses the object whose key ends like `refused.ending`. */
function memoryBucket(refused: { ending: string }): ObjectBucket {
  const texts = new Map<string, string>();
  return {
    get: async (key) => (texts.has(key) ? { text: texts.get(key)!, tag: texts.get(key)! } : undefined),
    put: async (key, text, condition) => {
      if (key.endsWith(refused.ending)) throw new Error('refused');
      if (texts.get(key) !== (typeof condition === 'object' ? condition.tag : undefined))
        throw new ConditionFailed();
      texts.set(key, text);
      return text;
    },
  } as Partial<ObjectBucket> as ObjectBucket;
}

it('an index of which a bucket has only some shards counts as none, and can be begun again', async () => {
  const refused = { ending: '/a.json' };
  const bucket = memoryBucket(refused);
  const open = () => s3Ownership('shop', bucket, { prefix: 'ledgers/' } as S3Place);
  const writesOf = (text: string, expected: ReadonlyMap<string, StoredDocument> = new Map()) =>
    shardNames.map((name) => ({ name, text: `${text} ${name}`, expected: expected.get(name)?.version }));
  await expect(open().writeShards('key', writesOf('first'))).rejects.toThrow('refused');
  expect((await open().readShards('key', shardNames)).size).toBe(0);
  refused.ending = '/none';
  const store = open();
  // The shards that are there conflict. Then they are found.
  await expect(store.writeShards('key', writesOf('second'))).rejects.toBeInstanceOf(Conflict);
  const found = await store.readShards('key', shardNames);
  expect([...found.keys()].sort()).toEqual([...shardNames.slice(1)]);
  await store.writeShards('key', writesOf('second', found));
  expect((await open().readShards('key', shardNames)).size).toBe(shardNames.length);
});
