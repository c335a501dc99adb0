/*
 * The values that CI has to provide to the jobs: secrets and variables of the configurations.
 */
import path from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { originText, variableEnv } from '../config/sources/verdict.ts';
import { quoted } from '../config/suggest.ts';
import type { SecretSource } from '../config/values/secret-source.ts';
import { groupBy } from '../model/graph.ts';
import { familyMemberOf } from '../model/secret-families.ts';
import { isInside } from '../paths.ts';
import type { CiSecret } from './repository.ts';

/**
 * Returns the secrets that these configurations read from environment variables, each variable once. CI has to
 * provide them: `init --ci` writes them into the workflows and lists them in its steps. A variable may hold
 * several secrets as a JSON object or a dotenv text, from which each picks a key: it gets the format and all used keys.
 */
export function ciSecretsOf(configurations: Configuration[]): CiSecret[] {
  const uses = configurations.flatMap((configuration) =>
    usedSecretNames(configuration).flatMap((name) => {
      const source = configuration.secrets.get(name);
      return source && 'env' in source ? [{ name, env: source.env, pick: source.pick }] : [];
    }),
  );
  return [...groupBy(uses, ({ env }) => env)].map(([env, secrets]) => {
    // Stacks may name one variable differently: any of their names will do.
    const { name } = secrets.at(-1)!;
    const picks = secrets.flatMap(({ pick }) => pick ?? []);
    const [anyPick] = picks;
    if (anyPick === undefined) return { name, env };
    const keys = [...new Set(picks.map(({ key }) => key))].sort();
    // The members of a family of secrets, such as `db[url]` and `db[user]`, are picked from one variable.
    return { name: familyMemberOf(name)?.family ?? name, env, format: anyPick.format, keys };
  });
}

/**
 * Returns the variables of the configurations, each with the environment variable that CI has to provide for it.
 * `init --ci` passes them to the jobs and lists them in its steps.
 */
export const ciVariablesOf = (configurations: Configuration[]): CiSecret[] =>
  uniqueByVariable(
    configurations.flatMap(({ missingVariables, variableOrigins }) =>
      [...missingVariables, ...variableOrigins.keys()].map((name) => ({ name, env: variableEnv(name) })),
    ),
  );

/**
 * Returns the values that CI must provide, one for each environment variable, because several configurations may read the same variable.
 */
const uniqueByVariable = (ciSecrets: CiSecret[]): CiSecret[] => [
  ...new Map(ciSecrets.map((ciSecret) => [ciSecret.env, ciSecret])).values(),
];

/**
 * Returns the names of the secrets that a configuration uses, sorted, because `init --ci` passes only these to the jobs. While values of
 * variables are missing or may not be read, the configuration cannot be read completely, so all declared secrets count as used.
 */
export function usedSecretNames({
  secrets,
  usedSecrets,
  missingVariables,
  notAllowed,
}: Configuration): string[] {
  const isComplete = missingVariables.length === 0 && notAllowed.length === 0;
  return [...(isComplete ? usedSecrets : new Set([...usedSecrets, ...secrets.keys()]))].sort();
}

/**
 * Returns notes for the steps of `init --ci` about secrets that come from programs and from files outside of the
 * repository, whose real folder is `top`: the user has to provide them in CI, because the workflows cannot.
 */
export function describeOtherSources(configurations: Configuration[], top: string): string[][] {
  const notes = new Map<string, string[]>();
  for (const configuration of configurations)
    for (const member of usedSecretNames(configuration)) {
      const name = familyMemberOf(member)?.family ?? member;
      const sourceText = otherSourceText(configuration.secrets.get(member), top);
      // The members of a family come from one program or folder, so one note is enough.
      if (sourceText !== undefined && !notes.has(name))
        notes.set(name, [
          `The secret ${quoted(name)} comes from ${sourceText}.`,
          'Provide it in the jobs that have the other secrets, and allow it there: `trueup validate` prints the flag.',
        ]);
    }
  return [...notes.values()];
}

/** Formats the source of a secret that workflows cannot provide; undefined for an environment variable or a file in the repository. */
function otherSourceText(source: SecretSource | undefined, top: string): string | undefined {
  if (!source || 'env' in source) return undefined;
  if ('file' in source && isInside(path.resolve(source.folder, source.file), top)) return undefined;
  const type = 'file' in source ? 'a file outside of the repository' : 'a program';
  // The text of the origin begins with a word for its type, such as `file`.
  return `${type}, ${quoted(originText(source).replace(/^\w+ /, ''))}`;
}
