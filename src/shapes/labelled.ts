import { isSameValue } from '../kind/compare.ts';
import { secretIdOf } from '../kind/define-kind.ts';
import { createDraft } from '../kind/draft.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { oneByOne, plain } from '../kind/plain.ts';
import type { Label, Paired, Shape, Unpaired } from '../kind/shape.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, escapeName } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { hasUnknown } from '../model/digest.ts';
import { addTo, groupBy } from '../model/graph.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';

/** Sets of fields that tell which live object is meant: the first that is declared and fits decides. */
type Identity = readonly (readonly string[])[];

/** Without a name two can stand side by side: nothing is missing in between, and nothing is lost if the new one cannot be made. */
const besideEachOther: Shape = {
  ...plain,
  arrange: oneByOne((kind, change) => {
    const creation = createDraft(kind, 'create', change);
    return [
      creation,
      { ...createDraft(kind, 'delete', change, { id: change.before!.id }), after: [creation] },
    ];
  }),
};

/** Objects without a name of their own: the YAML gives them labels, and `identity` tells which live object is meant. */
export const labelled = (identity: Identity, inner: Shape = besideEachOther): Shape => ({
  ...inner,
  isNamed: false,
  pair: (collection) => pairBy(identity, collection),
  canMean(kind, desired, live) {
    const [known] = identity.map((names) => telling(desired, names)).filter((tells) => tells !== undefined);
    // An identifying value that is not known yet could be any.
    return known === undefined || fits(known, live, kind);
  },
  labels: (kind, objects) => labelsFor(identity, kind, objects),
  keyWords: () => {
    const sets = identity.map((fields) => fields.map((name) => `\`${name}\``).join(' and '));
    return `It has no name of its own: the YAML gives it a label, and the live object is found by ${sets.join(', or else by ')}. If several match, the plan fails until \`$id\` selects one.`;
  },
});

/**
 * The ledger's id was followed while reading, `$id` comes next, then the identifying fields. Equal blocks get one object each. If one
 * block could mean several objects, all are put under its label, where `match` asks which.
 */
function pairBy(identity: Identity, { kind, desired, live, fieldsOf, isRecorded }: Unpaired): Paired {
  const resources = new Map(live);
  const paired: Paired = { vacated: [], assigned: [], renames: [] };
  const isWanted = new Set(desired.map(({ address }) => address));
  const pool = new Set([...live.values()].filter(({ address }) => !isWanted.has(address)));
  const candidates = openCandidates([...pool]);
  const put = (resource: LiveResource) => {
    resources.set(resource.address, resource);
    paired.assigned.push(resource);
  };
  // What the ledger knows under another label is ours: it was renamed here.
  const assign = (want: Resource, found: LiveResource[]) => {
    const [known] = found.filter(({ address }) => isRecorded(address));
    if (known && found.length === 1 && !isRecorded(want.address))
      paired.renames.push([want.address, known.address]);
    for (const resource of found) {
      pool.delete(resource);
      resources.delete(resource.address);
      paired.vacated.push(resource.address);
    }
    const meant = found.map((resource) => labelledAs(resource, want, kind));
    const [first] = meant;
    if (first) put(meant.length > 1 ? { ...first, alternatives: meant } : first);
  };
  besideOld(
    kind,
    desired,
    { pool, fieldsOf, oldOf: (address) => resources.get(address) },
    (want, old, resource) => {
      const address = addressOf(want.parent, kind.section, [escapeName(old.id)]);
      assign(want, [resource]);
      put({ ...old, address: address });
      paired.renames.push([address, want.address]);
    },
  );
  const isOpen = ({ address }: Resource) => !resources.has(address);
  for (const want of desired.filter((resource) => isOpen(resource) && resource.meta.id !== undefined))
    assign(
      want,
      [...pool].filter(({ ids }) => ids.includes(want.meta.id!)),
    );
  let open = desired.filter((resource) => isOpen(resource) && resource.meta.id === undefined);
  const secretId = secretIdOf(kind);
  for (const names of identity) {
    const known = open.map((want) => {
      const fields = fieldsOf(want);
      const isUntold = secretId !== undefined && hasUnknown(fields[secretId]);
      return { want, isUntold, tells: telling(fields, names) };
    });
    const twins = groupBy(
      known.filter(({ tells }) => tells !== undefined),
      ({ tells }) => canonical(revealed(tells)),
    );
    for (const equal of twins.values()) {
      const tells = equal[0]!.tells!;
      const found = candidates(tells).filter(
        (object) => pool.has(object) && fits(tells, object.fields, kind),
      );
      // The secrets would tell them apart, and are not available.
      if (equal.some(({ isUntold }) => isUntold) && found.length + equal.length > 2) continue;
      if (found.length > equal.length) assign(equal[0]!.want, found);
      else for (const [index, one] of found.entries()) assign(equal[index]!.want, [one]);
    }
    // The first set that is declared decides: nothing else is taken for what it does not fit.
    const told = new Set(known.filter(({ tells }) => tells !== undefined).map(({ want }) => want.address));
    open = open.filter((resource) => isOpen(resource) && !told.has(resource.address));
  }
  return paired;
}

/** A replacement that was cut short: the new one is there, and the old one, which the ledger knows, still has to go. */
function besideOld(
  kind: Kind,
  wanted: Resource[],
  {
    pool,
    fieldsOf,
    oldOf,
  }: {
    pool: ReadonlySet<LiveResource>;
    fieldsOf(want: Resource): Fields;
    oldOf(address: Address): LiveResource | undefined;
  },
  found: (want: Resource, old: LiveResource, made: LiveResource) => void,
): void {
  const secretId = secretIdOf(kind);
  for (const want of secretId === undefined ? [] : wanted) {
    const old = oldOf(want.address);
    const tells = telling(fieldsOf(want), [secretId!]);
    const resource = tells && [...pool].find((resource) => fits(tells, resource.fields, kind));
    if (old && resource && !fits(tells, old.fields, kind)) found(want, old, resource);
  }
}

const labelledAs = (resource: LiveResource, { address, fields }: Resource, kind: Kind): LiveResource => ({
  ...resource,
  address,
  fields: { ...resource.fields, ...Object.fromEntries(kind.key.map((name) => [name, fields[name]!])) },
});

/** Those of the identifying fields that are declared; undefined where there are none, or one is not known yet. */
function telling(fields: Fields, names: readonly string[]): Fields | undefined {
  const declared = Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== null);
  return declared.length === 0 || hasUnknown(declared) ? undefined : Object.fromEntries(declared);
}

const fits = (tells: Fields, fields: Fields, kind: Kind) =>
  Object.entries(tells).every(([name, value]) =>
    isSameValue(value, fields[name], traitsOf(comparedFields(kind)[name]!)),
  );

/** A label for each object that has no name of its own, made of what identifies it; the ids decide among equal ones. */
function labelsFor(identity: Identity, kind: Kind, objects: LiveResource[]): Map<LiveResource, Label> {
  const labels = new Map<LiveResource, Label>();
  const used = new Set<string>();
  const counts = new Map<string, number>();
  const candidates = openCandidates(objects);
  for (const resource of [...objects].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const words = identity
      .flatMap((names) => names.map((name) => wordOf(resource.fields[name])))
      .filter(Boolean);
    const base = words.slice(0, 2).join('-').slice(0, 60) || firstWord(identity, resource) || kind.section;
    let label = base;
    let count = counts.get(base) ?? 2;
    for (; used.has(label); count++) label = `${base}-${count}`;
    counts.set(base, count);
    used.add(label);
    labels.set(resource, { text: label, needsId: hasTwin(identity, kind, resource, candidates) });
  }
  return labels;
}

/** The first item of the first list, for an object that only lists identify. */
const firstWord = ([names = []]: Identity, { fields }: LiveResource): string =>
  names
    .flatMap((name) => fields[name] ?? [])
    .map(wordOf)
    .find(Boolean) ?? '';

/**
 * Text as a word of a label; what is secret, a list or nothing gives none. Of a URL only its host: labels are in addresses, which every plan
 * prints, and what stands behind the host may be a token.
 */
function wordOf(value: Value | undefined): string {
  if (isPlainObject(value))
    return Object.values(value)
      .map((item) => wordOf(item as Value))
      .join('-');
  if (typeof value !== 'string') return '';
  return value
    .replace(/^https?:\/\/(?:[^/?#]*@)?([^/?#]*).*$/s, '$1')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** Returns the objects that may have these values: those with the same text in one field, or all if no value is a text. */
type Candidates = (values: Fields) => readonly LiveResource[];

/** Indexes objects by their texts, so that not every object is compared with every other one. */
function openCandidates(objects: readonly LiveResource[]): Candidates {
  const byText = new Map<string, LiveResource[]>();
  for (const object of objects)
    for (const [name, value] of Object.entries(object.fields)) {
      const text = revealed(value);
      if (typeof text === 'string') addTo(byText, `${name} ${text}`, object);
    }
  return (values) => {
    const text = Object.entries(values).find(([, value]) => typeof value === 'string');
    return text ? (byText.get(text.join(' ')) ?? []) : objects;
  };
}

/** True if the same block could mean another object. */
const hasTwin = (identity: Identity, kind: Kind, object: LiveResource, candidates: Candidates): boolean =>
  secretIdOf(kind) === undefined &&
  identity.some((names) => {
    const values = Object.fromEntries(
      names.flatMap((name) => (object.fields[name] == null ? [] : [[name, object.fields[name]]])),
    );
    return (
      Object.keys(values).length > 0 &&
      candidates(values).some((resource) => resource !== object && hasValues(resource, values, kind))
    );
  });

/** True if an object has these values, or texts of the same form where they are sealed. */
function hasValues({ fields }: LiveResource, values: Fields, kind: Kind): boolean {
  const names = Object.keys(values);
  const others = Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return canonical(values) === canonical(others) || fits(values, fields, kind);
}
