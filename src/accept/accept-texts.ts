import { writtenAsFound } from '../export/export-summary.ts';
import { exportedSecretEnv } from '../export/secret-names.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { driftCount, type Plan } from '../model/plan.ts';
import { notComparedState } from '../report/not-compared-text.ts';
import type { AcceptResult } from './accept.ts';
import { groupByEntry } from './additions.ts';

/**
 * Returns the messages that `accept` prints before it asks whether to write the files: changes that are not written, values that the user
 * has to set, and fields to check for secrets. Each line comes once. `notAdded`: the new objects that cannot be added, with reasons.
 * `unchangedFields`: the fields that are written although they could contain a secret.
 */
export function describeResult(
  { leftOut, possibleSecrets, removedRows, exported }: AcceptResult,
  notAdded: readonly string[],
  unchangedFields: readonly string[],
): string[] {
  const missingValues = [...(exported?.secretUsers ?? [])].map(
    ([name, [user]]) =>
      `${addressWithoutTarget(user!)}: its value is not written; set ${exportedSecretEnv(name)} where this is applied`,
  );
  const possibleSecretLines = groupByEntry(possibleSecrets).map(
    ({ name, address, path }) =>
      `${name}: \`${path}\` changed but is not written, since it may be a secret: --values '${address}'`,
  );
  const leftOutLines = leftOut.map(({ address, reason }) => `${addressWithoutTarget(address)}: ${reason}`);
  const lines = [
    ...writtenAsFound(unchangedFields),
    ...removedRows,
    ...notAdded,
    ...(exported?.notes ?? []),
    ...missingValues,
    ...possibleSecretLines,
    ...leftOutLines,
  ];
  return [...new Set(lines)];
}

/**
 * Returns the sentence that `accept` prints if there is nothing to write into the configuration: nothing was
 * changed outside, or only changes that cannot be accepted.
 */
export const nothingToAcceptText = (plan: Plan): string => {
  const isUnchanged = driftCount(plan) === 0;
  const text = isUnchanged ? 'Nothing was changed outside since the last apply.' : 'Nothing to accept.';
  return [text, ...notComparedState(plan)].join(' ');
};
