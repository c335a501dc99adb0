import type { Address } from './address.ts';
import { revealed, Sealed } from './sealed.ts';
import { type Fields, type Hole, holesIn, isRef, mapHoles, type Value } from './value.ts';

/** True for a hole that is filled by the answer to the creation of `object`, other than its id. */
const isShownBy = (hole: Hole, object: Address): boolean =>
  isRef(hole) && hole.$ref === object && hole.attr !== 'id';

/**
 * Returns the fields of a variable that take the secret of `object` (`$secretTo`), each with the name of the member that has the secret in
 * the answer to the creation of `object`. The platform shows it only there, so the run has to write these fields next. Until then, a hole
 * (a reference to be filled) stands for it in the field.
 */
export const shownIn = (fields: Fields, object: Address): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const shownHole = holesIn(value).find((hole) => isShownBy(hole, object));
      return shownHole && isRef(shownHole) ? [[name, shownHole.attr]] : [];
    }),
  );

/**
 * Returns a form of a value with the secret of another object (`$secretTo`), such as `key=${secret}`, that a later plan can make again. The
 * platform shows that secret only once, when `object` is created. So in its place, the form has the name of the secret and the id of
 * `object`, and a text made of pieces (`$join`) is the list of these. The ledger keeps a digest of the form, by which a plan notices
 * another text around the secret, or another object. The digest needs the text of other secrets in the value, so they are revealed.
 */
export const formOfSecret = (value: Value, object: Address): Value =>
  revealed(
    mapHoles(value, (hole) => {
      if (hole instanceof Sealed) return hole;
      if ('$join' in hole) return hole.$join.map((value) => formOfSecret(value, object));
      return isShownBy(hole, object) && isRef(hole) ? [hole.attr, { $ref: object, attr: 'id' }] : hole;
    }),
  ) as Value;
