import { randomUUID } from 'node:crypto';
import { type Bucket, Unmet } from './bucket.ts';
import { unconditional } from './s3-error.ts';

/**
 * Tries with an object of its own whether a service honours the conditions of a write, before there is a ledger: one that ignores them
 * would let two runs overwrite each other. Throws `Problems`.
 */
export async function requireConditions(bucket: Bucket, prefix: string, shown: string): Promise<void> {
  const key = `${prefix}probe-${randomUUID()}`;
  const isRefused = (condition: Parameters<Bucket['put']>[2]) =>
    bucket.put(key, 'second', condition).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Unmet) return true;
        throw error;
      },
    );
  try {
    const tag = await bucket.put(key, 'first', 'none');
    if (!(await isRefused('none'))) throw dishonoured(shown, 'If-None-Match');
    await bucket.put(key, 'third', { tag });
    if (!(await isRefused({ tag }))) throw dishonoured(shown, 'If-Match');
  } finally {
    await bucket.drop([key]).catch(() => {});
  }
}

const dishonoured = (shown: string, header: string) =>
  unconditional(shown, `writes although ${header} does not hold`);
