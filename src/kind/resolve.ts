import type { Resource } from '../model/resource.ts';
import { type Fields, fillHoles, type Known, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { withoutEmpty } from './empty-is-absent.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { comparedFields } from './leaves.ts';
import { referenceOf } from './traits.ts';

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
  return mapMembers(fields, (value, name) =>
    schemas[name] && referenceOf(schemas[name]) !== undefined ? value : (fillHoles(value, known) as Value),
  );
}
