/** The same in every run, so that a red build is the change's fault. */
export const usualSeed = '20261121';

/** Returns the number that decides which tests and rows the suite plays, of those that it plays in turn. `TRUEUP_PART` chooses others. */
export const currentPart = (): string => process.env.TRUEUP_PART ?? process.env.TRUEUP_SEED ?? usualSeed;
