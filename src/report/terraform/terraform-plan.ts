import { byAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { definedOnly } from '../../model/members.ts';
import type { Plan } from '../../model/plan.ts';
import { diagnosticJson } from '../plan-json.ts';
import { sentIn, summaryOf } from '../summary-of.ts';
import { configuration } from './configuration.ts';
import { hasDrift, providerName, resourceChange, resourceDrift } from './resource-change.ts';
import { placeOf, type Side, sidesIn } from './sides.ts';

/** The Terraform that consumers take it to be of. */
export const terraformVersion = '1.11.4';

/** Consumers may parse it, but a plan holds no time: equal plans make equal bytes. So old that nobody takes it for one. */
const noTime = '1970-01-01T00:00:00Z';

/**
 * A plan as `terraform show -json` writes one, for policies and summaries that read that. `before` and `after` have what is
 * declared; what is secret is null in them and marked. What Terraform has no word for is under `trueup`, which others ignore.
 */
export function terraformPlan(plan: Plan) {
  const changes = plan.changes
    .map((change) => ({ change, at: placeOf(change.kind, change.address).address }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ change }) => change);
  const sides = sidesIn(plan);
  const sent = sentIn(plan);
  const before = changes.flatMap((change) =>
    change.id === undefined ? [] : valuesOf(change, sides(change).before),
  );
  const after = changes.flatMap((change) => valuesOf(change, sides(change).after));
  const drifted = changes.filter(hasDrift);
  const errored = hasErrors(plan.diagnostics);
  const isEmpty = plan.operations.length === 0 && changes.every(({ action }) => action === 'noop');
  return {
    format_version: '1.2',
    terraform_version: terraformVersion,
    variables: {},
    planned_values: { root_module: moduleOf(after) },
    ...(drifted.length > 0 ? { resource_drift: drifted.map(resourceDrift) } : {}),
    resource_changes: changes.map((change) =>
      resourceChange(change, sides(change), sent.has(change.address)),
    ),
    output_changes: {},
    ...(before.length > 0 ? { prior_state: stateOf(before) } : {}),
    configuration: configuration(
      changes.filter((change) => sides(change).after),
      changes,
    ),
    timestamp: noTime,
    applyable: !errored && !isEmpty,
    complete: plan.complete && !plan.partial && !errored,
    errored,
    trueup: {
      stack: plan.stack,
      summary: summaryOf(plan),
      unmanaged: [...plan.unmanaged].sort(byAddress).map(({ address, kind }) => ({ address, kind })),
      ...definedOnly({ unlisted: plan.unlisted }),
      diagnostics: plan.diagnostics.map(diagnosticJson),
    },
  };
}

const moduleOf = (resources: object[]) => (resources.length === 0 ? {} : { resources });

const stateOf = (resources: object[]) => ({
  format_version: '1.0',
  terraform_version: terraformVersion,
  values: { root_module: moduleOf(resources) },
});

function valuesOf({ kind, address: own }: Change, side: Side | null) {
  if (!side) return [];
  const { address, type, name, index } = placeOf(kind, own);
  return [
    {
      address,
      mode: 'managed',
      type,
      name,
      index,
      provider_name: providerName,
      schema_version: 0,
      values: side.value,
      sensitive_values: side.sensitive,
    },
  ];
}
