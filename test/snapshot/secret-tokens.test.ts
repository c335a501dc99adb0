import { describe, expect, it } from 'vitest';
import { SecretTokens } from '../../src/snapshot/secret-tokens.ts';

describe('the token of a short secret that is a word of a text', () => {
  it.each(['ab-cd', 'a/b-c', 'k.$[x'])('replaces the secret %s, whatever signs it has', (secret) => {
    const tokens = new SecretTokens(new Set());
    const token = tokens.register(secret);
    expect(tokens.replaceIn({ message: `sent ${secret} to the hook` })).toEqual({
      message: `sent ${token} to the hook`,
    });
  });
});
