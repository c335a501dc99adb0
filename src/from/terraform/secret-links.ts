import type { ForeignObject, StateResource } from '../../kind/foreign.ts';
import type { Address } from '../../model/address.ts';
import { isCredentialName, isPublicName } from '../../model/credentials.ts';
import { groupBy } from '../../model/graph.ts';

/**
 * A variable with a secret that the platform showed once, when `object` was created. `$secretTo` of that object can declare the variable.
 */
interface SecretLink {
  object: Address;
  /** The `value` of `$secretTo`. */
  value: string;
}

/** The variables with secrets of other objects. */
export interface SecretLinks {
  /** By the address of each unit of the variable. */
  links: ReadonlyMap<Address, SecretLink>;
  /** Sentences about variables that contain such a secret and cannot be declared by `$secretTo`. */
  unlinked: string[];
}

/** An object of the state, with its resource. */
type SecretSourceObject = ForeignObject & { from: StateResource };

/** The length of the shortest secret that is searched in values. A shorter one could be part of a value by chance. */
const shortestSearchedSecret = 8;

/**
 * Returns the secrets in clear that the platform showed only once, when an object such as a bypass was created (`shown`), as far as a
 * Terraform state has them. `trueup from terraform` searches the variables of the state for them. `value`: the `value` of `$secretTo` that
 * makes this text, such as `https://edge-config.example/ID?token=${secret}`. Short texts are left out: they could be equal by chance.
 */
const findShownSecrets = (objects: readonly ForeignObject[]): { text: string; value: string }[] =>
  objects
    .flatMap(({ shown = [] }) => shown)
    .map(({ text, value }) => ({ text: text.reveal(), value }))
    .filter(({ text }) => text.length >= shortestSearchedSecret);

/**
 * Finds the variables of a Terraform state whose value is a secret that the platform showed once, when it created another object. The
 * configuration then declares such a variable by `$secretTo` of that object, at most one for each object. A state has values instead of
 * references, so equal values are the only sign. A secret inside a longer value is not linked, because the rest of the value may be secret,
 * too; `unlinked` has sentences about these for the report.
 */
export function findSecretLinks(sources: ReadonlyMap<Address, SecretSourceObject[]>): SecretLinks {
  const units = [...sources].flatMap(([address, objects]) => objects.map((source) => ({ address, source })));
  const shownSecrets = units.flatMap(({ address, source }) =>
    findShownSecrets([source]).map((secret) => ({ ...secret, object: address })),
  );
  // A variable with several targets is one object of the state, but one unit with an address for each target.
  const unitsOfVariables = groupBy(
    units.filter(({ source }) => source.secretValue !== undefined),
    ({ source }) => source,
  );
  const links = new Map<Address, SecretLink>();
  const unlinked: string[] = [];
  const linkedObjects = new Set<Address>();
  for (const [source, unitsOfVariable] of unitsOfVariables) {
    const valueOfVariable = source.secretValue!.reveal();
    const equalSecret = shownSecrets.find(({ text }) => text === valueOfVariable);
    const foundSecret = equalSecret ?? shownSecrets.find(({ text }) => valueOfVariable.includes(text));
    if (!foundSecret) continue;
    const { object, value } = foundSecret;
    const obstacle = equalSecret
      ? findLinkObstacle(source, linkedObjects.has(object))
      : 'there is more in its value';
    if (obstacle === undefined) {
      linkedObjects.add(object);
      for (const { address } of unitsOfVariable) links.set(address, { object, value });
    } else unlinked.push(describeUnlinked(source, object, obstacle));
  }
  return { links, unlinked };
}

/**
 * Returns the sentence of the report about a variable that has the secret of another object (`address`) as value, or in it. `$secretTo` of
 * that object would write its secret into the variable, but cannot because of the `obstacle`. The sentence also explains how to set the
 * variable instead.
 */
function describeUnlinked(
  { from, object: { key } }: SecretSourceObject,
  address: Address,
  obstacle: string,
): string {
  const name = String(key);
  return `${from.address}: \`$secretTo\` of ${address} cannot write ${name}: ${obstacle}; it keeps its value. To set it here, add \`value: \${secret.${name}}\` to its block and \`${name}: {}\` under \`secrets\``;
}

/**
 * Returns the reason why `$secretTo` of an object cannot declare the variable that has its secret as value;
 * undefined if it can. `trueup from terraform` reports the reason and declares the variable itself.
 * @param hasOtherVariable true if `$secretTo` of the object already declares another variable
 */
function findLinkObstacle(
  { object: { type } }: SecretSourceObject,
  hasOtherVariable: boolean,
): string | undefined {
  if (type !== 'sensitive') return 'only a sensitive variable can take it';
  return hasOtherVariable ? 'another variable has the same secret' : undefined;
}

/**
 * Returns the objects of a Terraform state in which public variables have their values in clear, so that `trueup from terraform` writes
 * these values. The provider marks the value of every variable as a secret, but a framework compiles that of `NEXT_PUBLIC_SITE_URL` into
 * the code for browsers. A value that contains another secret of the state stays secret: one that the platform showed once, or the value of
 * a variable that is `sensitive` or has the name of a credential.
 */
export function withPublicValues<T extends ForeignObject>(objects: readonly T[]): T[] {
  const secrets = [...findShownSecrets(objects).map(({ text }) => text), ...variableSecrets(objects)];
  return objects.map((object) => {
    const value = publicValueOf(object, secrets);
    if (value === undefined) return object;
    // The platform answers like this if a value can be read, so the kind will decode it.
    const answer = { ...object.object, value, decrypted: true };
    return { ...object, isPublic: true, secretValue: undefined, object: answer };
  });
}

/**
 * Returns the values of variables of a Terraform state that are marked as secret, or have the name of a
 * credential. A public value that contains one of them is not written in the clear by `trueup from
 * terraform`. Short texts are left out, because a value could contain them by chance.
 */
const variableSecrets = (objects: readonly ForeignObject[]): string[] =>
  objects
    .filter(isSecretVariable)
    .flatMap(({ secretValue }) => secretValue?.reveal() ?? [])
    .filter((text) => text.length >= shortestSearchedSecret);

/** True if a variable is `sensitive`, or if its name is that of a credential. */
const isSecretVariable = ({ object: { key, type } }: ForeignObject): boolean =>
  type === 'sensitive' || isCredentialName(String(key));

/**
 * Returns the value of a variable that is public by its name (`NEXT_PUBLIC_...`), so that `trueup from
 * terraform` can write it; undefined for any other object. A value stays secret if the variable is marked as
 * secret, or if it contains one of `secrets` (the secrets of other objects).
 */
function publicValueOf(object: ForeignObject, secrets: readonly string[]): string | undefined {
  const { secretValue } = object;
  if (!secretValue || isSecretVariable(object) || !isPublicName(String(object.object.key))) return undefined;
  const value = secretValue.reveal();
  return secrets.some((secret) => value.includes(secret)) ? undefined : value;
}

/**
 * Returns the names of a Terraform resource's secrets without those of public variables (`objects`), because their values are written to
 * the configuration. The report of `trueup from terraform` lists the remaining ones.
 */
export function omitPublicNames(names: readonly string[], objects: readonly ForeignObject[]): string[] {
  const remaining = [...names];
  for (const { object, isPublic } of objects) {
    const index = remaining.indexOf(String(object.key));
    // One at a time, because a public and a secret variable can have the same name.
    if (isPublic && index >= 0) remaining.splice(index, 1);
  }
  return remaining;
}
