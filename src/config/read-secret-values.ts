/*
 * Reads the values of the secrets that a configuration uses, or makes placeholders for them: runs against the embedded
 * twin (a local copy of the platform) use these, because no real secret may reach it.
 *
 *   user       a resource with a field that uses a secret
 *   complaint  a problem that the schemas or rules of a kind report about the fields of a resource
 */
import { createHash } from 'node:crypto';
import type { Host } from '../host.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { Resource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import {
  type Fields,
  holesIn,
  isHole,
  isJoin,
  isPlainObject,
  isSecretRef,
  mapHoles,
  type Value,
} from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { type Configuration, resourcesBySecret } from './configuration.ts';
import { isFieldBelow } from './fields/read-fields.ts';
import type { FieldPath } from './fields/reading.ts';
import { type Readings, type ResolvedSecrets, resolveSecrets } from './resolve-secrets.ts';
import type { Sources } from './sources/sources.ts';
import { listMemberTexts } from './values/dotenv.ts';

/** The surroundings of reading secrets. */
export interface SecretsContext {
  kinds: Kinds;
  host: Pick<Host, 'env' | 'cwd'>;
  sources: Sources;
  /** True for the embedded twin. It gets placeholders instead of secrets. */
  isTwin: boolean | undefined;
  /** The sources that were read before, so that several stacks read each source once. */
  readings?: Readings | undefined;
}

/**
 * Returns the values of the secrets in `usedSecrets` of a configuration, for commands that plan, apply or
 * export, and for requests and actions by hand. For the embedded twin (a local copy of the platform) they are
 * placeholders, because no real secret may reach it.
 */
export const readSecretValues = async (
  configuration: Configuration,
  { kinds, host: { env, cwd }, sources, isTwin, readings }: SecretsContext,
): Promise<ResolvedSecrets> =>
  isTwin
    ? createStandIns(configuration, kinds)
    : resolveSecrets(configuration, { env, cwd, sources, readings });

/** The variables of trueup that hold secrets, besides the secrets of configurations. */
const credentialVariables = new Set(['TRUEUP_TOKEN', 'TRUEUP_LEDGER_KEY', 'TRUEUP_LEDGER_KEY_PREVIOUS']);

/**
 * Returns the secrets that the environment holds for trueup. Used to find secrets in values of the account,
 * even those that the configuration no longer uses: a secret that was replaced by a literal may still be
 * live. If a variable holds several secrets (a JSON object or `NAME=value` lines), each of them counts, too.
 */
export const environmentSecrets = ({ env }: Pick<Host, 'env'>): Sealed[] =>
  Object.entries(env)
    .filter(([name, text]) => text && (credentialVariables.has(name) || name.startsWith('TRUEUP_SECRET_')))
    .flatMap(([, text]) => [text!, ...listMemberTexts(text!)].map((secret) => new Sealed(secret)));

/**
 * Returns placeholders for the secrets of a configuration, for runs against the embedded twin (a local copy
 * of the platform), which no real secret may reach. A name has the same placeholder in every run. For each
 * secret, tries several texts and takes the first with the fewest complaints about its users. Warns of each
 * placeholder, and if none is valid in all fields that use the secret.
 */
export function createStandIns(
  { desired, usedSecrets }: Pick<Configuration, 'desired' | 'usedSecrets'>,
  kinds: Kinds,
): ResolvedSecrets {
  const names = [...usedSecrets].sort();
  if (names.length === 0) return { values: new Map(), diagnostics: [] };
  const texts = new Map(names.map((name) => [name, standInCandidates(name)[0]!]));
  const usersBySecret = resourcesBySecret(desired.resources.values());
  const misfits: Diagnostic[] = [];
  for (const name of names) {
    const users = usersBySecret.get(name) ?? [];
    const countFor = (text: string) => {
      const candidateTexts = new Map(texts).set(name, text);
      const counts = users.map((user) => countComplaints(user, candidateTexts, desired, kinds));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const best = findBestText(standInCandidates(name), countFor);
    texts.set(name, best.text);
    if (best.complaints > 0) misfits.push(misfitWarning(name, users[0]));
  }
  return {
    values: new Map([...texts].map(([name, text]) => [name, new Sealed(text, name)])),
    diagnostics: [...misfits, ...names.map(standInWarning)],
  };
}

/**
 * Returns the first of several texts with the fewest complaints, and their number. Stops at the first text without complaints, since
 * counting takes long.
 */
function findBestText(
  texts: readonly string[],
  countComplaintsFor: (text: string) => number,
): { text: string; complaints: number } {
  let best = { text: texts[0]!, complaints: Number.POSITIVE_INFINITY };
  for (const text of texts) {
    const complaints = countComplaintsFor(text);
    if (complaints < best.complaints) best = { text, complaints };
    if (complaints === 0) break;
  }
  return best;
}

/**
 * Returns a problem for each resource that uses an empty secret in a field that must not be empty. Called before a
 * plan, because the platform would refuse the value in the middle of an apply. `values`: the secrets by name.
 *
 * The secret may be only a part of the field's text, so the checks of the kind are tried: with the empty secret, and
 * with placeholders instead. If some placeholder causes fewer problems, the secret must not be empty. If none does,
 * the problems have another cause.
 */
export function refuseEmptySecrets(
  { desired, secrets }: Pick<Configuration, 'desired' | 'secrets'>,
  kinds: Kinds,
  values: ReadonlyMap<string, Sealed>,
): Diagnostic[] {
  const emptySecrets = [...values].flatMap(([name, value]) => (value.reveal() === '' ? [name] : []));
  if (emptySecrets.length === 0) return [];
  const usersBySecret = resourcesBySecret(desired.resources.values());
  const texts = new Map([...values].map(([name, value]) => [name, value.reveal()]));
  return emptySecrets.flatMap((name) => {
    const refusingUsers = (usersBySecret.get(name) ?? []).filter((user) => {
      const countIfSecretIs = (text: string) =>
        countComplaints(user, new Map(texts).set(name, text), desired, kinds);
      const countIfEmpty = countIfSecretIs('');
      const isBetter = (placeholder: string) => countIfSecretIs(placeholder) < countIfEmpty;
      return countIfEmpty > 0 && standInCandidates(name).some(isBetter);
    });
    return refusingUsers.map(({ address }) =>
      problem('secret/empty', `the secret \`${name}\` is empty, which its field in ${address} cannot be`, {
        address,
        secret: { name },
        at: secrets.get(name)!.at,
        hint: 'give it a value in its source, or leave the field out',
      }),
    );
  });
}

/**
 * Returns possible placeholders for a secret, for runs that must not read it, and to find out whether it may be
 * empty: a long text, 32 letters and digits, then texts that are valid as URL, domain, IP address, CAA record, mail
 * address, number or the like. For a run, the first with the fewest problems in its fields is taken. All are derived
 * from a hash of the name, so that they are the same in every run.
 */
function standInCandidates(name: string): string[] {
  const hash = createHash('sha256').update(`stand-in ${name}`).digest('hex');
  const byte = 1 + (Number.parseInt(hash.slice(0, 2), 16) % 254);
  const label = `stand-in-${hash.slice(0, 12)}`;
  return [
    `stand-in-for-${name}-${hash.slice(0, 24)}`,
    `StandIn${hash.slice(0, 25)}`,
    `https://${label}.example.com/`,
    `${label}.example.com`,
    label,
    `192.0.2.${byte}`,
    `2001:db8::${byte.toString(16)}`,
    `0 issue "${label}.example.com"`,
    `standin${hash.slice(0, 8)}@example.com`,
    String(byte),
  ];
}

/** The texts of secrets by name. */
type Texts = ReadonlyMap<string, string>;

/**
 * Returns how many problems a kind finds in the fields of a resource that contain secrets, if the secrets had
 * these texts. The fewer, the better the texts fit as placeholders. Rules of the kind may look at several
 * fields, so of their problems only those count that the texts add.
 */
function countComplaints(
  { kind: kindName, fields, parent }: Resource,
  texts: Texts,
  { resources }: Pick<Configuration['desired'], 'resources'>,
  kinds: Kinds,
): number {
  const kind = kinds.get(kindName)!;
  const parentFields = (parent === undefined ? undefined : resources.get(parent))?.fields ?? {};
  const filledFields: Fields = mapMembers(fields, (value) => withTexts(value, texts));
  let schemaComplaints = 0;
  for (const [name, schema] of Object.entries(kind.fields)) {
    const secretPaths = Object.hasOwn(fields, name) ? secretPathsOf(fields[name]) : [];
    if (secretPaths.length === 0) continue;
    // Ids of other resources are still unknown, so any text stands for them.
    const { error } = schema.safeParse(mapHoles(filledFields[name], () => 'id'));
    for (const { path } of error?.issues ?? [])
      if (secretPaths.some((secretPath) => isFieldBelow(secretPath, path) || isFieldBelow(path, secretPath)))
        schemaComplaints++;
  }
  const { check } = kind.rules;
  const ruleComplaints = check
    ? check(filledFields, parentFields).length - check(fields, parentFields).length
    : 0;
  return schemaComplaints + Math.max(0, ruleComplaints);
}

/** True if a hole (a value that is filled later) consists of secrets and literal texts only, so that its text follows from the secrets. */
const hasFullText = (hole: unknown): boolean =>
  isSecretRef(hole) ||
  hole instanceof Sealed ||
  (isJoin(hole) && hole.$join.every((value) => typeof value === 'string' || hasFullText(value)));

/** Returns a value with each hole replaced by its text, if the texts of secrets determine it. */
const withTexts = (value: Value, texts: Texts): Value =>
  mapHoles(value, (hole) => (hasFullText(hole) ? filledText(hole, texts) : hole)) as Value;

/**
 * Returns the text of a value in which each reference to a secret is replaced by one of `texts`, by its name. Used to check a placeholder
 * of a secret with the schema of its field. The value is such a reference, a text (perhaps sealed), or several pieces that are joined.
 */
function filledText(value: unknown, texts: Texts): string {
  if (value instanceof Sealed) return value.reveal();
  if (isSecretRef(value)) return texts.get(value.$secret) ?? '';
  return isJoin(value) ? value.$join.map((joined) => filledText(joined, texts)).join('') : String(value);
}

/**
 * Returns the paths of all parts of a field's value that contain secrets: `[[]]` if the value itself is one.
 * Only problems at these paths can come from a placeholder.
 */
function secretPathsOf(value: unknown): FieldPath[] {
  if (isHole(value)) return holesIn(value).some(isSecretRef) ? [[]] : [];
  const pathsIn = (members: [string | number, unknown][]) =>
    members.flatMap(([step, member]) => secretPathsOf(member).map((path) => [step, ...path]));
  if (Array.isArray(value)) return pathsIn([...value.entries()]);
  return isPlainObject(value) ? pathsIn(Object.entries(value)) : [];
}

/**
 * Returns the warning that a placeholder is used for a secret: a run against the embedded twin (a local copy
 * of the platform) reads no secrets, so its plan shows no real difference in them.
 */
const standInWarning = (name: string): Diagnostic =>
  warning(
    'secret/stand-in',
    `using a placeholder for the secret \`${name}\`: secrets are not read for the embedded twin`,
    { secret: { name } },
  );

/**
 * Returns the warning that no placeholder for a secret is valid in all fields that use it, so that the twin may refuse it. `user`: a
 * resource with such a field.
 */
const misfitWarning = (name: string, user: Resource | undefined): Diagnostic =>
  warning(
    'secret/stand-in-misfit',
    `no placeholder for the secret \`${name}\` is valid in all fields that use it`,
    { hint: 'the twin may reject it; the platform gets the real secret', secret: { name }, at: user?.at },
  );
