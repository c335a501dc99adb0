import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import text from '../../providers/hosting/twin/documented.json?raw';
import { documentedOf, documentedOnly, successOf } from '../../providers/hosting/twin/documented.ts';
import { servedOperations, startTwin } from '../../providers/hosting/twin/index.ts';
import { nameOf } from '../../providers/hosting/twin/tables.ts';
import { leastOf } from '../support/least.ts';
import { send } from './client.ts';

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

  it('take the least body, answer what is documented, and refuse what does not fit', async () => {
    const twin = await startTwin({ strict: true });
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
