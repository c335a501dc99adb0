import type { z } from 'zod';
import type { FieldSchemas } from '../kind/kind.ts';
import { innerOf, traitsOf } from '../kind/traits.ts';
import type { Live } from '../model/resource.ts';
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

export interface Known {
  secrets: ReadonlyMap<string, Sealed>;
  live: Live;
}

/**
 * Fields with everything filled in that is known while planning: secrets (sealed) and attributes of objects that exist.
 * Fields that are references stay addresses, on both sides; so the differ never meets a server's id.
 */
export function resolveFields(schemas: FieldSchemas, fields: Fields, known: Known): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      schemas[name] && isReference(schemas[name])
        ? value
        : (mapHoles(value, (hole) => resolveHole(hole, known)) as Value),
    ]),
  );
}

const isReference = (schema: z.ZodType): boolean => {
  const inner = innerOf(schema) ?? (schema.def as { element?: z.ZodType }).element;
  return traitsOf(schema).ref !== undefined || (inner !== undefined && isReference(inner));
};

function resolveHole(hole: Hole | Sealed, known: Known): Value {
  if (hole instanceof Sealed) return hole;
  if (isSecretRef(hole)) return known.secrets.get(hole.$secret) ?? hole;
  if (isRef(hole)) {
    const target = known.live.resources.get(hole.$ref);
    const value = hole.attr === 'id' ? target?.id : target?.fields[hole.attr];
    return value ?? hole;
  }
  if (!isJoin(hole)) return hole;
  const pieces = hole.$join.map((piece) => mapHoles(piece, (inner) => resolveHole(inner, known)) as Value);
  if (pieces.some((piece) => isHole(piece))) return { $join: pieces };
  const text = pieces.map((piece) => (piece instanceof Sealed ? piece.reveal() : String(piece))).join('');
  const secret = pieces.find((piece) => piece instanceof Sealed);
  return secret instanceof Sealed ? new Sealed(text, secret.secretName) : text;
}
