import { type Change, isJoinedOutside } from '../../model/change.ts';
import { createsFirst, type Plan } from '../../model/plan.ts';
import { namesInPath } from '../../model/value.ts';
import { changeJson } from '../plan-json.ts';
import { indexOperationsByAddress } from '../plan-notes.ts';
import {
  type ChangeSide,
  type ChangeSides,
  driftSidesOf,
  isMarked,
  isReleasedObject,
  liveSideOf,
  type Marks,
  terraformAddressOf,
} from './sides.ts';

/** The name of our provider, in Terraform's form for built-in ones, because there is nothing to download. */
export const providerName = 'terraform.io/builtin/trueup';

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

/** Creates the function that returns the facts about the requests for a change of this plan. Used by all Terraform formats. */
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
export const formatResourceChange = (change: Change, sides: ChangeSides, sending: RequestFacts) => ({
  ...resourceMembers(change),
  change: {
    ...changeMembers(terraformActionsOf(change, sending), sides),
    replace_paths: change.action === 'replace' && change.fields.length > 0 ? replacePaths(change) : undefined,
    importing: change.action === 'adopt' && change.id !== undefined ? { id: change.id } : undefined,
  },
  ...actionReasonMember(change),
  trueup: { ...changeJson(change), declared: declaredPathsOf(change) },
});

/** Returns the paths of the fields that the configuration declares. Policies need them, since Terraform's sides also have undeclared live fields. */
const declaredPathsOf = ({ declared = [], uncompared = [], fields, action }: Change): string[] =>
  action === 'delete'
    ? []
    : [...new Set([...declared, ...uncompared, ...fields.map(({ path }) => path)])].sort();

/**
 * Formats a change as an item of `resource_drift`: somebody else changed, deleted or created the object since the last apply. A deleted object
 * has no values, because the ledger keeps none.
 */
export const formatResourceDrift = (change: Change) => ({
  ...resourceMembers(change),
  change: isDeletedOutside(change)
    ? changeMembers(['delete'], { before: { value: {}, unknown: false, sensitive: {} }, after: null })
    : isJoinedOutside(change)
      ? changeMembers(['create'], { before: null, after: liveSideOf(change) })
      : changeMembers(['update'], driftSidesOf(change)),
});

/** True if somebody else changed, deleted or created the object since the last apply. */
export const hasDrift = (change: Change): boolean =>
  isDeletedOutside(change) ||
  isJoinedOutside(change) ||
  change.fields.some(({ cause }) => cause === 'drift' || cause === 'conflict');

/** True if somebody else deleted the object of a change. */
export const isDeletedOutside = ({ outside, action, id }: Change): boolean =>
  outside === true && action === 'create' && id === undefined;

/** Returns Terraform's words for a change. An adoption without requests is `no-op`; its member `importing` says that it is an adoption. */
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

/** Returns the reason of a change in Terraform's words, which policies and summaries read; undefined if Terraform has no word for it. */
export function terraformReasonOf(change: Change): string | undefined {
  if (change.action === 'replace')
    return change.fields.length > 0 ? 'replace_because_cannot_update' : 'replace_because_tainted';
  return change.action === 'delete' || isReleasedObject(change)
    ? 'delete_because_no_resource_config'
    : undefined;
}

/** Returns the member `action_reason`, only if there is a reason: consumers would read null as a value. */
const actionReasonMember = (change: Change) => {
  const action_reason = terraformReasonOf(change);
  return action_reason === undefined ? {} : { action_reason };
};

/** Returns the members that identify a resource: its Terraform address and, after a rename, its previous address. */
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

/** Returns the members of `change`: the actions, both sides, and the marks of unknown and sensitive values. */
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

/** Returns the paths of the fields that force a replacement. If none does, the kind cannot be changed in place, so all differing fields do. */
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

/** Counts the changes of a plan in Terraform's categories, for its summary line. */
export function countTerraformChanges({
  changes,
  operations,
}: Pick<Plan, 'changes' | 'operations'>): TerraformCounts {
  const sending = createRequestFactsLookup({ operations });
  const counts: TerraformCounts = { add: 0, change: 0, import: 0, remove: 0 };
  for (const change of changes) {
    const actions: string[] = terraformActionsOf(change, sending(change));
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
