import { expect, it } from 'vitest';
import { tokenRules } from '../../providers/hosting/token-rules.ts';

it.each([
  ['OWNER', 'OWNER'],
  ['canary-role', 'unknown'],
])('a report shows published roles only: %s', (role, shown) => {
  const answers = { token: undefined, user: undefined, team: { membership: { role } } };
  expect(tokenRules.decode(answers)).toMatchObject({ role: shown });
});
