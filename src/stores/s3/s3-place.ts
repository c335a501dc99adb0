import { isLoopback } from '../../http/settings.ts';
import { raise } from '../../model/diagnostic.ts';
import { refuseUnknownParameters, urlProblem } from '../store-url.ts';

type S3Env = Record<string, string | undefined>;

/** The place of the ledgers in a bucket, and the service that has the bucket. */
export interface S3Place {
  /** The place in messages: `s3://bucket/prefix`. */
  shown: string;
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  /** The endpoint of the service. Undefined for AWS. */
  endpoint: string | undefined;
  /** Undefined: the region of the AWS profile. */
  region: string | undefined;
  env: S3Env;
}

/**
 * Parses the URL of `--ledger s3://BUCKET/PREFIX`. Region and endpoint come from the URL or the environment
 * variables of the AWS SDK, credentials from its other settings. Throws `Problems` if the URL names no bucket, or
 * for an endpoint without encryption. `shown`: the URL for messages.
 */
export function s3Place(url: URL, env: S3Env): S3Place {
  const query = url.searchParams;
  refuseUnknownParameters(query, ['endpoint', 'region']);
  const bucket = url.hostname;
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  if (bucket === '' || url.username !== '')
    raise(
      urlProblem(
        'the URL of the ledger does not name a bucket',
        'for example `--ledger s3://our-ledgers/trueup`',
      ),
    );
  const endpoint = query.get('endpoint') || env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined;
  if (endpoint !== undefined) checkEndpoint(endpoint);
  return {
    shown: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region:
      query.get('region') ||
      env.AWS_REGION ||
      env.AWS_DEFAULT_REGION ||
      (endpoint === undefined ? undefined : 'us-east-1'),
    env,
  };
}

/**
 * Throws `Problems` for an unencrypted endpoint of an S3 ledger that is not on this machine, because anyone in between could change the
 * ledger.
 */
export function checkEndpoint(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return;
  raise(
    urlProblem(
      'the endpoint of the ledger is not an https:// address',
      'over http:// anyone in between could read and change the ledger; http:// is only allowed for this machine',
    ),
  );
}
