import { type Diagnostic, problem } from '../../model/diagnostic.ts';

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
  const isDeleted = status === 404 && (error as ServiceError).name !== 'NoSuchBucket';
  return status === 412 || status === 409 || isDeleted;
};

/**
 * Returns the problem that a ledger in a bucket is damaged. A run then stops, because a damaged ledger must not be
 * taken for an empty one.
 */
export const damagedProblem = (place: string, defect: string): Diagnostic =>
  problem('ledger/content', `the ledger ${place} cannot be read: ${defect}`, {
    hint: 'restore an earlier version of it, if the bucket keeps versions; nothing was changed',
  });

/** Makes the problem for a service, or a proxy in front of it, that does not support conditional writes. */
export const unconditionalProblem = (shown: string, defect: string): Diagnostic =>
  problem('ledger/s3-conditions', `the service of ${shown} ${defect}`, {
    hint: 'two runs could overwrite each other there, so no ledger can be kept in it; AWS and recent versions of many other services support If-Match and If-None-Match',
  });

/** Returns the problem that something else than an S3 service has answered, such as a login page. */
export const strangeAnswerProblem = (place: string, answer: string): Diagnostic =>
  problem('ledger/store-failed', `the ledger ${place} cannot be read: the answer is ${answer}`, {
    hint: 'check the endpoint and any proxy in between: a login page may have answered',
  });

/** Errors with the same remedy. */
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
