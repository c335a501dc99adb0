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
    // The members of an answer of the platform with a readable value.
    const answer = { ...object.object, value, decrypted: true };
    return { ...object, isPublic: true, secretValue: undefined, object: answer };
  });
}

/** Returns the values of variables that are marked as secret, or have the name of a credential. A public value must not contain one of them. */
const variableSecrets = (objects: readonly ForeignObject[]): string[] =>
  objects
    .filter(isSecretVariable)
    .flatMap(({ secretValue }) => secretValue?.reveal() ?? [])
    .filter((text) => text.length >= shortestSecret);

/** True if a variable is `sensitive`, or if its name is that of a credential. */
const isSecretVariable = ({ object: { key, type } }: ForeignObject): boolean =>
  type === 'sensitive' || isCredentialName(String(key));

/**
 * Returns the value of a variable that is public by its name (`NEXT_PUBLIC_...`); undefined for any other object. A value stays secret if the
 * variable is marked as secret, or if it contains one of `secrets` (the secrets of other objects).
 */
function publicValueOf(object: ForeignObject, secrets: readonly string[]): string | undefined {
  const { secretValue } = object;
  if (!secretValue || isSecretVariable(object) || !isPublicName(String(object.object.key))) return undefined;
  const value = secretValue.reveal();
  return secrets.some((secret) => value.includes(secret)) ? undefined : value;
}

/** Returns the names of a resource's secrets without the names of public variables, for the note about secrets that the user has to provide. */
export function omitPublicNames(names: readonly string[], objects: readonly ForeignObject[]): string[] {
  const remaining = [...names];
  for (const { object, isPublic } of objects)
    if (isPublic) remaining.splice(remaining.indexOf(String(object.key)), 1);
  return remaining;
}
