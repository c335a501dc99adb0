import type { Bodies } from './call.ts';

/** The schema of every request body that the twin checks, by the catalog's operationId. */
export const bodies: Bodies = {};
