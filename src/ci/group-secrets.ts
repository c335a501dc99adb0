/*
 * Groups secrets for `init --ci` if a CI system cannot keep them one by one.
 *
 *   family   a declared secret with several members: `${secret.db[at]}` and `${secret.db[be]}` are members of the family `db`
 *   group    a family that becomes one JSON object in one secret of CI: `db: { json: {} }`, read from TRUEUP_SECRET_db
 */
import type { Configuration } from '../config/configuration.ts';
import { secretEnv } from '../config/sources/verdict.ts';
import type { Position } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { familyMemberOf } from '../model/secret-families.ts';
import { ciSecretsOf, usedSecretNames } from './ci-secrets.ts';
import type { CiSecret } from './repository.ts';

/**
 * How many secrets one environment of a CI system can hold, and how long one may be. GitHub: 100 secrets of 48 kB in an environment.
 * GitLab: 8,000 variables in a project, which has each secret twice, for two environments.
 */
const secretLimits = {
  github: { secrets: 100, bytes: 48_000 },
  gitlab: { secrets: 4000, bytes: undefined },
} as const;

/**
 * The secrets that trueup itself needs in an environment: the token and the key of the ledgers; on GitLab also a token to push and one to
 * comment.
 */
const ownSecrets = { github: 2, gitlab: 4 } as const;

export type CodeHost = keyof typeof secretLimits;

/** A family whose members are kept in one JSON secret of CI, once its declaration is changed. */
export interface SecretGroup {
  family: string;
  /** The environment variable that the JSON object is read from. */
  env: string;
  keys: string[];
  /** The places of the declarations `db: {}`, where the YAML has to change. */
  declarations: Position[];
}

/**
 * Returns the families of secrets (`db[host]` and `db[user]` are members of `db`) that `init --ci` should keep in one JSON secret each,
 * largest first, because a code host allows only a certain number of secrets. Empty if the secrets fit already. If they do not fit, all
 * families with `{}` and several members are grouped, because then a new member needs no change of CI. A family whose object would be too
 * long is left out: `env` has the values, as far as they are here.
 */
export function findSecretGroups(
  configurations: Configuration[],
  host: CodeHost,
  env: Record<string, string | undefined>,
): SecretGroup[] {
  if (!exceedsCount(ciSecretsOf(configurations), host)) return [];
  const usedNames = new Set(configurations.flatMap(usedSecretNames));
  return (
    collectFamilies(configurations)
      // A secret called like a family would need the variable of the group.
      .filter(({ family, keys }) => keys.length > 1 && !usedNames.has(family))
      .filter((group) => !isTooLong(formatGroupJson(group, env), host))
      .sort((a, b) => b.keys.length - a.keys.length)
  );
}

/**
 * Returns a group for each family of secrets, with the members that configurations use and read from the default variables of their names.
 */
function collectFamilies(configurations: Configuration[]): SecretGroup[] {
  const members = configurations.flatMap((configuration) =>
    usedSecretNames(configuration).flatMap((name) => {
      const source = configuration.secrets.get(name);
      const member = familyMemberOf(name);
      const isFromDefault =
        source !== undefined && 'env' in source && !source.pick && source.env === secretEnv(name);
      return member && isFromDefault ? [{ ...member, at: source.at }] : [];
    }),
  );
  return [...groupBy(members, ({ family }) => family)].map(([family, ofFamily]) => ({
    family,
    env: secretEnv(family),
    keys: [...new Set(ofFamily.map(({ key }) => key))].sort(),
    declarations: uniquePlaces(ofFamily.map(({ at }) => at)),
  }));
}

/** Returns the places of a list, each once. */
const uniquePlaces = (places: Position[]): Position[] =>
  places.filter((place, index) => places.findIndex((other) => isSamePlace(place, other)) === index);

const isSamePlace = (a: Position, b: Position): boolean =>
  a.file === b.file && a.line === b.line && a.column === b.column;

const exceedsCount = (secrets: readonly CiSecret[], host: CodeHost): boolean =>
  secrets.length + ownSecrets[host] > secretLimits[host].secrets;

/** Returns the JSON object of a group with the values that this machine has in its environment, to know how long it will be at least. */
const formatGroupJson = ({ family, keys }: SecretGroup, env: Record<string, string | undefined>): string =>
  JSON.stringify(Object.fromEntries(keys.map((key) => [key, env[secretEnv(`${family}[${key}]`)] ?? ''])));

const isTooLong = (text: string, host: CodeHost): boolean =>
  secretLimits[host].bytes !== undefined && Buffer.byteLength(text) > secretLimits[host].bytes;

/**
 * Returns advice for the steps of `init --ci` about secrets that the code host cannot keep even in groups: too many, or a value that is too
 * long here. Each note has its lines. `env`: the environment of this machine, which may have the values.
 */
export function describeExceededLimits(
  secrets: readonly CiSecret[],
  host: CodeHost,
  env: Record<string, string | undefined>,
): string[][] {
  const { secrets: most, bytes } = secretLimits[host];
  const number = secrets.length + ownSecrets[host];
  const tooLong = secrets
    .filter((secret) => isTooLong(env[secret.env] ?? '', host))
    .map((secret) => secret.env);
  const exceeded = [
    ...(number > most
      ? [`An environment holds ${most} secrets, but ${number} are needed: CI cannot keep them.`]
      : []),
    ...(bytes !== undefined && tooLong.length > 0
      ? [`A secret holds ${bytes / 1000} kB, but ${tooLong.join(', ')} would be longer.`]
      : []),
  ];
  const alternative =
    'Read secrets from a vault or an encrypted file instead: `{ command: [op, read, ...] }` or `{ sops: secrets.yaml }`.';
  return exceeded.map((text) => [text, alternative]);
}
