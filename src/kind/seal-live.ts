import type { Address } from '../model/address.ts';
import { canonicalJson, type LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { type Desired, type Live, type LiveResource, replaceFields } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import {
  type Fields,
  isHole,
  isPlainObject,
  namesInPath,
  replaceAt,
  sealAt,
  type Value,
} from '../model/value.ts';
import { mapMembers, mapTree, visitMembers } from '../model/walk.ts';
import { comparedFields, type Leaf, leavesOf, schemaAt } from './compare.ts';
import { isPartOfAddress } from './define-kind.ts';
import {
  isKnownOpen,
  isSecretJson,
  mapFreeText,
  mayBeCredential,
  type ObjectKnowledge,
  secretFinderOf,
  secretPaths,
  type TextContext,
} from './disclosure.ts';
import type { Kinds } from './kind.ts';
import { traitsOf } from './traits.ts';

/** The data that decides whether a live value may be shown. */
interface SealInput {
  desired: Pick<Desired, 'resources'>;
  live: Live;
  ledger: Pick<Ledger, 'entries'>;
  kinds: Kinds;
  /** The values of the secrets that this run has. */
  secrets?: ReadonlyMap<string, Sealed>;
  /** Finds secrets of the run in text; by default, those in `secrets`. */
  isSecretOfRun?: SecretFinder | undefined;
  key?: LedgerKey | undefined;
}

/**
 * Returns the input of a plan with every live value sealed (printed as `(secret)`) that must not be shown: secrets, and texts that may be.
 * Used right after the account was read, so that no later step can print such a value; `isSealed` then tells that it was done.
 * `addressesOf`: returns the addresses that a live object has in the configuration and the ledger, because it has several while it is
 * renamed.
 */
export function sealLive<I extends SealInput>(
  input: I,
  addressesOf: (resource: LiveResource) => Iterable<Address> = ({ address }) => [address],
): I {
  const { desired, live, ledger, kinds, key } = input;
  const isSecretOfRun = secretFinderOf(input);
  const resources = new Map<Address, LiveResource>();
  for (const [address, resource] of live.resources) {
    const kind = kinds.get(resource.kind);
    const addresses = [...addressesOf(resource)];
    const declarations = addresses.flatMap((alias) => desired.resources.get(alias) ?? []);
    const entries = addresses.flatMap((alias) => ledger.entries[alias] ?? []);
    resources.set(
      address,
      kind ? sealResource(resource, { kind, desired: declarations, entries, key, isSecretOfRun }) : resource,
    );
  }
  sealedFor.set(resources, { desired, ledger });
  return { ...input, live: { ...live, resources } };
}

/** The configuration and the ledger for which live objects were sealed, by the map with these objects. */
const sealedFor = new WeakMap<Live['resources'], Pick<SealInput, 'desired' | 'ledger'>>();

/**
 * True if `sealLive` has returned these live objects for this configuration and ledger: values that must not be shown are sealed in them,
 * and a plan need not seal them again.
 */
export function isSealed({ desired, ledger, live }: Pick<SealInput, 'desired' | 'ledger' | 'live'>): boolean {
  const sealed = sealedFor.get(live.resources);
  return sealed?.desired === desired && sealed.ledger === ledger;
}

/**
 * Seals the values of one live object that no plan or message may show: first those at the paths where the ledger or the configuration has
 * a secret, then texts that look like a secret (`hiddenTexts`, in the fields `hiddenFields`). Seals the same paths and texts in the
 * platform's records that make up the object (its rows), and its `alternatives`: other live objects that the same block could mean.
 */
function sealResource(resource: LiveResource, knowledge: ObjectKnowledge): LiveResource {
  const pathsOfSecrets = secretPaths(knowledge);
  const sealPaths = (fields: Fields): Fields =>
    pathsOfSecrets.reduce((sealed, path) => sealAt(sealed, path) as Fields, fields);
  const { fields, hiddenTexts, hiddenFields } = sealTexts(sealPaths(resource.fields), knowledge);
  // A row may hold a hidden text of the object under another name. The same text in an open field of the object, such as `target`, stays.
  const isOpen = (name: string) => Object.hasOwn(fields, name) && !hiddenFields.has(name);
  const sealRow = (row: Fields): Fields =>
    hiddenTexts.size === 0
      ? row
      : mapMembers(row, (member, name) =>
          isOpen(name) ? member : sealAlike(member, hiddenTexts, knowledge),
        );
  const { rows, alternatives } = resource;
  const sealedRows = rows?.map((row) => replaceFields(row, sealRow(sealPaths(row.fields))));
  const hasSealedRow = sealedRows?.some((row, index) => row !== rows![index]);
  if (!alternatives && !hasSealedRow) return replaceFields(resource, fields);
  return {
    ...resource,
    fields,
    rows: sealedRows,
    alternatives: alternatives?.map((alternative) => sealResource(alternative, knowledge)),
  };
}

/** The fields of an object after its texts were sealed, the sealed texts, and the names of the fields that contained them. */
interface SealedFields {
  fields: Fields;
  hiddenTexts: ReadonlySet<string>;
  hiddenFields: ReadonlySet<string>;
}

/**
 * Seals those texts in the fields of a live object that a plan must hide. Also returns the texts, so that the caller seals them where the
 * platform's records of the object repeat them. Fields of the address stay, because every plan prints them.
 */
function sealTexts(fields: Fields, knowledge: ObjectKnowledge): SealedFields {
  const { kind } = knowledge;
  const schemas = comparedFields(kind);
  const hiddenTexts = new Set<string>();
  const hiddenFields = new Set<string>();
  let sealed = fields;
  for (const leaf of leavesOf(schemas, fields)) {
    const { path, value } = leaf;
    const isTextOrNumber = typeof value === 'string' || typeof value === 'number';
    const mayHoldSecret = isTextOrNumber || Array.isArray(value) || isPlainObject(value);
    if (!mayHoldSecret || isPartOfAddress(path, kind)) continue;
    const schema = schemaAt(schemas, path);
    const mustHide = createHidingTest(leaf, schema && traitsOf(schema).published, knowledge);
    let isChanged = false;
    const seal = (text: string, json?: Value): Sealed => {
      isChanged = true;
      hiddenTexts.add(text);
      return new Sealed(text, undefined, { json });
    };
    const valueWithSealed = mapFreeText(schema, value, contextOf(path, fields), {
      change: (text, context) => (mustHide(text, context) ? seal(text) : text),
      changeJson: (part) =>
        isSecretJson(part, knowledge.isSecretOfRun) ? seal(canonicalJson(part), part) : undefined,
    });
    if (!isChanged) continue;
    const names = namesInPath(path);
    hiddenFields.add(names[0]!);
    sealed = replaceAt(sealed, names, valueWithSealed);
  }
  return { fields: sealed, hiddenTexts, hiddenFields };
}

/**
 * Creates the test whether a plan must hide a text in one live value: if it contains a secret of this run, or if it looks like a
 * credential and nothing proves that the value is not secret. `published`: the members of the value that everybody can look up.
 */
function createHidingTest(
  leaf: Leaf,
  published: readonly string[] | undefined,
  knowledge: ObjectKnowledge,
): (text: string, context: TextContext) => boolean {
  // Asked at most once for each value, because it digests the value.
  let isValueOpen: boolean | undefined;
  return (text, context) => {
    if (knowledge.isSecretOfRun(text)) return true;
    if (published?.includes(context.name ?? '') || !mayBeCredential(text, context)) return false;
    isValueOpen ??= isKnownOpen(leaf, knowledge);
    return !isValueOpen;
  };
}

/** Returns the surroundings of a leaf: its name and, for a field, the other fields of the object. */
function contextOf(path: string, fields: Fields): TextContext {
  const names = namesInPath(path);
  return { name: names.at(-1), siblings: names.length === 1 ? fields : {}, isPossibleSecret: false };
}

/**
 * Returns a copy of a member of a row (an object of the platform) in which all texts are sealed that are in `hidden`, also numbers and
 * objects whose JSON is. A row may contain a secret of its object again under another name, and no plan or message may show it.
 */
const sealAlike = (
  value: Value,
  hidden: ReadonlySet<string>,
  { isSecretOfRun }: Pick<ObjectKnowledge, 'isSecretOfRun'>,
): Value =>
  mapTree(value, (part) => {
    if (typeof part === 'string' && hidden.has(part)) return new Sealed(part);
    if (isSecretJson(part, isSecretOfRun) && hidden.has(canonicalJson(part)))
      return new Sealed(canonicalJson(part), undefined, { json: part });
    return part instanceof Sealed || isHole(part) ? part : visitMembers;
  }) as Value;
