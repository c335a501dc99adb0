import type { Meaning } from '#kind';

/** What configurations of the platform mean: the checks for those that are valid and harmful. */
export const meaning: Meaning = {
  checks: [],
  checkChanges: () => [],
};
