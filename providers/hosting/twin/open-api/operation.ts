import * as z from 'zod';
import type { CatalogOperation } from '../../catalog.ts';
import type { Query } from '../call.ts';
import { nameOf, operations } from '../tables.ts';
import { responsesOf } from './responses.ts';

/** A zod schema as OpenAPI 3.1 has schemas. Checks that are functions have no such form: the twin refuses more than this. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    // A reference would have to point into the whole document.
    cycles: 'throw',
    reused: 'inline',
  });
  return json;
}

const isRequired = (schema: z.ZodType) => !schema.safeParse(undefined).success;

const paramsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param!);

const scopeParameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

function parametersOf(query: Query, path: string): object[] {
  const inPath = paramsIn(path);
  return [
    ...inPath.map((param) => ({ name: param, in: 'path', required: true, schema: { type: 'string' } })),
    ...(inPath.includes('teamId') ? [] : [scopeParameter('teamId')]),
    scopeParameter('slug'),
    ...Object.entries(query).map(([param, schema]) => ({
      name: param,
      in: 'query',
      required: isRequired(schema),
      schema: schemaOf(schema),
    })),
  ];
}

/** One operation of the document. `path` has the names of its parameters, which may differ from the catalog's. */
export function openApiOperation(operation: CatalogOperation, path: string, operationId: string): object {
  const { group, method } = operation;
  const served = operations[nameOf(operation)]!;
  const { body, query = {} } = served;
  const isNamed = path.includes('{') || Object.values(query).some(isRequired);
  return {
    operationId,
    tags: [group],
    parameters: parametersOf(query, path),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: isRequired(body),
            content: { 'application/json': { schema: schemaOf(body) } },
          },
        }),
    responses: responsesOf(served, { group, method, isNamed }),
  };
}
