import { expect, it, onTestFinished } from 'vitest';
import { type Account, type FaultPlan, startTwin } from '../../providers/hosting/twin/index.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import type { ProxyAction } from '../support/proxy-fault.ts';
import { accountShape, shape } from './account-shape.ts';

// The proxy knows nothing of the twin, and the twin nothing of the proxy: what both can do comes to the same, for the client and for the account.

type TwinAction = FaultPlan['faults'][number]['do'];

const variable = (key: string) => ({ key, value: key, type: 'plain', target: ['production'] });
const create = { method: 'POST', path: '/v10/projects/web/env', body: ['A', 'B', 'C', 'D'].map(variable) };
const list = { method: 'GET', path: '/v10/projects/web/env' };

const seed = {
  projects: [
    { name: 'web', env: ['X', 'Y', 'Z'].map((key) => ({ key, value: key, target: ['preview' as const] })) },
  ],
};

const both: [asked: { method: string; path: string; body?: unknown }, action: ProxyAction & TwinAction][] = [
  [create, { type: 'rateLimit', retryAfter: 7 }],
  [create, { type: 'status', status: 500 }],
  [create, { type: 'status', status: 502, when: 'after' }],
  [create, { type: 'connectionReset' }],
  [create, { type: 'connectionReset', when: 'after' }],
  [create, { type: 'connectionReset', when: 'during' }],
  [create, { type: 'cutJson' }],
  [create, { type: 'delay', ms: 1 }],
  [create, { type: 'partialBatch' }],
  [create, { type: 'partialBatch', done: 3 }],
  [list, { type: 'status', status: 503 }],
  [list, { type: 'connectionReset', when: 'during' }],
  [list, { type: 'cutJson' }],
  [list, { type: 'cutList' }],
  [list, { type: 'cutList', keep: 0 }],
];

it.each(both.map(([asked, action]) => [asked.method, JSON.stringify(action), asked, action] as const))(
  '%s %s',
  async (_, __, asked, action) => {
    const seen = await Promise.all([
      heardBy(asked, (twin) => {
        twin.setFaults({ faults: [{ at: { request: 1 }, do: action }] });
        return twin.url;
      }),
      heardBy(asked, (_, proxy) => {
        proxy.setFaults([{ at: { request: 1 }, do: action }]);
        return proxy.url;
      }),
    ]);
    expect(seen[1]).toEqual(seen[0]);
    const untouched = await heardBy(asked, ({ url }) => url);
    if (action.type !== 'delay') expect(seen[1]).not.toEqual(untouched);
  },
);

type Twin = Awaited<ReturnType<typeof startTwin>>;
type Proxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** What the client hears from the address that `disturb` gives back, and what the account is then. */
async function heardBy(
  { method, path, body }: (typeof both)[number][0],
  disturb: (twin: Twin, proxy: Proxy) => string,
) {
  const twin = await startTwin({ seed, now: () => 1_800_000_000_000 });
  const proxy = await startFaultProxy(() => twin.url);
  onTestFinished(async () => {
    await proxy.close();
    await twin.close();
  });
  const url = disturb(twin, proxy);
  const team = twin.account.teams[0]!.slug;
  const heard = await fetch(`${url}${path}?slug=${team}`, {
    method,
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).then(
    async (response) => ({
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.text().then(meaning, () => 'ends with the connection'),
    }),
    () => 'no answer',
  );
  return { heard, account: accountShape(twin.account as Account) };
}

/** Without what differs from server to server: ids, times, the words of an error. */
function meaning(text: string): unknown {
  try {
    const { error, ...rest } = JSON.parse(text) as { error?: { code: string } };
    return error ? error.code : shape(rest);
  } catch {
    return 'no JSON';
  }
}
