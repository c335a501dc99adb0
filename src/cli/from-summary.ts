import type { Exported } from '../export/export-live.ts';
import type { FromState } from '../from/terraform/from-state.ts';
import { count } from '../report/count.ts';

/** What became of a state: all that stays behind is named. */
export function stateSummary(
  { count: objects, notes }: Exported,
  { secrets, left, others }: FromState,
  folded: readonly string[],
): string {
  const values = secrets.reduce((sum, { names }) => sum + names.length, 0);
  return [
    `${count(objects, 'object')} taken over.`,
    ...(folded.length > 0 ? [`One block with \`$each\`: ${folded.join(', ')}.`] : []),
    ...(values > 0
      ? [
          `${count(values, 'secret')} of the state ${values === 1 ? 'is' : 'are'} in no file; the account keeps what it has:`,
          ...secrets.map(({ address, names }) => `  ${address}: ${names.join(', ')}`),
        ]
      : []),
    ...leftText([...left, ...notes]),
    ...[...others].map(
      ([provider, number]) =>
        `${count(number, 'resource')} of ${provider}: Terraform keeps ${number === 1 ? 'it' : 'them'}.`,
    ),
  ].join('\n');
}

/** Under a title, what could not be taken over. */
export const leftText = (left: readonly string[]): string[] =>
  left.length === 0 ? [] : ['Not taken over:', ...left.map((sentence) => `  ${sentence}`)];
