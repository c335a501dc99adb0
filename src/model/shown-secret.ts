import type { Address } from './address.ts';
import { revealed, Sealed } from './sealed.ts';
import { type Fields, type Hole, holesIn, isRef, mapHoles, type Value } from './value.ts';

/** True for a hole that only the answer to the creation of `object` fills. */
const isShownBy = (hole: Hole, object: Address): boolean =>
  isRef(hole) && hole.$ref === object && hole.attr !== 'id';

/** Finds the fields that contain what the creation of `object` shows, each with the member of that answer. */
export const shownIn = (fields: Fields, object: Address): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const shown = holesIn(value).find((hole) => isShownBy(hole, object));
      return shown && isRef(shown) ? [[name, shown.attr]] : [];
    }),
  );

/** The form of a value that contains what the creation of `object` shows; see `SecretOf`. */
export const formOfSecret = (value: Value, object: Address): Value =>
  revealed(
    mapHoles(value, (hole) => {
      if (hole instanceof Sealed) return hole;
      if ('$join' in hole) return hole.$join.map((value) => formOfSecret(value, object));
      return isShownBy(hole, object) && isRef(hole) ? [hole.attr, { $ref: object, attr: 'id' }] : hole;
    }),
  ) as Value;
