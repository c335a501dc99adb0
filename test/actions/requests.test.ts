import { afterAll, beforeAll, expect } from 'vitest';
import type * as z from 'zod';
import { hosting } from '../../providers/hosting/index.ts';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { composeRequest } from '../../src/action/compose-request.ts';
import type { FieldSchemas } from '../../src/kind/kind.ts';
import type { Connection } from '../../src/kind/provider.ts';
import { traitsOf } from '../../src/kind/traits.ts';
import { operationOf } from '../../src/manual/coverage.ts';
import type { Endpoint, Request } from '../../src/model/request.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

/*
 * What actions and lookups send is what the catalog has: the request that arrives at the twin has its method and path. And the twin, whose
 * bodies and queries are the public SDK's, refuses none of them for its form.
 */

const actionsAndLookups = await hosting.actionsAndLookups();
const operations = [...(await hosting.operations()), ...(await hosting.extraOperations())];
const seed = {
  team: { id: 'team_1', slug: 'acme' },
  projects: [{ id: 'prj_1', name: 'web', deployments: [{ id: 'dpl_1' }] }],
};
let twin: Twin;
let connection: Connection;
beforeAll(async () => {
  twin = await startTwin({ token: 't', seed });
  connection = await hosting.connect({ baseUrl: twin.url, token: 't', scope: { team: 'acme' } });
  await connection.owner();
});
afterAll(async () => {
  await connection.close();
  await twin.close();
});

interface Def {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  shape?: FieldSchemas;
  options?: z.ZodType[];
  entries?: Record<string, unknown>;
  values?: unknown[];
}

/** Values that the SDK wants where a schema takes any. */
const given: Record<string, unknown> = {
  subject: { type: 'app' },
  schemas: { log: { version: 'v1' } },
  delivery: { type: 'http', endpoint: 'https://example.com', encoding: 'json', headers: {} },
  scope: { type: 'project', projectIds: ['prj_1'] },
  authorizationDetails: [{ type: 'a' }],
  granularity: { hours: 1 },
  purpose: 'ai-gateway',
  projectId: 'prj_1',
  aiGatewayQuota: { limitAmount: 1 },
  currentRoute: { name: 'a', pathCondition: { value: '/', syntax: 'equals' }, actions: [{ type: 'block' }] },
  injectionRules: [{ domain: 'a.com', headers: {} }],
  acceptedPolicies: { neon: { eula: 'a', privacy: 'b' } },
  paidFeatures: {},
};

/** One value of a schema: all members of an object, the first of several choices. */
function sampleOf(schema: z.ZodType, name: string): unknown {
  const def = schema.def as unknown as Def;
  if (Object.hasOwn(given, name)) return given[name];
  const { knownValues } = traitsOf(schema);
  if (knownValues) return knownValues[0];
  if (def.innerType) return sampleOf(def.innerType, name);
  if (def.values) return def.values[0];
  if (def.entries) return Object.values(def.entries)[0];
  if (def.options) return sampleOf(def.options[0]!, name);
  if (def.shape) return samplesOf(def.shape);
  if (def.element) return [sampleOf(def.element, name)];
  if (def.type === 'number' || def.type === 'int') return 1;
  if (def.type === 'boolean') return true;
  if (def.type === 'record') return { a: 'b' };
  return def.type === 'any'
    ? {}
    : /^(since|until|startTime|endTime)$/.test(name)
      ? '2026-01-01T00:00:00Z'
      : 'x1';
}
const samplesOf = (schemas: FieldSchemas) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, sampleOf(schema, name)]));

const ids = (on: string | undefined): Map<string, string> => {
  const kind = hosting.kinds.find(({ name }) => name === on);
  return kind ? new Map([...ids(kind.parent), [kind.name, `${kind.name}_1`]]) : new Map();
};

interface Arrived {
  name: string;
  method: string;
  path: string;
  status: number;
  said: string;
}

async function arrival(name: string, request: Request): Promise<Arrived> {
  const before = twin.requests.length;
  let said = '';
  await connection.send(request).catch((error: Error) => {
    said = error.message;
  });
  const arrived = twin.requests.slice(before);
  expect(arrived, `${name}: ${request.endpoint} ${said}`).toHaveLength(1);
  const { method, path, status } = arrived[0]!;
  return { name, method, path: path.split('?')[0]!, status, said };
}

function expectCatalog({ name, method, path }: Arrived, endpoint: Endpoint): void {
  const operation = operationOf(endpoint, operations)!;
  // The log of the twin does not show tokens.
  const filled = operation.path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.');
  expect(`${method} ${path}`, name).toMatch(new RegExp(`^${operation.method} ${filled}$`));
}

story(
  'the request of each action arrives under the method and path of the catalog, in a form that the SDK knows',
  async () => {
    const refused: string[] = [];
    for (const action of actionsAndLookups.actions.values()) {
      const { name, endpoint, body, on } = action;
      const input = samplesOf(action.input);
      const known = ids(on);
      const found = { id: 'dpl_1', name: 'web' };
      const query = operationOf(endpoint, operations)!.query ?? [];
      const sending = { input, ids: Object.fromEntries(known), foundValues: found, mark: 'm' };
      const filling = { name, ids: known, input, query, ...(action.finds ? { foundValues: found } : {}) };
      const arrived = await arrival(name, composeRequest(endpoint, filling, body && (() => body(sending))));
      expectCatalog(arrived, endpoint);
      if (arrived.status === 400 || arrived.status === 501) refused.push(`${name}: ${arrived.said}`);
    }
    console.log(`actions: ${actionsAndLookups.actions.size} sent`);
    expect(refused).toEqual([]);
  },
);

story(
  'the request of each lookup arrives under the method and path of the catalog, in a form that the SDK knows',
  async () => {
    const refused: string[] = [];
    for (const lookup of actionsAndLookups.lookups.values())
      for (const endpoint of [lookup.endpoint, ...(lookup.single ? [lookup.single.endpoint] : [])]) {
        const known = ids(lookup.on);
        const input = samplesOf(lookup.input);
        const query = operationOf(endpoint, operations)!.query ?? [];
        const isOne = endpoint !== lookup.endpoint;
        const values = isOne ? { ...input, id: 'x1' } : input;
        const filling = { name: lookup.name, ids: known, input: values, query };
        const request = composeRequest(endpoint, filling, isOne ? () => undefined : undefined);
        const arrived = await arrival(lookup.name, request);
        expectCatalog(arrived, endpoint);
        if (arrived.status === 400 || arrived.status === 501) refused.push(`${lookup.name}: ${arrived.said}`);
      }
    console.log(`lookups: ${actionsAndLookups.lookups.size} read`);
    expect(refused).toEqual([]);
  },
);
