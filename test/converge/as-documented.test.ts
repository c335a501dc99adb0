import { describe } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { defaultSwitches } from '../../providers/hosting/twin/index.ts';
import { sampled } from '../support/sweep.ts';
import { everyFieldConverges } from './every-field.ts';

describe('every field of every kind, the platform behaving as the evidence says', () =>
  everyFieldConverges(sampled(kinds, 2), defaultSwitches, 100));
