import type * as z from 'zod';
import { isSameValue } from '../kind/compare.ts';
import { referenceOf, traitsOf } from '../kind/traits.ts';
import { type Address, lastNameOf, unescapeName } from '../model/address.ts';
import { Sealed } from '../model/sealed.ts';
import { holesIn, isPlainObject, isRef, type Ref, type Value } from '../model/value.ts';
import { declarable, expressible, isOptional, saysNothing } from './expressible.ts';
import type { Written } from './print.ts';
import { secretText } from './secret-names.ts';

/**
 * A field as it is written, and the found value that this says; `problem`: why it cannot be, for a comment. Neither: there is
 * nothing to write. `isUsual`: whether that holds without it, too; undefined where nobody knows.
 */
type WrittenField =
  | { value: Written; says?: Value; comment?: string; isUsual?: boolean | undefined }
  | { problem: string }
  | undefined;

/** The destination of variables' values: the YAML, the environment, no place at all, or a file that is not the YAML. */
export type ValuesTo = 'inline' | 'omit' | 'file';

/** What surrounds a field while it is written. */
export interface FieldContext {
  secrets: { next(words: string[], value: Sealed | undefined): string };
  values: ValuesTo;
  /** The names that a secret in this object is called after. */
  words: string[];
  /** The value that the platform sets by itself; it is left out. */
  usual: Value | undefined;
  /** A usual value is written, too. */
  isWhole: boolean;
  /** The field is secret in this object. */
  isSecret: boolean;
  /** True if an object cannot be declared itself. */
  isLeftOut(address: Address): boolean;
}

/** A field of a live object in the words of the YAML. */
export function writeField(
  name: string,
  schema: z.ZodType,
  value: Value | undefined,
  { secrets, values, words, usual, isSecret, isLeftOut, isWhole }: FieldContext,
): WrittenField {
  const traits = traitsOf(schema);
  if (traits.createOnly || traits.local) return undefined;
  // What is there keeps it, and there is nothing that a file could be given.
  const isLeftThere = values === 'omit' || (values === 'file' && value === undefined);
  if (traits.neededToCreate && isLeftThere) return undefined;
  const named = (path: string[], sealed?: Sealed) =>
    secretText(secrets.next([...words, ...path.filter((word) => word !== 'value')], sealed));
  if (value === undefined) {
    if (isOptional(schema) && !traits.neededToCreate) return undefined;
    return isSecret
      ? { value: named([name]), comment: 'its value cannot be read back' }
      : { problem: `\`${name}\` is required, but the platform does not return it` };
  }
  const part = declarable(schema, value);
  if (part === undefined) return undefined;
  const isUsual = isAsUsual(schema, part, usual);
  // What says nothing by itself says something where the platform would set another value.
  const goesWithoutSaying = isUsual
    ? !traits.safeguard && !isWhole
    : saysNothing(part) && !traits.emptyCounts;
  if (isOptional(schema) && isUsual !== false && goesWithoutSaying) return undefined;
  if (isSecret || part instanceof Sealed)
    return { value: named([name], part instanceof Sealed ? part : undefined) };
  const refs = holesIn(part).filter(isRef);
  if (refs.some(({ $ref }) => $ref.startsWith('#')))
    return { problem: `\`${name}\` is left out: it refers to something that does not exist` };
  const missing = refs.find(({ $ref }) => isLeftOut($ref));
  if (missing) return { problem: `\`${name}\` is left out: it refers to ${missing.$ref}, which is left out` };
  if (referenceOf(schema) !== undefined && [part].flat().every(isRef)) return { value: referred(part) };
  const { part: kept, problems } = expressible(name, schema, part, value);
  if (kept === undefined) return { problem: problems.at(-1)! };
  return {
    value: spelled(kept, [name], named),
    says: kept,
    isUsual,
    comment: problems.length > 0 ? problems.join('\n') : undefined,
  };
}

/** The values that hold where nothing is said: the kind's, and the one that the schema fills in. */
const usualOnes = (schema: z.ZodType, usual: Value | undefined): Value[] =>
  [usual, schema.safeParse(undefined).data as Value | undefined].filter((one) => one !== undefined);

/** True if a value is what holds where nothing is said; undefined where nobody knows what that is. */
function isAsUsual(schema: z.ZodType, value: Value, usual: Value | undefined): boolean | undefined {
  const known = usualOnes(schema, usual);
  return known.length === 0 ? undefined : known.some((one) => isSameValue(one, value, traitsOf(schema)));
}

/** A reference, or a list of them, as names. */
export function referred(value: Value): Written {
  const names = [value].flat().map((one) => lastNameOf((one as Ref).$ref));
  return Array.isArray(value) ? names.sort() : names[0]!;
}

/** Text of the account, so that nothing in it is an expression. */
export const escaped = (text: string): string => text.replaceAll('${', () => '$${');

/** Text that the loader gives back as it was, secrets by their names, references as expressions. */
export function spelled(
  value: Value,
  path: string[],
  named: (path: string[], found?: Sealed) => string,
): Written {
  if (value instanceof Sealed) return named(path, value);
  if (isRef(value)) return referenceText(value);
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return value.map((item, index) => spelled(item, [...path, String(index)], named));
  if (!isPlainObject(value)) return value as Written;
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [
      escaped(member),
      spelled(item as Value, [...path, member], named),
    ]),
  ) as Written;
}

/** A reference as an expression of the YAML: `${projects.web.segments["a.b"].id}`. */
function referenceText({ $ref, attr }: Ref): string {
  const [section, ...names] = $ref.split('/').map(unescapeName);
  return `\${${section}${names.map(formatReferenceStep).join('')}.${attr}}`;
}

const formatReferenceStep = (name: string): string => {
  if (/^[\w-]+$/.test(name)) return `.${name}`;
  return name.includes('"') ? `['${name}']` : `["${name}"]`;
};
