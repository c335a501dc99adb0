import { expect, test } from 'vitest';
import { fillEndpoint } from '../../src/http/endpoint.ts';
import { toWire } from '../../src/http/exchange.ts';
import { readOnly } from '../../src/model/request.ts';
import { Sealed } from '../../src/model/sealed.ts';

test('params are encoded, in path and query', () => {
  expect(
    fillEndpoint('GET /v9/projects/{id}/env?git={git}&n={n}', { id: 'a/b ä', git: 'x&y=%', n: 3 }).path,
  ).toBe('/v9/projects/a%2Fb%20%C3%A4/env?git=x%26y%3D%25&n=3');
});

test('a query is appended unless the endpoint has that parameter', () => {
  expect(fillEndpoint('GET /x', {}, { teamId: 't', limit: '1' }).path).toBe('/x?teamId=t&limit=1');
  expect(fillEndpoint('GET /x?limit=5', {}, { teamId: 't', limit: '1' }).path).toBe('/x?limit=5&teamId=t');
});

test.each(['', '.', '..', undefined, null, {}, '\ud800'])('a segment cannot be %j', (id) => {
  expect(() => fillEndpoint('DELETE /v9/projects/{id}', { id })).toThrow('DELETE /v9/projects/{id}');
});

test('sealed params are only in the wire path', () => {
  const key = new Sealed('k/1');
  expect(fillEndpoint('GET /x/{key}?k={key}', { key })).toMatchObject({
    path: '/x/k%2F1?k=k%2F1',
    shown: '/x/(secret)?k=(secret)',
    secrets: [key, key],
  });
});

test('a body keeps what merely looks like a hole', () => {
  const body = { $ref: '#/x', $join: [new Sealed('s')], none: undefined, top: new Sealed('t') };
  expect(toWire(body).content).toBe('{"$ref":"#/x","$join":["s"],"top":"t"}');
  expect(toWire(new Sealed('whole')).content).toBe('"whole"');
});

test('a read-only send does not write', async () => {
  const sent: string[] = [];
  const send = readOnly(async ({ endpoint }) => sent.push(endpoint));
  await send({ endpoint: 'GET /x' });
  for (const endpoint of ['POST /x', 'PUT /x', 'PATCH /x', 'DELETE /x'] as const)
    await expect(send({ endpoint })).rejects.toThrow('only reads');
  expect(sent).toEqual(['GET /x']);
});
