import type * as z from 'zod';
import { isSameValue } from '../kind/compare.ts';
import { referenceOf, traitsOf } from '../kind/traits.ts';
import { type Address, lastNameOf, unescapeName } from '../model/address.ts';
import { Sealed } from '../model/sealed.ts';
import { holesIn, isPlainObject, isRef, type Ref, type Value } from '../model/value.ts';
import { findExpressiblePart, isEmptyValue, isOptional, toDeclarable } from './expressible.ts';
import type { YamlValue } from './print-yaml.ts';
import { secretExpression } from './secret-names.ts';

/**
 * A field as the export writes it (`value`), with the live value that this declares (`says`); or a `problem`, which is the reason why it cannot
 * be declared; or undefined, if nothing needs to be written. `isUsual`: the platform would set the same value by itself; undefined if that is
 * unknown.
 */
type WrittenField =
  | { value: YamlValue; says?: Value; comment?: string; isUsual?: boolean | undefined }
  | { problem: string }
  | undefined;

/** The destination of variables' values: the YAML, the environment, no place at all, or a file that is not the YAML. */
export type ValuesDestination = 'inline' | 'omit' | 'file';

/** What surrounds a field while it is written. */
export interface FieldContext {
  secrets: { next(words: string[], value: Sealed | undefined): string };
  values: ValuesDestination;
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
  // An existing object keeps its value, and there is no value for a file.
  const keepsValue = values === 'omit' || (values === 'file' && value === undefined);
  if (traits.neededToCreate && keepsValue) return undefined;
  const named = (path: string[], sealed?: Sealed) =>
    secretExpression(secrets.next([...words, ...path.filter((word) => word !== 'value')], sealed));
  if (value === undefined) {
    if (isOptional(schema) && !traits.neededToCreate) return undefined;
    return isSecret
      ? { value: named([name]), comment: 'its value cannot be read back' }
      : { problem: `\`${name}\` is required, but the platform does not return it` };
  }
  const declared = toDeclarable(schema, value);
  if (declared === undefined) return undefined;
  const isUsual = isAsUsual(schema, declared, usual);
  // An empty value has to be written if the platform would set another value by itself.
  const goesWithoutSaying = isUsual
    ? !traits.safeguard && !isWhole
    : isEmptyValue(declared) && !traits.emptyCounts;
  if (isOptional(schema) && isUsual !== false && goesWithoutSaying) return undefined;
  if (isSecret || declared instanceof Sealed)
    return { value: named([name], declared instanceof Sealed ? declared : undefined) };
  const refs = holesIn(declared).filter(isRef);
  if (refs.some(({ $ref }) => $ref.startsWith('#')))
    return { problem: `\`${name}\` is left out: it refers to something that does not exist` };
  const missing = refs.find(({ $ref }) => isLeftOut($ref));
  if (missing) return { problem: `\`${name}\` is left out: it refers to ${missing.$ref}, which is left out` };
  if (referenceOf(schema) !== undefined && [declared].flat().every(isRef))
    return { value: referencedNames(declared) };
  const { part: written, problems } = findExpressiblePart(name, schema, declared, value);
  if (written === undefined) return { problem: problems.at(-1)! };
  return {
    value: toYamlValue(written, [name], named),
    says: written,
    isUsual,
    comment: problems.length > 0 ? problems.join('\n') : undefined,
  };
}

/** Returns the values that a field has if it is not declared: the usual value of the kind, and the default of the schema. */
const usualOnes = (schema: z.ZodType, usual: Value | undefined): Value[] =>
  [usual, schema.safeParse(undefined).data as Value | undefined].filter((value) => value !== undefined);

/** True if an undeclared field would have this value; undefined if that is unknown. */
function isAsUsual(schema: z.ZodType, value: Value, usual: Value | undefined): boolean | undefined {
  const usualValues = usualOnes(schema, usual);
  return usualValues.length === 0
    ? undefined
    : usualValues.some((usualValue) => isSameValue(usualValue, value, traitsOf(schema)));
}

/** A reference, or a list of them, as names. */
export function referencedNames(value: Value): YamlValue {
  const names = [value].flat().map((ref) => lastNameOf((ref as Ref).$ref));
  return Array.isArray(value) ? names.sort() : names[0]!;
}

/** Text of the account, so that nothing in it is an expression. */
export const escapeExpressions = (text: string): string => text.replaceAll('${', () => '$${');

/** Text that the loader gives back as it was, secrets by their names, references as expressions. */
export function toYamlValue(
  value: Value,
  path: string[],
  named: (path: string[], found?: Sealed) => string,
): YamlValue {
  if (value instanceof Sealed) return named(path, value);
  if (isRef(value)) return referenceText(value);
  if (typeof value === 'string') return escapeExpressions(value);
  if (Array.isArray(value))
    return value.map((item, index) => toYamlValue(item, [...path, String(index)], named));
  if (!isPlainObject(value)) return value as YamlValue;
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [
      escapeExpressions(member),
      toYamlValue(item as Value, [...path, member], named),
    ]),
  ) as YamlValue;
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
