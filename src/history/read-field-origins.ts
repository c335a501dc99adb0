import { comparedFields, leavesOf } from '../kind/compare.ts';
import { isPartOfAddress } from '../kind/define-kind.ts';
import { holdsSecretOfRun, secretFinderOf } from '../kind/disclosure.ts';
import { type Address, globOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { LiveResource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { jsonValue } from '../report/show.ts';
import { type OpenPlanOptions, openPlan, type Planned } from '../run/open-plan.ts';
import type { RunSession } from '../run/session.ts';
import { type FieldOrigin, findFieldOrigins, type LiveField } from './blame.ts';
import type { RunRecord } from './record.ts';

/** The fields of an account that `blame` shows. */
interface AccountOrigins {
  origins: FieldOrigin[];
  /** The addresses that the account, the ledger or the configuration has. */
  addresses: Address[];
  /** The problems with parts that could not be read. */
  problems: Diagnostic[];
}

/** True if an address is the asked one, or one of its targets: `blame projects/web/env/A` means the variable in all its environments. */
export const isAsked = (address: Address, asked: Address): boolean =>
  address === asked || addressWithoutTarget(address) === asked;

/**
 * Reads the objects at an address for `trueup blame`, and returns for each field who set the value that the account has now. `records`: the
 * history of the stack. Values that contain a secret of the run are hidden.
 */
export async function readFieldOrigins(
  session: RunSession,
  asked: Address,
  records: readonly RunRecord[],
  planOptions: OpenPlanOptions,
): Promise<AccountOrigins> {
  const planned = await openPlan(session, {
    ...planOptions,
    targets: [globOf(asked)],
    toleratesMissing: 'undo',
  });
  const { live, ledger, desired, plan } = planned;
  const isSecret = secretFinderOf(session);
  const askedResources = [...live.resources.values()].filter(({ address }) => isAsked(address, asked));
  const origins = askedResources.flatMap((resource) => {
    const { address } = resource;
    const author = plan.changedBy?.find((change) => change.address === address)?.who;
    return findFieldOrigins(address, records, liveFieldsOf(resource, planned), author);
  });
  return {
    origins: origins.map((origin) =>
      holdsSecretOfRun(origin.value as Value, isSecret) ? { ...origin, value: '(secret)' } : origin,
    ),
    addresses: [...live.resources.keys(), ...Object.keys(ledger.entries), ...desired.resources.keys()],
    problems: plan.diagnostics.filter(({ code }) => code === 'observe/incomplete'),
  };
}

/**
 * Returns the fields of a live object that `blame` lists. Leaves out its name and position, because they are in its address, and empty
 * fields that nothing declares.
 */
function liveFieldsOf(
  { address, kind: kindName, fields }: LiveResource,
  { plan, input, ledger }: Planned,
): LiveField[] {
  const kind = input.kinds.get(kindName)!;
  const change = plan.changes.find((candidate) => candidate.address === address);
  const entry = ledger.entries[address];
  return leavesOf(comparedFields(kind), fields).flatMap(({ path, value, isSecret }): LiveField[] => {
    const isDeclared = entry?.fields[path] !== undefined || entry?.secrets[path] !== undefined;
    const isEmptyValue = value === null || value === '';
    if ((!isDeclared && isEmptyValue) || isPartOfAddress(path, kind)) return [];
    const cause = change?.fields.find((field) => field.path === path)?.cause;
    const isChanged = cause === 'drift' || cause === 'conflict';
    return [{ path, value: isSecret ? '(secret)' : jsonValue(value), isChanged, isDeclared }];
  });
}
