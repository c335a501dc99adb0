import { secretEnv } from '../config/sources/verdict.ts';
import type { Host } from '../host.ts';
import type { Sealed } from '../model/sealed.ts';
import { secretFamily } from './secret-names.ts';

/**
 * Returns a predicate for names of secrets: true if the environment variable of that name is set to another value. An export then chooses
 * another name, because a plan would read the wrong secret.
 */
export const hasOtherValueIn =
  ({ env }: Pick<Host, 'env'>) =>
  (name: string, value: Sealed | undefined): boolean => {
    const existing = env[exportedSecretEnv(name)];
    return existing !== undefined && (value === undefined || existing !== value.reveal());
  };

/** Returns the environment variable that gives an exported secret its value. `name`: the name of the secret in the family of exported secrets. */
export const exportedSecretEnv = (name: string): string => secretEnv(`${secretFamily}[${name}]`);
