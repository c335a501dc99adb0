import type { z } from 'zod';
import { openApi, servedOperations } from '../../providers/hosting/twin/index.ts';
import { route } from '../../providers/hosting/twin/router.ts';
import { nameOf } from '../../providers/hosting/twin/tables.ts';

export type Schema = Parameters<typeof z.fromJSONSchema>[0];
export interface Operation {
  operationId: string;
  description?: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; schema: Schema; $ref?: string }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: { 'application/json': { schema: Schema } }; $ref?: string }>;
}

export const document = openApi('1.2.3');

/** All operations, with the twin's name for the one that their method and path lead to. */
export const every = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
    const found = route(method.toUpperCase(), path)!.operation;
    return { method: method.toUpperCase(), path, operation, found, name: nameOf(found) };
  }),
);
/** Those that a resource of the twin serves; the others are answered by their documented form. */
export const operations = every.filter(({ name }) => servedOperations.includes(name));
export const bodySchema = (operation: Operation) =>
  operation.requestBody?.content['application/json']?.schema;
