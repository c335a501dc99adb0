/*
 * Evidence that a public variable gets a secret, without the value of the secret: its source (a name under `secrets:`), and names.
 *
 *   | evidence                                                                  | severity |
 *   | ------------------------------------------------------------------------- | -------- |
 *   | another variable, named like a secret, takes the same source              | warning  |
 *   | another variable, named like a secret, has the same source in its text    | note     |
 *   | another variable, kept secret, takes the same source                      | note     |
 *   | the variable or its source is named like a secret                         | note     |
 *
 * A part of a text may be a host or a user. A variable that is kept secret is only a note, because the platform's command line keeps variables secret
 * unless it is asked not to, also those that hold a public key.
 */
import { addTo, type Finding, holesIn, isHole, Sealed, type Value, type ViewedObject } from '#kind';
import { describeVariable, isSecretVariable, type PublicVariable, type Variable } from './env-variables.ts';

/** A variable without a public prefix, in one place. */
interface PrivatePlace {
  variable: Variable;
  place: ViewedObject;
}

/** The places of variables that take a secret, by the name of the secret. */
export type PlacesBySource = ReadonlyMap<string, readonly PrivatePlace[]>;

/** Returns the places of variables by the secrets that they take. */
export function indexSources(variables: readonly Variable[]): PlacesBySource {
  const bySource = new Map<string, PrivatePlace[]>();
  for (const variable of variables)
    for (const place of variable.places)
      for (const source of sourcesOf(place.fields.value)) addTo(bySource, source, { variable, place });
  return bySource;
}

/** Returns the names of the secrets in a value. The secrets themselves stay sealed. */
function sourcesOf(value: Value | undefined): string[] {
  if (value instanceof Sealed) return value.secretName === undefined ? [] : [value.secretName];
  return holesIn(value).flatMap((hole) => ('$secret' in hole ? hole.$secret : []));
}

/** True if the value of a variable is a secret, and not a text with a secret in it. */
const isWhole = ({ fields: { value } }: ViewedObject): boolean => isHole(value) && '$secret' in value;

/** Returns a finding about a public variable that takes the same secret as a private one; undefined if there is none. */
export function findSharedSource(
  variable: PublicVariable,
  privateBySource: PlacesBySource,
): Finding | undefined {
  const shared = variable.places.flatMap((place) =>
    sourcesOf(place.fields.value).flatMap((source) =>
      (privateBySource.get(source) ?? []).map((other) => ({ place, source, other })),
    ),
  );
  const named = shared.find(({ other }) => isNamedLikeSecret(other.variable.name) && isWhole(other.place));
  const partly = shared.find(({ other }) => isNamedLikeSecret(other.variable.name));
  const { place, source, other } =
    named ?? partly ?? shared.find((pair) => isSecretVariable(pair.other.place)) ?? {};
  if (!place || !other) return undefined;
  const role = named || partly ? 'whose name says that it is secret' : 'which is kept secret';
  return {
    code: 'env/public-source',
    severity: named ? 'warning' : 'note',
    message: `${describeVariable(variable)} takes the same secret (${source}) as ${describeVariable(other.variable)}, ${role}; frameworks put variables with the prefix ${variable.prefix} into code for browsers, where everybody can read it`,
    hint: `remove ${variable.name} and read the other variable on the server; if the value is meant for browsers, it need not be secret`,
    address: place.address,
    path: 'value',
    related: [{ message: 'takes the same secret', address: other.place.address, path: 'value' }],
  };
}

/** Returns a finding about a declared public variable that is named like a secret, or takes a secret with such a name; undefined if there is none. */
export function findByName(variable: PublicVariable): Finding | undefined {
  const isNamed = isNamedLikeSecret(variable.name.slice(variable.prefix.length));
  for (const { address, fields, isDeclared } of variable.places) {
    const { value } = fields;
    const source = sourcesOf(value).find(isNamedLikeSecret);
    if (!isDeclared || (source === undefined && !(isNamed && mayBeSecret(value)))) continue;
    const subject = isNamed
      ? `the name of ${describeVariable(variable)} says that it holds a secret`
      : `${describeVariable(variable)} takes a secret (${source}) whose name says that only servers may have it`;
    return {
      code: 'env/public-name',
      severity: 'note',
      message: `${subject}; frameworks put variables with the prefix ${variable.prefix} into code for browsers, where everybody can read it`,
      hint: 'if it is secret, give it a name without this prefix and read it only on the server',
      address,
      path: 'value',
    };
  }
  return undefined;
}

/** True if a value that stands in clear is neither a setting, a path nor a URL, or if the value is not known. */
const mayBeSecret = (value: Value | undefined): boolean =>
  typeof value !== 'string' || /^(?!true$|false$|\/|[a-z]+:\/\/)\S{8,}$/i.test(value);

const secretEnding =
  /(^|_)(secret|secret_key|secret_access_key|private_key|signing_key|encryption_key|service_role|service_role_key|password|passphrase|database_url|connection_string|credentials)$/;

/**
 * True for a name that ends like one of a secret: `STRIPE_SECRET_KEY`, `dbPassword`. The address of a database of Firebase is public by design, and so is
 * anything that is called so.
 */
function isNamedLikeSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase();
  return secretEnding.test(words) && !/(^|_)(public|publishable|anon|firebase)(_|$)/.test(words);
}
