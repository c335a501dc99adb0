/**
 * May a value be shown, stored or copied? The only place that decides it, for every command and format.
 *
 * A value has one of three states:
 *
 * | State    | Shown                | Stored by trueup          | Copied into the configuration        |
 * | -------- | -------------------- | ------------------------- | ------------------------------------ |
 * | open     | yes                  | digest, value in a record | yes                                  |
 * | doubtful | no, as `(secret)`    | digest                    | only if the operator names the field |
 * | secret   | no, as `(secret)`    | keyed digest              | only as `${secret.name}`             |
 *
 * The first row that fits a text decides:
 *
 * | Value    | Condition                                                                               | State    |
 * | -------- | --------------------------------------------------------------------------------------- | -------- |
 * | declared | it holds a `${secret...}`, or its field is secret and takes no text in clear             | secret   |
 * | declared | any other                                                                               | open     |
 * | live     | its field is secret and the ledger does not prove that it was applied from clear text    | secret   |
 * | live     | the ledger or the configuration has a secret in its field                               | secret   |
 * | live     | it holds a secret of this run                                                           | secret   |
 * | live     | the ledger proves that it was applied from clear text, or the configuration declares it | open     |
 * | live     | its name or its form is that of a credential (`src/model/credentials.ts`)               | doubtful |
 * | live     | any other                                                                               | open     |
 * | stored   | a record has `(secret)` for it, or the live value of its field is not open              | secret   |
 *
 * A live value that is not open is sealed as soon as it was read (`sealLive`), so that plans, requests, events, records, `accept` and `export`
 * cannot show it. Without a ledger, nothing tells whether an old value came from a secret: then its name and form decide alone.
 */
import type { Address } from '../model/address.ts';
import { holdsCredential, isCredentialName } from '../model/credentials.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { once } from '../model/once.ts';
import type { Desired, Live, LiveResource, Resource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type SecretFinder, secretFinder } from '../model/secret-finder.ts';
import {
  type Fields,
  holdsSecret,
  isHole,
  isPlainObject,
  namesIn,
  sealAt,
  type Value,
} from '../model/value.ts';
import { holds, inside, mapTree, put } from '../model/walk.ts';
import { same } from './compare.ts';
import { type KeptOptions, keptAt } from './digests.ts';
import { mapFreeText, type TextContext } from './free-text.ts';
import type { Kind, Kinds } from './kind.ts';
import { comparedFields, type Leaf, leavesOf, schemaAt } from './leaves.ts';

/** All that tells whether a live value may be shown. */
export interface DisclosureInput {
  desired: Pick<Desired, 'resources'>;
  live: Live;
  ledger: Pick<Ledger, 'entries'>;
  kinds: Kinds;
  /** The values of the secrets that this run has. */
  secrets?: ReadonlyMap<string, Sealed>;
  key?: LedgerKey | undefined;
}

/** One object with all that is known of its values. */
interface ObjectKnowledge {
  kind: Kind;
  /** What the configuration and the ledger have of it, under each of its addresses. */
  wants: Resource[];
  entries: LedgerEntry[];
  key: LedgerKey | undefined;
  isSecretOfRun: SecretFinder;
}

/**
 * Seals every live value that is not open. `addressesOf`: the addresses under which the configuration and the ledger know an object, if they
 * may know it under others than its own.
 */
export function sealLive<I extends DisclosureInput>(
  input: I,
  addressesOf: (resource: LiveResource) => Iterable<Address> = ({ address }) => [address],
): I {
  const { desired, live, ledger, kinds, key } = input;
  const isSecretOfRun = finderOf(input);
  const resources = new Map<Address, LiveResource>();
  for (const [address, resource] of live.resources) {
    const kind = kinds.get(resource.kind);
    const addresses = [...addressesOf(resource)];
    const wants = addresses.flatMap((known) => desired.resources.get(known) ?? []);
    const entries = addresses.flatMap((known) => ledger.entries[known] ?? []);
    resources.set(
      address,
      kind ? sealResource(resource, { kind, wants, entries, key, isSecretOfRun }) : resource,
    );
  }
  return { ...input, live: { ...live, resources } };
}

/** Finds the secrets of a run in text from outside. */
export const finderOf = ({ secrets }: Pick<DisclosureInput, 'secrets'>): SecretFinder =>
  secrets ? finderFor(secrets) : () => false;

const finderFor = once((secrets: ReadonlyMap<string, Sealed>) => secretFinder(secrets.values()));

function sealResource(resource: LiveResource, known: ObjectKnowledge): LiveResource {
  const byOrigin = secretPaths(known);
  const atOrigin = (fields: Fields): Fields =>
    byOrigin.reduce((sealed, path) => sealAt(sealed, path) as Fields, fields);
  const hidden = new Set<string>();
  const fields = sealTexts(atOrigin(resource.fields), known, hidden);
  // A row holds the texts of its units under other names.
  const inRow = (row: Fields): Fields => (hidden.size > 0 ? sealAlike(row, hidden) : row);
  const { rows, alternatives } = resource;
  if (fields === resource.fields && !rows && !alternatives) return resource;
  return {
    ...resource,
    fields,
    ...(rows ? { rows: rows.map((row) => ({ ...row, fields: inRow(atOrigin(row.fields)) })) } : {}),
    ...(alternatives ? { alternatives: alternatives.map((other) => sealResource(other, known)) } : {}),
  };
}

/** The paths at which the ledger or the configuration has a secret. */
function secretPaths({ kind, wants, entries }: ObjectKnowledge): string[][] {
  const declared = wants
    .filter(({ fields }) => holdsSecret(fields))
    .flatMap(({ fields }) => leavesOf(comparedFields(kind), fields))
    .filter(({ value }) => holdsSecret(value))
    .map(({ path }) => namesIn(path));
  const recorded = entries.flatMap(({ secrets, hidden = [], form }) => {
    const paths = [...Object.keys(secrets), ...hidden].map(namesIn);
    // A path of another normal form may lead nowhere today, so the whole field counts.
    return form === (kind.form ?? 1) ? paths : paths.map((path) => path.slice(0, 1));
  });
  return [...recorded, ...declared];
}

/** Seals the texts that are not open, judging by what they hold; adds them to `hidden`. */
function sealTexts(fields: Fields, known: ObjectKnowledge, hidden: Set<string>): Fields {
  const { kind, isSecretOfRun } = known;
  const schemas = comparedFields(kind);
  let sealed = fields;
  for (const leaf of leavesOf(schemas, fields)) {
    if (isName(leaf.path, kind)) continue;
    let isOpen: boolean | undefined;
    let isSealed = false;
    const seal = (text: string): Sealed => {
      isSealed = true;
      hidden.add(text);
      return new Sealed(text);
    };
    const mapped = mapFreeText(
      schemaAt(schemas, leaf.path),
      leaf.value,
      contextOf(leaf.path, fields),
      (text, context) => {
        if (isSecretOfRun(text)) return seal(text);
        if (!mayBeCredential(text, context)) return text;
        isOpen ??= isKnownOpen(leaf, known);
        return isOpen ? text : seal(text);
      },
    );
    if (isSealed) sealed = replaceAt(sealed, namesIn(leaf.path), mapped);
  }
  return sealed;
}

/** A copy of fields with another value at a path. */
function replaceAt(fields: Fields, [name, ...names]: string[], value: Value): Fields {
  const copy = { ...fields };
  const inner = fields[name!];
  put(
    copy,
    name!,
    names.length > 0 && isPlainObject(inner) ? replaceAt(inner as Fields, names, value) : value,
  );
  return copy;
}

/** True for a field that makes the address of an object, which is shown anyway. */
const isName = (path: string, { key, shape }: Kind): boolean =>
  key.includes(path) || shape.place.includes(path);

/** The name of a leaf and the fields beside it. */
function contextOf(path: string, fields: Fields): TextContext {
  const names = namesIn(path);
  return { name: names.at(-1), beside: names.length === 1 ? fields : {}, isTelling: false };
}

/** True if a text may let somebody in, judging by its form, its name and the name beside it: `{ key: x-api-key, value: ... }`. */
function mayBeCredential(text: string, { name, beside, isTelling }: TextContext): boolean {
  if (text.length < shortestCredential || (name !== undefined && /(?:^i|I|[-_]i)ds?$/.test(name)))
    return false;
  if (isTelling || holdsCredential(text)) return true;
  const label = name === 'value' ? [beside.key, beside.name].find((one) => typeof one === 'string') : name;
  return typeof label === 'string' && isCredentialName(label) && !/\s/.test(text);
}

/** Shorter texts are settings such as `on`. */
const shortestCredential = 6;

/** True if a live value is known not to come from a secret: it was applied from clear text, or it stands in the configuration. */
function isKnownOpen(leaf: Leaf, { kind, wants, entries, key }: ObjectKnowledge): boolean {
  const { path, value, traits } = leaf;
  if (entries.some((entry) => isAppliedOpenly(leaf, value, { entry, form: kind.form ?? 1, key })))
    return true;
  return wants
    .flatMap(({ fields }) => leavesOf(comparedFields(kind), fields))
    .some((declared) => declared.path === path && !declared.isSecret && same(declared.value, value, traits));
}

/**
 * True if the ledger proves that a live value was applied from clear text: only then it has a digest without a key. Whatever a secret was
 * applied to, or is applied to by now, is not open.
 */
export function isAppliedOpenly(
  { path, traits }: Pick<Leaf, 'path' | 'traits'>,
  found: Value | undefined,
  { entry, ...options }: { entry?: LedgerEntry | undefined } & KeptOptions,
): boolean {
  if (entry?.fields[path] === undefined || entry.secrets[path] !== undefined) return false;
  return keptAt(entry, path, options).is(found, traits);
}

/** True if a value holds a secret of the run, sealed or not. */
export const holdsSecretOfRun = (value: Value | undefined, isSecretOfRun: SecretFinder): boolean =>
  holds(value, (part) => {
    if (part instanceof Sealed) return isSecretOfRun(part.reveal());
    return typeof part === 'string' ? isSecretOfRun(part) : inside;
  });

/** Seals all texts of a value that are among `hidden`. */
const sealAlike = (value: Fields, hidden: ReadonlySet<string>): Fields =>
  mapTree(value, (part) => {
    if (typeof part === 'string' && hidden.has(part)) return new Sealed(part);
    return part instanceof Sealed || isHole(part) ? part : inside;
  }) as Fields;
