import { getFips, hash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { checkVerification } from '../../http/dispatcher.ts';
import { standardBounds } from '../../http/exchange.ts';
import { type Diagnostic, Problems, problem, raise } from '../../model/diagnostic.ts';
import { tryParseJson } from '../../model/read-json.ts';
import { loadClientPackage } from '../client-package.ts';
import { checkEndpoint, type S3Place } from './s3-place.ts';

/** The content of an object. `tag` identifies this version of it. */
interface BucketObject {
  text: string;
  tag: string;
}

/** The condition of a write: `none` if the object must not exist, or the tag of the version that is replaced. */
export type WriteCondition = 'none' | { tag: string };

/** The condition of a write did not hold. Nothing was changed. */
export class ConditionFailed extends Error {}

/** The requests of a ledger store to a bucket. Each throws `Problems`. */
export interface ObjectBucket {
  get(key: string): Promise<BucketObject | undefined>;
  /** Writes an object and returns its tag. Throws `ConditionFailed` if the condition does not hold. */
  put(key: string, text: string, condition?: WriteCondition): Promise<string>;
  deleteObjects(keys: readonly string[]): Promise<void>;
  /** Lists the folders directly under a prefix, each with a slash at the end. */
  listFolders(prefix: string): Promise<string[]>;
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
 * Opens the S3 bucket of `--ledger s3://...`. Its requests turn errors of the service into `Problems` with a hint.
 * All stores with the same credentials share a client. Answers that no S3 service would give, such as a web page,
 * are errors, because a ledger must never be taken for a missing one. `shown`: the place in messages.
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
async function listFolders({ sdk, client, bucket, shown }: BucketAccess, prefix: string): Promise<string[]> {
  const folders: string[] = [];
  for (let continuation: string | undefined; ; ) {
    const page = await client.send(
      new sdk.ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        Delimiter: '/',
        ContinuationToken: continuation,
      }),
    );
    const { Name, IsTruncated, CommonPrefixes = [], NextContinuationToken } = page;
    // Checked, because the client takes any answer, even a web page, for an empty list.
    if (Name !== bucket || IsTruncated === undefined || (IsTruncated && !NextContinuationToken))
      raise(strangeAnswerProblem(shown, 'not the list of a bucket'));
    folders.push(...CommonPrefixes.flatMap(({ Prefix }) => (Prefix === undefined ? [] : [Prefix])));
    if (!IsTruncated) return folders;
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
 * Loads the AWS SDK and opens connections to the service that holds a ledger. Throws `Problems` if the connection would be unencrypted, or
 * certificates would not be checked.
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

/** A reference to an object, with the digest of its text. */
export interface ObjectName {
  key: string;
  sha256: string;
}

/**
 * The object that says which objects are the current ledger, plan and records of a stack. Only the head is written under a condition. The objects
 * that it names are written before it under new names, and never change. A write therefore takes effect at the moment when the head is written.
 */
export interface StackHead {
  trueup: 1;
  ledger?: ObjectName | undefined;
  plan?: ObjectName | undefined;
  /** The lease itself, because it is small and changes often. */
  lease?: string | undefined;
  history: Record<string, ObjectName>;
}

const objectNameSchema = z.object({ key: z.string(), sha256: z.string() });
const stackHeadSchema = z.looseObject({
  trueup: z.literal(1),
  ledger: objectNameSchema.optional(),
  plan: objectNameSchema.optional(),
  lease: z.string().optional(),
  history: z.record(z.string(), objectNameSchema),
});

/** Formats a head in the form in which it is stored. */
export const formatHead = (head: StackHead): string => `${JSON.stringify(head, null, 2)}\n`;

/**
 * Parses a head: the object in a bucket that names the current objects of a stack. Throws `Problems` for any other
 * content, and if it names an object outside of `folder`, the folder of the stack, because a forged head could make
 * a run delete objects of others.
 */
export function parseHead(text: string, folder: string, place: string): StackHead {
  const head = stackHeadSchema.safeParse(tryParseJson(text)).data;
  if (head && objectNamesOf(head).every(({ key }) => key.startsWith(folder))) return head;
  raise(damagedProblem(place, 'its head.json has a format that this version of trueup does not know'));
}

/**
 * Returns all objects that a head names: ledger, plan and records. Used to find objects that no head needs any more.
 */
export const objectNamesOf = ({ history, ledger, plan }: StackHead): ObjectName[] => [
  ...Object.values(history),
  ...[ledger, plan].filter((name) => name !== undefined),
];

/**
 * Returns the problem that a ledger in a bucket is damaged. A run then stops, because a damaged ledger must not be
 * taken for an empty one.
 */
export const damagedProblem = (place: string, defect: string): Diagnostic =>
  problem('ledger/content', `the ledger ${place} cannot be read: ${defect}`, {
    hint: 'restore an earlier version of it, if the bucket keeps versions; nothing was changed',
  });

/** An error as the AWS SDK throws it. */
interface ServiceError {
  name: string;
  message: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Returns the HTTP status of an error. Undefined if there was no answer. */
export const statusOf = (error: unknown): number | undefined =>
  (error as ServiceError).$metadata?.httpStatusCode;

/**
 * True if a write under a condition failed because of another write, or because the service could not decide the
 * condition in time. The writer then reads again and decides whether to repeat.
 */
export const isConflict = (error: unknown): boolean => {
  const status = statusOf(error);
  // 404 is the answer to If-Match if the object was deleted. A missing bucket is another error.
  return (
    status === 412 || status === 409 || (status === 404 && (error as ServiceError).name !== 'NoSuchBucket')
  );
};

/** Makes the problem for a service, or a proxy in front of it, that does not support conditional writes. */
export const unconditionalProblem = (shown: string, defect: string): Diagnostic =>
  problem('ledger/s3-conditions', `the service of ${shown} ${defect}`, {
    hint: 'two runs could overwrite each other there, so no ledger can be kept in it; AWS and recent versions of many other services support If-Match and If-None-Match',
  });

/** Returns the problem that something else than an S3 service has answered, such as a login page. */
const strangeAnswerProblem = (place: string, answer: string): Diagnostic =>
  problem('ledger/store-failed', `the ledger ${place} cannot be read: the answer is ${answer}`, {
    hint: 'check the endpoint and any proxy in between: a login page may have answered',
  });

/** A class of errors with the same remedy. */
interface S3ErrorClass {
  code: string;
  hint: string;
  matches(error: ServiceError, status: number | undefined): boolean;
}

/** The first class which matches is used. */
const s3ErrorClasses: S3ErrorClass[] = [
  {
    code: 'ledger/s3-bucket',
    hint: 'create the bucket, or correct its name and the region',
    matches: ({ name }) => name === 'NoSuchBucket',
  },
  {
    code: 'ledger/s3-bucket',
    hint: 'name the region of the bucket: AWS_REGION, or `?region=eu-central-1`',
    matches: ({ name, message }, status) =>
      /Region (is missing|not accepted)|the region '/.test(message) ||
      (name === 'PermanentRedirect' && status === 301) ||
      (name === 'TemporaryRedirect' && status === 307),
  },
  {
    code: 'ledger/s3-clock',
    hint: 'set the clock of this machine, then run trueup again: requests are signed with the time',
    matches: ({ name }) => /RequestTimeTooSkewed|RequestExpired/.test(name),
  },
  {
    code: 'ledger/s3-denied',
    hint: 'the role must trust this caller: for a CI job that is its repository and branch, or its environment',
    matches: ({ message }) => /\bsts:/.test(message),
  },
  {
    code: 'ledger/s3-denied',
    hint: 'pass credentials in a form that the AWS SDK accepts: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or web identity',
    matches: ({ name, message }, status) =>
      /Credential|Token|InvalidAccessKeyId|SignatureDoesNotMatch/.test(name) ||
      status === 401 ||
      // The file with the token of a web identity cannot be read.
      /^[A-Z]+: .*, open /.test(message),
  },
  {
    code: 'ledger/s3-denied',
    hint: "a plan needs s3:GetObject and s3:ListBucket there, an apply s3:PutObject and s3:DeleteObject, too; and the use of the bucket's encryption key, if it has one",
    matches: (_, status) => status === 403,
  },
  {
    code: 'ledger/store-failed',
    hint: 'check the endpoint: redirects are not followed, and S3 itself does not answer like this',
    matches: (_, status) => status !== undefined && status >= 300 && status < 400,
  },
  {
    code: 'ledger/unreachable',
    hint: 'the service is busy: wait a moment, then run trueup again',
    matches: ({ name }, status) =>
      /SlowDown|Throttl|ServiceUnavailable|TooManyRequests/.test(name) || status === 503 || status === 429,
  },
  {
    code: 'ledger/unreachable',
    hint: 'check the network, the region and the endpoint, then run trueup again; if a write was under way, the next run sees if it arrived',
    matches: (_, status) => status === undefined || status >= 500,
  },
];

/**
 * Converts an error of the S3 service or the network into a problem with a hint. An answer that the SDK could not
 * parse, such as a web page, is described by its status. `activity`: whether the ledger was read or written.
 */
export function toS3Problem(place: string, activity: 'read' | 'written', error: ServiceError): Diagnostic {
  const status = statusOf(error);
  const [first = ''] = (error.message || error.name || '').split('\n');
  const isUnparsed = error.name === 'Unknown' || /parse error/.test(first);
  const nameAndMessage = [error.name === 'Error' ? '' : error.name, first === error.name ? '' : first]
    .filter((part) => part !== '')
    .join(': ');
  const messageOfUnparsed = status === undefined ? first : `it was answered with ${status}`;
  const message = isUnparsed ? messageOfUnparsed : nameAndMessage;
  const { code, hint } = s3ErrorClasses.find(({ matches }) =>
    matches({ ...error, name: error.name, message: first }, status),
  ) ?? {
    code: 'ledger/store-failed',
    hint: 'correct the error that the service reports, then run trueup again',
  };
  return problem(code, `the ledger ${place} cannot be ${activity}: ${message}`, { hint });
}
