import { type Change, isJoinedOutside } from '../../model/change.ts';
import { createsFirst } from '../../model/creates-first.ts';
import type { Plan } from '../../model/plan.ts';
import { namesInPath } from '../../model/value.ts';
import { changeJson } from '../plan-json.ts';
import { indexOperationsByAddress } from '../summarize-plan.ts';
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

/** The address of a provider that is not downloaded, in the form that Terraform gives to built-in ones. */
export const providerName = 'terraform.io/builtin/trueup';

type TerraformActions =
  | ['no-op']
  | ['create']
  | ['update']
  | ['delete']
  | ['delete', 'create']
  | ['create', 'delete']
  | ['forget'];

/** The requests for a change, as far as Terraform's words depend on them. */
export interface RequestFacts {
  /** Some request is about it. */
  isSent: boolean;
  /** Its replacement is there before it goes. */
  createsFirst: boolean;
}

/** Makes a function that tells what a plan sends of a change. */
export function createRequestFactsLookup(
  plan: Pick<Plan, 'operations'>,
): (change: Pick<Change, 'address'>) => RequestFacts {
  const carriers = indexOperationsByAddress(plan);
  return ({ address }) => {
    const carrier = carriers.get(address) ?? [];
    return { isSent: carrier.length > 0, createsFirst: createsFirst(carrier) };
  };
}

/** One of `resource_changes`. */
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

/** The paths of the fields that the configuration speaks of; all others of the object are as they were found. */
const declaredPathsOf = ({ declared = [], uncompared = [], fields, action }: Change): string[] =>
  action === 'delete'
    ? []
    : [...new Set([...declared, ...uncompared, ...fields.map(({ path }) => path)])].sort();

/**
 * One of `resource_drift`: what somebody else changed since the last apply, or deleted. Of what is gone nothing is known any more: the ledger
 * keeps no values.
 */
export const formatResourceDrift = (change: Change) => ({
  ...resourceMembers(change),
  change: isDeletedOutside(change)
    ? changeMembers(['delete'], { before: { value: {}, unknown: false, sensitive: {} }, after: null })
    : isJoinedOutside(change)
      ? changeMembers(['create'], { before: null, after: liveSideOf(change) })
      : changeMembers(['update'], driftSidesOf(change)),
});

export const hasDrift = (change: Change): boolean =>
  isDeletedOutside(change) ||
  isJoinedOutside(change) ||
  change.fields.some(({ cause }) => cause === 'drift' || cause === 'conflict');

/** True if somebody else deleted it. */
export const isDeletedOutside = ({ outside, action, id }: Change): boolean =>
  outside === true && action === 'create' && id === undefined;

/** Terraform's words for an action; an adoption that writes nothing is a no-op beside its `importing`. */
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

/** Why, as far as Terraform has a word for it. */
export function terraformReasonOf(change: Change): string | undefined {
  if (change.action === 'replace')
    return change.fields.length > 0 ? 'replace_because_cannot_update' : 'replace_because_tainted';
  return change.action === 'delete' || isReleasedObject(change)
    ? 'delete_because_no_resource_config'
    : undefined;
}

const actionReasonMember = (change: Change) => {
  const action_reason = terraformReasonOf(change);
  return action_reason === undefined ? {} : { action_reason };
};

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

const changeMembers = (actions: TerraformActions, { before, after }: ChangeSides) => ({
  actions,
  before: before?.value ?? null,
  after: after?.value ?? null,
  after_unknown: after && isMarked(after.unknown) ? after.unknown : {},
  before_sensitive: sensitiveMarksOf(before),
  after_sensitive: sensitiveMarksOf(after),
});

/** False where there is nothing that could be marked. */
const sensitiveMarksOf = (side: ChangeSide | null): Marks => side?.sensitive ?? false;

/** The paths that force a replacement; where no field says so, nothing of the kind can be changed in place. */
function replacePaths({ fields }: Change): string[][] {
  const replacing = fields.filter(({ replaces }) => replaces);
  return (replacing.length > 0 ? replacing : fields).map(({ path }) => namesInPath(path));
}

/** Counts as Terraform does: a replacement is added and removed, a released object is not counted. */
interface TerraformCounts {
  add: number;
  change: number;
  import: number;
  remove: number;
}

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

/** `Plan: 1 to import, 5 to add, 4 to change, 6 to destroy.` */
export const terraformCountsText = (counts: TerraformCounts): string =>
  `Plan: ${counts.import > 0 ? `${counts.import} to import, ` : ''}${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy.`;
