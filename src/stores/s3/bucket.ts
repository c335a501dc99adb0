import { getFips, hash } from 'node:crypto';
import type { ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import { checkVerification } from '../../http/dispatcher.ts';
import { standardBounds } from '../../http/exchange.ts';
import { Problems, raise } from '../../model/diagnostic.ts';
import { loadClientPackage } from '../client-package.ts';
import {
  damagedProblem,
  isConflict,
  statusOf,
  strangeAnswerProblem,
  toS3Problem,
  unconditionalProblem,
} from './s3-error.ts';
import { checkEndpoint, type S3Place } from './s3-place.ts';

/** The content of an object. `tag` identifies this version of it. */
interface BucketObject {
  text: string;
  tag: string;
}

/** The condition of a write: `none` if the object must not exist, or the tag of the version that is replaced. */
export type WriteCondition = 'none' | { tag: string };

/**
 * The condition of a write did not hold. Nothing was changed, unless the SDK has repeated a write that had succeeded.
 */
export class ConditionFailed extends Error {}

/** The requests of a ledger store to a bucket. Each throws `Problems`. */
export interface ObjectBucket {
  get(key: string): Promise<BucketObject | undefined>;
  /** Writes an object and returns its tag. Throws `ConditionFailed` if the condition does not hold. */
  put(key: string, text: string, condition?: WriteCondition): Promise<string>;
  deleteObjects(keys: readonly string[]): Promise<void>;
  /** Lists the folders directly under a prefix, each with a slash at the end. */
  listFolders(prefix: string): Promise<string[]>;
  /** Returns the tags of the objects with this name in the folders directly under a prefix, by key. */
  listHeads(prefix: string, name: string): Promise<ReadonlyMap<string, string>>;
}

/** The AWS SDK with an open client. */
interface S3Connection {
  sdk: typeof import('@aws-sdk/client-s3');
  client: S3Client;
}

/** A connection to the service of a bucket, with the name of the bucket. `shown`: the place in messages. */
interface BucketAccess extends S3Connection {
  bucket: string;
  shown: string;
}

const clients = new Map<string, Promise<S3Connection>>();

/**
 * Opens the S3 bucket of `--ledger s3://...`. Its requests turn errors of the service into `Problems` with a hint. All stores with the same
 * credentials share a client. Answers that no S3 service would give, such as a web page, are errors, because a ledger must never be taken
 * for a missing one. `shown`: the place in messages. (A head is the object that names the current objects of one stack.)
 */
export async function openBucket(s3Place: S3Place, shown: string): Promise<ObjectBucket> {
  const name = JSON.stringify([
    s3Place.endpoint,
    s3Place.region,
    s3Place.env.AWS_ACCESS_KEY_ID,
    s3Place.env.AWS_SECRET_ACCESS_KEY,
    s3Place.env.AWS_SESSION_TOKEN,
    s3Place.env.AWS_PROFILE,
  ]);
  const opening = clients.get(name) ?? connect(s3Place);
  clients.set(name, opening);
  // Forgotten after a failure, so that a package that is installed meanwhile is found.
  opening.catch(() => clients.delete(name));
  const { sdk, client } = await opening;
  const withProblems = async <T>(activity: 'read' | 'written', work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Problems || error instanceof ConditionFailed) throw error;
      raise(toS3Problem(shown, activity, error as Error));
    }
  };
  const access: BucketAccess = { sdk, client, bucket: s3Place.bucket, shown };
  return {
    get: (key) => withProblems('read', () => getObject(access, key)),
    put: (key, text, condition) => withProblems('written', () => putObject(access, key, text, condition)),
    deleteObjects: (keys) =>
      withProblems('written', async () => {
        for (const Key of keys)
          await client.send(new sdk.DeleteObjectCommand({ Bucket: access.bucket, Key }));
      }),
    listFolders: (prefix) => withProblems('read', () => listFolders(access, prefix)),
    listHeads: (prefix, name) => withProblems('read', () => listHeads(access, prefix, name)),
  };
}

/**
 * Reads an object of a ledger from a bucket, with the tag of its version; undefined if it does not exist. A missing
 * bucket, a web page, or an object that is too large are errors, because a ledger must never be taken for a missing
 * one.
 */
async function getObject(
  { sdk, client, bucket, shown }: BucketAccess,
  key: string,
): Promise<BucketObject | undefined> {
  try {
    const answer = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
    const { Body, ETag, ContentLength = 0 } = answer;
    if (ContentLength > mostBytes) {
      (Body as unknown as { destroy(): void }).destroy();
      raise(damagedProblem(shown, `${key} is too large to be part of a ledger`));
    }
    const text = await Body!.transformToString('utf-8');
    // No part of a ledger begins like this.
    if (text.trimStart().startsWith('<')) raise(strangeAnswerProblem(shown, 'a web page, not an object'));
    return { text, tag: requireStrongTag(ETag, shown) };
  } catch (error) {
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
    throw error;
  }
}

/**
 * Writes an object of a ledger into a bucket, and returns the tag of its version. Throws `ConditionFailed` if the
 * condition does not hold, because another run has written the object meanwhile.
 */
async function putObject(
  { sdk, client, bucket, shown }: BucketAccess,
  key: string,
  text: string,
  condition: WriteCondition | undefined,
): Promise<string> {
  const input = {
    Bucket: bucket,
    Key: key,
    Body: text,
    ContentLength: Buffer.byteLength(text),
    ContentType: 'application/json',
    // A bucket with Object Lock requires a checksum. Every service supports this one, but Node.js in FIPS mode does not.
    ...(getFips() ? {} : { ContentMD5: hash('md5', text, 'base64') }),
    ...conditionHeadersOf(condition),
  };
  try {
    const { ETag } = await client.send(new sdk.PutObjectCommand(input));
    return requireStrongTag(ETag, shown);
  } catch (error) {
    if (condition !== undefined && isConflict(error)) throw new ConditionFailed();
    if (condition !== undefined && statusOf(error) === 501)
      raise(unconditionalProblem(shown, 'does not support conditional writes'));
    throw error;
  }
}

/** Returns the headers that make the service refuse a write if another run wrote the object meanwhile; none without a condition. */
function conditionHeadersOf(condition: WriteCondition | undefined) {
  if (condition === undefined) return {};
  return condition === 'none' ? { IfNoneMatch: '*' } : { IfMatch: condition.tag };
}

/**
 * Lists the folders directly under a prefix of a bucket, each with a slash at the end. Each may have the ledger of
 * a stack. Throws `Problems` for an answer that is no list of this bucket: it would look like a bucket without
 * ledgers.
 */
async function listFolders(access: BucketAccess, prefix: string): Promise<string[]> {
  const folders: string[] = [];
  for await (const { CommonPrefixes = [] } of listPages(access, prefix, '/'))
    folders.push(...CommonPrefixes.flatMap(({ Prefix }) => (Prefix === undefined ? [] : [Prefix])));
  return folders;
}

/**
 * Lists the heads of all stacks with their tags. A head is the object called `name` in the folder of a stack; it names the current objects
 * of the stack, and its tag changes with each write. With the delimiter `/objects/`, the service lists all other objects of a stack as one.
 * Throws `Problems` if the prefix has many objects of other programs, because listing them all would take longer than reading the heads.
 */
async function listHeads(
  access: BucketAccess,
  prefix: string,
  name: string,
): Promise<ReadonlyMap<string, string>> {
  const heads = new Map<string, string>();
  let strangerCount = 0;
  for await (const { Contents = [] } of listPages(access, prefix, '/objects/')) {
    for (const { Key = '', ETag } of Contents) {
      const isHead = Key.slice(prefix.length).split('/').length === 2 && Key.endsWith(`/${name}`);
      if (isHead) heads.set(Key, requireStrongTag(ETag, access.shown));
      else strangerCount++;
    }
    if (strangerCount > mostStrangers) raise(strangeAnswerProblem(access.shown, 'a list of other objects'));
  }
  return heads;
}

/** The number of other objects, such as shards of an ownership index, from which on a list of the heads is given up. */
const mostStrangers = 2000;

/**
 * Yields the list of the objects under a prefix, page by page, because the service lists at most a thousand at once. Objects that have the
 * same text up to the `delimiter` are listed as one folder.
 */
async function* listPages(
  { sdk, client, bucket, shown }: BucketAccess,
  prefix: string,
  delimiter: string,
): AsyncGenerator<ListObjectsV2CommandOutput, void> {
  for (let continuation: string | undefined; ; ) {
    const page = await client.send(
      new sdk.ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        Delimiter: delimiter,
        ContinuationToken: continuation,
      }),
    );
    const { Name, IsTruncated, NextContinuationToken } = page;
    // Checked, because the client takes any answer, even a web page, for an empty list.
    const leadsOn = IsTruncated === false || (IsTruncated && NextContinuationToken);
    if (Name !== bucket || !leadsOn) raise(strangeAnswerProblem(shown, 'not the list of a bucket'));
    yield page;
    if (!IsTruncated) return;
    continuation = NextContinuationToken;
  }
}

/** The size of the largest object that is read, in bytes. */
const mostBytes = standardBounds.maxBytes;

/**
 * Returns the tag that identifies the version of an object. Throws `Problems` for a missing or weak tag: a write
 * under the condition of a weak tag could overwrite another run's.
 */
function requireStrongTag(tag: string | undefined, shown: string): string {
  if (tag !== undefined && tag !== '' && !tag.startsWith('W/')) return tag;
  raise(unconditionalProblem(shown, 'sends no strong ETag, which a conditional write needs'));
}

/**
 * Loads the AWS SDK and creates its client for the service that holds a ledger. Throws `Problems` if the SDK is
 * missing, or certificates would not be checked; its requests throw them if the connection would be unencrypted.
 * Anyone in between could then change the ledger.
 */
async function connect({ endpoint, region, env }: S3Place) {
  if (endpoint === undefined || endpoint.startsWith('https:'))
    checkVerification(env.NODE_TLS_REJECT_UNAUTHORIZED);
  const sdk = await loadClientPackage('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'));
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  const client = new sdk.S3Client({
    // Undefined: the region of the profile.
    ...(region === undefined ? {} : { region }),
    // The bucket goes into the path, because other services seldom have a host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(accessKeyId && secretAccessKey && !env.AWS_PROFILE
      ? { credentials: { accessKeyId, secretAccessKey, sessionToken } }
      : {}),
    // The SDK may repeat a conditional write that succeeded, which then fails. The caller recognizes this by the content.
    maxAttempts: 3,
    // Not every service supports the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { requestTimeout: 60_000, connectionTimeout: 10_000 },
  });
  // Checked for each request, because an AWS profile can name another endpoint.
  client.middlewareStack.add(
    (next) => async (args) => {
      const { protocol, hostname } = args.request as { protocol: string; hostname: string };
      checkEndpoint(`${protocol}//${hostname}`);
      return next(args);
    },
    { step: 'build', name: 'onlyEncrypted' },
  );
  return { sdk, client };
}
