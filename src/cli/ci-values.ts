import { isAbsolute } from 'node:path';
import type { CiSecret } from '../ci/repository.ts';
import type { Configuration } from '../config/load.ts';
import { originText, variableEnv } from '../config/sources/verdict.ts';
import { quoted } from '../config/suggest.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** The problems of a configuration for any reader. Nobody has to have CI's values at a desk. */
export const lastingProblems = ({ diagnostics }: Configuration): Diagnostic[] =>
  diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'var/missing');

/** The secrets that something uses and that come from the environment, each variable of it once. */
export const secretsOf = (looks: Configuration[]): CiSecret[] =>
  once(
    looks.flatMap((look) =>
      usedNames(look).flatMap((name) => {
        const source = look.secrets.get(name);
        return source && 'env' in source ? [{ name, env: source.env }] : [];
      }),
    ),
  );

/** The variables that CI has to give. */
export const variablesOf = (looks: Configuration[]): CiSecret[] =>
  once(
    looks.flatMap(({ missingVariables, variableOrigins }) =>
      [...missingVariables, ...variableOrigins.keys()].map((name) => ({ name, env: variableEnv(name) })),
    ),
  );

const once = (all: CiSecret[]): CiSecret[] => [...new Map(all.map((one) => [one.env, one])).values()];

/** While values are missing, nobody knows which secrets are used: it may be any of them. */
function usedNames({ secrets, usedSecrets, missingVariables, notAllowed }: Configuration): string[] {
  const isWhole = missingVariables.length === 0 && notAllowed.length === 0;
  return [...(isWhole ? usedSecrets : new Set([...usedSecrets, ...secrets.keys()]))].sort();
}

/** The further needs of the default branch's jobs, in lines for people. */
export function furtherSources(looks: Configuration[]): string[][] {
  const found = new Map<string, string[]>();
  for (const look of looks)
    for (const name of usedNames(look)) {
      const source = look.secrets.get(name);
      if (!source || 'env' in source) continue;
      const isInside = 'file' in source && !isAbsolute(source.file) && !source.file.startsWith('..');
      if (isInside) continue;
      const what = 'file' in source ? 'a file outside of the repository' : 'a program';
      found.set(name, [
        `The secret ${quoted(name)} comes from ${what}, ${quoted(originText(source).replace(/^\w+ /, ''))}.`,
        'Provide it in the jobs that have the other secrets, and allow it there: `trueup validate` prints the flag.',
      ]);
    }
  return [...found.values()];
}
