import { byAddress } from '../../model/address.ts';
import { type Change, isDeletedOutside } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { problemsToReview, suppressedFindingsTexts, unlistedFindingsTexts } from '../finding-text.ts';
import { notComparedDiagnostics, notComparedState } from '../not-compared-text.ts';
import { firstContactTexts } from '../plan-end.ts';
import { waitingTexts, waitingTitle } from '../plan-notes.ts';
import { cleanLine } from '../text.ts';
import { streamResourceOf } from './sides.ts';
import { createStreamLine, diagnosticLine, logLine, type StreamLine } from './stream-line.ts';
import {
  countTerraformChanges,
  createRequestFactsLookup,
  isChangedOutside,
  type RequestFacts,
  terraformActionsOf,
  terraformCountsText,
  terraformReasonOf,
  withoutLedgerOnlyChanges,
} from './terraform-plan.ts';

/**
 * Returns a plan as the lines of `terraform plan -json`, for tools that read Terraform's stream: drift, changes, their counts, objects that
 * are not ready, and problems. Unchanged objects have no line, and findings that the plan does not change are only counted.
 */
export function planLines(fullPlan: Plan): StreamLine[] {
  const plan = withoutLedgerOnlyChanges(fullPlan);
  const requestFactsOf = createRequestFactsLookup(plan);
  const counts = countTerraformChanges(plan);
  return [
    ...plan.changes.filter(isChangedOutside).map((change) => {
      const action = isDeletedOutside(change) ? 'delete' : 'update';
      return createStreamLine('resource_drift', `${change.address}: Drift detected (${action})`, {
        change: { resource: streamResourceOf(change), action },
      });
    }),
    ...plan.changes.flatMap((change) => plannedLine(change, requestFactsOf(change))),
    createStreamLine('change_summary', summaryText(plan), { changes: { ...counts, operation: 'plan' } }),
    ...firstContactTexts(fullPlan, (text) => text).map(logLine),
    ...waitingTexts(plan).map(({ name, text }) => logLine(`${waitingTitle}: ${name}: ${text}`)),
    ...notComparedDiagnostics(plan).map(diagnosticLine),
    ...problemsToReview(plan).map(diagnosticLine),
    ...[...unlistedFindingsTexts(plan), ...suppressedFindingsTexts(plan)].map(logLine),
  ];
}

/** Formats the counts in Terraform's words, and the number of objects that were not compared. */
const summaryText = (plan: Plan): string =>
  [terraformCountsText(countTerraformChanges(plan)), ...notComparedState(plan)].join(' ');

/**
 * Returns the line `planned_change` of Terraform's stream for a change; none if Terraform has no action for it. `requestFacts`: about its
 * requests.
 */
function plannedLine(change: Change, requestFacts: RequestFacts): StreamLine[] {
  const action = streamActionOf(change, requestFacts);
  if (action === undefined) return [];
  // The stream has the reason of a replacement without this prefix.
  const reason = terraformReasonOf(change)?.replace('replace_because_', '');
  return [
    createStreamLine('planned_change', `${change.address}: Plan to ${action}${takeoverText(change)}`, {
      change: {
        resource: streamResourceOf(change),
        action,
        reason,
        importing: change.action === 'adopt' ? { id: change.id ?? '' } : undefined,
      },
    }),
  ];
}

/** Names the stack that owned an object until now, because Terraform has no word for a take-over. */
const takeoverText = ({ takenFrom }: Change): string =>
  takenFrom === undefined ? '' : ` (taken over from stack ${cleanLine(takenFrom)})`;

/**
 * Returns the action of a change in the words of Terraform's stream, which differ from those of its JSON plan. `remove` means that the
 * object becomes unmanaged. Undefined if nothing is sent and the object is not adopted.
 */
function streamActionOf(change: Change, requestFacts: RequestFacts): string | undefined {
  const [action, secondAction] = terraformActionsOf(change, requestFacts);
  if (secondAction) return 'replace';
  if (action === 'forget') return 'remove';
  if (action === 'no-op') return change.action === 'adopt' ? 'import' : undefined;
  return action;
}

/**
 * Formats the lines that tools such as tfcmt look for in the text of `terraform plan`: a summary, the heading of the changes, and one line
 * for each change. They are printed above the plan's own text, because these tools take the first summary. Changes of only the ledger do
 * not count. Empty if nothing changes.
 */
export function markerLines(fullPlan: Plan): string {
  const plan = withoutLedgerOnlyChanges(fullPlan);
  const requestFactsOf = createRequestFactsLookup(plan);
  const lines = [...plan.changes]
    .sort(byAddress)
    .flatMap((change) => markerLinesOf(change, requestFactsOf(change)));
  if (lines.length === 0) return '';
  return [
    summaryText(plan),
    '',
    'Terraform will perform the following actions:',
    '',
    ...lines.map((line) => `  # ${line}`),
  ].join('\n');
}

/** Returns the line for a change, and a second one if the object is taken over from another stack. */
function markerLinesOf(change: Change, requestFacts: RequestFacts): string[] {
  const lines = markerActionLines(change, requestFacts);
  return lines.length > 0 && change.takenFrom !== undefined ? [...lines, takeoverText(change).trim()] : lines;
}

/**
 * Returns the line for a change in the words of Terraform's text, such as `... will be created`, which tools like tfcmt look for. An
 * adopted object that is also updated has a second line, as an imported one. Empty if nothing is sent and the object is neither adopted nor
 * released.
 */
function markerActionLines(change: Change, requestFacts: RequestFacts): string[] {
  const address = cleanLine(change.address);
  const [action, secondAction] = terraformActionsOf(change, requestFacts);
  const isImport = change.action === 'adopt';
  if (secondAction) return [`${address} must be replaced`];
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
