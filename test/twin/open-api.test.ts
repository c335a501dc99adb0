import SwaggerParser from '@apidevtools/swagger-parser';
import { request } from 'undici';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { catalog } from '../../providers/hosting/catalog.ts';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { openApi, servedOperations, startTwin, version } from '../../providers/hosting/twin/index.ts';
import { route } from '../../providers/hosting/twin/router.ts';
import { nameOf } from '../../providers/hosting/twin/tables.ts';
import { groupBy } from '../../src/model/graph.ts';
import { given } from '../contract/given.ts';
import { untriedFindings } from '../contract/of-twin.ts';
import { Shell } from '../support/cli.ts';
import { everySeed } from '../support/every-seed.ts';
import { bodyOf, casesOf, withoutKind } from '../support/field-cases.ts';
import { merged, sampleSeed, samples } from '../support/samples.ts';
import { until } from '../support/until.ts';
import { knownOutside, describe as told, World } from '../support/world.ts';
import { send } from './client.ts';
import { sendConflicts } from './every-conflict.ts';
import { sendTheRest } from './every-operation.ts';
import { Reading } from './every-read.ts';
import { type Seen, watchHandlers } from './watch-handlers.ts';

type Schema = Parameters<typeof z.fromJSONSchema>[0];
interface Operation {
  operationId: string;
  description?: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; schema: Schema; $ref?: string }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: { 'application/json': { schema: Schema } }; $ref?: string }>;
}

const document = openApi('1.2.3');
// biome-ignore lint/suspicious/noExplicitAny: the types of the parser are those of another library
const validate = (api: object) => SwaggerParser.validate(structuredClone(api) as any);

/** All operations, with the twin's name for the one that their method and path lead to. */
const every = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
    const found = route(method.toUpperCase(), path)!.operation;
    return { method: method.toUpperCase(), path, operation, found, name: nameOf(found) };
  }),
);
/** Those that a resource of the twin serves; the others are answered by their documented form. */
const operations = every.filter(({ name }) => servedOperations.includes(name));
const bodySchema = (operation: Operation) => operation.requestBody?.content['application/json']?.schema;

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.1');
    await expect(validate(document)).resolves.toMatchObject({ openapi: '3.1.1' });
    // What is wrong with one operation is found without the others.
    const alone = { ...document, paths: { '/v1/webhooks': document.paths['/v1/webhooks']! } };
    await expect(validate(alone)).resolves.toMatchObject({ openapi: '3.1.1' });
    const broken = (change: (operation: Operation) => void) => {
      const copy = structuredClone(alone);
      change(copy.paths['/v1/webhooks']!.get as Operation);
      return expect(validate(copy)).rejects;
    };
    await broken((get) => (get.parameters[2]!.in = 'nowhere')).toThrow(/parameters\/2/);
    await broken((get) => (get.parameters[0]!.$ref = '#/components/parameters/nothing')).toThrow('nothing');
    await broken((get) => (get.responses['200'] = {})).toThrow(/responses\/200/);
    await broken((get) => (get.tags = 'webhooks' as never)).toThrow(/tags/);
  });

  it('says that it is about the twin, and which', () => {
    expect(document.info.version).toBe('1.2.3');
    expect(document.info.title).toMatch(/^Twin/);
    expect(document.info.description).toContain('not the platform');
  });

  it('has each operation of the catalog once, and says which ones keep nothing', () => {
    const entries = every.map(({ found }) => `${found.method} ${found.path}`);
    expect(entries.sort()).toEqual(catalog.map(({ method, path }) => `${method} ${path}`).sort());
    expect(new Set(operations.map(({ name }) => name))).toEqual(new Set(servedOperations));
    const isServed = ({ description }: Operation) =>
      !/Nothing is kept|nothing is kept/.test(description ?? '');
    for (const { name, operation } of every)
      expect(isServed(operation), name).toBe(servedOperations.includes(name));
    const guessed = every.filter(({ operation }) => operation.description?.includes('No public source'));
    console.log(
      `openapi: ${operations.length} served, ${every.length - operations.length} by form, ${guessed.length} of them a guess`,
    );
    const named = operations.filter(({ name, operation }) => name !== operation.operationId);
    expect(named.map(({ operation }) => operation.operationId)).toEqual(
      expect.arrayContaining(['getAiGatewayRules', 'putAiGatewayBudgets', 'getAiGatewayBudgetsList']),
    );
    expect(named).toHaveLength(14);
  });

  it('has unique operationIds and paths, and declares the parameters of each path', () => {
    const ids = every.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][\w-]+$/i);
    const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
    for (const { path, operation } of every) {
      const declared = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
      expect(declared, path).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  it('has a body schema for every operation that takes a body', () => {
    const without = operations.filter(
      ({ method, operation }) => /^(POST|PUT|PATCH)$/.test(method) && bodySchema(operation) === undefined,
    );
    expect(without.map(({ name }) => name).sort()).toEqual([
      'POST /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/retry',
      // The path says it all: which attempt, which deployment, which version goes live, which domain is looked at, which link is cut, which key.
      'cancelDeployment',
      'createSecurityFirewallConfigByConfigVersionActivate',
      'requestPromote',
      'requestRollback',
      'revokeKmsSigningKey',
      'unlinkSharedEnvVariable',
      // A file.
      'uploadProjectAvatar',
      'verifyProjectDomain',
    ]);
    const text = JSON.stringify(every.map(({ operation }) => operation.requestBody));
    expect(text).not.toMatch(/"\$(ref|defs|schema)"/);
  });

  it('is the same bytes each time', () => {
    expect(JSON.stringify(openApi('1.2.3'))).toBe(JSON.stringify(document));
  });
});

describe('is served', () => {
  it('by a running twin, without a token, and is not logged', async () => {
    const twin = await startTwin({ token: 'secret' });
    onTestFinished(() => twin.close());
    expect(twin.openApiUrl).toBe(`${twin.url}/__twin/openapi.json`);
    const texts: string[] = [];
    for (let i = 0; i < 2; i++) {
      const answer = await request(twin.openApiUrl);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      texts.push(await answer.body.text());
    }
    expect(texts[0]).toBe(texts[1]);
    expect(JSON.parse(texts[0]!)).toEqual(openApi(version));
    expect(twin.requests).toEqual([]);
    expect((await request(twin.openApiUrl, { method: 'POST' })).statusCode).toBe(401);
  });

  it('by trueup twin --openapi, which then ends', async () => {
    const { status, stdout, stderr } = await new Shell().run(['twin', '--openapi']);
    expect([status, stderr]).toEqual([0, '']);
    const printed = JSON.parse(stdout);
    expect(printed).toEqual(openApi(version));
    const refused = await new Shell().run(['twin', '--openapi', '--port', '1']);
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('--openapi');
  });

  it('where trueup twin says so when it starts', async () => {
    const { said, signal, ended } = new Shell().start(['twin']);
    await until(() => said().includes('http://127.0.0.1'));
    const [url = '', about] = said().trim().split('\n');
    expect(about).toBe(`OpenAPI document: ${url}/__twin/openapi.json`);
    const answer = await request(`${url}/__twin/openapi.json`);
    expect(await answer.body.json()).toMatchObject({ openapi: '3.1.1' });
    signal('SIGTERM');
    expect((await ended).status).toBe(0);
  });
});

it('tells the two shapes of an error apart', async () => {
  const twin = await startTwin();
  onTestFinished(() => twin.close());
  const { schemas, responses } = document.components as {
    schemas: Record<string, Schema>;
    responses: Record<string, Operation['responses'][string]>;
  };
  const fits = (body: unknown) =>
    Object.keys(schemas).filter((name) => z.fromJSONSchema(schemas[name]!).safeParse(body).success);
  const said = (wanted: string) => {
    const { $ref } = operations.find(({ name }) => name === wanted)!.operation.responses['404']!;
    return responses[$ref!.split('/').at(-1)!]!.content!['application/json'].schema;
  };
  const usual = await send(twin, 'GET', '/v1/webhooks/nobody');
  expect([usual.status, fits(usual.body)]).toEqual([404, ['Error']]);
  expect(said('getWebhook')).toEqual({ $ref: '#/components/schemas/Error' });
  const registrar = await send(twin, 'PATCH', '/v1/registrar/domains/rest.example/auto-renew', {});
  expect([registrar.status, fits(registrar.body)]).toEqual([404, ['RegistrarError']]);
  expect(said('updateDomainAutoRenew')).toEqual({ $ref: '#/components/schemas/RegistrarError' });
});

/** That a second plan has nothing to do is shown elsewhere. */
async function applied(world: World, yaml: string): Promise<void> {
  const planned = await world.plan(yaml, { maxDeletions: 1000 });
  const { failed, left, skipped } = (await world.apply(planned)).outcome;
  expect([failed, left, skipped], told(planned.plan)).toEqual([[], [], []]);
}

describe('says what the twin does', () => {
  let seen: Map<string, Seen>;
  beforeAll(async () => {
    const watch = watchHandlers();
    seen = watch.seen;
    const world = await World.start({ seed: sampleSeed });
    const all = allKinds.map((kind) => ({
      kind,
      cases: casesOf(kind).filter(({ label }) => !label.endsWith('set')),
    }));
    const bodyAt = (step: number) => merged(...all.map(({ kind, cases }) => bodyOf(kind, cases, step)));
    // In the end what nothing is in goes.
    const leaves = allKinds.filter(
      ({ name, lifecycle }) => !lifecycle.container && !allKinds.some(({ parent }) => parent === name),
    );
    const last = leaves.reduce((body, kind) => withoutKind(body, kind), bodyAt(1));
    for (const body of [bodyAt(0), bodyAt(1), last]) await applied(world, stringify(body));
    await sendTheRest(world.twin);
    const seeded = await startTwin({ seed: everySeed(samples) });
    await Reading.of(seeded);
    await seeded.close();
    await sendConflicts();
    await world.stop();
    watch.stop();
  });

  it('and all of it was tried', () => {
    const untried = servedOperations.filter((name) => seen.get(name)!.answers.length === 0);
    const found = untriedFindings(untried, given);
    if (found.length > 0) expect.fail(found.map(({ kind, message }) => `${kind}: ${message}`).join('\n'));
  });

  it('query parameters: those that the handlers read, and no others', () => {
    let count = 0;
    for (const { name, path, operation } of operations) {
      const scope = operation.parameters.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
      expect(scope, name).toEqual(path.includes('{teamId}') ? ['slug'] : ['teamId', 'slug']);
      const query = operation.parameters.filter((one) => one.in === 'query').map((one) => one.name);
      const read = [...seen.get(name)!.read].filter((one) => one !== 'slug');
      expect(query.sort(), name).toEqual(read.sort());
      count += query.length;
    }
    console.log(`openapi: ${count} query parameters, each one read by its operation`);
    expect(count).toBeGreaterThan(100);
  });

  /** A body without what the document does not show: a twin that is not strict takes it all the same. */
  const withoutOutside = (name: string, body: unknown): unknown => {
    if (Array.isArray(body)) return body.map((one) => withoutOutside(name, one));
    return Object.fromEntries(
      Object.entries(body as object).filter(([member]) => !knownOutside.has(`${name} ${member}`)),
    );
  };

  it('bodies: its schemas take what the twin took, and not anything', () => {
    let count = 0;
    let refused = 0;
    for (const { name, operation } of operations) {
      const schema = bodySchema(operation);
      const bodies = seen.get(name)!.bodies.filter((body) => body !== undefined);
      if (schema === undefined) {
        expect(bodies, name).toEqual([]);
        continue;
      }
      const parser = z.fromJSONSchema(schema);
      for (const given of bodies) {
        const body = withoutOutside(name, given);
        expect(parser.safeParse(body).error?.issues ?? [], `${name} ${JSON.stringify(body)}`).toEqual([]);
        count++;
        const one = Array.isArray(body) ? body[0] : body;
        expect(parser.safeParse({ ...one, unheardOf: 1 }).success, name).toBe(false);
        refused++;
      }
    }
    console.log(`openapi: ${count} bodies taken, ${refused} with another member refused`);
    expect(count).toBeGreaterThan(500);
  });

  it('bodies: required where the twin does not do without', () => {
    for (const { name, operation } of operations) {
      if (operation.requestBody === undefined) continue;
      const { withoutBody } = seen.get(name)!;
      if (operation.requestBody.required) expect(withoutBody, name).toBe(400);
      else expect(withoutBody, name).toBeLessThan(400);
    }
  });

  it('answers: the statuses that the twin gives, no others, and their types', () => {
    let count = 0;
    for (const { name, method, operation } of operations) {
      const { statuses, answers } = seen.get(name)!;
      const said = Object.keys(operation.responses);
      const always = ['400', '401', '403', 'default', ...(method === 'GET' ? [] : ['429'])];
      expect(said, name).toEqual(expect.arrayContaining(always));
      const own = said.filter((status) => !always.includes(status));
      const answered = [...statuses].map(String).filter((status) => !always.includes(status));
      expect(answered.sort(), name).toEqual(own.sort());
      for (const [status, given] of groupBy(answers, (answer) => answer.status)) {
        const schema = operation.responses[status]?.content?.['application/json'].schema;
        const parser = schema === undefined ? undefined : z.fromJSONSchema(schema);
        for (const { body } of given)
          if (parser === undefined) expect(body, name).toBeUndefined();
          else expect(parser.safeParse(body).error?.issues ?? [], name).toEqual([]);
      }
      count += own.length;
    }
    console.log(`openapi: ${count} statuses beside the usual ones, each one answered`);
  });
});
