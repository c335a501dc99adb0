import type { CiSecret } from './repository.ts';

/** The name of a secret among those of an environment on GitHub, by its variable: in capitals, since GitHub tells no others apart. */
export const secretName = ({ env }: CiSecret): string => env.toUpperCase();

/** Those that the YAML may read only where the operator names them. */
export const allowedNames = (secrets: CiSecret[]): string[] =>
  secrets.map(({ env }) => env).filter((env) => !env.startsWith('TRUEUP_SECRET_'));
