import { expect } from 'vitest';
import type { FactCase } from './fact-case.ts';

const items = '/v1/global-config/ecfg_1/items';
let now = 1_000_000;

/** Facts about global configs. */
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
];
