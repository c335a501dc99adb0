import { describe } from 'vitest';
import { otherSwitches } from '../../providers/hosting/twin/index.ts';
import { everyFieldConverges } from './every-field.ts';

describe('every field of every kind, the platform behaving the other way wherever the evidence is silent', () =>
  everyFieldConverges(otherSwitches, 40));
