import { secretIdOf } from '../kind/define-kind.ts';
import { createDraft } from '../kind/draft.ts';
import type { Kind, Label, LabelSurroundings, Shape } from '../kind/kind.ts';
import { oneByOne, plain } from '../kind/plain.ts';
import { canonicalJson } from '../model/digest.ts';
import type { LiveResource } from '../model/resource.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import {
  type Candidates,
  hasIdentifyingValues,
  type Identity,
  identifyingValues,
  indexCandidates,
} from './identity.ts';
import { pairByIdentity } from './pair-by-identity.ts';

/*
 * The shape of objects without a name of their own, such as webhooks. The platform keeps no unique name for them, so two equal ones can
 * exist. The YAML gives each a label, a key which the platform never receives. `identity.ts` says what identifies them instead.
 */

/**
 * Like `plain`, but a replacement creates the new object before it deletes the old one: two such objects can exist at the same time, so
 * nothing is missing in between or if the creation fails.
 */
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

/**
 * Returns the shape for kinds whose objects have no name of their own, such as webhooks. A shape tells planning how the objects of a kind
 * relate to those of the platform. Here the YAML gives each object a label, and a plan finds the live object by the fields in `identity`
 * (lists of fields, best first). `inner`: the shape that it extends, which drafts the requests. By default, two objects with equal fields
 * can exist beside each other, so that a replacement creates the new one before it deletes the old one.
 */
export const labelled = (identity: Identity, inner: Shape = besideEachOther): Shape => ({
  ...inner,
  isNamed: false,
  identityFields: identity.flat(),
  pair: (collection) => pairByIdentity(identity, collection),
  canMean(kind, desired, live) {
    // Only the first list with a declared field decides.
    const [values] = identity
      .map((names) => identifyingValues(desired, names))
      .filter((candidate) => candidate !== undefined);
    // An identifying value that is still unknown could be any value.
    return values === undefined || hasIdentifyingValues(live, values, kind);
  },
  labels: (kind, objects, surroundings) => labelsFor(identity, kind, objects, surroundings),
  keyWords: () => {
    const sets = identity.map((fields) => fields.map((name) => `\`${name}\``).join(' and '));
    return `It has no name of its own: the YAML gives it a label, and the live object is found by ${sets.join(', or else by ')}. If several match, the plan fails until \`$id\` selects one.`;
  },
});

/**
 * Returns the label that `trueup export` gives to each object without a name: its first two identifying values, such as
 * `example.com-deploy`. Equal and taken labels get numbers in the order of the ids, so that each export gives the same labels. `needsId`:
 * the block also needs `$id`, because its values alone could mean another object.
 */
function labelsFor(
  identity: Identity,
  kind: Kind,
  objects: LiveResource[],
  { collection, isTaken }: LabelSurroundings,
): Map<LiveResource, Label> {
  const labels = new Map<LiveResource, Label>();
  const used = new Set<string>();
  const counts = new Map<string, number>();
  const candidates = indexCandidates(collection);
  for (const resource of [...objects].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const words = identity
      .flatMap((names) => names.map((name) => toLabelWord(resource.fields[name])))
      .filter(Boolean);
    const base = words.slice(0, 2).join('-').slice(0, 60) || firstWord(identity, resource) || kind.section;
    let label = base;
    let count = counts.get(base) ?? 2;
    for (; used.has(label) || isTaken(label); count++) label = `${base}-${count}`;
    counts.set(base, count);
    used.add(label);
    labels.set(resource, { text: label, needsId: needsId(identity, kind, resource, candidates) });
  }
  return labels;
}

/**
 * Returns a word for the label that `trueup export` gives to an object without a name, if its identifying values are lists, which give no
 * word as a whole: the first item of these lists that gives one, such as the first domain name of a certificate. Only the first list of
 * fields in the identity (`names`) counts. Empty if there is no such item.
 */
const firstWord = ([names = []]: Identity, { fields }: LiveResource): string =>
  names
    .flatMap((name) => fields[name] ?? [])
    .map(toLabelWord)
    .find(Boolean) ?? '';

/**
 * Returns a value as a word of the label that `trueup export` gives to an object without a name: a text, or the texts in an object joined
 * by `-`. Empty for anything else, such as a secret, a list or a number. A URL gives only its host: labels are part of addresses, and
 * every plan prints these, but the path of a URL may contain a token.
 */
function toLabelWord(value: Value | undefined): string {
  if (isPlainObject(value))
    return Object.values(value)
      .map((item) => toLabelWord(item as Value))
      .join('-');
  if (typeof value !== 'string') return '';
  return (
    value
      // `https://user:secret@example.com/path?token=x` becomes `example.com`.
      .replace(/^https?:\/\/(?:[^/?#]*@)?([^/?#]*).*$/s, '$1')
      // `My hook, 2` becomes `My-hook-2`.
      .replace(/[^A-Za-z0-9._]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
  );
}

/**
 * True if the values of an object do not identify it: it has no identifying values, or another object has the same values for one of the
 * lists of fields in `identity`. A block with its values could then mean no object or several, so `trueup export` also writes the `$id`.
 * Never for kinds whose id is a secret in the configuration, because the block declares that.
 */
function needsId(identity: Identity, kind: Kind, object: LiveResource, candidates: Candidates): boolean {
  if (secretIdOf(kind) !== undefined) return false;
  const identifyingSets = identity
    .map((names) => names.filter((name) => object.fields[name] != null))
    .filter((names) => names.length > 0)
    .map((names) => Object.fromEntries(names.map((name) => [name, object.fields[name]!])));
  const fitsOtherObject = (values: Fields) =>
    candidates(values).some((other) => other !== object && mayHaveValues(other, values, kind));
  return identifyingSets.length === 0 || identifyingSets.some(fitsOtherObject);
}

/**
 * True if an object has these values, or may have them, for the search of objects that an export could confuse. Secrets count as equal:
 * `canonicalJson` writes each sealed live value as the same text.
 */
function mayHaveValues({ fields }: LiveResource, values: Fields, kind: Kind): boolean {
  const names = Object.keys(values);
  const ownValues = Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return canonicalJson(values) === canonicalJson(ownValues) || hasIdentifyingValues(fields, values, kind);
}
