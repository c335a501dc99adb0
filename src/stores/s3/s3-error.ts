import { Problems, problem } from '../../model/diagnostic.ts';

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

/** Turns what the service or the network says into a problem that says what to do. */
export function s3Problems(place: string, doing: 'read' | 'written', error: ServiceError): Problems {
  const status = statusOf(error);
  const [first = ''] = (error.message || error.name || '').split('\n');
  const why = `${error.name}${first && first !== error.name ? `: ${first}` : ''}`;
  const say = (code: string, hint: string) =>
    new Problems([problem(code, `the ledger ${place} cannot be ${doing}: ${why}`, { hint })]);
  if (error.name === 'NoSuchBucket')
    return say('ledger/s3-bucket', 'make the bucket, or correct its name and the region');
  if (/Region (is missing|not accepted)/.test(first))
    return say('ledger/s3-bucket', 'name the region of the bucket: AWS_REGION, or `?region=eu-central-1`');
  if (
    /Credential|Token|ExpiredToken|InvalidAccessKeyId|SignatureDoesNotMatch/.test(error.name) ||
    status === 401
  )
    return say(
      'ledger/s3-denied',
      'give credentials as the AWS SDK takes them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or web identity',
    );
  if (status === 403)
    return say(
      'ledger/s3-denied',
      'a plan needs s3:GetObject and s3:ListBucket there, an apply s3:PutObject and s3:DeleteObject, too',
    );
  if (status === undefined || status >= 500 || status === 429)
    return say(
      'ledger/s3-unreachable',
      'check the network, the region and the endpoint, then run trueup again',
    );
  return say('ledger/s3-failed', 'correct what the service says, then run trueup again');
}
