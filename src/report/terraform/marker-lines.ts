import { byAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { sentIn } from '../summary-of.ts';
import { actionsOf, countsOf, countsText } from './resource-change.ts';

/**
 * The lines that tools look for in Terraform's text, tfcmt above all: a summary, the line that the changes begin after, and one line for
 * each. They stand in front of the plan's own text, since the first summary counts. None where nothing changes.
 */
export function markerLines(plan: Plan): string {
  const sent = sentIn(plan);
  const lines = [...plan.changes]
    .sort(byAddress)
    .flatMap((change) => linesOf(change, sent.has(change.address)));
  if (lines.length === 0) return '';
  return [
    countsText(countsOf(plan)),
    '',
    'Terraform will perform the following actions:',
    '',
    ...lines.map((line) => `  # ${line}`),
  ].join('\n');
}

function linesOf(change: Change, isSent: boolean): string[] {
  const address = cleanLine(change.address);
  const [action, second] = actionsOf(change, isSent);
  const isImport = change.action === 'adopt';
  if (second === 'create') return [`${address} must be replaced`];
  switch (action) {
    case 'create':
      return [`${address} will be created`];
    case 'update':
      return [
        `${address} will be updated in-place`,
        ...(isImport ? [`(imported from "${cleanLine(change.id ?? '')}")`] : []),
      ];
    case 'delete':
      return [`${address} will be destroyed`];
    case 'forget':
      return [`${address} will no longer be managed, but will not be destroyed`];
    case 'no-op':
      return isImport ? [`${address} will be imported`] : [];
  }
}
