import { expect, it } from 'vitest';
import { accountOf } from '../../src/app/session/open-account.ts';

const owner = { type: 'team', id: 'team_1', slug: 'acme', facts: {} } as const;

it('names the account, and its URL only if it is not the usual one of the platform', () => {
  const of = (url: string) => accountOf(owner, url, 'https://api.example.com/');
  expect(of('https://api.example.com')).toEqual({ type: 'team', name: 'acme' });
  expect(of('http://127.0.0.1:4000')).toMatchObject({ baseUrl: 'http://127.0.0.1:4000' });
  expect(of('twin:')).toMatchObject({ baseUrl: 'twin:' });
});

it('shows no password of a URL', () => {
  expect(accountOf(owner, 'https://ada:pw@proxy.example.com/x', 'https://api.example.com')).toMatchObject({
    baseUrl: 'https://proxy.example.com/x',
  });
});
