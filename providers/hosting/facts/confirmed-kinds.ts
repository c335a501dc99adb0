/**
 * The kinds whose answers in a real account were as expected, by a report of `trueup doctor` in test/facts/real-accounts. A test keeps the
 * list equal to the reports. There is none yet.
 */
export const confirmedKinds: readonly string[] = [];
