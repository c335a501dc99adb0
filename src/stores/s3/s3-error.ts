import { Problems } from '../../model/diagnostic.ts';

interface ServiceError {
  name: string;
  message: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** The status of an answer; undefined where there was none. */
export const statusOf = (error: unknown): number | undefined =>
  (error as ServiceError).$metadata?.httpStatusCode;

/** Another one wrote meanwhile: the condition did not hold, or the service could not tell in time. */
export const isConflict = (error: unknown): boolean => {
  const status = statusOf(error);
  // 404 is the answer to If-Match where the object is gone; of a bucket that is not there it is none.
  return (
    status === 412 || status === 409 || (status === 404 && (error as ServiceError).name !== 'NoSuchBucket')
  );
};

/** The service, or what is in front of it, does not keep two writers apart. */
export const unconditional = (shown: string, why: string): Problems =>
  new Problems('ledger/s3-conditions', `the service of ${shown} ${why}`, {
    hint: 'two runs could overwrite each other there, so trueup keeps no ledger in it; AWS and recent versions of many other services honour If-Match and If-None-Match',
  });

/** The answer did not come from an S3 service. */
export const strange = (place: string, what: string): Problems =>
  new Problems('ledger/s3-failed', `the ledger ${place} cannot be read: the answer is ${what}`, {
    hint: 'check the endpoint and any proxy in between: a login page may have answered',
  });

interface Sort {
  code: string;
  hint: string;
  isOne(error: ServiceError, status: number | undefined): boolean;
}

/** The first that fits counts. */
const sorts: Sort[] = [
  {
    code: 'ledger/s3-bucket',
    hint: 'make the bucket, or correct its name and the region',
    isOne: ({ name }) => name === 'NoSuchBucket',
  },
  {
    code: 'ledger/s3-bucket',
    hint: 'name the region of the bucket: AWS_REGION, or `?region=eu-central-1`',
    isOne: ({ name, message }, status) =>
      /Region (is missing|not accepted)|the region '/.test(message) ||
      (name === 'PermanentRedirect' && status === 301) ||
      (name === 'TemporaryRedirect' && status === 307),
  },
  {
    code: 'ledger/s3-clock',
    hint: 'set the clock of this machine, then run trueup again: requests are signed with the time',
    isOne: ({ name }) => /RequestTimeTooSkewed|RequestExpired/.test(name),
  },
  {
    code: 'ledger/s3-denied',
    hint: 'the role must trust this caller: for a CI job that is its repository and branch, or its environment',
    isOne: ({ message }) => /\bsts:/.test(message),
  },
  {
    code: 'ledger/s3-denied',
    hint: 'give credentials as the AWS SDK takes them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or web identity',
    isOne: ({ name, message }, status) =>
      /Credential|Token|InvalidAccessKeyId|SignatureDoesNotMatch/.test(name) ||
      status === 401 ||
      // The file of a web identity.
      /^[A-Z]+: .*, open /.test(message),
  },
  {
    code: 'ledger/s3-denied',
    hint: "a plan needs s3:GetObject and s3:ListBucket there, an apply s3:PutObject and s3:DeleteObject, too; and the use of the bucket's encryption key, if it has one",
    isOne: (_, status) => status === 403,
  },
  {
    code: 'ledger/s3-failed',
    hint: 'check the endpoint: redirects are not followed, and S3 itself does not answer like this',
    isOne: (_, status) => status !== undefined && status >= 300 && status < 400,
  },
  {
    code: 'ledger/s3-unreachable',
    hint: 'the service is busy: wait a moment, then run trueup again',
    isOne: ({ name }, status) =>
      /SlowDown|Throttl|ServiceUnavailable|TooManyRequests/.test(name) || status === 503 || status === 429,
  },
  {
    code: 'ledger/s3-unreachable',
    hint: 'check the network, the region and the endpoint, then run trueup again; if a write was under way, the next run sees whether it arrived',
    isOne: (_, status) => status === undefined || status >= 500,
  },
];

/** Turns what the service or the network says into a problem that says what to do. */
export function s3Problems(place: string, doing: 'read' | 'written', error: ServiceError): Problems {
  const status = statusOf(error);
  const [first = ''] = (error.message || error.name || '').split('\n');
  const said =
    error.name === 'Unknown' || /parse error/.test(first)
      ? status === undefined
        ? first
        : `it was answered with ${status}`
      : [...(error.name === 'Error' ? [] : [error.name]), ...(first === error.name ? [] : [first])]
          .filter((part) => part !== '')
          .join(': ');
  const { code, hint } = sorts.find((sort) =>
    sort.isOne({ ...error, name: error.name, message: first }, status),
  ) ?? {
    code: 'ledger/s3-failed',
    hint: 'correct what the service says, then run trueup again',
  };
  return new Problems(code, `the ledger ${place} cannot be ${doing}: ${said}`, { hint });
}
