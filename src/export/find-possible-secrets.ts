import * as z from 'zod';
import type { Kinds } from '../kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import type { Live } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isPlainObject } from '../model/value.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';

/**
 * Lists the fields that an export writes unchanged although they could contain a secret: open JSON, texts under names that the user chooses
 * (headers), conditions that let a request in, and URLs with credentials, a query or a token. Used to warn before the export is committed.
 *
 * The entries are `ADDRESS (FIELD)`, sorted.
 * @param newAddresses the addresses in the export of objects that have no names of their own
 */
export function findPossibleSecrets(
  { resources }: Live,
  kinds: Kinds,
  isChosen: (address: Address, field: string) => boolean = () => true,
  newAddresses: ReadonlyMap<Address, Address> = new Map(),
): string[] {
  return [...resources.values()]
    .flatMap(({ address, kind, fields }) =>
      Object.entries(kinds.get(kind)!.fields)
        .filter(([name, schema]) => isChosen(address, name) && mayHoldSecretValue(schema, fields[name]))
        .map(([name]) => `${newAddresses.get(address) ?? address} (${name})`),
    )
    .sort();
}

/**
 * True if a value could contain a secret that its schema does not declare as one. `trueup export` asks the user to check such fields before
 * a commit. Looks at members and items with their own schemas.
 */
function mayHoldSecretValue(schema: z.ZodType, value: unknown): boolean {
  if (value === undefined || value === null || value instanceof Sealed || isHole(value)) return false;
  // A declared secret is not written in the clear.
  if (traitsOf(schema).secret) return false;
  const inner = innerOf(schema);
  if (inner) return mayHoldSecretValue(inner, value);
  // Nothing describes such a value, so only the length of its texts is a sign.
  if (schema instanceof z.ZodAny || schema instanceof z.ZodUnknown) return textsIn(value).some(isLong);
  if (schema instanceof z.ZodUnion)
    return (schema.options as z.ZodType[]).some((option) => mayHoldSecretValue(option, value));
  if (typeof value === 'string') return mayUrlHoldSecret(value);
  const { element, valueType } = schema.def as { element?: z.ZodType; valueType?: z.ZodType };
  if (Array.isArray(value))
    return element !== undefined && value.some((item) => mayHoldSecretValue(element, item));
  if (!isPlainObject(value)) return false;
  if (textsIn(traitsOf(schema).mayTell?.(value as Fields)).some(isLong)) return true;
  const shape = shapeOf(schema);
  return Object.entries(value).some(([name, item]) => {
    const member = shape?.[name] ?? valueType;
    // In a map with free names, any text may be a token.
    const isOpenText = !shape && typeof item === 'string' && member && !traitsOf(member).secret;
    return isOpenText ? isLong(item) : member !== undefined && mayHoldSecretValue(member, item);
  });
}

/** Returns all texts in a value, at any depth. If a field has no schema, `export` reports a long text in it as a possible secret. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  visitDeep(value, (node) => {
    if (typeof node === 'string') texts.push(node);
    return Array.isArray(node) || isPlainObject(node) ? visitMembers : undefined;
  });
  return texts;
}

/** True for a text that is long enough for a secret. */
const isLong = (text: string): boolean => text.length >= 8;

/**
 * True for a URL with a user name or password, a long query value, or a path segment that looks like a token. `trueup export` asks the user
 * to check such fields for secrets.
 */
const mayUrlHoldSecret = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) &&
  (/^[^/]*\/\/[^/]*@/.test(text) ||
    /[?&][^=&]+=[^&]{8,}/.test(text) ||
    text.split(/[/?&=#]/).some((part) => /^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i.test(part)));
