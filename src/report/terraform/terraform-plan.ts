import { byAddress } from '../../model/address.ts';
import { type Change, unchangedFieldsOf } from '../../model/change.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { byKey, groupBy } from '../../model/graph.ts';
import { isEmpty as isEmptyPlan, type Plan } from '../../model/plan.ts';
import { holesIn, isRef, namesInPath, type Value } from '../../model/value.ts';
import { dropUndefined } from '../../model/walk.ts';
import { reportedDiagnostics } from '../not-compared-text.ts';
import { actionJson, diagnosticJson, notComparedJson } from '../plan-json.ts';
import { summarizePlan } from '../plan-notes.ts';
import {
  createRequestFactsLookup,
  formatResourceChange,
  formatResourceDrift,
  hasDrift,
  providerName,
} from './resource-change.ts';
import { type ChangeSide, createSideReader, terraformAddressOf } from './sides.ts';
import { terraformVersion } from './ui-line.ts';

/**
 * The time in every plan. Consumers may require a time, but equal plans must give equal bytes. It is too old to be taken for a real time.
 */
const fixedTimestamp = '1970-01-01T00:00:00Z';

/**
 * Converts a plan into the JSON of `terraform show -json`, for policies and summaries that read Terraform's plans.
 *
 * - `before` and `after` have the whole object as far as it is known. `trueup.declared` has the paths that the configuration declares.
 * - A placeholder replaces each secret, and another one replaces a secret that changes.
 * - Facts without a word in Terraform are in the member `trueup`, which other tools ignore.
 */
export function terraformPlan(fullPlan: Plan) {
  const plan = withoutLedgerOnlyChanges(fullPlan);
  const changes = plan.changes
    .map((change) => ({ change, key: terraformAddressOf(change.kind, change.address).address }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ change }) => change);
  const sides = createSideReader(plan);
  const sending = createRequestFactsLookup(plan);
  const before = changes.flatMap((change) =>
    change.id === undefined ? [] : formatStateResource(change, sides(change).before),
  );
  const after = changes.flatMap((change) => formatStateResource(change, sides(change).after));
  const drifted = changes.filter(hasDrift);
  const errored = hasErrors(reportedDiagnostics(plan));
  const isEmpty = isEmptyPlan(plan);
  return {
    format_version: '1.2',
    terraform_version: terraformVersion,
    variables: {},
    planned_values: { root_module: formatModule(after) },
    resource_drift: drifted.length > 0 ? drifted.map(formatResourceDrift) : undefined,
    resource_changes: changes.map((change) => formatResourceChange(change, sides(change), sending(change))),
    output_changes: {},
    prior_state: before.length > 0 ? formatState(before) : undefined,
    configuration: formatConfiguration(
      changes.filter((change) => sides(change).after),
      changes,
    ),
    timestamp: fixedTimestamp,
    applyable: !errored && !isEmpty,
    complete: plan.complete && !plan.partial && !errored,
    errored,
    trueup: {
      stack: plan.stack,
      summary: summarizePlan(fullPlan),
      unmanaged: [...plan.unmanaged].sort(byAddress).map(({ address, kind }) => ({ address, kind })),
      ...dropUndefined({
        actions: plan.actions?.map(actionJson),
        unlisted: plan.unlisted,
        waiting: plan.waiting,
        notCompared: plan.notCompared?.map(notComparedJson),
      }),
      diagnostics: reportedDiagnostics(plan).map(diagnosticJson),
    },
  };
}

/** Formats resources as a module of Terraform; an empty module has no member. */
const formatModule = (resources: object[]) => (resources.length === 0 ? {} : { resources });

/** Formats resources as a Terraform state, for `prior_state`. */
const formatState = (resources: object[]) => ({
  format_version: '1.0',
  terraform_version: terraformVersion,
  values: { root_module: formatModule(resources) },
});

/** Formats one side of a change as a resource of `planned_values` or `prior_state`; empty if the object does not exist on that side. */
function formatStateResource({ kind, address: ownAddress }: Change, side: ChangeSide | null) {
  if (!side) return [];
  const { address, type, name, index } = terraformAddressOf(kind, ownAddress);
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

/** Returns Terraform's names for the resource at an address: itself, then its block; none for an address outside the plan. */
type ReferenceLookup = (address: string) => string[];

/**
 * Formats the configuration as far as consumers read it: one block with `for_each` for each type and name, with the resources that its fields
 * refer to. The values are in `planned_values`.
 */
function formatConfiguration(declared: Change[], changes: Change[]) {
  const kinds = new Map(changes.map(({ address, kind }) => [address, kind]));
  const referencesTo: ReferenceLookup = (address) => {
    const kind = kinds.get(address);
    if (kind === undefined) return [];
    const resource = terraformAddressOf(kind, address);
    return [resource.address, `${resource.type}.${resource.name}`];
  };
  const blocks = groupBy(declared, ({ kind, address }) => {
    const { type, name } = terraformAddressOf(kind, address);
    return `${type}.${name}`;
  });
  return {
    provider_config: { trueup: { name: 'trueup', full_name: providerName } },
    root_module:
      blocks.size === 0
        ? {}
        : { resources: [...blocks].map(([address, members]) => formatBlock(address, members, referencesTo)) },
  };
}

/** Formats one resource block of the configuration, with `for_each` over all resources that have this type and name. */
function formatBlock(address: string, changes: Change[], referencesTo: ReferenceLookup) {
  const [{ kind, address: firstAddress }] = changes as [Change];
  const { type, name } = terraformAddressOf(kind, firstAddress);
  const parents = changes.flatMap(({ parent }) =>
    parent === undefined ? [] : referencesTo(parent).slice(1),
  );
  return {
    address,
    mode: 'managed',
    type,
    name,
    provider_config_key: 'trueup',
    expressions: formatExpressions(changes, referencesTo),
    schema_version: 0,
    depends_on: parents.length > 0 ? [...new Set(parents)] : undefined,
  };
}

/**
 * Returns, for each field, the resources to which it refers, in Terraform's order: the attribute, then the resource, then its block. Some
 * tools draw graphs from it.
 */
function formatExpressions(changes: Change[], referencesTo: ReferenceLookup) {
  const referencesByField = new Map<string, Set<string>>();
  for (const [path, value] of changes.flatMap(desiredLeavesOf))
    for (const hole of holesIn(value).filter(isRef)) {
      const field = namesInPath(path)[0]!;
      const [resource, ...blocks] = referencesTo(hole.$ref);
      const fieldReferences = referencesByField.get(field) ?? new Set();
      if (resource !== undefined)
        for (const name of [`${resource}.${hole.attr}`, resource, ...blocks]) fieldReferences.add(name);
      if (fieldReferences.size > 0) referencesByField.set(field, fieldReferences);
    }
  const sorted = [...referencesByField].sort(byKey);
  return Object.fromEntries(sorted.map(([field, names]) => [field, { references: [...names] }]));
}

/** Returns the declared fields of a change with their desired values. */
const desiredLeavesOf = (change: Change): [string, Value | undefined][] => [
  ...unchangedFieldsOf(change),
  ...change.fields.map(({ path, after }): [string, Value | undefined] => [path, after]),
];

/**
 * Turns the changes of a plan that only update the ledger into unchanged objects, because Terraform updates its state before it plans and
 * has no word for such a change. Objects that exist neither in the account nor in the configuration are left out.
 */
export const withoutLedgerOnlyChanges = <T extends Pick<Plan, 'changes'>>(plan: T): T => ({
  ...plan,
  changes: plan.changes
    .filter(({ action, changesLedgerOnly }) => !(changesLedgerOnly && action === 'forget'))
    .map((change) => (change.changesLedgerOnly ? { ...change, action: 'noop' as const } : change)),
});
