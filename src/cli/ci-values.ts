import type { CiSecret } from '../ci/repository.ts';
import type { Configuration } from '../config/load.ts';
import { originText } from '../config/sources/verdict.ts';
import { quoted } from '../config/suggest.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { cleanLine } from '../report/clean.ts';

/** Values that CI gives, and that nobody has to have at a desk. */
const isMissingValue = ({ code }: Diagnostic): boolean => code === 'var/missing';

/** What is wrong with a configuration whoever reads it. */
export const lastingProblems = ({ diagnostics }: Configuration): Diagnostic[] =>
  diagnostics.filter((one) => one.severity === 'error' && !isMissingValue(one));

/** The secrets that something uses and that come from the environment, each variable once. */
export function secretsOf(looks: Configuration[]): CiSecret[] {
  const found = new Map<string, CiSecret>();
  for (const { secrets, usedSecrets } of looks)
    for (const name of [...usedSecrets].sort()) {
      const source = secrets.get(name);
      if (source && 'env' in source && !found.has(source.env))
        found.set(source.env, { name, env: source.env });
    }
  return [...found.values()];
}

/** What a job needs beside that, each as a line for people. */
export function missingValues(looks: Configuration[]): string[] {
  const lines = looks.flatMap(({ secrets, usedSecrets, diagnostics, notAllowed }) => [
    ...[...usedSecrets].sort().flatMap((name) => {
      const source = secrets.get(name);
      return source && 'command' in source
        ? [
            `The secret ${quoted(name)} comes from ${originText(source)}: the program has to be there in the jobs of the default branch, and \`trueup validate\` prints the flag that allows it.`,
          ]
        : [];
    }),
    ...[...diagnostics.filter(isMissingValue), ...notAllowed].map(
      ({ message, hint }) => `In each job ${message}${hint === undefined ? '' : `: ${hint}`}`,
    ),
  ]);
  return [...new Set(lines.map(cleanLine))];
}
