import SwaggerParser from '@apidevtools/swagger-parser';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { catalog } from '../../providers/hosting/catalog.ts';
import { openApi, servedOperations, startTwin, version } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';
import { send } from './client.ts';
import { bodySchema, document, every, type Operation, operations, type Schema } from './operations.ts';

const story = oneStoryIn(4);

// biome-ignore lint/suspicious/noExplicitAny: the types of the parser are those of another library
const validate = (api: object) => SwaggerParser.validate(structuredClone(api) as any);

describe('the document', () => {
  story('is valid OpenAPI 3.1', async () => {
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

  story('is the same bytes each time', () => {
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

  story('by trueup twin --openapi, which then ends', async () => {
    const { status, stdout, stderr } = await new Shell().run(['twin', '--openapi']);
    expect([status, stderr]).toEqual([0, '']);
    const printed = JSON.parse(stdout);
    expect(printed).toEqual(openApi(version));
    const refused = await new Shell().run(['twin', '--openapi', '--port', '1']);
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('--openapi');
  });

  story('where trueup twin says so when it starts', async () => {
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
