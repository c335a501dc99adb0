/**
 * The seed of random cases. It is the same in every run unless `TRUEUP_SEED` chooses another one, so that a red build is the change's
 * fault.
 */
export const seed = Number(process.env.TRUEUP_SEED ?? 20_261_121);

/** The number that decides which costly tests, rows and points this run of the suite plays. `TRUEUP_PART` chooses others. */
export const part = Math.abs(Number(process.env.TRUEUP_PART ?? seed));
