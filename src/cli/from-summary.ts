import type { Exported } from '../export/export-live.ts';
import type { FromState } from '../from/terraform/from-state.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';

/** What became of a state: all that stays behind is named. */
export function stateSummary(
  { count: objects, notes }: Exported,
  { secrets, left, others }: FromState,
  { folded, asFound }: { folded: readonly string[]; asFound: readonly string[] },
): string {
  const values = secrets.reduce((sum, { names }) => sum + names.length, 0);
  return [
    `${count(objects, 'object')} taken over.`,
    ...(folded.length > 0 ? [`One block with \`$each\`: ${cleanLine(folded.join(', '))}.`] : []),
    ...(values > 0
      ? [
          `${count(values, 'secret')} of the state ${values === 1 ? 'is' : 'are'} not written to any file; the account keeps the live values:`,
          ...indented(secrets.map(({ address, names }) => `${address}: ${names.join(', ')}`)),
        ]
      : []),
    ...(asFound.length > 0
      ? ['Written as found: check them for secrets before you commit.', ...indented(asFound)]
      : []),
    ...leftText([...left, ...notes]),
    ...[...others].map(
      ([provider, number]) =>
        `${count(number, 'resource')} of ${cleanLine(provider)}: Terraform keeps ${number === 1 ? 'it' : 'them'}.`,
    ),
  ].join('\n');
}

/** Under a title, what could not be taken over. */
export const leftText = (left: readonly string[]): string[] =>
  left.length === 0 ? [] : ['Not taken over:', ...indented(left)];

/** Names in it come from a file of somebody else: none of them begins a line. */
const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${cleanLine(line)}`);
