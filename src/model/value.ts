import type { Address } from './address.ts';
import { mapMembers } from './members.ts';
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
export const isHole = (value: unknown): value is Hole => isObject(value) && holeIn(value);
const holeIn = ({ $ref, attr, $secret, $result, $join }: Record<string, unknown>): boolean =>
  (typeof $ref === 'string' && typeof attr === 'string') ||
  typeof $secret === 'string' ||
  typeof $result === 'number' ||
  Array.isArray($join);
/** An object that is data: no array, no hole, no sealed secret. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !holeIn(value);

/** A copy of `value` with every hole and sealed secret, however deep, replaced by what `fill` makes of it. */
export function mapHoles(value: unknown, fill: (hole: Hole | Sealed) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Sealed || isHole(value)) return fill(value);
  if (Array.isArray(value)) return value.map((item) => mapHoles(item, fill));
  return mapMembers(value as Record<string, unknown>, (item) => mapHoles(item, fill));
}

/** All holes in `value`, those inside a join included, joins themselves not. */
export function holesIn(value: unknown): Exclude<Hole, Join>[] {
  const found: Exclude<Hole, Join>[] = [];
  collectHoles(value, found);
  return found;
}

function collectHoles(value: unknown, found: Exclude<Hole, Join>[]): void {
  if (typeof value !== 'object' || value === null || value instanceof Sealed) return;
  if (Array.isArray(value)) for (const item of value) collectHoles(item, found);
  else if (isJoin(value)) for (const piece of value.$join) collectHoles(piece, found);
  else if (isHole(value)) found.push(value as Exclude<Hole, Join>);
  else for (const item of Object.values(value)) collectHoles(item, found);
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
