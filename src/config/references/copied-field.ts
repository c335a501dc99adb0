import type * as z from 'zod';
import { dependsOnAccount, secrecyOf } from '../../kind/disclosure.ts';
import type { Kind } from '../../kind/kind.ts';
import { comparedFields, membersOf } from '../../kind/leaves.ts';
import { traitsOf } from '../../kind/traits.ts';
import type { Resource, Secrecy } from '../../model/resource.ts';
import { holdsSecret, type Ref } from '../../model/value.ts';
import { mayHoldSecret } from '../fields/schema-options.ts';
import type { CopiedField, Node } from '../yaml/nodes.ts';

/** The resource that a reference leads to. */
export type ReferenceTarget = Pick<Resource, 'address' | 'fields' | 'at'> & { kind: Kind };

const schemaOf = ({ kind }: ReferenceTarget, name: string) => comparedFields(kind)[name] ?? kind.fields[name];

/** Returns how secret a field, or a part of it, is. What a schema does not tell apart is as secret as its most secret part. */
function secrecyAt(target: ReferenceTarget, [name, ...inner]: string[]): Secrecy {
  const field = schemaOf(target, name!);
  if (!field) return 'open';
  let schema: z.ZodType = field;
  let traits = traitsOf(field);
  for (const step of inner) {
    const member: z.ZodType | undefined = membersOf(schema)?.(step);
    if (!member) break;
    traits = { ...traits, ...traitsOf(member) };
    schema = member;
  }
  const level = secrecyOf(traits, target.fields);
  if (level !== 'open' || traits.secret || !mayHoldSecret(schema)) return level;
  return secrecyOf({ ...traits, secret: true }, target.fields);
}

/** Describes a field whose value only the account knows. */
export function liveField(target: ReferenceTarget, name: string): CopiedField {
  const schema = schemaOf(target, name);
  return {
    address: target.address,
    field: name,
    at: target.at,
    secrecy: secrecyAt(target, [name]),
    dependsOnAccount: schema !== undefined && dependsOnAccount(traitsOf(schema), target.fields),
    isLive: true,
  };
}

/** True if the platform never returns the value of a field, so that nobody can copy it. */
export function isNeverReturned(target: ReferenceTarget, name: string): boolean {
  const schema = schemaOf(target, name);
  const { writeOnly, createOnly, neverReturned } = schema ? traitsOf(schema) : {};
  return Boolean(writeOnly || createOnly || neverReturned?.(target.fields));
}

/** Makes the hole for a field whose value only the account knows. */
export const liveHole = ({ address, field, secrecy }: CopiedField): Ref => ({
  $ref: address,
  attr: field,
  ...(secrecy === 'open' ? {} : { isSecret: true }),
});

/** Marks the secrets in a declared value with the field that they come from. */
export function markSecrets(node: Node, target: ReferenceTarget, path: string[]): Node {
  if (node.type === 'list')
    return { ...node, items: node.items.map((item, i) => markSecrets(item, target, [...path, String(i)])) };
  if (node.type === 'map')
    return {
      ...node,
      entries: node.entries.map(({ key, value }) => ({
        key,
        value: markSecrets(value, target, [...path, key.text]),
      })),
    };
  if (node.type !== 'hole' || !holdsSecret(node.hole)) return node;
  const secrecy = secrecyAt(target, path);
  if (secrecy === 'open') return node;
  const { address, at } = target;
  const from: CopiedField = {
    address,
    field: path.join('.'),
    at,
    secrecy,
    dependsOnAccount: false,
    isLive: false,
  };
  return { ...node, from };
}
