import * as z from 'zod';
import type { CatalogOperation } from '../../catalog.ts';
import type { Query } from '../call.ts';
import { documentedOf } from '../documented.ts';
import type { Operation } from '../resource.ts';
import { nameOf, operations } from '../tables.ts';

const refusals: Record<number, [name: string, description: string]> = {
  400: ['BadRequest', 'The request is wrong in itself.'],
  401: ['Unauthorized', 'There is no token.'],
  403: ['Forbidden', 'The token is not the right one, or the object is not for it to change.'],
  404: ['NotFound', 'There is no such object in this scope.'],
  409: ['Conflict', 'Another object, or the state of this one, is in the way.'],
  412: ['PreconditionFailed', 'The object has changed since it was read.'],
  429: ['RateLimited', 'Too many requests; only with --rate-limits real or assumed.'],
  501: ['NotImplemented', 'The platform can do this, the twin cannot.'],
};
const otherFailure: [name: string, description: string] = ['Refused', 'Any other failure.'];

const number = { schema: { type: 'integer' } };
const rateLimitHeaders = {
  'retry-after': { ...number, description: 'Seconds.' },
  'x-ratelimit-limit': number,
  'x-ratelimit-remaining': number,
  'x-ratelimit-reset': { ...number, description: 'Seconds since 1970.' },
};

const json = (schema: object) => ({ 'application/json': { schema } });

const text = { type: 'string' };
const flat = {
  type: 'object',
  properties: { code: text, message: text },
  required: ['code', 'message'],
};

/** The error objects, see `errorBody`: registrar operations answer a flat one. */
export const errorSchemas = {
  Error: { type: 'object', properties: { error: flat }, required: ['error'] },
  RegistrarError: {
    ...flat,
    properties: { status: { type: 'integer' }, ...flat.properties },
    required: ['status', ...flat.required],
  },
};

const styles = [
  { prefix: '', schema: 'Error' },
  { prefix: 'Registrar', schema: 'RegistrarError' },
];

/** The answers with errors, in both forms of the error object. The operations of the document refer to them. */
export const refusalResponses = Object.fromEntries(
  styles.flatMap(({ prefix, schema }) =>
    [...Object.values(refusals), otherFailure].map(([name, description]) => [
      prefix + name,
      {
        description,
        ...(name === 'RateLimited' ? { headers: rateLimitHeaders } : {}),
        content: json({ $ref: `#/components/schemas/${schema}` }),
      },
    ]),
  ),
);

const descriptions: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done, or there is nothing to show.',
  304: 'Nothing has changed.',
};

/**
 * Returns a successful answer of an operation as the twin's OpenAPI document describes it: a sentence, and the media type of its body if there is
 * one.
 */
function success({ list, answers = list === '' ? 'array' : 'object' }: Operation, status: number): object {
  const description = descriptions[status] ?? 'Done.';
  if (status === 204 || status === 304 || answers === 'none') return { description };
  return { description, content: json({ type: answers }) };
}

/**
 * Returns the answers that the twin's OpenAPI document lists for an operation, by status: its successes, and the refusals that any such
 * operation can have. `isNamed`: the path or the query names an object, so the answer can be 404.
 */
export function responsesOf(
  operation: Operation,
  { group, isNamed }: { group: string; isNamed: boolean },
): Record<string, object> {
  const declared = operation.statuses ?? [];
  const successes = declared.filter((status) => status < 400);
  const failures = [400, 401, 403, ...declared.filter((status) => status >= 400)];
  if (isNamed && !operation.isAlwaysFound) failures.push(404);
  failures.push(429);
  const prefix = group === 'domains-registrar' ? 'Registrar' : '';
  const refusal = ([refused]: [string, string]) => ({ $ref: `#/components/responses/${prefix}${refused}` });
  return {
    ...Object.fromEntries(
      (successes.length > 0 ? successes : [200]).map((status) => [status, success(operation, status)]),
    ),
    ...Object.fromEntries(
      [...new Set(failures)].map((status) => [status, refusal(refusals[status] ?? otherFailure)]),
    ),
    default: refusal(otherFailure),
  };
}

/**
 * Converts a zod schema of the twin to the form that an OpenAPI 3.1 document has. Checks that are functions have no such form, so the twin
 * refuses more bodies than the document says.
 */
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

/**
 * Returns the parameters that the twin's OpenAPI document lists for an operation: those in its path, `teamId` and `slug` (every operation
 * takes them to name the team), and those of its query.
 */
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

const byForm = 'Answered by its documented form, with the least values; nothing is kept.';
const guessed =
  'No public source has its form: what it takes and answers is a plausible least. Nothing is kept.';

const takenAsAnswered =
  'No public source has what it takes: what answers have, and is no doing of the platform, is taken.';

const bytes = { 'application/octet-stream': { schema: {} } };

/**
 * Returns one operation of the OpenAPI document by which the twin describes itself, from the twin's own schemas, so that document and
 * behaviour cannot differ. `path` has the document's parameter names, because the catalog's may differ. Throws an `Error` for an operation
 * that nothing serves.
 */
export function openApiOperation(operation: CatalogOperation, path: string, operationId: string): object {
  const { group } = operation;
  const documented = documentedOf(operation);
  const served = documented?.operation ?? operations[nameOf(operation)];
  if (!served)
    throw new Error(
      `Nothing serves ${operation.method} ${operation.path}: no resource of the twin has ${nameOf(operation)}, and documented.json no form of it.`,
    );
  const { body, query = {} } = served;
  const takesBytes = documented?.body?.['x-bytes'] === true;
  const isNamed = path.includes('{') || Object.values(query).some(isRequired);
  return {
    operationId,
    tags: [group],
    ...(documented ? { description: documented.isGuess ? guessed : byForm } : {}),
    ...(served.isGuess ? { description: takenAsAnswered } : {}),
    parameters: parametersOf(query, path),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: isRequired(body),
            content: { 'application/json': { schema: schemaOf(body) } },
          },
        }),
    ...(served.takes === 'bytes' ? { requestBody: { required: true, content: bytes } } : {}),
    ...(takesBytes ? { requestBody: { content: bytes } } : {}),
    responses: responsesOf(served, { group, isNamed }),
  };
}
