import { isLoopback } from '../../http/settings.ts';
import { refused, refuseOthers } from '../store-url.ts';

type Env = Record<string, string | undefined>;

/** The place of the ledgers in a bucket, and its service. */
export interface S3Place {
  /** For people: `s3://bucket/prefix`. */
  shown: string;
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  /** The endpoint of a service other than AWS. */
  endpoint: string | undefined;
  /** Undefined: that of the profile. */
  region: string | undefined;
  env: Env;
}

/**
 * Reads the URL of a bucket. Region, service and credentials are those of the AWS SDK: environment, profile, web identity. Throws
 * `Problems`.
 */
export function s3Place(url: URL, env: Env): S3Place {
  const query = url.searchParams;
  refuseOthers(query, ['endpoint', 'region']);
  const bucket = url.hostname;
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  if (bucket === '' || url.username !== '')
    throw refused('the URL of the ledger names no bucket', 'for example `--ledger s3://our-ledgers/trueup`');
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

/** Refuses a service that is reached unencrypted, unless it is on this machine. Throws `Problems`. */
export function checkEndpoint(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw refused(
    'the endpoint of the ledger is no https:// address',
    'over http:// anybody on the way could read and change it: that is only for this machine',
  );
}
