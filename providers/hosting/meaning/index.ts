import type { Meaning } from '#kind';
import { dnsChecks } from './dns/index.ts';
import { publicSecret } from './env-public-secret.ts';
import { firewallChecks } from './firewall/index.ts';

/** What configurations of the platform mean: the checks for those that are valid and harmful. */
export const meaning: Meaning = {
  checks: [...dnsChecks, publicSecret, ...firewallChecks],
  changeCodes: [],
  checkChanges: () => [],
};
