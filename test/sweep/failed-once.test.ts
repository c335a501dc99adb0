import { expect } from 'vitest';
import type { LoggedRequest } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import type { FaultPoint, Stale } from './fault-points.ts';
import { troubleAt } from './fault-sweep.ts';
import { openStage } from './faults.ts';
import { togetherScenarios } from './renames.ts';
import { scenarios } from './scenarios.ts';

type Which = (requests: readonly LoggedRequest[]) => number;

/** The first or the last request of a method whose path, without its query, ends so. */
const first =
  (method: string, path: RegExp): Which =>
  (requests) =>
    requests.findIndex((one) => one.method === method && path.test(one.path.split('?')[0]!));
const last =
  (method: string, path: RegExp): Which =>
  (requests) =>
    requests.findLastIndex((one) => one.method === method && path.test(one.path.split('?')[0]!));

const stale: Stale = { type: 'stale', ms: 30_000 };

/**
 * Points at which the whole sweep failed once; the suite's sample of it may pass them by. `every`: the same happens to all requests of the
 * endpoint.
 */
const points: [
  why: string,
  scenario: string,
  which: Which,
  action: FaultPoint['do'],
  more?: 'lost' | 'every',
][] = [
  [
    'a list that passes for whole makes nothing a second time, though names are not unique',
    'drain changes',
    first('GET', /\/drains$/),
    { type: 'cutList', keep: 0 },
  ],
  [
    'nor does it put a list of one in place of all',
    'bulkRedirects changes',
    first('GET', /\/bulk-redirects$/),
    { type: 'cutList' },
  ],
  [
    'a read that fails behind a write says nothing of the write',
    'firewallIp comes',
    last('PATCH', /\/firewall\/config$/),
    { ...stale, byId: true },
  ],
  [
    'a replacement that nobody heard of, and no list shows yet, is waited for',
    'webhook changes',
    last('POST', /\/webhooks$/),
    stale,
    'lost',
  ],
  ...[
    ['webhook changes', /\/webhooks$/] as const,
    ['drain changes', /\/drains$/] as const,
    ['webhook goes', /\/webhooks$/] as const,
    ['drain goes', /\/drains$/] as const,
  ].map(([name, path]): (typeof points)[number] => [
    'a list that never shows what is ours doubles nothing, and leaves nothing behind',
    name,
    first('GET', path),
    { type: 'cutList', keep: 0 },
    'every',
  ]),
  [
    'a list that leaves out what is renamed does not double it',
    'sharedEnvVar is renamed, and a part of it goes',
    first('GET', /\/env$/),
    { type: 'cutList' },
  ],
  [
    'nor is what is in an environment forgotten that no list shows',
    'customEnvironment is renamed, and a part of it goes',
    first('GET', /\/custom-environments$/),
    { type: 'cutList', keep: 0 },
  ],
  [
    'nor is a row of a set forgotten that a list leaves out',
    'dnsRecord is renamed with all of that',
    first('GET', /\/records$/),
    { type: 'cutList' },
  ],
  [
    'what another one would have demoted is not told as done without it',
    'protectionBypass comes',
    last('PATCH', /\/protection-bypass$/),
    { type: 'status', status: 500 },
  ],
];

oneRowIn(4)(points)('%s: %s', async (_, name, which, action, more) => {
  const stage = await openStage([...scenarios, ...togetherScenarios].find((one) => one.name === name)!);
  try {
    const request = which(stage.requests) + 1;
    expect(request).toBeGreaterThan(0);
    const { method, path } = stage.requests[request - 1]!;
    const point: FaultPoint = {
      request,
      do: action,
      ...(more === 'lost' ? { lost: true } : {}),
      ...(more === 'every' ? { every: `${method} ${path.split('?')[0]}` } : {}),
    };
    const faults = await stage.play(troubleAt(point, stage));
    expect(faults).toBeGreaterThan(0);
  } finally {
    await stage.close();
  }
});
