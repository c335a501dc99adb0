import type * as z from 'zod';
import type { WrittenValue } from '../../accept/edit-value.ts';
import { escapeExpressions } from '../../config/expressions/parse-expressions.ts';
import { formatReferenceStep, referencedNames, toYamlValue } from '../../export/write-field.ts';
import { referenceOf } from '../../kind/traits.ts';
import type { Address } from '../../model/address.ts';
import { Sealed } from '../../model/sealed.ts';
import { isJoin, isLookupRef, isRef, isSecretRef, mapHoles, mapRefs, type Value } from '../../model/value.ts';

/** Thrown if a setting of A cannot be written into the YAML of B. The message says why, for people. */
export class CannotPromote extends Error {}

/** Why a secret text is not promoted. */
export const secretTextReason = 'its value is a secret text, which is not copied: use a secret of `secrets:`';

/**
 * Converts a value of A to the form that it has in the YAML of B: references name the objects of B, and other values that are known only
 * later (holes, such as `${secret.db}`) stay expressions. Throws `CannotPromote` for a text that is itself secret, because writing it would
 * publish it, and for a value that only a run knows.
 */
export function copyValue(
  schema: z.ZodType | undefined,
  value: Value | undefined,
  toAddressInB: (address: Address) => Address,
): WrittenValue {
  if (value === undefined) return undefined;
  const valueInB = mapRefs(value, toAddressInB);
  const isReferenceField = schema !== undefined && referenceOf(schema) !== undefined;
  if (isReferenceField && [valueInB].flat().every(isRef)) return referencedNames(valueInB) as WrittenValue;
  // In other fields, `toYamlValue` writes references as expressions.
  const toSealedExpression = (hole: unknown) => (isRef(hole) ? hole : new Sealed(toExpression(hole)));
  return writeSealedUnescaped(mapHoles(valueInB, toSealedExpression) as Value);
}

/** Converts a value to the form of the YAML. Sealed texts in it are written unescaped, so that `${secret.db}` stays an expression. */
const writeSealedUnescaped = (value: Value): WrittenValue =>
  toYamlValue(value, [], (_, sealed) => sealed!.reveal()) as WrittenValue;

/** Returns the text in the YAML for a value that is known only later, such as `${secret.db}`. Throws `CannotPromote` for a secret text. */
function toExpression(hole: unknown): string {
  if (hole instanceof Sealed) throw new CannotPromote(secretTextReason);
  if (isSecretRef(hole)) {
    // A secret with keys is named like `db[password]`.
    const [, name, key] = /^([^[]*)(?:\[(.*)\])?$/s.exec(hole.$secret)!;
    return `\${secret${formatReferenceStep(name!)}${key === undefined ? '' : formatReferenceStep(key)}}`;
  }
  if (isLookupRef(hole))
    return `\${lookup${formatReferenceStep(hole.$lookup)}.${hole.attr}${hole.isOptional ? '?' : ''}}`;
  if (isRef(hole)) return writeSealedUnescaped(hole) as string;
  if (!isJoin(hole)) throw new CannotPromote('its value is known only in a run');
  return hole.$join
    .map((piece) =>
      typeof piece === 'object' && piece !== null ? toExpression(piece) : escapeExpressions(String(piece)),
    )
    .join('');
}
