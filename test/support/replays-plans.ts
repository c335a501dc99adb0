/** True for a run of the tests in which every plan is made again from a snapshot (TRUEUP_REPLAY): both must be equal. */
export const replaysPlans = process.env.TRUEUP_REPLAY !== undefined;
