import { same } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { knownFields } from '../kind/resolve.ts';
import { traitsOf } from '../kind/traits.ts';
import { addressOf, escapeName } from '../model/address.ts';
import { canonical, hasUnknown } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId, type LiveResource, type Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields } from '../model/value.ts';
import { attributeIn } from './attribute.ts';
import { withClaims } from './claims.ts';
import type { PlanInput } from './input.ts';

/**
 * The input with live objects that have no name of their own under the labels that the configuration gives them. The ledger's
 * id was followed while reading, `$id` comes next, then what identifies the object: of equal ones each gets one; several that
 * could be meant by one block are all put under its label, where `match` asks which.
 */
export function pairByIdentity(input: PlanInput): PlanInput {
  const { desired, live, kinds, secrets, ledger } = input;
  const resources = new Map(live.resources);
  const claims = new Map(input.claims);
  const labelled = [...desired.resources.values()].filter(({ kind }) => kinds.get(kind)?.identity);
  const attribute = attributeIn(live);
  for (const siblings of groupBy(labelled, ({ kind, parent }) => collectionId(kind, parent)).values()) {
    const { kind: name, parent } = siblings[0]!;
    const kind = kinds.get(name)!;
    const pool = new Set(
      [...resources.values()].filter(
        (one) => one.kind === name && one.parent === parent && !desired.resources.has(one.address),
      ),
    );
    // What the ledger knows under another label is ours: it was renamed here.
    const assign = (want: Resource, found: LiveResource[]) => {
      const [known] = found.filter(({ address }) => ledger.entries[address]);
      if (known && found.length === 1 && !ledger.entries[want.address])
        claims.set(want.address, known.address);
      for (const one of found) {
        pool.delete(one);
        resources.delete(one.address);
      }
      const meant = found.map((one) => labelledAs(one, want, kind));
      const [first] = meant;
      if (first) resources.set(want.address, meant.length > 1 ? { ...first, alternatives: meant } : first);
    };
    // A replacement that was cut short: the new one is there, and the old one, which the ledger knows, still has to go.
    for (const want of kind.secretId ? siblings : []) {
      const old = resources.get(want.address);
      const tells = telling(knownFields(kind, want, { secrets, attribute }), [kind.secretId!]);
      const made = tells && [...pool].find((one) => fits(tells, one.fields, kind));
      if (!old || !made || fits(tells, old.fields, kind)) continue;
      const beside = addressOf(parent, kind.section, [escapeName(old.id)]);
      assign(want, [made]);
      resources.set(beside, { ...old, address: beside });
      claims.set(beside, want.address);
    }
    let open = siblings.filter(({ address }) => !resources.has(address));
    for (const want of open.filter(({ meta }) => meta.id !== undefined))
      assign(
        want,
        [...pool].filter(({ ids }) => ids.includes(want.meta.id!)),
      );
    open = open.filter(({ address, meta }) => !resources.has(address) && meta.id === undefined);
    for (const names of kind.identity!) {
      const known = open.map((want) => {
        const fields = knownFields(kind, want, { secrets, attribute });
        const isUntold = kind.secretId !== undefined && hasUnknown(fields[kind.secretId]);
        return { want, isUntold, tells: telling(fields, names) };
      });
      const twins = groupBy(
        known.filter(({ tells }) => tells !== undefined),
        ({ tells }) => canonical(revealed(tells)),
      );
      for (const equal of twins.values()) {
        const found = [...pool].filter((one) => fits(equal[0]!.tells!, one.fields, kind));
        // The secrets would tell them apart, and are not available: see `untold`.
        if (equal.some(({ isUntold }) => isUntold) && found.length + equal.length > 2) continue;
        if (found.length > equal.length) assign(equal[0]!.want, found);
        else for (const [index, one] of found.entries()) assign(equal[index]!.want, [one]);
      }
      // The first set that is declared decides: nothing else is taken for what it does not fit.
      const told = new Set(known.filter(({ tells }) => tells !== undefined).map(({ want }) => want.address));
      open = open.filter(({ address }) => !resources.has(address) && !told.has(address));
    }
  }
  return { ...input, claims, ledger: withClaims(ledger, claims), live: { ...live, resources } };
}

const labelledAs = (one: LiveResource, { address, fields }: Resource, kind: Kind): LiveResource => ({
  ...one,
  address,
  fields: { ...one.fields, ...Object.fromEntries(kind.key.map((name) => [name, fields[name]!])) },
});

/** Those of the identifying fields that are declared; undefined where there are none, or one is not known yet. */
function telling(fields: Fields, names: string[]): Fields | undefined {
  const declared = Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== null);
  return declared.length === 0 || hasUnknown(declared) ? undefined : Object.fromEntries(declared);
}

const fits = (tells: Fields, found: Fields, kind: Kind) =>
  Object.entries(tells).every(([name, value]) =>
    same(value, found[name], traitsOf(comparedFields(kind)[name]!)),
  );
