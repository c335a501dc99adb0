import type { Address } from './address.ts';
import { Sealed } from './sealed.ts';

/** Another resource's attribute, its `id` unless `attr` says otherwise; known once that resource exists. */
export interface Ref {
  $ref: Address;
  attr: string;
}
/** A value from `secrets:`; resolved outside the plan, by name. */
export interface SecretRef {
  $secret: string;
}
/** Part of the answer to an earlier request of the same operation. */
export interface Result {
  $result: number;
  path: Path;
}
/** Text made of pieces, some of which are holes: `"https://${projects.web.id}.example.com"`. */
export interface Join {
  $join: Value[];
}
/** A value that is not known while planning. */
export type Hole = Ref | SecretRef | Result | Join;

/** JSON, plus holes, plus sealed secrets. */
export type Value = null | boolean | number | string | Hole | Sealed | Value[] | { [name: string]: Value };
export type Fields = Record<string, Value>;

/** Steps into a JSON value: a member, an index (negative from the end), or the last item whose members equal these. */
export type Path = (string | number | Record<string, unknown>)[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Sealed);

// A `$ref` alone is the user's own data: JSON Schema has them.
export const isRef = (value: unknown): value is Ref =>
  isObject(value) && typeof value.$ref === 'string' && typeof value.attr === 'string';
export const isSecretRef = (value: unknown): value is SecretRef =>
  isObject(value) && typeof value.$secret === 'string';
export const isResult = (value: unknown): value is Result =>
  isObject(value) && typeof value.$result === 'number';
export const isJoin = (value: unknown): value is Join => isObject(value) && Array.isArray(value.$join);
export const isHole = (value: unknown): value is Hole =>
  isObject(value) && (isRef(value) || isSecretRef(value) || isResult(value) || isJoin(value));
/** An object that is data: no array, no hole, no sealed secret. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !isHole(value);

/** A copy of `value` with every hole and sealed secret, however deep, replaced by what `fill` makes of it. */
export function mapHoles(value: unknown, fill: (hole: Hole | Sealed) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Sealed || isHole(value)) return fill(value);
  if (Array.isArray(value)) return value.map((item) => mapHoles(item, fill));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapHoles(item, fill)]));
}

/** All holes in `value`, those inside a join included, joins themselves not. */
export function holesIn(value: unknown): Exclude<Hole, Join>[] {
  const found: Exclude<Hole, Join>[] = [];
  mapHoles(value, (hole) => {
    if (hole instanceof Sealed) return hole;
    if (isJoin(hole)) found.push(...hole.$join.flatMap(holesIn));
    else found.push(hole);
    return hole;
  });
  return found;
}

/** Whether a value is, or contains, something secret: then all of it is. */
export function isSecret(value: unknown): boolean {
  if (value instanceof Sealed) return true;
  return isJoin(value) ? value.$join.some(isSecret) : isSecretRef(value);
}

/** What `path` leads to in `value`; undefined where it leads nowhere. */
export function lookUp(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) {
      if (typeof step === 'object')
        return at.findLast((item) => isObject(item) && Object.entries(step).every(([k, v]) => item[k] === v));
      return at.at(Number(step));
    }
    return isObject(at) && typeof step !== 'object' ? at[step] : undefined;
  }, value);
}
