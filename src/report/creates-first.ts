import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Operation, Plan } from '../model/plan.ts';

/**
 * Makes a test for replacements: true if the new object is there before the old one goes. The requests say so, in the order in which they can
 * be sent.
 */
export function createsFirst({ operations }: Pick<Plan, 'operations'>): (address: Address) => boolean {
  const about = groupBy(
    operations.flatMap((operation) => operation.changes.map((address) => ({ address, operation }))),
    ({ address }) => address,
  );
  return (address) => {
    const own = (about.get(address) ?? []).map(({ operation }) => operation);
    const [first] = own.filter((one) => !own.some((other) => one.dependsOn.includes(other.id)));
    const write = first?.requests.find(({ endpoint }) => !endpoint.startsWith('GET '));
    return write !== undefined && !write.endpoint.startsWith('DELETE ') && deletesLater(own);
  };
}

/** What writes a whole document, or lists what goes in a body, does both at once. */
const deletesLater = (operations: Operation[]): boolean =>
  operations.some(({ requests }) => requests.some(({ endpoint }) => endpoint.startsWith('DELETE ')));
