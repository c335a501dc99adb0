import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { catalog } from '../../providers/hosting/catalog.ts';
import text from '../../providers/hosting/twin/documented.json?raw';
import {
  documentedOf,
  documentedOnly,
  type Shape,
  schemaOf,
  successOf,
} from '../../providers/hosting/twin/documented.ts';
import { servedOperations, startTwin } from '../../providers/hosting/twin/index.ts';
import { nameOf } from '../../providers/hosting/twin/tables.ts';
import { leastOf } from '../support/least.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { send } from './client.ts';

const story = oneStoryIn(3);

const pathOf = ({ path }: { path: string }) => path.replace(/\{(\w+)\}/g, (_, name: string) => `${name}-1`);

describe('operations that only their form is known of', () => {
  it('are those that no resource serves, each with a form', () => {
    const names = documentedOnly().map(nameOf);
    // A form that is not needed any more, since a resource serves the operation, may stay: it is not looked at.
    const forms = Object.keys(JSON.parse(text));
    const known = catalog.map(nameOf);
    const unserved = known.filter((name) => !servedOperations.includes(name));
    expect(unserved.filter((name) => !forms.includes(name))).toEqual([]);
    expect(new Set(names)).toEqual(new Set(unserved));
    expect(forms.filter((name) => !known.includes(name))).toEqual([]);
    expect(catalog.length - names.length).toBeGreaterThan(140);
  });

  story('take what zod takes of their forms', () => {
    const isTaken = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
    let taken = 0;
    let refused = 0;
    const look = (shape: Shape) => {
      const { properties = {}, items, anyOf = [], additionalProperties } = shape;
      // Each is made once: that takes much longer than to look at a value.
      const theirs = z.fromJSONSchema(shape as Parameters<typeof z.fromJSONSchema>[0]);
      const ours = schemaOf(shape);
      const compare = (value: unknown) => {
        const is = isTaken(theirs, value);
        if (isTaken(ours, value) !== is) expect.fail(`${is}: ${JSON.stringify([shape, value])}`);
        if (is) taken++;
        else refused++;
      };
      const least = leastOf(ours);
      for (const value of [least, 'text', 1, 1.5, true, null, [], [1], {}, undefined]) compare(value);
      if (shape.type === 'object')
        for (const name of [...Object.keys(properties), 'unheardOf'])
          for (const value of ['text', 1, [], { a: 1 }, null, undefined])
            compare({ ...(least as object), [name]: value });
      for (const inner of [...Object.values(properties), items, additionalProperties, ...anyOf])
        if (inner) look(inner);
    };
    for (const { body } of documentedOnly().flatMap((one) => documentedOf(one) ?? []))
      if (body && !body['x-bytes']) look(body);
    expect(taken).toBeGreaterThan(1000);
    expect(refused).toBeGreaterThan(1000);
  });

  story('take the least body, answer what is documented, and refuse what does not fit', async () => {
    const twin = await startTwin();
    onTestFinished(() => twin.close());
    let refused = 0;
    for (const operation of documentedOnly()) {
      const documented = documentedOf(operation)!;
      const { body: schema, query = {}, statuses = [] } = documented.operation;
      const required = Object.keys(query).filter((name) => !query[name]!.safeParse(undefined).success);
      const search = required.map((name) => `${name}=1`).join('&');
      const at = `${pathOf(operation)}${search && `?${search}`}`;
      const body = schema && leastOf(schema);
      if (documented.answer?.['x-bytes']) continue;
      const answer = await send(twin, operation.method as 'GET', at, body);
      const success = successOf(statuses);
      expect([nameOf(operation), answer.status, answer.body?.error?.code]).toEqual([
        nameOf(operation),
        success,
        undefined,
      ]);
      const { answer: form } = documented;
      if (form?.properties && success !== 204 && operation.method !== 'HEAD')
        expect([nameOf(operation), Object.keys(answer.body ?? {}).sort()]).toEqual([
          nameOf(operation),
          Object.keys(form.properties).sort(),
        ]);
      if (schema === undefined || documented.body?.anyOf) continue;
      const other = await send(twin, operation.method as 'POST', at, { ...(body as object), unheardOf: 1 });
      if (other.status === 400) refused++;
      else expect(documented.body!.additionalProperties, nameOf(operation)).not.toBe(false);
      if (required.length > 0 && search)
        expect((await send(twin, operation.method as 'POST', pathOf(operation), body)).status).toBe(400);
    }
    expect(refused).toBeGreaterThan(40);
  });

  it('give back what the path names', async () => {
    const twin = await startTwin();
    onTestFinished(() => twin.close());
    const answer = await send(twin, 'GET', '/v1/registrar/orders/ord_9');
    expect(answer.body).toMatchObject({ orderId: 'ord_9' });
    const file = await request(`${twin.url}/v8/artifacts/abc`, { headers: { authorization: 'Bearer t' } });
    expect(file.headers['content-type']).toBe('application/octet-stream');
    expect(await file.body.text()).toBe('abc\n');
  });
});
