import { byAddress } from '../../model/address.ts';
import { type Change, isDeletedOutside, isJoinedOutside, unchangedFieldsOf } from '../../model/change.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { addTo, byKey, groupBy } from '../../model/graph.ts';
import { createsFirst, isEmpty as isEmptyPlan, type Plan } from '../../model/plan.ts';
import { holesIn, isRef, namesInPath, type Value } from '../../model/value.ts';
import { reportedDiagnostics } from '../not-compared-text.ts';
import { omitUnchanged } from '../omit-unchanged.ts';
import {
  actionJson,
  changeJson,
  type DocumentOptions,
  diagnosticJson,
  notComparedJson,
} from '../plan-json.ts';
import { indexOperationsByAddress, summarizePlan } from '../plan-notes.ts';
import {
  type ChangeSide,
  type ChangeSides,
  createSideReader,
  driftSidesOf,
  isMarked,
  isReleasedObject,
  liveSideOf,
  type Marks,
  terraformAddressOf,
} from './sides.ts';
import { terraformVersion } from './stream-line.ts';

/**
 * The time in every plan. Consumers may require a time, but equal plans must give equal bytes. It is too old to be taken for a real time.
 */
const fixedTimestamp = '1970-01-01T00:00:00Z';

/**
 * Converts a plan into the JSON of `terraform show -json`, for policies and summaries that read Terraform's plans.
 *
 * - `before` and `after` have the whole object as far as it is known. `trueup.declared` has the paths that the configuration declares.
 * - A placeholder replaces each secret, and another one replaces a secret that changes.
 * - With `changesOnly`, unchanged objects are in no member; `trueup.omitted` counts them.
 * - Facts without a word in Terraform are in the member `trueup`, which other tools ignore.
 */
export function terraformPlan(fullPlan: Plan, { changesOnly = false }: DocumentOptions = {}) {
  const { plan: shown, omitted } = changesOnly ? omitUnchanged(fullPlan) : { plan: fullPlan };
  const plan = withoutLedgerOnlyChanges(shown);
  const changes = sortByTerraformAddress(plan.changes);
  const sidesOf = createSideReader(plan);
  const sidedChanges = changes.map((change) => ({ change, sides: sidesOf(change) }));
  const requestFactsOf = createRequestFactsLookup(plan);
  const before = sidedChanges.flatMap(({ change, sides }) =>
    change.id === undefined ? [] : formatStateResource(change, sides.before),
  );
  const after = sidedChanges.flatMap(({ change, sides }) => formatStateResource(change, sides.after));
  const drifted = changes.filter(isChangedOutside);
  const errored = hasErrors(reportedDiagnostics(plan));
  return {
    format_version: '1.2',
    terraform_version: terraformVersion,
    variables: {},
    planned_values: { root_module: formatModule(after) },
    resource_drift: drifted.length > 0 ? drifted.map(formatResourceDrift) : undefined,
    resource_changes: sidedChanges.map(({ change, sides }) =>
      formatResourceChange(change, sides, requestFactsOf(change)),
    ),
    output_changes: {},
    prior_state: before.length > 0 ? formatState(before) : undefined,
    configuration: formatConfiguration(
      sidedChanges.flatMap(({ change, sides }) => (sides.after ? change : [])),
      changes,
    ),
    timestamp: fixedTimestamp,
    applyable: !errored && !isEmptyPlan(plan),
    complete: plan.complete && !plan.isNarrowed && !errored,
    errored,
    trueup: {
      stack: plan.stack,
      summary: summarizePlan(fullPlan),
      omitted,
      ...factsWithoutTerraformWord(plan),
    },
  };
}

/** Sorts changes by their Terraform addresses, so that equal plans give equal documents. */
const sortByTerraformAddress = (changes: readonly Change[]): Change[] =>
  changes
    .map((change) => ({ change, key: terraformAddressOf(change.kind, change.address).address }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ change }) => change);

/**
 * Returns the facts of a plan for which Terraform's format has no member, as `plan --json` prints them. Unmanaged are only the objects that
 * no other stack owns. `unlisted`: kinds of which not all unmanaged objects are known.
 */
const factsWithoutTerraformWord = (plan: Plan) => ({
  unmanaged: plan.unmanaged
    .filter(({ isOfOtherStack }) => !isOfOtherStack)
    .sort(byAddress)
    .map(({ address, kind }) => ({ address, kind })),
  actions: plan.actions?.map(actionJson),
  unlisted: plan.partialKinds,
  waiting: plan.waiting,
  notCompared: plan.notCompared?.map(notComparedJson),
  diagnostics: reportedDiagnostics(plan).map(diagnosticJson),
  fixedFindings: plan.fixedFindings?.map(diagnosticJson),
  suppressedFindings: plan.suppressedFindings?.map(diagnosticJson),
});

/** Formats resources as a module of Terraform; an empty module has no member. */
const formatModule = (resources: object[]) => ({ resources: resources.length > 0 ? resources : undefined });

/** Formats the objects before the changes as a Terraform state, which the JSON of a Terraform plan contains as `prior_state`. */
const formatState = (resources: object[]) => ({
  format_version: '1.0',
  terraform_version: terraformVersion,
  values: { root_module: formatModule(resources) },
});

/**
 * Formats an object as it is before or after a change (`side`) as a resource of `prior_state` or
 * `planned_values` in Terraform's JSON plan; empty if the object does not exist then.
 */
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

/** The names by which Terraform's JSON plan refers to an object of ours. */
interface ReferenceNames {
  /** The resource: `trueup_project.web["projects/web"]`. */
  resource: string;
  /** The block that declares it, with all resources of this type and name: `trueup_project.web`. */
  block: string;
}

/** Returns Terraform's names for the object at an address; undefined for an address outside the plan. */
type ReferenceLookup = (address: string) => ReferenceNames | undefined;

/**
 * Formats the member `configuration` of Terraform's JSON plan as far as policy tools read it: one block, as
 * if it had `for_each`, for each pair of a type and a name (`trueup_project.web`), with the resources that its fields
 * refer to. The values are in `planned_values`. `declared`: the changes of declared objects; `changes`: all,
 * since a field may refer to any object.
 */
function formatConfiguration(declared: Change[], changes: Change[]) {
  const kinds = new Map(changes.map(({ address, kind }) => [address, kind]));
  const referencesTo: ReferenceLookup = (address) => {
    const kind = kinds.get(address);
    if (kind === undefined) return undefined;
    const resource = terraformAddressOf(kind, address);
    return { resource: resource.address, block: `${resource.type}.${resource.name}` };
  };
  const blocks = groupBy(declared, ({ kind, address }) => {
    const { type, name } = terraformAddressOf(kind, address);
    return `${type}.${name}`;
  });
  return {
    provider_config: { trueup: { name: 'trueup', full_name: providerName } },
    root_module: formatModule(
      [...blocks].map(([address, members]) => formatBlock(address, members, referencesTo)),
    ),
  };
}

/**
 * Formats one resource block in the member `configuration` of Terraform's JSON plan, for all resources that
 * have this type and name, as if it had `for_each`. A block depends on the blocks of the parents.
 */
function formatBlock(address: string, changes: Change[], referencesTo: ReferenceLookup) {
  const [{ kind, address: firstAddress }] = changes as [Change];
  const { type, name } = terraformAddressOf(kind, firstAddress);
  const parentBlocks = changes.flatMap(({ parent }) =>
    parent === undefined ? [] : (referencesTo(parent)?.block ?? []),
  );
  return {
    address,
    mode: 'managed',
    type,
    name,
    provider_config_key: 'trueup',
    expressions: formatExpressions(changes, referencesTo),
    schema_version: 0,
    depends_on: parentBlocks.length > 0 ? [...new Set(parentBlocks)] : undefined,
  };
}

/**
 * Formats the member `expressions` of a resource block in Terraform's JSON plan: for each desired field of the changes that refers to
 * objects, their names. Some tools draw graphs from them. For a field `domain` with the id of a project it is `{ domain: { references:
 * [ATTRIBUTE, RESOURCE, BLOCK] } }`, in Terraform's order: `trueup_project.web["projects/web"].id`, then the same without `.id`, then
 * `trueup_project.web`.
 */
function formatExpressions(changes: Change[], referencesTo: ReferenceLookup) {
  const referencesByField = new Map<string, string[]>();
  for (const [path, value] of changes.flatMap(desiredLeavesOf)) {
    const field = namesInPath(path)[0]!;
    for (const { $ref, attr } of holesIn(value).filter(isRef)) {
      const names = referencesTo($ref);
      if (names)
        for (const name of [`${names.resource}.${attr}`, names.resource, names.block])
          addTo(referencesByField, field, name);
    }
  }
  const sorted = [...referencesByField].sort(byKey);
  return Object.fromEntries(sorted.map(([field, names]) => [field, { references: [...new Set(names)] }]));
}

/** Returns the declared fields of a change with their desired values, in which the references of the block are found. */
const desiredLeavesOf = (change: Change): [string, Value | undefined][] => [
  ...unchangedFieldsOf(change),
  ...change.fields.map(({ path, after }): [string, Value | undefined] => [path, after]),
];

/**
 * Turns the changes of a plan that only update the ledger into unchanged objects, because Terraform updates its state before it plans and
 * has no word for such a change. Ledger entries that are only dropped are left out. Used by all of Terraform's formats before they print a
 * plan.
 */
export const withoutLedgerOnlyChanges = <T extends Pick<Plan, 'changes'>>(plan: T): T => ({
  ...plan,
  changes: plan.changes
    .filter(({ action, changesLedgerOnly }) => !(changesLedgerOnly && action === 'forget'))
    .map((change) => (change.changesLedgerOnly ? { ...change, action: 'noop' as const } : change)),
});

/** The name of our provider, in Terraform's form for built-in ones, because there is nothing to download. */
const providerName = 'terraform.io/builtin/trueup';

/** The words for a change in Terraform's JSON plan, in the order of its requests. */
type TerraformActions =
  | ['no-op']
  | ['create']
  | ['update']
  | ['delete']
  | ['delete', 'create']
  | ['create', 'delete']
  | ['forget'];

/** Facts about the requests for a change that Terraform's words depend on. */
export interface RequestFacts {
  /** True if the plan has requests for the change. */
  isSent: boolean;
  /** True if a replacement creates the new object before it deletes the old one. */
  createsFirst: boolean;
}

/**
 * Creates the function which returns for a change of this plan whether requests are sent for it, and whether
 * a replacement creates the new object before it deletes the old one. Used by all Terraform formats, whose
 * words for a change depend on that.
 */
export function createRequestFactsLookup(
  plan: Pick<Plan, 'operations'>,
): (change: Pick<Change, 'address'>) => RequestFacts {
  const operationsByAddress = indexOperationsByAddress(plan);
  return ({ address }) => {
    const operations = operationsByAddress.get(address) ?? [];
    return { isSent: operations.length > 0, createsFirst: createsFirst(operations) };
  };
}

/** Formats a change as an item of `resource_changes` in Terraform's JSON plan. Its member `trueup` has our own document of the change. */
const formatResourceChange = (change: Change, sides: ChangeSides, requestFacts: RequestFacts) => ({
  ...resourceMembers(change),
  change: {
    ...changeMembers(terraformActionsOf(change, requestFacts), sides),
    replace_paths: change.action === 'replace' && change.fields.length > 0 ? replacePaths(change) : undefined,
    importing: change.action === 'adopt' && change.id !== undefined ? { id: change.id } : undefined,
  },
  action_reason: terraformReasonOf(change),
  trueup: { ...changeJson(change), declared: declaredPathsOf(change) },
});

/**
 * Returns the paths of the fields that the configuration declares, for policies, because Terraform's sides also have undeclared live
 * fields. They are the fields that the ledger records (`declared`), the secrets that could not be compared (`uncompared`), and the
 * differing fields, except `released` ones, because the configuration no longer has these. A deletion has none. For an object that exists,
 * the plan leaves fields that `$ignore` names out of these lists.
 */
function declaredPathsOf({ declared = [], uncompared = [], fields, action }: Change): string[] {
  if (action === 'delete') return [];
  const differing = fields.filter(({ cause }) => cause !== 'released').map(({ path }) => path);
  return [...new Set([...declared, ...uncompared, ...differing])].sort();
}

/**
 * Formats a change as an item of `resource_drift`: somebody else changed, deleted or created the object since the last apply. A deleted
 * object has no values, because the ledger keeps none.
 */
const formatResourceDrift = (change: Change) => ({
  ...resourceMembers(change),
  change: driftMembers(change),
});

/**
 * Returns the action of somebody else's change in Terraform's words, with the object before and after it, for `resource_drift`. A variable
 * that was added to a row of ours (`isJoinedOutside`) is a creation.
 */
function driftMembers(change: Change) {
  if (isDeletedOutside(change))
    return changeMembers(['delete'], { before: { value: {}, unknown: false, sensitive: {} }, after: null });
  if (isJoinedOutside(change)) return changeMembers(['create'], { before: null, after: liveSideOf(change) });
  return changeMembers(['update'], driftSidesOf(change));
}

/**
 * True if somebody else deleted the object since the last apply, added it to a row of ours, or changed a field. Orders of lists do not
 * count.
 */
export const isChangedOutside = (change: Change): boolean =>
  isDeletedOutside(change) ||
  isJoinedOutside(change) ||
  change.fields.some(({ cause }) => cause === 'drift' || cause === 'conflict');

/**
 * Returns Terraform's words for the action of a change, which policy tools read. An adoption without requests is `no-op`; its member
 * `importing` says that it is an adoption.
 */
export function terraformActionsOf(change: Change, { isSent, createsFirst }: RequestFacts): TerraformActions {
  if (isReleasedObject(change)) return ['forget'];
  switch (change.action) {
    case 'create':
      return ['create'];
    case 'update':
    case 'move':
      return ['update'];
    case 'adopt':
      return isSent ? ['update'] : ['no-op'];
    case 'delete':
      return ['delete'];
    case 'replace':
      return createsFirst ? ['create', 'delete'] : ['delete', 'create'];
    default:
      return ['no-op'];
  }
}

/**
 * Returns the reason of a change in Terraform's words, which policies and summaries read; undefined if Terraform has no word for it. A
 * replacement of an object with differing fields is always `cannot_update`.
 */
export function terraformReasonOf(change: Change): string | undefined {
  if (change.action === 'replace')
    return change.fields.length > 0 ? 'replace_because_cannot_update' : 'replace_because_tainted';
  return change.action === 'delete' || isReleasedObject(change)
    ? 'delete_because_no_resource_config'
    : undefined;
}

/**
 * Returns the members that identify a resource in Terraform's JSON plan: its Terraform address and, after a rename, its previous address.
 */
function resourceMembers({ kind, address, recordedAddress }: Change) {
  const { address: terraformAddress, type, name, index } = terraformAddressOf(kind, address);
  return {
    address: terraformAddress,
    previous_address:
      recordedAddress === undefined ? undefined : terraformAddressOf(kind, recordedAddress).address,
    mode: 'managed',
    type,
    name,
    index,
    provider_name: providerName,
  };
}

/**
 * Returns the members of `change` in Terraform's JSON plan: the actions, the object before and after, and for
 * each version which values are unknown or sensitive. Each is in Terraform's form: null for a missing object,
 * an empty object for no marks.
 */
const changeMembers = (actions: TerraformActions, { before, after }: ChangeSides) => ({
  actions,
  before: before?.value ?? null,
  after: after?.value ?? null,
  after_unknown: after && isMarked(after.unknown) ? after.unknown : {},
  before_sensitive: sensitiveMarksOf(before),
  after_sensitive: sensitiveMarksOf(after),
});

/** Returns the marks of sensitive values on a side; false if the side does not exist. */
const sensitiveMarksOf = (side: ChangeSide | null): Marks => side?.sensitive ?? false;

/**
 * Returns the paths of the fields that force a replacement. If none is marked, all differing fields: many kinds cannot be changed in place
 * at all.
 */
function replacePaths({ fields }: Change): string[][] {
  const replacing = fields.filter(({ replaces }) => replaces);
  return (replacing.length > 0 ? replacing : fields).map(({ path }) => namesInPath(path));
}

/** The counts of Terraform's summary. A replacement counts as added and as removed, and a released object does not count. */
interface TerraformCounts {
  add: number;
  change: number;
  import: number;
  remove: number;
}

/**
 * Counts the changes of a plan in Terraform's categories, for its summary line, which tools read. A replacement counts as added and
 * removed; an adoption as imported and, if requests are sent for it, also as changed.
 */
export function countTerraformChanges({
  changes,
  operations,
}: Pick<Plan, 'changes' | 'operations'>): TerraformCounts {
  const requestFactsOf = createRequestFactsLookup({ operations });
  const counts: TerraformCounts = { add: 0, change: 0, import: 0, remove: 0 };
  for (const change of changes) {
    const actions: string[] = terraformActionsOf(change, requestFactsOf(change));
    if (actions.includes('create')) counts.add++;
    if (actions.includes('update')) counts.change++;
    if (actions.includes('delete')) counts.remove++;
    if (change.action === 'adopt') counts.import++;
  }
  return counts;
}

/** Formats Terraform's summary: `Plan: 1 to import, 5 to add, 4 to change, 6 to destroy.` */
export const terraformCountsText = (counts: TerraformCounts): string =>
  `Plan: ${counts.import > 0 ? `${counts.import} to import, ` : ''}${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy.`;
