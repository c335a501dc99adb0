import { it } from 'vitest';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { defaultSwitches } from '../../providers/hosting/twin/index.ts';
import { noteCounts } from '../support/cost.ts';
import { casesOf } from '../support/field-cases.ts';
import { sampled } from '../support/sweep.ts';

import { expectNoWriteFor, takeCounts } from './no-write.ts';

noteCounts('export', takeCounts);

// Half of the kinds: a random account and an odd one have something of all. Every kind in the sweep.
it.each(sampled(allKinds, 2).map((kind) => [kind.name, kind] as const))(
  'an account with every field of a %s',
  (_, kind) =>
    expectNoWriteFor(
      casesOf(kind).map((one) => ({ kind, one })),
      1,
      defaultSwitches,
    ),
);
