import { expect, test } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { composeBody } from '../../src/api/call-input.ts';
import { createParameterFiller, findUnfilledPlaceholders } from '../../src/api/fill-parameters.ts';
import { findOperation } from '../../src/api/find-operation.ts';
import { lineage } from '../../src/kind/define-kind.ts';
import { operationOf } from '../../src/manual/coverage.ts';
import { requestsOf } from '../../src/manual/kind-requests.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { closestName } from '../../src/model/similar-name.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';

const story = oneStoryIn(4);

const called = (...words: [string, string?]) => findOperation(words, catalog, closestName);

const placesFor = createParameterFiller(kinds, catalog);

const refusal = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (error instanceof Problems)
      return error.diagnostics.map(({ message, hint }) => `${message} -> ${hint}`).join('\n');
    throw error;
  }
  throw new Error('it was not refused');
};

story('every operation is found by its name, its path, and its path with values in place', () => {
  for (const operation of catalog) {
    const { method, path, operationId } = operation;
    if (operationId !== null && catalog.filter((one) => one.operationId === operationId).length === 1)
      expect(called(operationId).operation).toBe(operation);
    expect(called(method, path)).toEqual({ operation, params: {}, query: [] });
    const values = path.replace(/\{(\w+)\}/g, (_, name) => `a%2F${name}`);
    const { operation: found, params, query } = called(method.toLowerCase(), `${values}?x=a%26b&limit=5&x=c`);
    expect(found).toBe(operation);
    expect(query).toEqual([
      ['x', 'a&b'],
      ['limit', '5'],
      ['x', 'c'],
    ]);
    expect(params).toEqual(
      Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `a/${name}`])),
    );
  }
});

test('a word of the path means itself rather than a value', () => {
  expect(called('GET', '/v1/projects/traces').operation.path).toBe('/v1/projects/traces');
  expect(called('GET', '/v1/bulk-redirects/versions').params).toEqual({});
});

test('what the API does not have is refused with what it has', () => {
  expect(refusal(() => called('getProjectz'))).toBe(
    'there is no operation named "getProjectz" -> did you mean `getProjects`?',
  );
  expect(refusal(() => called('xyzzy'))).toContain('`trueup api --list`');
  expect(refusal(() => called('PUT', '/v9/projects/web'))).toContain(
    'it has GET /v9/projects/{idOrName}, PATCH /v9/projects/{idOrName}, DELETE /v9/projects/{idOrName}',
  );
  expect(refusal(() => called('GET', '/v1/webhooks/'))).toContain('there is no operation GET /v1/webhooks/');
  expect(refusal(() => called('GET', '/v4/webhooks'))).toContain('it has GET /v1/webhooks');
});

test('an object fills the placeholders that mean it and what it is in, in every request of its kind', () => {
  for (const kind of allKinds) {
    const above = lineage(kinds, kind.name).map(({ name }) => name);
    const ids = new Map(above.map((name) => [name, `id-of-${name}`]));
    for (const { endpoint } of requestsOf(kind)) {
      const operation = operationOf(endpoint, catalog);
      // A few requests of kinds are no operations of the catalog.
      if (!operation) continue;
      const { params } = placesFor(operation, ids);
      const words = operation.path.split('/');
      const own = endpoint.split(/[ ?]/)[1]!.split('/');
      words.forEach((word, index) => {
        if (!word.startsWith('{')) return;
        const meant = own[index] === '{id}' ? kind.name : own[index]!.slice(1, -1);
        if (above.includes(meant))
          expect([kind.name, endpoint, params[word.slice(1, -1)]]).toEqual([
            kind.name,
            endpoint,
            `id-of-${meant}`,
          ]);
      });
    }
  }
});

test('a project fills what no kind uses, too, and the query where the path has no place for it', () => {
  const filled = (name: string) => {
    const operation = catalog.find(({ operationId }) => operationId === name)!;
    const places = placesFor(operation, new Map([['project', 'prj_1']]));
    return { ...places, open: findUnfilledPlaceholders(operation, places.params) };
  };
  expect(filled('pauseProject')).toEqual({ params: { projectId: 'prj_1' }, query: {}, open: [] });
  expect(filled('getBypassIp')).toEqual({ params: {}, query: { projectId: 'prj_1' }, open: [] });
  expect(filled('getProjectEnv')).toEqual({ params: { idOrName: 'prj_1' }, query: {}, open: ['id'] });
  expect(filled('getWebhook')).toEqual({ params: {}, query: {}, open: ['id'] });
});

test('fields make a body: JSON counts as that, all else is text, and dots lead inside', () => {
  const words = [
    'a=1',
    'b="1"',
    'c=true',
    'd=null',
    'e=["x"]',
    'f=x=y',
    'g=',
    'h.i.j=2',
    'h.i.k=v',
    '__proto__.x=1',
  ];
  expect(JSON.stringify(composeBody(words, new Map([['h.s', new Sealed('value', 's')]])))).toBe(
    '{"a":1,"b":"1","c":true,"d":null,"e":["x"],"f":"x=y","g":"","h":{"i":{"j":2,"k":"v"},"s":"value"},"__proto__":{"x":1}}',
  );
  expect(refusal(() => composeBody(['a=1', 'a=2', 'b=1', 'b.c=2']))).toMatch(
    /--field a is set twice.*\n.*`b` already has a value/,
  );
});
