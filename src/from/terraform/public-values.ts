import type { ForeignObject } from '../../kind/foreign.ts';
import { isCredentialName, isPublicName } from '../../model/credentials.ts';
import { findShownSecrets, shortestSecret } from './secret-links.ts';

/**
 * Returns the objects of a state with the values of public variables in them, so that the configuration gets these values. The provider
 * marks the value of every variable as a secret, but a framework compiles that of `NEXT_PUBLIC_SITE_URL` into the code for browsers.
 */
export function withPublicValues<T extends ForeignObject>(objects: readonly T[]): T[] {
  const secrets = [...findShownSecrets(objects).map(({ text }) => text), ...variableSecrets(objects)];
  return objects.map((object) => {
    const value = publicValueOf(object, secrets);
    if (value === undefined) return object;
    // As the platform answers with a value that can be read.
    const answer = { ...object.object, value, decrypted: true };
    return { ...object, isPublic: true, secretValue: undefined, object: answer };
  });
}

/** Returns the values of variables that are said to be secrets. */
const variableSecrets = (objects: readonly ForeignObject[]): string[] =>
  objects
    .filter(isSecretVariable)
    .flatMap(({ secretValue }) => secretValue?.reveal() ?? [])
    .filter((text) => text.length >= shortestSecret);

/** True if a variable is `sensitive`, or if its name is that of a credential. */
const isSecretVariable = ({ object: { key, type } }: ForeignObject): boolean =>
  type === 'sensitive' || isCredentialName(String(key));

/**
 * Returns the value of a public variable; undefined for any other object. A value stays secret if the variable is said to be one, or
 * if it contains a secret of another object (`secrets`).
 */
function publicValueOf(object: ForeignObject, secrets: readonly string[]): string | undefined {
  const { secretValue } = object;
  if (!secretValue || isSecretVariable(object) || !isPublicName(String(object.object.key))) return undefined;
  const value = secretValue.reveal();
  return secrets.some((secret) => value.includes(secret)) ? undefined : value;
}

/** Returns the names of the secrets of a resource without those of its variables whose values are public. */
export function omitPublicNames(names: readonly string[], objects: readonly ForeignObject[]): string[] {
  const remaining = [...names];
  for (const { object, isPublic } of objects)
    if (isPublic) remaining.splice(remaining.indexOf(String(object.key)), 1);
  return remaining;
}
