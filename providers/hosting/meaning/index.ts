import type { Meaning } from '#kind';
import { dnsChecks } from './dns/index.ts';
import { publicSecret } from './env-public-secret.ts';

/** What configurations of the platform mean: the checks for those that are valid and harmful. */
export const meaning: Meaning = {
  checks: [...dnsChecks, publicSecret],
  changeCodes: [],
  checkChanges: () => [],
};
