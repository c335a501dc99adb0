import { comparedFields, leavesOf } from '../../src/kind/compare.ts';
import { canDo } from '../../src/kind/define-kind.ts';
import { resolveFields } from '../../src/kind/empty-is-absent.ts';
import type { Kind, Kinds } from '../../src/kind/kind.ts';
import { loadExample } from '../../src/manual/kind-reference.ts';
import type { When } from '../../src/manual/kind-requests.ts';
import { type Address, isWithin } from '../../src/model/address.ts';
import { emptyLedger, type LedgerEntry } from '../../src/model/ledger.ts';
import type { Endpoint } from '../../src/model/request.ts';
import {
  collectionId,
  emptyLive,
  type Live,
  type LiveResource,
  type Resource,
} from '../../src/model/resource.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { type Fields, isHole, isPlainObject, namesInPath, type Value } from '../../src/model/value.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { plan } from '../../src/plan/plan.ts';

/** A request that the plan has for a change of the kind. */
export interface PlannedRequest {
  endpoint: Endpoint;
  when: When;
}

/**
 * What the planner makes of a kind's example: to create it in an account that has only what is around it, to change it where
 * each field differs, to put it into its order, and to delete it. Nothing is read or sent.
 */
export async function planExample(kinds: Kinds, kind: Kind): Promise<PlannedRequest[]> {
  if (kind.example === undefined) return [];
  const { desired, usedSecrets } = await loadExample(kinds, kind);
  const secrets = new Map([...usedSecrets].map((name) => [name, new Sealed('example', name)]));
  const all = [...desired.resources.values()];
  const own = all.filter((resource) => resource.kind === kind.name);
  const isBelow = ({ address }: Resource) =>
    own.some((one) => one.address !== address && isWithin(address, one.address));
  const around = all.filter((resource) => !own.includes(resource) && !isBelow(resource));
  const found = (resource: Resource) => asLive(kinds, resource, secrets);
  const planned = (when: When, wanted: Resource[], live: LiveResource[]): PlannedRequest[] =>
    plan(inputOf(kinds, secrets, desired, wanted, live, own))
      .operations.filter((operation) => operation.kind === kind.name)
      .flatMap(({ requests }) => requests.map(({ endpoint }) => ({ endpoint, when })));

  const others = around.map(found);
  const before = own.map((resource) => differing(kind, found(resource)));
  const reversed = own.map(found).map((one) => ({ ...one, index: own.length - one.index }));
  return [
    ...(canDo(kind, 'create') ? planned('create', [...around, ...own], others) : []),
    ...(canDo(kind, 'update') ? planned('update', [...around, ...own], [...others, ...before]) : []),
    ...(kind.shape.orderDecides ? planned('move', [...around, ...own], [...others, ...reversed]) : []),
    ...(canDo(kind, 'delete') ? planned('delete', around, [...others, ...own.map(found)]) : []),
  ];
}

function inputOf(
  kinds: Kinds,
  secrets: PlanInput['secrets'],
  desired: PlanInput['desired'],
  wanted: Resource[],
  found: LiveResource[],
  own: Resource[],
): PlanInput {
  const live: Live = {
    ...emptyLive(),
    resources: new Map(found.map((one) => [one.address, one])),
    complete: new Set(
      [...kinds.values()].flatMap(({ name, parent }) =>
        parent === undefined
          ? [collectionId(name, undefined)]
          : found.filter((one) => one.kind === parent).map(({ address }) => collectionId(name, address)),
      ),
    ),
  };
  const entries = found.map(({ address, kind, ids }): [Address, LedgerEntry] => {
    const form = kinds.get(kind)!.form ?? 1;
    return [address, { kind, ids, origin: 'created', salt: 'example', form, fields: {}, secrets: {} }];
  });
  return {
    desired: { ...desired, resources: new Map(wanted.map((one) => [one.address, one])) },
    live,
    ledger: { ...emptyLedger('', '', desired.stack), entries: Object.fromEntries(entries) },
    kinds,
    secrets,
    facts: { teamId: 'team_1' },
    now: 0,
    options: { containersToDelete: own.map(({ address }) => address) },
  };
}

/** A wanted object as if it were there. Units of one entry share a row. */
function asLive(kinds: Kinds, resource: Resource, secrets: PlanInput['secrets']): LiveResource {
  const kind = kinds.get(resource.kind)!;
  const { address, parent, index, group } = resource;
  const fields = resolveFields(kind, resource, { secrets, attribute: () => undefined });
  const id = group ?? address;
  return {
    address,
    kind: kind.name,
    ...(parent === undefined ? {} : { parent }),
    id,
    ids: [id],
    fields,
    ...(kind.shape.byAddress ? { rows: [{ id, fields }] } : {}),
    index,
  };
}

/** The object with another value in every field that can be changed in place. */
function differing(kind: Kind, live: LiveResource): LiveResource {
  const fixed = [...kind.key, ...kind.shape.addressFields];
  const leaves = leavesOf(comparedFields(kind), live.fields).filter(
    ({ path, traits }) =>
      !fixed.includes(path) && traits.immutable !== true && !traits.createOnly && !traits.local,
  );
  const fields = leaves.reduce(
    (all, { path, value }) => withValue(all, namesInPath(path), other(value)),
    live.fields,
  );
  return { ...live, fields, ...(live.rows ? { rows: live.rows.map((row) => ({ ...row, fields })) } : {}) };
}

const withValue = (fields: Fields, [name, ...rest]: string[], value: Value): Fields => ({
  ...fields,
  [name!]: rest.length === 0 ? value : withValue((fields[name!] ?? {}) as Fields, rest, value),
});

/** Another value of the same shape. */
function other(value: Value): Value {
  if (value instanceof Sealed) return new Sealed(`${value.reveal()} before`);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value} before`;
  if (Array.isArray(value)) return value.map(other);
  if (!isPlainObject(value) || isHole(value)) return 'before';
  return Object.fromEntries(Object.entries(value as Fields).map(([name, item]) => [name, other(item)]));
}
