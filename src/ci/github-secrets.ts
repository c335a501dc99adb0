import type { CiSecret } from './repository.ts';

/**
 * The name that each secret has among those of an environment on GitHub, by its variable: in capitals, since GitHub tells no others
 * apart.
 */
export function secretNames(secrets: CiSecret[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { env } of secrets) {
    const name = env.toUpperCase();
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
    taken.add(free);
    names.set(env, free);
  }
  return names;
}

/** Those that the YAML may read only where the operator names them. */
export const allowedNames = (secrets: CiSecret[]): string[] =>
  secrets.map(({ env }) => env).filter((env) => !env.startsWith('TRUEUP_SECRET_'));
