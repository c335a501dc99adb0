import { describe, expect, it } from 'vitest';
import { keyedDigest, ledgerKeyFrom } from '../../src/model/digest.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { SessionRecording } from '../../src/snapshot/recording.ts';
import { replayPart } from '../../src/snapshot/replay-part.ts';
import { SecretTokens } from '../../src/snapshot/secret-tokens.ts';
import type { StackPart } from '../../src/snapshot/snapshot.ts';

const secrets = ['first-canary', 'second-canary', 'third-canary'];

/** Returns whether a list of tokens in each order has the digest that was recorded for the list of their secrets. */
function equalOrders(isUnordered: boolean): boolean[] {
  const key = ledgerKeyFrom('x'.repeat(40));
  const { digests } = new SessionRecording();
  const sealed = secrets.map((secret) => new Sealed(secret));
  const recorded = keyedDigest(digests.record(key)!, 'salt', sealed, isUnordered);
  const tokens = new SecretTokens(new Set());
  const [a, b, c] = secrets.map((secret) => tokens.register(secret));
  const part = { keyIds: { id: key.id }, digests: digests.finish(tokens, new Set(), () => false) };
  const replayed = replayPart({
    reads: [],
    counts: [],
    otherStacks: [],
    ...part,
  } as Partial<StackPart> as StackPart);
  return [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ].map(
    (list) =>
      keyedDigest(
        replayed.key!,
        'salt',
        list.map((token) => new Sealed(token!)),
        isUnordered,
      ) === recorded,
  );
}

describe('the digest of a list of secrets in a plan from a snapshot', () => {
  it('is that of the same order', () => {
    expect(equalOrders(false)).toEqual([true, false, false, false, false, false]);
  });

  it('is that of any order if the list is a set, because tokens have another order than their secrets', () => {
    expect(equalOrders(true)).toEqual([true, true, true, true, true, true]);
  });
});
