import type * as z from 'zod';
import { secretIdOf } from '../../kind/define-kind.ts';
import { dependsOnMissingField, secrecyOf } from '../../kind/disclosure.ts';
import type { Kind } from '../../kind/kind.ts';
import { comparedFields, memberSchemasOf } from '../../kind/leaves.ts';
import { traitsOf } from '../../kind/traits.ts';
import type { Address } from '../../model/address.ts';
import type { Resource, Secrecy } from '../../model/resource.ts';
import { shownIn } from '../../model/shown-secret.ts';
import { holdsSecret, type Path, type Ref, type Value } from '../../model/value.ts';
import type { ReferencedValue } from '../fields/reading.ts';
import { mayHoldSecret } from '../fields/schema-options.ts';
import { quoted } from '../suggest.ts';
import { type CopiedField, mapChildren, type Node, nodeOf } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

/** The resource that a reference takes a value from. */
type ReferenceSource = Pick<Resource, 'address' | 'fields' | 'at'> & {
  kind: Kind;
  /** Set for a variable that `$secretTo` declares: the object whose secret it gets. That secret is shown only once. */
  secretOf: Address | undefined;
};

/** The reason why a value cannot be taken, for a diagnostic at the reference. */
interface ReferenceProblem {
  code: string;
  message: string;
  hint?: string;
}

/**
 * Returns the field that a reference names. If the id of a kind is a secret, its id in the ledger is only a digest, so
 * `id` means the field with the real text.
 */
export const referencedField = (kind: Kind, name: string): string =>
  name === 'id' ? (secretIdOf(kind) ?? 'id') : name;

/**
 * Converts a path of texts to steps inside a field; texts of digits become indexes of lists. References are
 * written as text, but values are looked up by steps.
 */
export const stepsOfPath = (path: readonly string[]): Path =>
  path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/**
 * Returns the value that a reference takes from a source: the value in the configuration, with its secrets marked,
 * or a hole if only the account has the value. The reader of blocks puts the value into the field with the reference.
 * Returns a problem if the value can never be read, such as a secret that is shown only once.
 *
 * `path`: the field, and the steps to a part of it. `value`: the configured value at that path.
 */
export function readSource(
  source: ReferenceSource,
  path: string[],
  value: Value | undefined,
  spot: Spot,
): ReferencedValue | ReferenceProblem {
  const { address, fields, secretOf } = source;
  const [name, ...inner] = path as [string, ...string[]];
  if (secretOf !== undefined && Object.hasOwn(shownIn(fields, secretOf), name))
    return {
      code: 'ref/unreadable',
      message: `${address} gets the secret of ${secretOf}, which is shown only once, so nothing else can take it`,
      hint: 'create an object of its own for each place that needs a secret',
    };
  if (value !== undefined) return { value: markReferenceSecrets(nodeOf(value, spot), source, path) };
  if (inner.length > 0)
    return {
      code: 'ref/unknown-attribute',
      message: `${address} declares no ${quoted(path.join('.'))}`,
    };
  const schema = schemaOf(source, name);
  const { writeOnly, createOnly, neverReturned } = schema ? traitsOf(schema) : {};
  if (writeOnly || createOnly || neverReturned?.(fields))
    return {
      code: 'ref/unreadable',
      message: `the platform never returns \`${name}\` of ${address}, so nothing can take its value`,
      hint: 'refer to where the value comes from, for example the same `${secret.name}`',
    };
  const from = liveField(source, name, schema);
  return { value: liveHole(from), live: { from, schema } };
}

/** Returns the schema of a field of the source. */
const schemaOf = ({ kind }: ReferenceSource, name: string): z.ZodType | undefined =>
  comparedFields(kind)[name] ?? kind.fields[name];

/**
 * Describes a field whose value only the account has, as the source of a copy. The check that a secret is not copied to
 * a less secret field needs its secrecy.
 */
function liveField(source: ReferenceSource, field: string, schema: z.ZodType | undefined): CopiedField {
  const { address, at, fields } = source;
  const traits = schema ? traitsOf(schema) : {};
  const declaredSecrecy = secrecyAt(source, [field]);
  // The declared fields may make the value open, but the live ones need not agree. So a trait that depends on fields counts as secret.
  const mayBeSecret = declaredSecrecy === 'open' && typeof traits.secret === 'function';
  return {
    address,
    field,
    at,
    secrecy: mayBeSecret ? 'readable' : declaredSecrecy,
    dependsOnMissingField: mayBeSecret || dependsOnMissingField(traits, fields),
    isLive: true,
  };
}

/**
 * Creates the hole that takes the value of a live field when the request is sent. `apply` fills it with the value in the account. It is marked as secret unless the field is open.
 */
const liveHole = ({ address, field, secrecy }: CopiedField): Ref => ({
  $ref: address,
  attr: field,
  isSecret: secrecy === 'open' ? undefined : true,
});

/**
 * Marks the secrets in a configured value with the field that they come from. When the value is copied to another
 * field, that mark allows the check that the other field is not less secret (`checkCopy`).
 */
function markReferenceSecrets(node: Node, source: ReferenceSource, path: string[]): Node {
  if (node.type !== 'hole')
    return mapChildren(node, (child, step) => markReferenceSecrets(child, source, [...path, String(step)]));
  if (!holdsSecret(node.hole)) return node;
  const secrecy = secrecyAt(source, path);
  if (secrecy === 'open') return node;
  const { address, at } = source;
  const field = path.join('.');
  return { ...node, from: { address, field, at, secrecy, dependsOnMissingField: false, isLive: false } };
}

/**
 * Returns how secret a field, or a part of it, is, so that a reference cannot copy a secret into a field that
 * is shown openly. If the schema does not describe the part separately, the part counts as secret as soon as
 * any member of it may be.
 */
function secrecyAt(source: ReferenceSource, [name, ...inner]: string[]): Secrecy {
  const field = schemaOf(source, name!);
  if (!field) return 'open';
  let schema: z.ZodType = field;
  let traits = traitsOf(field);
  for (const step of inner) {
    const member: z.ZodType | undefined = memberSchemasOf(schema)?.(step);
    if (!member) break;
    traits = { ...traits, ...traitsOf(member) };
    schema = member;
  }
  const secrecy = secrecyOf(traits, source.fields);
  if (secrecy !== 'open' || traits.secret || !mayHoldSecret(schema)) return secrecy;
  return secrecyOf({ ...traits, secret: true }, source.fields);
}
