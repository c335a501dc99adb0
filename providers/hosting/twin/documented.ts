import * as z from 'zod';
import { type CatalogOperation, catalog } from '../catalog.ts';
import { Answer, type Call, type Query } from './call.ts';
import text from './documented.json?raw';
import { badRequest } from './errors.ts';
import type { Operation } from './resource.ts';
import { nameOf, operations } from './tables.ts';
import { parseBody } from './validate.ts';

/** A shape in `documented.json`: JSON Schema with only these keywords. */
export interface Shape {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | false;
  items?: Shape;
  anyOf?: Shape[];
  enum?: unknown[];
  const?: unknown;
  /** Any bytes, not JSON. */
  'x-bytes'?: true;
}

/** The documented form of an operation that no resource of the twin serves. Source: the public SDK, else the CLI. */
interface Documented {
  body?: Shape;
  /** True if a request may have no body. */
  optional?: true;
  answer?: Shape;
  /** The statuses of answers besides 200, 400, 401, 403 and 404. */
  statuses?: number[];
  query?: Record<string, string>;
  /** The query parameters that a request must have. */
  requires?: string[];
  /** True if no public source has the form, so that it is a plausible minimum. */
  isGuess?: true;
}

/** A documented form, with the operation that serves it. */
type Served = Documented & { operation: Operation };

/** The parsed `documented.json`, by the name of the operation; created on first use. */
let table: ReadonlyMap<string, Documented> | undefined;
/** Created on first use: the schemas are many, and a twin serves few of them. */
const servedByName = new Map<string, Served>();

/**
 * Returns the documented form of an operation that the twin has no code for (its query, body and answer), with a handler which answers
 * plausibly by that form. Undefined if there is none, or if the twin has code. So clients can call operations that no test needs to behave
 * exactly.
 */
export function documentedOf(operation: CatalogOperation): Served | undefined {
  table ??= new Map(Object.entries(JSON.parse(text) as Record<string, Documented>));
  const name = nameOf(operation);
  const documented = table.get(name);
  if (documented === undefined || Object.hasOwn(operations, name)) return undefined;
  const served = servedByName.get(name) ?? { ...documented, operation: operationOf(documented) };
  servedByName.set(name, served);
  return served;
}

/**
 * Returns the status of a successful answer: the first success among `statuses`, else 200. Not 304, because that answers only requests with
 * a condition.
 */
export const successOf = (statuses: readonly number[] = []): number =>
  statuses.find((status) => status < 400 && status !== 304) ?? 200;

/**
 * Returns an operation that is known only by its documented form. Its handler refuses a request without a required query parameter or with
 * an invalid body, and answers the documented members with minimal values of their types. It stores nothing.
 */
function operationOf(documented: Documented): Operation {
  const { body, optional, answer, statuses = [], query = {}, requires = [] } = documented;
  const schema = body && !body['x-bytes'] ? bodySchema(body, optional === true) : undefined;
  const status = successOf(statuses);
  return {
    ...(schema ? { body: schema } : {}),
    query: Object.fromEntries(
      Object.entries(query).map(([name, type]) => [name, parameter(type, requires.includes(name))]),
    ) as Query,
    statuses,
    ...(answer?.type === 'array' ? { list: '' } : answer ? {} : { answers: 'none' as const }),
    serve(call) {
      const missing = requires.find((name) => !['teamId', 'slug'].includes(name) && !call.query.has(name));
      if (missing !== undefined)
        throw badRequest(`Invalid request: missing required property \`${missing}\`.`);
      if (schema) parseBody(schema, call.body, call.outside);
      return new Answer(status, answer && leastOf(answer, '', call));
    },
  };
}

function bodySchema(shape: Shape, isOptional: boolean): z.ZodType {
  const schema = schemaOf(shape);
  return isOptional ? schema.optional() : schema;
}

/**
 * Converts a shape (the JSON Schema of a documented body) to a zod schema, by which the twin checks requests. Not done with
 * `z.fromJSONSchema`, because each start of the program would then load all of zod.
 */
export function schemaOf(shape: Shape): z.ZodType {
  const { type, items, anyOf } = shape;
  if (shape.const !== undefined) return z.literal(shape.const as string);
  if (shape.enum) return z.enum(shape.enum as string[]);
  if (anyOf) return z.union(anyOf.map(schemaOf));
  switch (type) {
    case 'object':
      return objectOf(shape);
    case 'array':
      return z.array(items ? schemaOf(items) : z.unknown());
    case 'string':
      return z.string();
    case 'number':
      return z.number();
    case 'integer':
      return z.int();
    case 'boolean':
      return z.boolean();
    case 'null':
      return z.null();
    default:
      return z.unknown();
  }
}

/** Converts the shape of an object to a zod schema: with its required and optional members, and with others if the shape allows them. */
function objectOf({ properties = {}, required = [], additionalProperties: otherMembers }: Shape): z.ZodType {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [
      name,
      required.includes(name) ? schemaOf(inner) : schemaOf(inner).optional(),
    ]),
  );
  if (otherMembers === false) return z.strictObject(members);
  return otherMembers ? z.object(members).catchall(schemaOf(otherMembers)) : z.looseObject(members);
}

/** Returns the schema of a query parameter. */
function parameter(type: string, isRequired: boolean): z.ZodType {
  const schema = type === 'number' ? z.number() : type === 'boolean' ? z.boolean() : z.string();
  return isRequired ? schema : schema.optional();
}

/**
 * Returns a minimal value of a shape (JSON Schema), for the answer of an operation without code: empty lists, zeros, and names as texts.
 * Where the path or the body of the request has a value of the same `name`, that is used, so that the answer fits the request.
 */
function leastOf(shape: Shape, name: string, call: Call): unknown {
  // A text with one line for each parameter of the path.
  if (shape['x-bytes'])
    return Buffer.from(
      Object.values(call.params)
        .map((param) => `${param}\n`)
        .join(''),
    );
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.anyOf) return leastOf(shape.anyOf[0]!, name, call);
  const requested =
    name === '' ? undefined : (call.params[name] ?? (call.body as Record<string, unknown> | null)?.[name]);
  switch (shape.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([member, inner]) => [
          member,
          leastOf(inner, member, call),
        ]),
      );
    case 'array':
      return [];
    case 'string':
      return typeof requested === 'string' ? requested : textOf(name, call);
    case 'number':
    case 'integer':
      return typeof requested === 'number' ? requested : /At$/.test(name) ? call.now() : 0;
    case 'boolean':
      return requested === true;
    default:
      return null;
  }
}

/**
 * Returns a plausible text for a member of an answer of an operation without code: the owner's id, the id in the path, or otherwise the
 * name of the member.
 */
function textOf(name: string, { owner, account, params }: Call): string {
  if (name === 'teamId' || name === 'accountId' || name === 'ownerId') return owner.id ?? account.user.id;
  if (name === 'id' || name === 'uid') return Object.values(params).at(-1) ?? `${name}_1`;
  return name;
}

/** Returns the operations that the twin serves by their documented form alone, in the order of the catalog. */
export const documentedOnly = (): CatalogOperation[] =>
  catalog.filter((operation) => documentedOf(operation) !== undefined);
