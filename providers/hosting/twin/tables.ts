import type { CatalogOperation } from '../catalog.ts';
import type { Account, AccountParts, ProjectParts } from './account.ts';
import type { Batch, Operation } from './resource.ts';
import { resources } from './resources.ts';

/** Returns the name of an operation in the tables of the twin: its operationId, or method and path if the catalog has none. */
export const nameOf = ({ operationId, method, path }: CatalogOperation): string =>
  operationId ?? `${method} ${path}`;

/** The operations of the catalog that a resource of the twin serves, by their names (`nameOf`). */
export const operations: Record<string, Operation> = Object.assign(
  {},
  ...resources.map((resource) => resource.operations),
);

/** The operations that only official clients call, by method and path. */
export const clientOperations: Record<string, Operation> = Object.assign(
  {},
  ...resources.map((resource) => resource.clientOperations),
);

/** The names of the operations of the catalog that a resource serves. `documented.ts` answers the others by their documented form alone. */
export const servedOperations: readonly string[] = Object.keys(operations);

/**
 * Returns one property of all operations of the twin, by the name of the operation: those that are lists, for example. Operations without
 * the property are left out.
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

/** The member of the answer that has the objects, for each operation that lists objects; '' if the answer itself is the array. */
export const lists = propertyByOperation((operation) => operation.list);

/** The batches, by operation: requests that can succeed in part. */
export const batches: Readonly<Record<string, Batch>> = propertyByOperation((operation) => operation.batch);

/** Returns what all resources store in an empty account. */
export const emptyAccount = (): AccountParts =>
  structuredClone(Object.assign({}, ...resources.map((resource) => resource.keeps?.account)));

/** Returns what all resources store in an empty project. */
export const emptyProject = (): ProjectParts =>
  structuredClone(Object.assign({}, ...resources.map((resource) => resource.keeps?.project)));

/** True if a resource stores objects under this name in the account or in projects, so that no client may write a member of this name. */
export const isKept = (name: string): boolean =>
  resources.some(({ keeps }) =>
    [keeps?.account, keeps?.project].some((parts) => parts && Object.hasOwn(parts, name)),
  );

/** Removes a deleted project from every object that refers to it, and drops the objects that existed only for it. */
export function forgetProject(account: Account, projectId: string): void {
  for (const resource of resources) resource.forget?.(account, projectId);
}
