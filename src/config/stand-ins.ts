import { createHash } from 'node:crypto';
import type { Kind, Kinds } from '../kind/kind.ts';
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
import type { FieldPath } from './fields/reading.ts';
import type { ResolvedSecrets } from './resolve-secrets.ts';

/**
 * Returns placeholders for the secrets of a configuration, for the embedded twin, which no real secret may reach. A name always gets the same
 * placeholder, and each name another one. Chooses placeholders that are valid in the fields that use them. Reads no source of a secret.
 */
export function createStandIns(
  { desired, usedSecrets }: Pick<Configuration, 'desired' | 'usedSecrets'>,
  kinds: Kinds,
): ResolvedSecrets {
  const names = [...usedSecrets].sort();
  if (names.length === 0) return { values: new Map(), diagnostics: [] };
  const texts = new Map(names.map((name) => [name, standInCandidates(name)[0]!]));
  const uses = resourcesBySecret(desired.resources.values());
  const parentOf = ({ parent }: Resource): Fields =>
    (parent === undefined ? undefined : desired.resources.get(parent))?.fields ?? {};
  const misfits: Diagnostic[] = [];
  for (const name of names) {
    const users = uses.get(name) ?? [];
    const complaintsAbout = (text: string) => {
      const chosen = new Map(texts).set(name, text);
      const counts = users.map((resource) =>
        countComplaints(kinds.get(resource.kind)!, resource, parentOf(resource), chosen),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    };
    let fewest = Number.POSITIVE_INFINITY;
    for (const text of standInCandidates(name)) {
      const count = complaintsAbout(text);
      if (count < fewest) texts.set(name, text);
      fewest = Math.min(fewest, count);
      if (fewest === 0) break;
    }
    if (fewest > 0) misfits.push(noneFits(name, users[0]));
  }
  return {
    values: new Map([...texts].map(([name, text]) => [name, new Sealed(text, name)])),
    diagnostics: [...misfits, ...names.map(inUse)],
  };
}

/** Reports secrets that are empty although a field that uses them must not be. Without this, the platform would refuse the value in the middle of an apply. */
export function refuseEmptySecrets(
  { desired, secrets }: Pick<Configuration, 'desired' | 'secrets'>,
  kinds: Kinds,
  values: ReadonlyMap<string, Sealed>,
): Diagnostic[] {
  const empty = [...values].flatMap(([name, value]) => (value.reveal() === '' ? [name] : []));
  if (empty.length === 0) return [];
  const uses = resourcesBySecret(desired.resources.values());
  const texts = new Map([...values].map(([name, value]) => [name, value.reveal()]));
  const parentOf = ({ parent }: Resource): Fields =>
    (parent === undefined ? undefined : desired.resources.get(parent))?.fields ?? {};
  return empty.flatMap((name) => {
    const refusing = (uses.get(name) ?? []).filter((user) => {
      const count = (text: string) =>
        countComplaints(kinds.get(user.kind)!, user, parentOf(user), new Map(texts).set(name, text));
      const countIfEmpty = count('');
      return countIfEmpty > 0 && standInCandidates(name).some((text) => count(text) < countIfEmpty);
    });
    return refusing.map(({ address }) =>
      problem('secret/empty', `the secret \`${name}\` is empty, which its field in ${address} cannot be`, {
        address,
        secret: { name },
        at: secrets.get(name)!.at,
        hint: 'give it a value in its source, or leave the field out',
      }),
    );
  });
}

/** Returns possible placeholders, the most descriptive first: a long text, 32 letters and digits, then texts like URLs, addresses and numbers. */
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

type Texts = ReadonlyMap<string, string>;

/** Counts the complaints of a kind's schemas and rules about the fields with secrets, if the secrets had these texts. Used to compare placeholders. */
function countComplaints(kind: Kind, { fields }: Resource, parent: Fields, texts: Texts): number {
  const filled: Fields = mapMembers(fields, (value) => withTexts(value, texts));
  let count = 0;
  for (const [name, schema] of Object.entries(kind.fields)) {
    const places = Object.hasOwn(fields, name) ? holePathsOf(fields[name]) : [];
    if (places.length === 0) continue;
    // Ids of other resources are still unknown, so any text stands for them.
    const { error } = schema.safeParse(mapHoles(filled[name], () => 'id'));
    for (const { path } of error?.issues ?? [])
      if (places.some((place) => isHoleBelow(place, path) || isHoleBelow(path, place))) count++;
  }
  const added = kind.rules.check
    ? kind.rules.check(filled, parent).length - kind.rules.check(fields, parent).length
    : 0;
  return count + Math.max(0, added);
}

/** True if a hole is filled by secrets and literals alone. */
const hasText = (hole: unknown): boolean =>
  isSecretRef(hole) ||
  hole instanceof Sealed ||
  (isJoin(hole) && hole.$join.every((value) => typeof value === 'string' || hasText(value)));

/** Replaces each hole of a value that secrets and literals fill by its text. */
const withTexts = (value: Value, texts: Texts): Value =>
  mapHoles(value, (hole) => (hasText(hole) ? comparableTextOf(hole, texts) : hole)) as Value;

function comparableTextOf(value: unknown, texts: Texts): string {
  if (value instanceof Sealed) return value.reveal();
  if (isSecretRef(value)) return texts.get(value.$secret) ?? '';
  return isJoin(value) ? value.$join.map((value) => comparableTextOf(value, texts)).join('') : String(value);
}

/** Returns the paths of the secrets in a value. */
function holePathsOf(value: unknown): FieldPath[] {
  if (isHole(value)) return holesIn(value).some(isSecretRef) ? [[]] : [];
  const inside = (members: [string | number, unknown][]) =>
    members.flatMap(([step, member]) => holePathsOf(member).map((path) => [step, ...path]));
  if (Array.isArray(value)) return inside([...value.entries()]);
  return isPlainObject(value) ? inside(Object.entries(value)) : [];
}

const isHoleBelow = (path: readonly PropertyKey[], ancestor: readonly PropertyKey[]) =>
  ancestor.every((step, i) => step === path[i]);

const inUse = (name: string): Diagnostic =>
  warning(
    'secret/stand-in',
    `using a placeholder for the secret \`${name}\`: secrets are not read for the embedded twin`,
    { secret: { name } },
  );

const noneFits = (name: string, user: Resource | undefined): Diagnostic =>
  warning(
    'secret/stand-in-misfit',
    `no placeholder for the secret \`${name}\` is valid in all fields that use it`,
    { hint: 'the twin may reject it; the platform gets the real secret', secret: { name }, at: user?.at },
  );
