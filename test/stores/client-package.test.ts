import { expect, it } from 'vitest';
import { loadClientPackage } from '../../src/stores/client-package.ts';
import { problemOf } from '../ledger/leases.ts';

it('a client that is not installed is named, with how to install it', async () => {
  const missing = () => import('a-package-that-nobody-has' as string);
  expect(await problemOf(loadClientPackage('pg', missing))).toMatchObject({
    code: 'ledger/client',
    message: expect.stringContaining('package pg, which is not installed'),
    hint: expect.stringContaining('npm install pg'),
  });
});
