import { expect, it } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import { type BillingPlan, documentedLimits } from '../../providers/hosting/limits/index.ts';
import { createLimitFinder, paceOf } from '../../providers/hosting/limits/pace.ts';
import { rateLimits } from '../../providers/hosting/twin/http/rate-limits.ts';
import { parseLimits } from '../../src/http/bucket.ts';
import { createLimiter } from '../../src/http/reservations.ts';
import { jumpingClock } from '../http/serve.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const plans: BillingPlan[] = ['hobby', 'pro', 'enterprise'];
const endpointOf = (id: string) => {
  const { method, path } = catalog.find(({ operationId }) => operationId === id)!;
  return `${method} ${path}`;
};
const operationIds = new Set(catalog.map(({ operationId }) => operationId));

/** The rows, each in one billing plan for which it holds. */
const rows = documentedLimits.map((limit) => ({
  plan: limit.plans?.[0] ?? 'pro',
  limit,
  operations: [...limit.operations, ...(limit.weakOperations ?? [])] as readonly string[],
}));

it('each limit names operations of the catalog, once, and is unique in each billing plan', () => {
  for (const { name, operations, weakOperations = [] } of documentedLimits) {
    const named = [...operations, ...weakOperations];
    expect(named.length, name).toBeGreaterThan(0);
    expect(new Set(named).size, name).toBe(named.length);
    expect(
      named.filter((id) => !operationIds.has(id)),
      name,
    ).toEqual([]);
  }
  for (const plan of plans) {
    const names = documentedLimits
      .filter((limit) => limit.plans?.includes(plan) ?? true)
      .map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  }
});

/** The call number `index` of a row: its operations take turns. */
const callOf = ({ plan, limit, operations }: (typeof rows)[number], index: number) => ({
  operationId: operations[index % operations.length]!,
  isWrite: false,
  body: limit.bodyMember === undefined ? {} : { [limit.bodyMember]: 'x' },
  ownerId: 'team_1',
  userId: 'user_1',
  plan,
});

/** Rows that another limit of the same operation never lets fill up, with the name of that. */
const tighter: Record<string, string> = {
  'preview-suffix-minutes': 'deployment-suffix-hour',
  'team-slug-create': 'team-create',
  'team-sso-write': 'team-update',
};

story('the twin takes as many calls as each row allows in a window, and refuses the next one by name', () => {
  for (const row of rows) {
    const { limit } = row;
    let time = 1_000_000;
    // Rows of probable operations count only in this mode.
    const limits = rateLimits(() => time, { isAssumed: limit.weakOperations !== undefined });
    const refusedBy = (index: number) => {
      try {
        limits.count(callOf(row, index));
        return undefined;
      } catch (error) {
        return (error as { extra: { name: string } }).extra.name;
      }
    };
    // Spread over the window, so that no shorter window of the same operation fills up.
    const pause = (limit.window * 1000 - 1) / limit.allowed;
    const refusals = new Set<string | undefined>();
    for (let index = 0; index < limit.allowed; index++, time += pause) refusals.add(refusedBy(index));
    const [title, other] = [`${limit.name} ${row.plan}`, tighter[limit.name]];
    if (other === undefined) expect([...refusals], title).toEqual([undefined]);
    expect(refusedBy(limit.allowed), title).toBe(other ?? limit.name);
    time = 1_000_000 + limit.window * 1000 * 40;
    expect(refusedBy(0), title).toBeUndefined();
  }
});

it('without the mode for assumptions, what only probably counts is not limited', () => {
  const limits = rateLimits(() => 0);
  const call = { isWrite: true, ownerId: 'team_1', userId: 'user_1', plan: 'pro' } as const;
  expect(limits.count({ ...call, operationId: 'createEdgeConfig' })).toEqual({});
  expect(limits.count({ ...call, operationId: 'createProject' })).toEqual({});
  expect(limits.count({ ...call, operationId: 'patchTeam', body: { name: 'a' } })).toMatchObject({
    'x-ratelimit-limit': '100',
  });
  expect(limits.count({ ...call, operationId: 'patchTeam', body: { slug: 'a' } })).toMatchObject({
    'x-ratelimit-limit': '6',
  });
  // A user's calls count in all accounts together, those of an owner do not.
  for (const ownerId of ['team_1', 'team_2'])
    expect(limits.count({ ...call, ownerId, operationId: 'createWebhook' })['x-ratelimit-remaining']).toBe(
      ownerId === 'team_1' ? '19' : '18',
    );
  for (const ownerId of ['team_1', 'team_2'])
    expect(limits.count({ ...call, ownerId, operationId: 'createRecord' })['x-ratelimit-remaining']).toBe(
      '99',
    );
});

story('an apply keeps below each row, also with ten calls at once', async () => {
  // More calls would only take longer.
  for (const row of rows.filter(({ limit }) => limit.allowed <= 500 && limit.operations.length > 0)) {
    const { limit, plan } = row;
    const limitsOf = createLimitFinder(paceOf(plan));
    const certain = { ...row, operations: limit.operations };
    const clock = jumpingClock();
    const start = clock.now();
    const twin = rateLimits(clock.now);
    const limiter = createLimiter({ clock, maxWait: Number.POSITIVE_INFINITY });
    const send = async (index: number) => {
      const call = callOf(certain, index);
      const documented = limitsOf(endpointOf(call.operationId), call.body);
      await limiter.run(call.operationId, { method: 'POST', path: '/', documented }, async () => {
        // Throws if the call is refused.
        const headers = twin.count(call);
        return { limits: parseLimits(headers, clock.now())! };
      });
    };
    const calls = Array.from({ length: limit.allowed + 1 }, (_, index) => send(index));
    await expect(Promise.all(calls), limit.name).resolves.toHaveLength(limit.allowed + 1);
    expect(clock.now() - start, limit.name).toBeGreaterThanOrEqual(limit.window * 1000);
  }
});
