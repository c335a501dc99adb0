import type { CatalogOperation } from './catalog.ts';

const group = 'outside of the catalog';

/**
 * Operations that kinds need and the catalog does not have. They are not among those that `trueup api` calls, and not counted.
 * Source: the platform's Terraform provider and its command line, which call them.
 */
export const outsideCatalog: readonly CatalogOperation[] = [
  { group, method: 'POST', path: '/v9/projects/{idOrName}/link', operationId: null },
  { group, method: 'DELETE', path: '/v9/projects/{idOrName}/link', operationId: null },
  { group, method: 'GET', path: '/v1/storage/stores', operationId: null },
];
