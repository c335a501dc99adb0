import { type CatalogOperation, catalog } from '../../catalog.ts';
import { errorSchemas, openApiOperation, refusalResponses } from './operation.ts';

/** The path at which a running twin serves its document, without a token. */
export const openApiPath = '/__twin/openapi.json';

/** An OpenAPI 3.1 document, with the members that code of this project reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, object>>;
  [member: string]: unknown;
}

const description = [
  'A local twin of a hosting platform, for trials and tests: it is not the platform itself and not made by its vendor.',
  'The document is derived from what the twin checks and reads; answers have the shapes that the platform documents.',
  'The version in a path does not count, except where two operations differ in nothing else. The twin refuses more than',
  'a schema can say. An operation whose description says so is answered by its form alone, and keeps nothing. Members that no schema here has are refused; a lenient twin takes, keeps, and lists them at GET /__twin/outside.',
  'The requests that it has had: GET /__twin/requests.',
].join(' ');

const scope = (description: string) => ({
  in: 'query',
  required: false,
  description,
  schema: { type: 'string' },
});

const components = {
  parameters: {
    teamId: { name: 'teamId', ...scope('The id of the team that the request is for.') },
    slug: { name: 'slug', ...scope('The slug of the team that the request is for, instead of its id.') },
  },
  schemas: errorSchemas,
  responses: refusalResponses,
  securitySchemes: {
    token: { type: 'http', scheme: 'bearer', description: 'Any, unless the twin was given one.' },
  },
};

/**
 * Returns a name for an operation to which the catalog gives none, because each operation of an OpenAPI document needs one: `PUT
 * /ai-gateway/budgets` becomes `putAiGatewayBudgets`.
 */
function derivedId({ method, path }: CatalogOperation): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/\W+/)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/**
 * Returns each operation with its path in the OpenAPI document. A document has each path once. So if paths differ only in the names of
 * their parameters, as `/projects/{id}` and `/projects/{name}` do, all get the names of the first.
 */
function withPaths(operations: readonly CatalogOperation[]): { operation: CatalogOperation; path: string }[] {
  const first = new Map<string, string>();
  return operations.map((operation) => {
    const shape = operation.path.replaceAll(/\{\w+\}/g, '{}');
    const path = first.get(shape) ?? operation.path;
    first.set(shape, path);
    return { operation, path };
  });
}

/**
 * Returns the OpenAPI document of the twin, with every operation of the catalog. Tests compare requests with it, and generators of clients
 * read it from the running twin. `version`: that of trueup.
 */
export function openApi(version: string): OpenApiDocument {
  const ids = new Set<string>();
  const paths: OpenApiDocument['paths'] = {};
  for (const { operation, path } of withPaths(catalog)) {
    // The catalog has some names twice, under two prefixes.
    const { operationId: catalogId } = operation;
    const id = catalogId === null || ids.has(catalogId) ? derivedId(operation) : catalogId;
    ids.add(id);
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = openApiOperation(operation, path, id);
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Twin of the hosting platform', version, description },
    servers: [{ url: '/', description: 'The twin that serves this document.' }],
    security: [{ token: [] }],
    tags: [...new Set(catalog.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components,
  };
}
