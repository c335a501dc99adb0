/** The options of the command line that decide something about a plan. A plan from an anonymous snapshot has them again. */
export const decidingOptions = [
  'target',
  'exclude',
  'sendUnverified',
  'maxDeletions',
  'ignoreDraft',
  'adoptRenamed',
  'fewerInputs',
  'overwriteConflicts',
  'allow',
  'allowIncomplete',
  'actions',
  'canary',
  'settle',
  'twin',
] as const;

export type DecidingOption = (typeof decidingOptions)[number];
