import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';
import { send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());

const record = (i: number) => ({ type: 'TXT' as const, name: `t${i}`, value: 'x' });
const start = async (count: number, options: TwinOptions = {}) => {
  const records = Array.from({ length: count }, (_, i) => record(i));
  const projects = Array.from({ length: 5 }, (_, i) => ({ name: `p${i}` }));
  twin = await startTwin({ seed: { domains: [{ name: 'example.com', records }], projects }, ...options });
};

/** Reads a list to its end; returns the page sizes and the names. */
async function readAll(path: string, list: string, cursor: string) {
  const sizes: number[] = [];
  const names: string[] = [];
  let next: number | string | null = null;
  do {
    const after = next === null ? '' : `&${cursor}=${next}`;
    const { body } = await send(twin, 'GET', `${path}${after}`);
    sizes.push(body[list].length);
    names.push(...body[list].map((one: { name: string }) => one.name));
    next = body.pagination.next;
  } while (next !== null);
  return { sizes, names };
}

it('lists newest first, twenty at a time, a hundred at most', async () => {
  await start(105);
  const list = '/v5/domains/example.com/records?slug=acme';
  const standard = await readAll(list, 'records', 'until');
  expect(standard.sizes).toEqual([20, 20, 20, 20, 20, 5]);
  expect(standard.names).toEqual(Array.from({ length: 105 }, (_, i) => `t${104 - i}`));
  expect((await readAll(`${list}&limit=100`, 'records', 'until')).sizes).toEqual([100, 5]);
  expect((await readAll(`${list}&limit=500`, 'records', 'until')).sizes).toEqual([100, 5]);
});

it('caps every list at its page size', async () => {
  await start(5, { pageSize: 2 });
  const records = await readAll('/v5/domains/example.com/records?slug=acme&limit=100', 'records', 'until');
  expect(records.sizes).toEqual([2, 2, 1]);
  const projects = await readAll('/v10/projects?slug=acme', 'projects', 'from');
  expect(projects).toEqual({ sizes: [2, 2, 1], names: ['p4', 'p3', 'p2', 'p1', 'p0'] });
});

it('pages projects by an opaque cursor, if so switched', async () => {
  await start(0, { pageSize: 2, switches: { projectCursorAsString: true } });
  const first = await send(twin, 'GET', '/v10/projects');
  expect(first.body.pagination).toEqual({ count: 2, next: expect.stringMatching(/^c_/) });
  const all = await readAll('/v10/projects?slug=acme', 'projects', 'from');
  expect(all.names).toEqual(['p4', 'p3', 'p2', 'p1', 'p0']);
});

it('repeats the boundary item where the cursor is inclusive', async () => {
  await start(5, { pageSize: 2, switches: { untilInclusive: true } });
  const { names } = await readAll('/v5/domains/example.com/records?slug=acme', 'records', 'until');
  expect(names).toEqual(['t4', 't3', 't3', 't2', 't2', 't1', 't1', 't0']);
});

it('refuses a limit that is no number', async () => {
  await start(0);
  expect((await send(twin, 'GET', '/v5/domains?limit=x&slug=acme')).status).toBe(400);
});
