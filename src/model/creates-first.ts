import type { Operation } from './plan.ts';
import type { Method } from './request.ts';

/** True if these operations of a replacement make the new object before the old one goes; the requests say so. */
export function createsFirst(operations: Operation[]): boolean {
  const at = (method: Method) => {
    const index = operations.findIndex(({ requests }) =>
      requests.some(({ endpoint }) => endpoint.startsWith(method)),
    );
    return operations[index];
  };
  const [made, gone] = [at('POST'), at('DELETE')];
  if (!made || !gone) return false;
  if (made !== gone) return gone.dependsOn.includes(made.id);
  const methods = made.requests.map(({ endpoint }) => endpoint.split(' ', 1)[0]);
  return methods.indexOf('POST') < methods.indexOf('DELETE');
}
