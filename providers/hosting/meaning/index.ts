import type { Meaning } from '#kind';
import { publicSecrets } from './env-public-secret.ts';

/** What configurations of the platform mean: the checks for those that are valid and harmful. */
export const meaning: Meaning = {
  checks: [publicSecrets],
  checkChanges: () => [],
};
