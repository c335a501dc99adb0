import type { Style } from '../report/style.ts';
import { labelled, widthOf } from './columns.ts';
import { type Coverage, type CoveredOperation, isClaimed } from './coverage.ts';

/** Every operation of the API by group, with the kinds that use it, and totals. */
export function coverageText({ total, claimed, groups }: Coverage, { style }: { style: Style }): string {
  const width = widthOf(style);
  const blocks = groups.map(({ group, total, claimed, operations }) =>
    [
      `${style.strong(group)}  ${claimed} of ${total}`,
      ...labelled(
        operations.map((operation) => ({
          label: `  ${operation.method.padEnd(6)} ${operation.path}`,
          paint: (label: string) => (isClaimed(operation) ? label : style.quiet(label)),
          cells: [
            isClaimed(operation)
              ? { text: claimWords(operation), paint: style.add }
              : { text: 'not claimed yet', paint: style.quiet },
          ],
        })),
        width,
        0.75,
      ),
    ].join('\n'),
  );
  const percent = total === 0 ? 0 : Math.floor((claimed / total) * 100);
  return [...blocks, style.strong(`${claimed} of ${total} operations are claimed (${percent} %).`)].join(
    '\n\n',
  );
}

const claimWords = ({ claims, isLookup }: CoveredOperation): string =>
  [
    ...(isLookup ? ['every run (account)'] : []),
    ...claims.map(({ kind, when }) => `${kind} (${when.join(', ')})`),
  ].join('; ');
