/*
 * How long deployments are kept. It is written in words and read in days (SDK). The Terraform provider says which word is how many days; it
 * has neither `2w` nor more than a year.
 */

const daysOf: Record<string, number> = {
  ...{ '1d': 1, '1w': 7, '2w': 14, '1m': 30, '2m': 60, '3m': 90, '6m': 180 },
  ...{ '1y': 365, '2y': 730, '3y': 1095, unlimited: 36_500 },
};

/** All words for durations, the shortest first. */
export const retentionWords = Object.keys(daysOf);

/** The member of an answer that has the days of a field, by the name of the field. */
export const retentionMembers = {
  expiration: 'expirationDays',
  expirationProduction: 'expirationDaysProduction',
  expirationCanceled: 'expirationDaysCanceled',
  expirationErrored: 'expirationDaysErrored',
};

/**
 * Returns the word for a number of days in an answer, such as `3m`; undefined if there is none, so that the number cannot be written again.
 */
export const retentionWord = (days: unknown): string | undefined =>
  retentionWords.find((word) => daysOf[word] === days);
