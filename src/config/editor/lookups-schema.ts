import type { FieldSchemas } from '../../kind/kind.ts';
import type { Lookup } from '../../kind/lookup.ts';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { openFieldsOf } from '../values/lookups.ts';
import { names } from './header-schemas.ts';
import { atMostOne, type JsonSchema } from './json-schema.ts';

const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };

/** `lookups` as the loader reads it: names, each with one lookup and what its object has to have. Without any lookup, all are taken. */
export function lookupsSchema(lookups: Iterable<Lookup>): JsonSchema {
  const all = [...lookups];
  return {
    type: 'object',
    description: 'Read-only lookups, used as `${lookup.name.field}`.',
    propertyNames: names('a lookup'),
    additionalProperties: {
      type: 'object',
      minProperties: 1,
      ...atMostOne,
      description: 'A lookup of the platform and its filters: see `trueup get --list`.',
      properties: Object.fromEntries(all.map((lookup) => [lookup.name, conditions(lookup)])),
      additionalProperties:
        all.length > 0 ? false : { type: ['object', 'null'], additionalProperties: scalar },
    },
  };
}

function conditions(lookup: Lookup): JsonSchema {
  const { doc, on, input, output } = lookup;
  const open = Object.fromEntries(openFieldsOf(lookup).map((name) => [name, output[name]!]));
  return {
    description: doc,
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      ...values(open),
      ...values(input),
      ...(on === undefined ? {} : { [on]: { ...scalar, description: `The ${on} that it is about.` } }),
    },
  };
}

/** What a word may be; known values are offered. */
const values = (schemas: FieldSchemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { known } = traitsOf(schema);
      return [
        name,
        { description: docOf(schema), ...(known ? { anyOf: [{ enum: [...known] }, scalar] } : scalar) },
      ];
    }),
  );
