import { expect } from 'vitest';
import type { FactCase, FactStep } from './fact-case.ts';

const slug = (slug: string, status: number): FactStep => ({
  request: ['PATCH', '/v2/teams/acme', { slug }],
  status,
});
const items = '/v1/global-config/ecfg_1/items';
let now = 1_000_000;

/** Facts about global configs and rate limits. */
export const securityCases: FactCase[] = [
  {
    fact: 'PF75',
    title: 'a write of a global config can be read a while later',
    own: { now: () => now, switches: { globalConfigReadSeconds: 10 } },
    seed: { globalConfigs: [{ id: 'ecfg_1', slug: 'pf75', items: { a: 1 } }] },
    steps: [
      {
        request: [
          'PATCH',
          items,
          {
            items: [
              { operation: 'update', key: 'a', value: 2 },
              { operation: 'create', key: 'b', value: 1 },
            ],
          },
        ],
        status: 200,
      },
      {
        request: ['GET', items],
        status: 200,
        check: (list) => expect(list).toMatchObject([{ key: 'a', value: 1 }]),
      },
      () => {
        now += 10_000;
        return {
          request: ['GET', items],
          status: 200,
          body: [
            { key: 'a', value: 2 },
            { key: 'b', value: 1 },
          ],
        };
      },
    ],
  },
  {
    fact: 'PF64',
    title: 'a refusal for too many requests names its limit, and has no `resetMs`',
    own: { rateLimits: 'real' },
    steps: [
      ...Array.from({ length: 6 }, () => slug('acme', 200)),
      {
        ...slug('acme', 429),
        rule: 'limit:team-slug-update',
        body: {
          error: {
            code: 'rate_limited',
            name: 'team-slug-update',
            limit: { total: 6, remaining: 0, reset: expect.any(Number) },
          },
        },
        check: ({ error }) => expect(error.limit).not.toHaveProperty('resetMs'),
      },
    ],
  },
  {
    fact: 'PF65',
    title: 'operations of one limit count together',
    own: { rateLimits: 'real' },
    seed: { projects: [{ name: 'pf65' }], domains: [{ name: 'pf65.com' }] },
    steps: [
      ...Array.from({ length: 50 }, (_, i): FactStep[] => [
        { request: ['POST', '/v10/projects/pf65/domains', { name: `d${i}.pf65.com` }], status: 200 },
        { request: ['DELETE', `/v9/projects/pf65/domains/d${i}.pf65.com`], status: 200 },
      ]).flat(),
      {
        request: ['POST', '/v10/projects/pf65/domains', { name: 'd.pf65.com' }],
        status: 429,
        rule: 'limit:project-domain-write',
        body: { error: { name: 'project-domain-write', limit: { total: 100 } } },
      },
    ],
  },
];
