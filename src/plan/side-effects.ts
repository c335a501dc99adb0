import { isNothing, same, sealed } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields, isField, type Leaf, leavesOf } from '../kind/leaves.ts';
import { byAddress, lastNameOf } from '../model/address.ts';
import { atPath } from '../model/field-path.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { SideEffect } from '../model/side-effect.ts';
import { holdsSecret, isRef, mapHoles, type Value } from '../model/value.ts';
import { beforeAndAfter } from './before-and-after.ts';
import type { PlanInput } from './input.ts';
import { sealLive } from './seal-live.ts';
import { writtenBy } from './written-by.ts';

/**
 * Finds the differences in `after` that carrying out the plan made of `before` did not write: the platform did, or somebody
 * else. Compares only what was read whole both times, and ignores order. `known` is what the plan was made of; it tells which
 * values have to stay secret.
 */
export function sideEffects(
  plan: Plan,
  before: Live,
  after: Live,
  known: Pick<PlanInput, 'desired' | 'ledger' | 'kinds'>,
): SideEffect[] {
  const { kinds } = known;
  const [old, now] = [before, after].map((live) => sealLive({ ...known, live }).live) as [Live, Live];
  const written = writtenBy(plan);
  return beforeAndAfter(old, now, kinds)
    .filter((one) => !written.object(one))
    .flatMap((one): SideEffect[] => {
      const { address, kind } = (one.after ?? one.before)!;
      if (!one.after) return [{ address, kind, type: 'gone' }];
      if (!one.before) return [{ address, kind, type: 'appeared' }];
      const isSame = (a: Value, b: Value, leaf: Leaf) =>
        alike(a, b, leaf) || alike(withIds(a, old), withIds(b, now), leaf);
      return differing(one.before, one.after, kinds.get(kind)!, isSame)
        .filter(({ path }) => !written.field(one, path))
        .map((field) => ({ address, kind, type: 'changed', ...field }));
    })
    .sort(byAddress);
}

/** The fields that differ. A field that is nothing on one side differs as a whole. */
function differing(
  before: LiveResource,
  after: LiveResource,
  kind: Kind,
  isSame: (a: Value, b: Value, leaf: Leaf) => boolean,
) {
  const schemas = comparedFields(kind);
  const leaves = [before, after].flatMap(({ fields }) => leavesOf(schemas, fields));
  const fields = [...groupBy(leaves, ({ path }) => path)].flatMap(([path, found]) => {
    const [leaf] = found as [Leaf];
    const [a, b] = [before, after].map((one) => atPath(one.fields, path));
    const { createOnly, writeOnly, readMayLack } = leaf.traits;
    const secret = found.some(({ traits }) => traits.secret) || holdsSecret(a) || holdsSecret(b);
    const isUnread = (readMayLack || secret) && (a === undefined || b === undefined);
    if (createOnly || writeOnly || isUnread || !isField(schemas, path)) return [];
    if (isSame(a ?? null, b ?? null, leaf)) return [];
    return [secret ? { path, before: sealed(a), after: sealed(b), secret } : { path, before: a, after: b }];
  });
  const isInside = (path: string) => fields.some((other) => path.startsWith(`${other.path}.`));
  return fields.filter(({ path }) => !isInside(path));
}

/** True if two found values are the same; nothing, an empty list and an empty object are. */
const alike = (a: Value, b: Value, { traits: { whereDeclared: _, ...traits } }: Leaf): boolean =>
  (isNothing(a) && isNothing(b)) || same(a, b, traits);

/** References by the ids that they stand for: the same object may have got another address. */
const withIds = (value: Value, { resources }: Live): Value =>
  mapHoles(value, (hole) =>
    isRef(hole) ? (resources.get(hole.$ref)?.id ?? lastNameOf(hole.$ref)) : hole,
  ) as Value;
