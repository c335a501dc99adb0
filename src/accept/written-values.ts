import type * as z from 'zod';
import { findExpressiblePart, toDeclarable } from '../export/expressible.ts';
import { referencedNames, toYamlValue } from '../export/write-field.ts';
import { comparedFields, isSameValue } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { referenceOf, traitsOf } from '../kind/traits.ts';
import { canonicalJson } from '../model/digest.ts';
import { revealed } from '../model/sealed.ts';
import { type Fields, holesIn, isRef, isSecret, isSecretRef, mapHoles, type Value } from '../model/value.ts';
import type { WrittenValue } from './edit-value.ts';

/*
 * Converts live and desired values to written values: plain data as the YAML has it. `accept` compares the two to find the smallest edit.
 */

/**
 * Converts a live value to the form that it has in the YAML, so that `accept` can write it into a block.
 * Returns a problem if no YAML can express the value. A missing value becomes `null` if the field allows
 * that, else undefined, which removes the field.
 */
export function writeLiveValue(
  name: string,
  schema: z.ZodType | undefined,
  value: Value | undefined,
): { written: WrittenValue } | { problem: string } {
  if (!schema) return { problem: `\`${name}\` cannot be expressed in a configuration` };
  if (traitsOf(schema).file)
    return { problem: `\`${name}\` is the content of a file, which the platform does not return` };
  if (value === undefined || value === null)
    return { written: schema.safeParse(null).success ? null : undefined };
  const declarableValue = toDeclarable(schema, value) ?? value;
  if (referenceOf(schema) !== undefined && [declarableValue].flat().every(isRef))
    return { written: referencedNames(declarableValue) as WrittenValue };
  // The messages of the problems call the whole value `value`; the user reads the name of the field instead.
  const { part: expressibleValue, problems } = findExpressiblePart('value', schema, declarableValue, value);
  if (problems.length > 0 || expressibleValue === undefined)
    return { problem: problems.join('; ').replaceAll('`value', () => `\`${name}`) };
  return { written: writeHoles(expressibleValue) };
}

/**
 * Converts a desired value to the form that it has in the YAML. `trueup accept` compares it with the live value, to make the smallest edit
 * of the text, and copies it into new entries; so does `trueup diff --promote`. A secret and any other value that is known later, except a
 * reference, becomes a placeholder (`${a secret}`) that equals no live value, so that it counts as changed.
 */
export function writeDesiredValue(schema: z.ZodType | undefined, value: Value | undefined): WrittenValue {
  if (value === undefined) return undefined;
  if (schema && referenceOf(schema) !== undefined && [value].flat().every(isRef))
    return referencedNames(value) as WrittenValue;
  return writeHoles(value);
}

/**
 * Converts a value to the form that it has in the YAML, so that `accept` can compare the old and the new text of a field. Secrets and
 * expressions become texts in `${}`, which equal no live value.
 */
function writeHoles(value: Value): WrittenValue {
  const withoutHoles = mapHoles(value, (hole) => {
    if (isSecret(hole)) return '${a secret}';
    // A reference stays, because `toYamlValue` can write it as an expression.
    return isRef(hole) ? hole : '${an expression}';
  });
  return toYamlValue(withoutHoles as Value, [], () => '') as WrittenValue;
}

/** True if the order of lists in a field has no meaning, so that the items that stay keep their places in the text. */
export const isUnordered = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && traitsOf(schema).unordered === true;

/**
 * Returns the names of the fields that an object declares and the account has with another value, as far as both values are known. Leaves
 * out the target of a variable. Used to find out whether a target that was added outside may join an entry without getting wrong values.
 */
export function findDifferingNames(kind: Kind, declaredFields: Fields, liveFields: Fields): string[] {
  const schemas = comparedFields(kind);
  return Object.entries(declaredFields).flatMap(([name, value]) => {
    const liveValue = liveFields[name];
    // `addressFields` has the target.
    const isComparable =
      !kind.shape.addressFields.includes(name) &&
      schemas[name] !== undefined &&
      liveValue !== undefined &&
      !holesIn(value).some(isSecretRef);
    return isComparable && !isSameValue(value, liveValue, traitsOf(schemas[name]!)) ? [name] : [];
  });
}

/**
 * Returns a text that is equal for equal values. A secret equals a plain text with its value, because a text may become a secret through
 * another field.
 */
export const comparableText = (value: Value | undefined): string => canonicalJson(revealed(value ?? null));
