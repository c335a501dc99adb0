import type { CatalogOperation } from '../catalog.ts';
import type { Account, AccountParts, ProjectParts } from './account.ts';
import type { Batch, Operation } from './resource.ts';
import { resources } from './resources.ts';

/** The name under which an operation is kept: its operationId, or method and path if the catalog gives it none. */
export const nameOf = ({ operationId, method, path }: CatalogOperation): string =>
  operationId ?? `${method} ${path}`;

/** The operations of the catalog that the twin serves, by their names. */
export const operations: Record<string, Operation> = Object.assign(
  {},
  ...resources.map((resource) => resource.operations),
);

/** The operations that only official clients call, by method and path. */
export const clientOperations: Record<string, Operation> = Object.assign(
  {},
  ...resources.map((resource) => resource.clientOperations),
);

/** The operations that the twin serves, by the catalog's operationId. */
export const servedOperations: readonly string[] = Object.keys(operations);

/**
 * Returns one property of all operations of the twin, by the name of the operation: those that are lists, for example. Operations without the
 * property are left out.
 */
function propertyByOperation<T>(
  member: (operation: Operation) => T | undefined,
): Readonly<Record<string, T>> {
  const values = Object.entries(operations).flatMap(([name, operation]): [string, T][] => {
    const value = member(operation);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values);
}

/** The reads that answer many objects, and the member that holds them; '' where the answer is the array. */
export const lists = propertyByOperation((operation) => operation.list);

/** The operations that can be done in part. */
export const batches: Readonly<Record<string, Batch>> = propertyByOperation((operation) => operation.batch);

/** The parts of an empty account, of all resources. */
export const emptyAccount = (): AccountParts =>
  structuredClone(Object.assign({}, ...resources.map((resource) => resource.keeps?.account)));

/** The parts of an empty project, of all resources. */
export const emptyProject = (): ProjectParts =>
  structuredClone(Object.assign({}, ...resources.map((resource) => resource.keeps?.project)));

/** True if a resource keeps something under this name. */
export const isKept = (name: string): boolean =>
  resources.some(({ keeps }) =>
    [keeps?.account, keeps?.project].some((parts) => parts && Object.hasOwn(parts, name)),
  );

/** Removes a deleted project from every object that refers to it, and drops the objects that existed only for it. */
export function forgetProject(account: Account, projectId: string): void {
  for (const resource of resources) resource.forget?.(account, projectId);
}
