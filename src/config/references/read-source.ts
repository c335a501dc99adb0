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
import type { Referenced } from '../fields/reading.ts';
import { mayHoldSecret } from '../fields/schema-options.ts';
import { quoted } from '../suggest.ts';
import { type CopiedField, type Node, nodeOf } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

/** The resource that a reference takes a value from. */
type ReferenceSource = Pick<Resource, 'address' | 'fields' | 'at'> & {
  kind: Kind;
  /** The object whose secret, shown once, the resource gets. */
  shownBy: Address | undefined;
};

interface ReferenceProblem {
  code: string;
  message: string;
  hint?: string;
}

/** Returns the field that a reference names. An id that is a secret is kept as a digest, and its field has the text. */
export const referencedField = (kind: Kind, name: string): string =>
  name === 'id' ? (secretIdOf(kind) ?? 'id') : name;

/** Returns the steps to a part of a field; numbers are indexes of lists. */
export const stepsOfPath = (path: readonly string[]): Path =>
  path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/**
 * Reads what a reference takes from a source: the value that the configuration states, with its secrets marked, or a hole if only the
 * account knows the value. `path`: the field, and the steps to a part of it.
 */
export function readSource(
  source: ReferenceSource,
  path: string[],
  value: Value | undefined,
  spot: Spot,
): Referenced | ReferenceProblem {
  const { address, fields, shownBy } = source;
  const [name, ...inner] = path as [string, ...string[]];
  if (shownBy !== undefined && Object.hasOwn(shownIn(fields, shownBy), name))
    return {
      code: 'ref/unreadable',
      message: `${address} gets the secret of ${shownBy}, which is shown only once, so nothing else can take it`,
      hint: 'create an object of its own for each place that needs a secret',
    };
  if (value !== undefined) return { value: markSecrets(nodeOf(value, spot), source, path) };
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

const schemaOf = ({ kind }: ReferenceSource, name: string): z.ZodType | undefined =>
  comparedFields(kind)[name] ?? kind.fields[name];

function liveField(source: ReferenceSource, field: string, schema: z.ZodType | undefined): CopiedField {
  const { address, at, fields } = source;
  const traits = schema ? traitsOf(schema) : {};
  const declared = secrecyAt(source, [field]);
  // What is declared of an object does not make the value less secret that the account has.
  const mayBeSecret = declared === 'open' && typeof traits.secret === 'function';
  return {
    address,
    field,
    at,
    secrecy: mayBeSecret ? 'readable' : declared,
    dependsOnMissingField: mayBeSecret || dependsOnMissingField(traits, fields),
    isLive: true,
  };
}

const liveHole = ({ address, field, secrecy }: CopiedField): Ref => ({
  $ref: address,
  attr: field,
  ...(secrecy === 'open' ? {} : { isSecret: true }),
});

/** Marks the secrets in a declared value with the field that they come from. */
function markSecrets(node: Node, source: ReferenceSource, path: string[]): Node {
  if (node.type === 'list')
    return { ...node, items: node.items.map((item, i) => markSecrets(item, source, [...path, String(i)])) };
  if (node.type === 'map')
    return {
      ...node,
      entries: node.entries.map(({ key, value }) => ({
        key,
        value: markSecrets(value, source, [...path, key.text]),
      })),
    };
  if (node.type !== 'hole' || !holdsSecret(node.hole)) return node;
  const secrecy = secrecyAt(source, path);
  if (secrecy === 'open') return node;
  const { address, at } = source;
  const field = path.join('.');
  return { ...node, from: { address, field, at, secrecy, dependsOnMissingField: false, isLive: false } };
}

/** Returns how secret a field, or a part of it, is. Parts that a schema does not tell apart are as secret as the most secret of them. */
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
  const level = secrecyOf(traits, source.fields);
  if (level !== 'open' || traits.secret || !mayHoldSecret(schema)) return level;
  return secrecyOf({ ...traits, secret: true }, source.fields);
}
