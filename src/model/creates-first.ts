import type { Operation } from './plan.ts';
import type { Method } from './request.ts';

/**
 * True if the operations of a replacement create the new object before they delete the old one. Plans show this order,
 * because the object is then never missing. The requests of the kind decide it.
 */
export function createsFirst(operations: Operation[]): boolean {
  const findByMethod = (method: Method) =>
    operations.find(({ requests }) => requests.some(({ endpoint }) => endpoint.startsWith(method)));
  const creation = findByMethod('POST');
  const deletion = findByMethod('DELETE');
  if (!creation || !deletion) return false;
  if (creation !== deletion) return deletion.dependsOn.includes(creation.id);
  const methods = creation.requests.map(({ endpoint }) => endpoint.split(' ', 1)[0]);
  return methods.indexOf('POST') < methods.indexOf('DELETE');
}
