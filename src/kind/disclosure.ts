import * as z from 'zod';
import { holdsCredential, isCredentialName, isPublicName } from '../model/credentials.ts';
import { type Diagnostic, problem, shellWord } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import { memoize } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { FieldPlace, FieldReference, Resource, Secrecy } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { createSecretFinder, type SecretFinder } from '../model/secret-finder.ts';
import { type Fields, holdsSecret, isPlainObject, namesInPath, type Value } from '../model/value.ts';
import { containsValue, mapMembers, visitMembers } from '../model/walk.ts';
import { comparedFields, isSameValue, type Leaf, leavesOf } from './compare.ts';
import { type RecordedDigestOptions, recordedDigestAt } from './digests.ts';
import type { Kind } from './kind.ts';
import { type FieldTraits, innerOf, shapeOf, traitsOf } from './traits.ts';

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
 * | declared | a finding says that it is a secret in clear                                             | doubtful |
 * | declared | any other                                                                               | open     |
 * | live     | its field is secret and the ledger does not prove that it was applied from clear text    | secret   |
 * | live     | the ledger or the configuration has a secret in its field                               | secret   |
 * | live     | it holds a secret of this run                                                           | secret   |
 * | live     | a finding says that it is a secret in clear                                             | doubtful |
 * | live     | the ledger proves that it was applied from clear text, or the configuration declares it | open     |
 * | live     | everybody can look it up: a DNS record                                                  | open     |
 * | live     | its name or its form is that of a credential (`src/model/credentials.ts`)               | doubtful |
 * | live     | any other                                                                               | open     |
 * | stored   | a record has `(secret)` for it, or the live value of its field is not open              | secret   |
 *
 * What findings say is known only once the plan is made: `src/run/hide-stated-secrets.ts` seals these values in what is shown of it. Any
 * other live value that is not open is sealed as soon as it was read (`seal-live.ts`), so that plans, requests, events, records, `accept`
 * and `export` cannot show it. Without a ledger, nothing tells whether an old value came from a secret: then its name and form decide
 * alone. Where a reference may copy a value to is decided by the levels of the two fields, at the end of this file.
 */

/** One object with all facts that decide whether its live values may be shown. */
export interface ObjectKnowledge {
  kind: Kind;
  /** The declarations and the ledger entries of the object, under each of its addresses. */
  desired: Resource[];
  entries: LedgerEntry[];
  key: LedgerKey | undefined;
  isSecretOfRun: SecretFinder;
}

/**
 * Returns the test for the secrets of a run, by which plans and `trueup blame` hide values that contain one: the given test, or one for the
 * given secrets. It is remembered for each set of secrets, since building it takes time.
 */
export const secretFinderOf = ({
  secrets,
  isSecretOfRun,
}: {
  secrets?: ReadonlyMap<string, Sealed>;
  isSecretOfRun?: SecretFinder | undefined;
}): SecretFinder => isSecretOfRun ?? (secrets ? finderFor(secrets) : () => false);

/** Returns the test for these secrets, by which plans hide values that contain one. */
const finderFor = memoize((secrets: ReadonlyMap<string, Sealed>) => createSecretFinder(secrets.values()));

/**
 * Returns the paths, as lists of names, at which the configuration (`desired`) or the ledger (`entries`) has a secret for an object, under
 * any of its addresses. A plan seals the live values there, so that no output shows them, even if they do not look secret. `hidden` in an
 * entry: paths that once held a secret.
 */
export function secretPaths({ kind, desired, entries }: ObjectKnowledge): string[][] {
  const declared = desired
    .filter(({ fields }) => holdsSecret(fields))
    .flatMap(({ fields }) => leavesOf(comparedFields(kind), fields))
    .filter(({ value }) => holdsSecret(value))
    .map(({ path }) => namesInPath(path));
  const recorded = entries.flatMap(({ secrets, hidden = [], form }) => {
    const paths = [...Object.keys(secrets), ...hidden].map(namesInPath);
    // If the fields of the kind had another form when the entry was written, the path may lead nowhere. Then the whole field counts.
    return form === (kind.form ?? 1) ? paths : paths.map((path) => path.slice(0, 1));
  });
  return [...recorded, ...declared];
}

/**
 * True if a text may be a credential, judging by its form and its name. Plans hide such live values if it is unknown whether they are
 * secret. The name of a `value` is in the member next to it: `{ key: x-api-key, value: ... }`. Ids and public values are none.
 * `isPossibleSecret`: the other members say that this text may be secret, as the type of an authentication does.
 */
export function mayBeCredential(text: string, { name, siblings, isPossibleSecret }: TextContext): boolean {
  // `id`, `userId`, `team_ids`.
  const isId = name !== undefined && /(?:^i|I|[-_]i)ds?$/.test(name);
  if (isId || text.length < shortestCredential) return false;
  const label =
    name === 'value' ? [siblings.key, siblings.name].find((text) => typeof text === 'string') : name;
  const hasCredentialName = typeof label === 'string' && isCredentialName(label);
  // A text of several words is no credential, whatever its name: `token: see the wiki`.
  if (isPossibleSecret || (hasCredentialName && !/\s/.test(text))) return true;
  const isPublic = typeof label === 'string' && !hasCredentialName && isPublicName(label);
  return !isPublic && holdsCredential(text);
}

/** Shorter texts are settings such as `on`. */
const shortestCredential = 6;

/**
 * True if a live value certainly does not come from a secret: it was applied from clear text, or the configuration declares it. Plans show
 * a value that looks like a credential only if this is true.
 */
export function isKnownOpen(leaf: Leaf, { kind, desired, entries, key }: ObjectKnowledge): boolean {
  const { path, value, traits } = leaf;
  if (entries.some((entry) => isAppliedOpenly(leaf, value, { entry, form: kind.form ?? 1, key })))
    return true;
  return desired
    .flatMap(({ fields }) => leavesOf(comparedFields(kind), fields))
    .some(
      (declared) =>
        declared.path === path && !declared.isSecret && isSameValue(declared.value, value, traits),
    );
}

/**
 * True if the ledger proves that a live value was applied from clear text: then `fields` of the entry has a digest of it without a key,
 * while `secrets` has the digests with a key. A plan may then show the value. A field to which a secret was applied is not open.
 */
export function isAppliedOpenly(
  { path, traits }: Pick<Leaf, 'path' | 'traits'>,
  live: Value | undefined,
  { entry, ...options }: { entry?: LedgerEntry | undefined } & RecordedDigestOptions,
): boolean {
  if (entry?.fields[path] === undefined || entry.secrets[path] !== undefined) return false;
  return recordedDigestAt(entry, path, options).matches(live, traits);
}

/**
 * True if a value contains a secret that this run has read from its configuration, sealed or not, at any depth. Plans and `trueup blame`
 * never show such a value, even in a field that is not secret.
 */
export const holdsSecretOfRun = (value: Value | undefined, isSecretOfRun: SecretFinder): boolean =>
  containsValue(value, (part) => {
    if (part instanceof Sealed) return isSecretOfRun(part.reveal());
    if (typeof part === 'string') return isSecretOfRun(part);
    return isSecretJson(part, isSecretOfRun) || visitMembers;
  });

/**
 * True if a part of JSON data shows a secret although it is no text: a number, or an object with the secret in the name of a member. Does
 * not search the items and members of the part.
 */
export const isSecretJson = (part: unknown, isSecret: SecretFinder): part is number | Fields =>
  typeof part === 'number' ? isSecret(String(part)) : isPlainObject(part) && Object.keys(part).some(isSecret);

/*
 * Where a reference may copy a value.
 *
 * A field has one of these levels of secrecy, in this order:
 *
 *   | Level      | Who can read the value                                        | Examples                                          |
 *   | ---------- | ------------------------------------------------------------- | ------------------------------------------------- |
 *   | open       | everybody who sees the object, the plan or the ledger's record | build command, plain variable, TXT record, input of an action |
 *   | readable   | everybody to whom the platform returns the object; trueup hides it | encrypted variable, protection bypass, headers of a drain |
 *   | write-only | no one: the platform never returns it                         | sensitive variable, private key of a certificate |
 *
 * A reference (`${projects.web.protectionBypass.e2e.secret}`) copies a value from one field to another. It may only go to a field of the
 * same or a higher level. Text around a reference is as secret as the reference.
 */
const levels: readonly Secrecy[] = ['open', 'readable', 'write-only'];

/**
 * True if a field at level `target` keeps a value at least as secret as a field at level `source`. Otherwise a reference must not copy it.
 */
export const mayCopy = (source: Secrecy, target: Secrecy): boolean =>
  levels.indexOf(target) >= levels.indexOf(source);

/** Returns the highest of some levels of secrecy. A plan treats a value as that secret if its level is in doubt. */
export const highestSecrecy = (...secrecies: Secrecy[]): Secrecy =>
  levels[Math.max(...secrecies.map((level) => levels.indexOf(level)))]!;

/** The traits that decide how secret a field is. */
type SecrecyTraits = Pick<FieldTraits, 'secret' | 'neverReturned' | 'writeOnly' | 'createOnly'>;

/**
 * Returns how secret a field is, by its traits: `open`, `readable` (a secret that the platform returns) or `write-only` (one that it never
 * returns, or takes only at the creation). The traits may depend on the object's other `fields`, such as the type of a variable. A
 * reference (`${...}`) may copy a field only into one that is at least as secret.
 */
export function secrecyOf(
  { secret, neverReturned, writeOnly, createOnly }: SecrecyTraits,
  fields: Fields,
): Secrecy {
  const isSecret = typeof secret === 'function' ? secret(fields) : secret === true;
  if (!isSecret) return 'open';
  return writeOnly || createOnly || neverReturned?.(fields) ? 'write-only' : 'readable';
}

/**
 * True if a field is secret depending on another field of the object that is missing in `fields`: whether the value of a variable is
 * secret, for example, depends on its `type`. Then `validate` cannot decide if a reference may copy the field, and the plan checks it with
 * the live object.
 */
export function dependsOnMissingField({ secret }: SecrecyTraits, fields: Fields): boolean {
  if (typeof secret !== 'function') return false;
  // Only calling the function shows which fields it reads.
  let isMissing = false;
  const watched = new Proxy(fields, {
    get: (target, name) => {
      isMissing ||= target[String(name)] === undefined;
      return target[String(name)];
    },
  });
  secret(watched);
  return isMissing;
}

/**
 * Returns message and hint for a reference (`${...}`) that would copy a secret to a less secret field. Used by `validate` for references in
 * the configuration, and by the plan for those that only the account decides.
 */
export function describeLeak(
  source: Pick<FieldPlace, 'address' | 'field'>,
  target: Omit<FieldPlace, 'at'>,
): { message: string; hint: string } {
  const reason = target.secrecy === 'open' ? 'is not a secret field' : 'can be read again';
  return {
    message: `\`${target.field}\` of ${target.address} ${reason}, so it cannot take the secret \`${source.field}\` of ${source.address}`,
    hint: 'a secret can only go to a field that is at least as secret, such as a variable with `type: sensitive`',
  };
}

/** Why a stack does not own an object, as the end of a sentence. `instead`: a way that needs no consent of the operator. */
export interface NotOwned {
  why: string;
  instead?: string;
}

/**
 * Creates the problem that a reference would copy a secret of an object that the stack does not own, with the flag that permits it. Without
 * consent, everybody who may edit the YAML could read the secret of such an object.
 */
export function createMissingConsentProblem(
  { source, target }: FieldReference,
  { why, instead }: NotOwned,
): Diagnostic {
  const flag = `--allow-live ${shellWord(source.address)}`;
  const consent = `if the operator agrees, allow it with ${flag}; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_LIVE: ${source.address}\``;
  return problem(
    'ref/secret',
    `\`${target.field}\` of ${target.address} would get the secret \`${source.field}\` of ${source.address}, ${why}`,
    {
      address: target.address,
      at: target.at,
      hint: instead === undefined ? consent : `${instead}; or, ${consent}`,
      related: [{ message: 'the secret', at: source.at }],
      // One consent covers all secrets of the object.
      alike: {
        cause: `${source.address} ${why}`,
        are: `resources would get secrets of ${source.address}, ${why}`,
      },
    },
  );
}

/** The reason for an object that is declared with `$existing`. */
export const declaredExisting: NotOwned = {
  why: 'which this stack does not own: it is declared with `$existing`',
};

/** The surroundings of a text in the fields of an object, by which it may be recognized as a credential. */
export interface TextContext {
  /** The name of the member that holds it; undefined for an item of a list without a name. */
  name: string | undefined;
  /** The other members of the same object: a header has its name in one and its value in another. */
  siblings: Fields;
  /** True if the schema says that the text may be a credential: see `FieldTraits.findPossibleSecret`. */
  isPossibleSecret: boolean;
}

/** Replaces the texts, numbers and objects that people choose freely: see `mapFreeText`. */
interface FreeTextChanges {
  change(text: string, context: TextContext): Value;
  changeJson(part: number | Fields): Value | undefined;
}

/**
 * Returns a copy of a value in which `change` replaces each text that people choose freely, at any depth. Used to seal texts that may be
 * secret. References, digests of files and texts of a fixed set stay: code reads them, and none of them contains a secret. `context`: the
 * name of the value and the members next to it, by which a credential is recognized. `isPossibleSecret` in it is true inside the member
 * that the trait `findPossibleSecret` of an object returns. `changeJson` replaces numbers and objects in the same way where any JSON may
 * stand; it returns undefined for those that stay, and the texts in them are then replaced. Code reads numbers and objects with a schema.
 */
export function mapFreeText(
  schema: z.ZodType | undefined,
  value: Value,
  context: TextContext,
  changes: FreeTextChanges,
): Value {
  const { change, changeJson } = changes;
  if (typeof value === 'string') return schema && isFixed(schema, value) ? value : change(value, context);
  if (Array.isArray(value)) {
    const item = schema && schemaOfMember(schema, undefined);
    return value.map((element) => mapFreeText(item, element, context, changes));
  }
  const isNumberOrObject = typeof value === 'number' || isPlainObject(value);
  const changed = isNumberOrObject && takesAnyJson(schema) ? changeJson(value as number | Fields) : undefined;
  if (changed !== undefined) return changed;
  if (!isPlainObject(value)) return value;
  const siblings = value as Fields;
  const possibleSecret = schema && traitsOf(schema).findPossibleSecret?.(siblings);
  return mapMembers(siblings, (member, name) =>
    mapFreeText(
      schema && schemaOfMember(schema, name),
      member,
      {
        name,
        siblings,
        isPossibleSecret: context.isPossibleSecret || (member !== undefined && member === possibleSecret),
      },
      changes,
    ),
  );
}

/** True if a schema takes any JSON, so that people choose the numbers and the names of members in it as freely as texts. */
const takesAnyJson = (schema: z.ZodType | undefined): boolean =>
  !schema || unionOptionsOf(schema).some((option) => unwrapped(option).def.type === 'any');

/**
 * True if a text belongs to a fixed set of values, or refers to another object or a file. Such a text cannot be a secret, so plans never
 * hide it.
 */
function isFixed(schema: z.ZodType, text: string): boolean {
  const options = unionOptionsOf(schema);
  // Of several alternatives, the first one that takes the text says what it is.
  const option =
    options.length === 1 ? options[0] : options.find((candidate) => candidate.safeParse(text).success);
  return option !== undefined && isFixedType(option);
}

/** True if a schema takes only texts of a fixed set, labels, names or ids of other objects, or names of files. */
const isFixedType: (schema: z.ZodType) => boolean = memoize((schema) => {
  const { ref, mayIdentify, file, local, knownValues, mirrors, foundBy } = traitsOf(schema);
  if (ref ?? mayIdentify ?? file ?? local ?? knownValues ?? mirrors ?? foundBy) return true;
  const inner = innerOf(schema);
  return inner ? isFixedType(inner) : schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral;
});

/** Returns the schemas of a union, also through wrappers and nested unions; otherwise the schema itself. */
const unionOptionsOf: (schema: z.ZodType) => z.ZodType[] = memoize((schema) => {
  const inner = innerOf(schema);
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(unionOptionsOf);
  return inner instanceof z.ZodUnion ? unionOptionsOf(inner) : [schema];
});

/**
 * Returns the schema of the member with a name, or that of the items of a list if `name` is undefined. Returns undefined if the schema has
 * none there, so that any value is possible. Used to go through a live value together with its schema, because the schema says which texts
 * cannot be secret.
 */
function schemaOfMember(schema: z.ZodType, name: string | undefined): z.ZodType | undefined {
  for (const option of unionOptionsOf(schema)) {
    const shape = shapeOf(option);
    if (shape && name !== undefined && Object.hasOwn(shape, name)) return shape[name];
    const { element, valueType } = unwrapped(option).def as { element?: z.ZodType; valueType?: z.ZodType };
    const member = name === undefined ? element : valueType;
    if (!shape && member) return member;
  }
  return undefined;
}

/** Returns the schema inside all wrappers. */
const unwrapped = (schema: z.ZodType): z.ZodType => {
  const inner = innerOf(schema);
  return inner ? unwrapped(inner) : schema;
};
