import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { meaning } from '../../providers/hosting/meaning/index.ts';
import { load } from '../../src/config/load.ts';
import type { View } from '../../src/kind/meaning.ts';
import { viewOfConfigurations } from '../../src/meaning/view.ts';
import { allAllowed } from '../support/all-allowed.ts';
import { companyOf } from '../support/company.ts';
import { oneRowIn, oneStoryIn, runs } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';
import { kinds } from '../support/world.ts';
import { healthyAccount } from './healthy-account.ts';

const story = oneStoryIn(3);

const checks = (await Promise.all(meaning.checks.map((group) => group.load()))).flat();

/** Returns the findings above note, as texts. */
const alarmsIn = (view: View): string[] =>
  checks.flatMap((check) =>
    [...check.find(view)].flatMap(({ severity, code, address, message }) =>
      severity === 'note' ? [] : [`${code} ${address}: ${message}`],
    ),
  );

/** Returns the view of an account that has exactly the declared objects. */
const asAccount = (view: View): View => ({ ...view, knows: () => 'all' });

story('a healthy account has no warning, neither as a configuration nor as an account', async () => {
  await fc.assert(
    fc.asyncProperty(healthyAccount, async (yaml) => {
      const view = await viewOf(`secrets: { stripe: {} }\n${yaml}`);
      expect([...alarmsIn(view), ...alarmsIn(asAccount(view))]).toEqual([]);
    }),
    { numRuns: runs(1_000) },
  );
});

story('a company of sixty sites has no warning', async () => {
  const [, body = ''] = companyOf(60).split('platform: { personal: true }\n');
  const view = await viewOf(body);
  expect([...alarmsIn(view), ...alarmsIn(asAccount(view))]).toEqual([]);
});

oneRowIn(5)([
  ...readdirSync('examples').filter((name) => /(?<!\.test)\.yaml$/.test(name)),
  'shop',
  'company',
])('examples/%s has no warning', async (name) => {
  const { desired, diagnostics } = await load({
    kinds,
    cwd: 'examples',
    paths: [name],
    env: {},
    sources: allAllowed({}, 'examples'),
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const view = viewOfConfigurations([desired]);
  expect([...alarmsIn(view), ...alarmsIn(asAccount(view))]).toEqual([]);
});

it('the checks of a group find nothing without objects of its kinds', async () => {
  // Else a configuration without these objects would not get the findings, because the group is not loaded.
  const everything = await viewOf(
    readFileSync('examples/everything.yaml', 'utf8').replace(/^(stack|platform):.*$/gm, ''),
  );
  for (const { kinds, load } of meaning.checks) {
    const view = {
      ...everything,
      ofKind: (kind: string) => (kinds.includes(kind) ? [] : everything.ofKind(kind)),
    };
    for (const check of await load()) expect([...check.find(view)]).toEqual([]);
  }
});
