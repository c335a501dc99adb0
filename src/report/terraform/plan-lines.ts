import type { Change } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { sentIn } from '../summary-of.ts';
import { actionsOf, countsOf, countsText, hasDrift, reasonOf } from './resource-change.ts';
import { terraformVersion } from './terraform-plan.ts';
import { diagnosticLine, type UiLine, uiLine, uiResource } from './ui-line.ts';

/** The first line of a stream: what it is, and that it can be read as Terraform's. */
export const versionLine = (version: string): UiLine & { ui: string } => ({
  ...uiLine('version', `trueup ${version}`, { terraform: terraformVersion, trueup: version }),
  ui: '1.2',
});

/** A plan in the lines of `terraform plan -json`: drift, changes, how many, and problems last. What stays is not mentioned. */
export function planLines(plan: Plan): UiLine[] {
  const sent = sentIn(plan);
  const counts = countsOf(plan);
  return [
    ...plan.changes.filter(hasDrift).map((change) =>
      uiLine('resource_drift', `${change.address}: Drift detected (update)`, {
        change: { resource: uiResource(change), action: 'update' },
      }),
    ),
    ...plan.changes.flatMap((change) => plannedLine(change, sent.has(change.address))),
    uiLine('change_summary', countsText(counts), { changes: { ...counts, operation: 'plan' } }),
    ...plan.diagnostics.map(diagnosticLine),
  ];
}

function plannedLine(change: Change, isSent: boolean): UiLine[] {
  const action = plannedAction(change, isSent);
  if (action === undefined) return [];
  // Without its prefix where it is the only thing that there could be a reason for.
  const reason = reasonOf(change)?.replace('replace_because_', '');
  return [
    uiLine('planned_change', `${change.address}: Plan to ${action}`, {
      change: {
        resource: uiResource(change),
        action,
        ...(reason === undefined ? {} : { reason }),
        ...(change.action === 'adopt' ? { importing: { id: change.id ?? '' } } : {}),
      },
    }),
  ];
}

/** `remove`: it is let go, and stays. Nothing for what stays as it is. */
function plannedAction(change: Change, isSent: boolean): string | undefined {
  const [action, second] = actionsOf(change, isSent);
  if (second === 'create') return 'replace';
  if (action === 'forget') return 'remove';
  if (action === 'no-op') return change.action === 'adopt' ? 'import' : undefined;
  return action;
}
