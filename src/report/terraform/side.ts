import type { Address } from '../../model/address.ts';
import { Sealed } from '../../model/sealed.ts';
import { isHole, isJoin, isPlainObject, isRef, isSecret, type Ref, type Value } from '../../model/value.ts';

/** Marks in the shape of a value: true where it applies. In objects what is not marked is left out, in lists it is false. */
export type Marks = boolean | Marks[] | { [name: string]: Marks };

/** One side of a change. An unknown value is left out, a secret one is null, as Terraform has its write-only attributes. */
export interface Side {
  value: unknown;
  unknown: Marks;
  sensitive: Marks;
}

/** The id that an address has on this side, where it has one already. */
export type IdOf = (address: Address) => string | undefined;

/** A value as Terraform writes it. */
export function sideOf(value: Value | undefined, idOf: IdOf): Side {
  if (value instanceof Sealed || isSecret(value)) return { value: null, unknown: false, sensitive: true };
  if (isHole(value)) {
    const known = isRef(value)
      ? idBehind(value, idOf)
      : isJoin(value)
        ? joined(value.$join, idOf)
        : undefined;
    return { value: known, unknown: known === undefined, sensitive: false };
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => sideOf(item, idOf));
    return {
      value: items.map((item) => item.value ?? null),
      unknown: items.map(({ unknown }) => unknown),
      sensitive: items.map(({ sensitive }) => sensitive),
    };
  }
  if (!isPlainObject(value)) return { value: value ?? null, unknown: false, sensitive: false };
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  const members = names.map((name) => [name, sideOf(value[name] as Value, idOf)] as const);
  const marks = (which: 'unknown' | 'sensitive') =>
    Object.fromEntries(
      members.flatMap(([name, side]) => (side[which] === false ? [] : [[name, side[which]]])),
    );
  return {
    value: Object.fromEntries(
      members.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
    ),
    unknown: marks('unknown'),
    sensitive: marks('sensitive'),
  };
}

/** Whether anything in it is marked. */
export const isMarked = (marks: Marks): boolean =>
  typeof marks === 'object' ? Object.values(marks).some(isMarked) : marks;

const idBehind = ({ $ref, attr }: Ref, idOf: IdOf) => (attr === 'id' ? idOf($ref) : undefined);

/** The text, once all pieces of it are known. */
function joined(pieces: Value[], idOf: IdOf): string | undefined {
  const known = pieces.map((piece) => sideOf(piece, idOf).value);
  return known.includes(undefined) ? undefined : known.map(String).join('');
}
