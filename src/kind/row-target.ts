import type { Address } from '../model/address.ts';
import { type Fields, isRef, type Value } from '../model/value.ts';
import type { Kind } from './kind.ts';

/** True if one row of the platform can hold several declared objects, each in a target of its own: a variable in production and preview. */
export const hasTargets = ({ shape }: Kind): boolean => shape.rowPositionsOf !== undefined;

/**
 * Returns the target of a unit, the values of its address fields: for a variable `production`, `preview:BRANCH`, or the id of a custom
 * environment, because an id stays the same after a rename. The platform may keep a variable for several targets as one row. The ledger
 * keeps the targets of each row, so that later plans notice targets that somebody has added. `idOf`: returns the id of an environment.
 */
export const targetOf = (
  { shape }: Kind,
  fields: Fields,
  idOf: (address: Address) => Value | undefined,
): string =>
  shape.addressFields
    .map((name) => fields[name])
    .filter((value) => value !== undefined && value !== null && value !== '')
    .map((value) => String(isRef(value) ? (idOf(value.$ref) ?? value.$ref) : value))
    .join(':');

/**
 * Returns the fields of a row (one platform object of a variable) that give its value to more targets than the declared ones, which a plan
 * reports as drift.
 */
export const wideningFields = ({ shape }: Kind, fields: Fields): string[] =>
  (shape.widenedBy ?? []).filter((name) => fields[name] === true);
