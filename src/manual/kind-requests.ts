import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { writeRequests } from '../kind/write.ts';
import { groupBy } from '../model/graph.ts';
import type { Endpoint } from '../model/request.ts';

/** What a kind uses an endpoint for. `wait`: to let the platform check if a new object is ready. */
export type When = 'list' | 'read' | 'create' | 'update' | 'move' | 'delete' | 'promote' | 'wait';

/** An endpoint that a kind uses, and what for. */
export interface KindRequest {
  endpoint: Endpoint;
  when: When[];
}

/** All uses of a request, in the order in which the manual lists them. */
export const whens: When[] = ['list', 'read', 'create', 'update', 'move', 'delete', 'promote', 'wait'];

/**
 * Returns the endpoints that a kind uses, each with its purposes (list, read, create, ...), in the order of their first use. Shown on the
 * manual page of the kind, and used to count which operations of the API are covered and which permissions a token needs. `document`:
 * one request writes this collection and others as a whole. `staging`: changes take effect when a version is promoted.
 */
export function requestsOf(kind: Kind): KindRequest[] {
  const { fields, read, shape } = kind;
  const { staging, document } = shape;
  const isList = read.items !== undefined;
  const readEndpoints = [read.endpoint ?? []].flat();
  // An update follows the creation if the creation does not accept all fields.
  const isCreatedInTwo = kind.create && Object.values(fields).some((schema) => traitsOf(schema).updateOnly);
  const writtenDocument = document ? [document.endpoint] : [];
  const endpoints: Record<When, Endpoint[]> = {
    list: [...(staging ? [staging.versions] : []), ...(isList ? readEndpoints : [])],
    read: [
      ...(isList ? [] : readEndpoints),
      ...[read.single, read.byId, read.later?.check].flatMap((each) => each?.endpoint ?? []),
    ],
    create: [
      ...writtenRequests(kind.create),
      ...(isCreatedInTwo ? writtenRequests(kind.update) : []),
      ...(kind.create ? writtenDocument : []),
    ],
    update: [...writtenRequests(kind.update), ...(kind.create ? [] : writtenDocument)],
    move: writtenRequests(kind.move),
    delete: writtenRequests(kind.delete),
    promote: staging ? [staging.promote] : [],
    wait: [read.later?.ask ?? []].flat(),
  };
  const used = whens.flatMap((when) => endpoints[when].map((endpoint) => ({ endpoint, when })));
  return [...groupBy(used, ({ endpoint }) => endpoint)].map(([endpoint, uses]) => ({
    endpoint,
    when: whens.filter((when) => uses.some((use) => use.when === when)),
  }));
}

const writtenRequests = (write: Kind['create']) =>
  write === undefined ? [] : writeRequests(write).map(({ endpoint }) => endpoint);
