import { describe } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { otherSwitches } from '../../providers/hosting/twin/index.ts';
import { sampled } from '../support/sweep.ts';
import { everyFieldConverges } from './every-field.ts';

// A quarter of the kinds, others than behave as documented: most switches are about one kind, which has tests of its own. All of them in the sweep.
describe('every field, the platform behaving the other way wherever the evidence is silent', () =>
  everyFieldConverges(sampled(kinds.toReversed(), 1), otherSwitches, 40));
