import { byAddress } from '../../model/address.ts';
import { type Change, unchangedFieldsOf } from '../../model/change.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { byKey, groupBy } from '../../model/graph.ts';
import { isEmpty as isEmptyPlan, type Plan } from '../../model/plan.ts';
import { holesIn, isRef, namesInPath, type Value } from '../../model/value.ts';
import { dropUndefined } from '../../model/walk.ts';
import { reportedDiagnostics } from '../not-compared-text.ts';
import { actionJson, diagnosticJson, notComparedJson } from '../plan-json.ts';
import { summarizePlan } from '../summarize-plan.ts';
import {
  createRequestFactsLookup,
  formatResourceChange,
  formatResourceDrift,
  hasDrift,
  providerName,
} from './resource-change.ts';
import { type ChangeSide, createSideReader, terraformAddressOf } from './sides.ts';
import { terraformVersion } from './ui-line.ts';

/** Consumers may parse it, but a plan holds no time: equal plans make equal bytes. So old that nobody takes it for one. */
const fixedTimestamp = '1970-01-01T00:00:00Z';

/**
 * A plan as `terraform show -json` writes one, for policies and summaries that read that. `before` and `after` have the whole object, as far
 * as it is known: `trueup.declared` says which paths of it the configuration speaks of. A mark stands in place of what is secret, another one
 * where that changes. What Terraform has no word for is under `trueup`, which others ignore.
 */
export function terraformPlan(given: Plan) {
  const plan = withoutLedgerOnlyChanges(given);
  const changes = plan.changes
    .map((change) => ({ change, at: terraformAddressOf(change.kind, change.address).address }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
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
      summary: summarizePlan(given),
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

const formatModule = (resources: object[]) => (resources.length === 0 ? {} : { resources });

const formatState = (resources: object[]) => ({
  format_version: '1.0',
  terraform_version: terraformVersion,
  values: { root_module: formatModule(resources) },
});

function formatStateResource({ kind, address: own }: Change, side: ChangeSide | null) {
  if (!side) return [];
  const { address, type, name, index } = terraformAddressOf(kind, own);
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

type ReferenceLookup = (address: string) => string[];

/**
 * The configuration as far as consumers look at it: each type and name once, as Terraform has a block with `for_each`, with the
 * resources that its fields refer to. Values are in `planned_values`, not here.
 */
function formatConfiguration(declared: Change[], all: Change[]) {
  const kinds = new Map(all.map(({ address, kind }) => [address, kind]));
  const referencesTo: ReferenceLookup = (address) => {
    const kind = kinds.get(address);
    if (kind === undefined) return [];
    const place = terraformAddressOf(kind, address);
    return [place.address, `${place.type}.${place.name}`];
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
        : { resources: [...blocks].map(([address, changes]) => formatBlock(address, changes, referencesTo)) },
  };
}

function formatBlock(address: string, changes: Change[], referencesTo: ReferenceLookup) {
  const [{ kind, address: first }] = changes as [Change];
  const { type, name } = terraformAddressOf(kind, first);
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

/** The references of each field, as Terraform lists them: the attribute, then the resource, then its block. */
function formatExpressions(changes: Change[], referencesTo: ReferenceLookup) {
  const references = new Map<string, Set<string>>();
  for (const [path, value] of changes.flatMap(desiredLeavesOf))
    for (const hole of holesIn(value).filter(isRef)) {
      const field = namesInPath(path)[0]!;
      const [place, ...blocks] = referencesTo(hole.$ref);
      const reference = references.get(field) ?? new Set();
      if (place !== undefined)
        for (const one of [`${place}.${hole.attr}`, place, ...blocks]) reference.add(one);
      if (reference.size > 0) references.set(field, reference);
    }
  const sorted = [...references].sort(byKey);
  return Object.fromEntries(sorted.map(([field, found]) => [field, { references: [...found] }]));
}

const desiredLeavesOf = (change: Change): [string, Value | undefined][] => [
  ...unchangedFieldsOf(change),
  ...change.fields.map(({ path, after }): [string, Value | undefined] => [path, after]),
];

/**
 * A plan without what only the ledger learns: Terraform brings its state up to date before it plans, and has no word for that. What is gone
 * on both sides is no resource any more.
 */
export const withoutLedgerOnlyChanges = <T extends Pick<Plan, 'changes'>>(plan: T): T => ({
  ...plan,
  changes: plan.changes
    .filter(({ action, changesLedgerOnly }) => !(changesLedgerOnly && action === 'forget'))
    .map((change) => (change.changesLedgerOnly ? { ...change, action: 'noop' as const } : change)),
});
