import type { Address } from '../model/address.ts';
import { mapMembers } from '../model/members.ts';
import type { Resource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import {
  type Fields,
  type Hole,
  isHole,
  isJoin,
  isRef,
  isSecretRef,
  mapHoles,
  type Value,
} from '../model/value.ts';
import { withoutEmpty } from './empty-is-absent.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { comparedFields } from './leaves.ts';
import { referenceOf } from './traits.ts';

/** What is known by now: while planning, and again when something was applied. */
export interface Known {
  secrets: ReadonlyMap<string, Sealed>;
  /** An attribute of an object that exists. */
  attribute(address: Address, attr: string): Value | undefined;
}

/**
 * Wanted fields as they are compared and recorded: with everything filled in that is known, in the kind's normal form.
 * Fields that are references stay addresses, on both sides; so the differ never meets a server's id.
 */
export function knownFields(
  kind: Kind,
  { fields, parent }: Pick<Resource, 'fields' | 'parent'>,
  known: Known,
) {
  const schemas = comparedFields(kind);
  const resolved = withoutEmpty(schemas, resolveFields(schemas, fields, known));
  return kind.rules.normal?.(resolved, parent) ?? resolved;
}

function resolveFields(schemas: FieldSchemas, fields: Fields, known: Known): Fields {
  const resolve = (hole: Hole | Sealed) => resolveHole(hole, known);
  return mapMembers(fields, (value, name) =>
    schemas[name] && referenceOf(schemas[name]) !== undefined ? value : (mapHoles(value, resolve) as Value),
  );
}

function resolveHole(hole: Hole | Sealed, known: Known): Value {
  if (hole instanceof Sealed) return hole;
  if (isSecretRef(hole)) return known.secrets.get(hole.$secret) ?? hole;
  if (isRef(hole)) return known.attribute(hole.$ref, hole.attr) ?? hole;
  if (!isJoin(hole)) return hole;
  const pieces = hole.$join.map((piece) => mapHoles(piece, (inner) => resolveHole(inner, known)) as Value);
  if (pieces.some((piece) => isHole(piece))) return { $join: pieces };
  const text = pieces.map((piece) => (piece instanceof Sealed ? piece.reveal() : String(piece))).join('');
  const secret = pieces.find((piece) => piece instanceof Sealed);
  return secret instanceof Sealed ? new Sealed(text, secret.secretName) : text;
}
