import { byAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { firstContactTexts } from '../first-contact.ts';
import { notComparedDiagnostics, notComparedState, reportedDiagnostics } from '../not-compared-text.ts';
import { waitingTexts, waitingTitle } from '../plan-notes.ts';
import {
  countTerraformChanges,
  createRequestFactsLookup,
  hasDrift,
  isDeletedOutside,
  type RequestFacts,
  terraformActionsOf,
  terraformCountsText,
  terraformReasonOf,
} from './resource-change.ts';
import { uiResourceOf } from './sides.ts';
import { withoutLedgerOnlyChanges } from './terraform-plan.ts';
import { diagnosticLine, logLine, type UiLine, uiLine } from './ui-line.ts';

/**
 * A plan in the lines of `terraform plan -json`: drift, changes, how many, what is not ready, and problems last. What stays is not mentioned
 * else.
 */
export function planLines(given: Plan): UiLine[] {
  const plan = withoutLedgerOnlyChanges(given);
  const sending = createRequestFactsLookup(plan);
  const counts = countTerraformChanges(plan);
  return [
    ...plan.changes.filter(hasDrift).map((change) => {
      const action = isDeletedOutside(change) ? 'delete' : 'update';
      return uiLine('resource_drift', `${change.address}: Drift detected (${action})`, {
        change: { resource: uiResourceOf(change), action },
      });
    }),
    ...plan.changes.flatMap((change) => plannedLine(change, sending(change))),
    uiLine('change_summary', summaryText(plan), { changes: { ...counts, operation: 'plan' } }),
    ...firstContactTexts(given, (text) => text).map(logLine),
    ...waitingTexts(plan).map(({ name, text }) => logLine(`${waitingTitle}: ${name}: ${text}`)),
    ...notComparedDiagnostics(plan).map(diagnosticLine),
    ...reportedDiagnostics(plan).map(diagnosticLine),
  ];
}

/** The counts in Terraform's words, and the number of objects that were not compared. */
const summaryText = (plan: Plan): string =>
  [terraformCountsText(countTerraformChanges(plan)), ...notComparedState(plan)].join(' ');

function plannedLine(change: Change, sending: RequestFacts): UiLine[] {
  const action = uiActionOf(change, sending);
  if (action === undefined) return [];
  // Without its prefix where it is the only thing that there could be a reason for.
  const reason = terraformReasonOf(change)?.replace('replace_because_', '');
  return [
    uiLine('planned_change', `${change.address}: Plan to ${action}${takeoverText(change)}`, {
      change: {
        resource: uiResourceOf(change),
        action,
        reason,
        importing: change.action === 'adopt' ? { id: change.id ?? '' } : undefined,
      },
    }),
  ];
}

/** Names the stack that owned an object until now: Terraform has no word for that. */
const takeoverText = ({ takenFrom }: Change): string =>
  takenFrom === undefined ? '' : ` (taken over from stack ${cleanLine(takenFrom)})`;

/** `remove`: it is let go, and stays. Nothing for what stays as it is. */
function uiActionOf(change: Change, sending: RequestFacts): string | undefined {
  const [action, second] = terraformActionsOf(change, sending);
  if (second) return 'replace';
  if (action === 'forget') return 'remove';
  if (action === 'no-op') return change.action === 'adopt' ? 'import' : undefined;
  return action;
}

/**
 * The lines that tools look for in Terraform's text, tfcmt above all: a summary, the line that the changes begin after, and one line for
 * each. They stand in front of the plan's own text, since the first summary counts. None where nothing changes.
 */
export function markerLines(given: Plan): string {
  const plan = withoutLedgerOnlyChanges(given);
  const sending = createRequestFactsLookup(plan);
  const lines = [...plan.changes].sort(byAddress).flatMap((change) => markerLinesOf(change, sending(change)));
  if (lines.length === 0) return '';
  return [
    summaryText(plan),
    '',
    'Terraform will perform the following actions:',
    '',
    ...lines.map((line) => `  # ${line}`),
  ].join('\n');
}

function markerLinesOf(change: Change, sending: RequestFacts): string[] {
  const lines = markerActionLines(change, sending);
  return lines.length > 0 && change.takenFrom !== undefined ? [...lines, takeoverText(change).trim()] : lines;
}

function markerActionLines(change: Change, sending: RequestFacts): string[] {
  const address = cleanLine(change.address);
  const [action, second] = terraformActionsOf(change, sending);
  const isImport = change.action === 'adopt';
  if (second) return [`${address} must be replaced`];
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
