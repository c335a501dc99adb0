import { getFips, hash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { checkVerification } from '../../http/dispatcher.ts';
import { standardBounds } from '../../http/exchange.ts';
import { Problems } from '../../model/diagnostic.ts';
import { jsonIn } from '../../model/json-in.ts';
import { clientPackage } from '../client-package.ts';
import { isConflict, s3Problems, statusOf, strange, unconditional } from './s3-error.ts';
import { checkEndpoint, type S3Place } from './s3-place.ts';

/** An object as it was read; its tag stands for this version of it. */
interface Stored {
  text: string;
  tag: string;
}

/** A condition of a write: that nothing is there, or the version with this tag. */
type Condition = 'none' | { tag: string };

/** A condition did not hold. Nothing was changed. */
export class Unmet extends Error {}

/** The requests that a store of ledgers makes to a bucket. Each throws `Problems`. */
export interface Bucket {
  get(key: string): Promise<Stored | undefined>;
  /** Gives back the tag. Throws `Unmet` where there is a condition that does not hold. */
  put(key: string, text: string, condition?: Condition): Promise<string>;
  drop(keys: readonly string[]): Promise<void>;
  /** The folders directly under a prefix, with a slash at the end. */
  folders(prefix: string): Promise<string[]>;
}

const clients = new Map<string, Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }>>();

/** Opens a bucket. All ledgers of a process share the connections to a service. */
export async function openBucket(s3Place: S3Place, shown: string): Promise<Bucket> {
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
  const { bucket: Bucket } = s3Place;
  const told = async <T>(doing: 'read' | 'written', work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Problems || error instanceof Unmet) throw error;
      throw s3Problems(shown, doing, error as Error);
    }
  };
  return {
    get: (Key) =>
      told('read', async () => {
        try {
          const {
            Body,
            ETag,
            ContentLength = 0,
          } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }));
          if (ContentLength > mostBytes) {
            (Body as unknown as { destroy(): void }).destroy();
            throw damaged(shown, `${Key} is too large to be part of a ledger`);
          }
          const text = await Body!.transformToString('utf-8');
          // Nothing that is kept there begins so.
          if (text.trimStart().startsWith('<')) throw strange(shown, 'a web page, not an object');
          return { text, tag: tagOf(ETag, shown) };
        } catch (error) {
          if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
          throw error;
        }
      }),
    put: (Key, text, condition) =>
      told('written', async () => {
        const only =
          condition === undefined
            ? {}
            : condition === 'none'
              ? { IfNoneMatch: '*' }
              : { IfMatch: condition.tag };
        const input = {
          Bucket,
          Key,
          Body: text,
          ContentLength: Buffer.byteLength(text),
          ContentType: 'application/json',
          // A bucket whose Object Lock keeps new objects by default takes none without a checksum; this one each service knows.
          ...(getFips() ? {} : { ContentMD5: hash('md5', text, 'base64') }),
          ...only,
        };
        try {
          const { ETag } = await client.send(new sdk.PutObjectCommand(input));
          return tagOf(ETag, shown);
        } catch (error) {
          if (condition !== undefined && isConflict(error)) throw new Unmet();
          if (condition !== undefined && statusOf(error) === 501)
            throw unconditional(shown, 'does not support conditional writes');
          throw error;
        }
      }),
    drop: (keys) =>
      told('written', async () => {
        for (const Key of keys) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
      }),
    folders: (prefix) =>
      told('read', async () => {
        const found: string[] = [];
        for (let from: string | undefined; ; ) {
          const page = await client.send(
            new sdk.ListObjectsV2Command({
              Bucket,
              Prefix: prefix,
              Delimiter: '/',
              ...(from ? { ContinuationToken: from } : {}),
            }),
          );
          const { Name, IsTruncated, CommonPrefixes = [], NextContinuationToken } = page;
          // To the client any answer is an empty list, even a web page.
          if (Name !== Bucket || IsTruncated === undefined || (IsTruncated && !NextContinuationToken))
            throw strange(shown, 'not the list of a bucket');
          found.push(...CommonPrefixes.flatMap((one) => (one.Prefix === undefined ? [] : [one.Prefix])));
          if (!IsTruncated) return found;
          from = NextContinuationToken;
        }
      }),
  };
}

/** The largest object that is read. */
const mostBytes = standardBounds.maxBytes;

/** Without a tag, or with a weak one, no condition would hold: the client would leave it out, or each write fail. */
function tagOf(tag: string | undefined, shown: string): string {
  if (tag !== undefined && tag !== '' && !tag.startsWith('W/')) return tag;
  throw unconditional(shown, 'sends no strong ETag, which a conditional write needs');
}

async function connect({ endpoint, region, env }: S3Place) {
  if (endpoint === undefined || endpoint.startsWith('https:'))
    checkVerification(env.NODE_TLS_REJECT_UNAUTHORIZED);
  const sdk = await clientPackage('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'));
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  const client = new sdk.S3Client({
    // Else that of the profile.
    ...(region === undefined ? {} : { region }),
    // Other services seldom have a name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(accessKeyId && secretAccessKey && !env.AWS_PROFILE
      ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } }
      : {}),
    // A conditional write that is sent again may find itself in the way: what is there then tells.
    maxAttempts: 3,
    // Not each service knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { requestTimeout: 60_000, connectionTimeout: 10_000 },
  });
  // A profile may name another endpoint than we know of.
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

/** An object that a head names, with the digest of its text. */
export interface Named {
  key: string;
  sha256: string;
}

/**
 * The object that decides: what a stack's ledger, lease and records are. It is written under a condition; what it names is written
 * before it, each under a name of its own, and never changes.
 */
export interface Head {
  trueup: 1;
  ledger?: Named | undefined;
  plan?: Named | undefined;
  /** As a text: it is small, and changes often. */
  lease?: string | undefined;
  history: Record<string, Named>;
}

const named = z.object({ key: z.string(), sha256: z.string() });
const schema = z.looseObject({
  trueup: z.literal(1),
  ledger: named.optional(),
  plan: named.optional(),
  lease: z.string().optional(),
  history: z.record(z.string(), named),
});

export const headText = (head: Head): string => `${JSON.stringify(head, null, 2)}\n`;

/** The head in a text; throws `Problems` for anything else. `folder`: where all that it names has to lie. */
export function headIn(text: string, folder: string, place: string): Head {
  const found = schema.safeParse(jsonIn(text)).data;
  const all = found ? namedIn(found) : [];
  if (found && all.every(({ key }) => key.startsWith(folder))) return found;
  throw damaged(place, 'its head.json is none that this trueup knows');
}

/** All objects that a head names. */
export const namedIn = ({ history, ledger, plan }: Head): Named[] => [
  ...Object.values(history),
  ...[ledger, plan].filter((one) => one !== undefined),
];

export const damaged = (place: string, why: string): Problems =>
  new Problems('ledger/s3-content', `the ledger ${place} cannot be read: ${why}`, {
    hint: 'restore an earlier version of it, if the bucket keeps versions; nothing was changed',
  });
