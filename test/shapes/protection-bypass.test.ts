import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Seed, Switches } from '../../providers/hosting/twin/index.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { revealed } from '../../src/model/sealed.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { codes, intercept, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(7);

type SeedProject = NonNullable<Seed['projects']>[number];
const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

const start = async (
  protectionBypasses: SeedProject['protectionBypasses'] = [],
  switches: Partial<Switches> = {},
) => {
  const world = await newWorld({ seed: { projects: [{ name: 'web', protectionBypasses }] }, switches });
  world.env = { A: a, B: b, C: c };
  world.parallelism = 1;
  return world;
};
const secretOf = (name: string) => `\${secret.${name}}`;
const yaml = (blocks: object) =>
  `secrets: { a: { env: A }, b: { env: B }, c: { env: C } }
projects: ${JSON.stringify({ web: { protectionBypass: blocks } })}`;
/** What is there: `aaaa… note default`. */
const live = ({ twin }: World) =>
  Object.entries(twin.account.projects[0]!.protectionBypass ?? {}).map(([secret, one]) =>
    one.scope === 'automation-bypass'
      ? [secret[0], one.note, one.isEnvVar ? 'default' : ''].filter(Boolean).join(' ')
      : 'integration',
  );
type Body = Record<string, { secret?: unknown }>;
/** The commands of what `next` does, as they are sent: `generate b`. */
const next = async (world: World, blocks: object, options?: PlanOptions) => {
  const asked: string[] = [];
  const end = intercept(world, (request, send) => {
    for (const [command, { secret }] of Object.entries((request.body ?? {}) as Body))
      asked.push(`${command} ${secret === undefined ? 'one' : String(revealed(secret))[0]}`);
    return send(request);
  });
  await world.converge(yaml(blocks), options).finally(end);
  return asked;
};

describe.each(sampled([false, true], 1))(
  'the default of a project, not said of it: %s',
  (bypassDefaultUnsaid) => {
    const two = [{ secret: a }, { secret: b }];

    it('is the one that is declared as it, and another one is none', async () => {
      const world = await start(two, { bypassDefaultUnsaid });
      const blocks = {
        one: { secret: secretOf('a'), isEnvVar: true },
        two: { secret: secretOf('b'), isEnvVar: false },
      };
      expect(await next(world, blocks)).toEqual([]);
    });

    story('has to be somewhere when it goes', async () => {
      const world = await start(two, { bypassDefaultUnsaid });
      await next(world, { one: { secret: secretOf('a') }, two: { secret: secretOf('b') } });
      expect(codes((await world.plan(yaml({ two: { secret: secretOf('b') } }))).plan)).toEqual([
        'bypass/default',
      ]);
      const moved = { two: { secret: secretOf('b'), isEnvVar: true } };
      expect(await next(world, moved)).toEqual(['update b', 'revoke a']);
      expect(live(world)).toEqual(['b default']);
    });
  },
);

describe('the order of commands', () => {
  it('has the new secret before the old one is revoked, and the default is never missing', async () => {
    const world = await start();
    await next(world, { e2e: { secret: secretOf('a'), isEnvVar: true }, other: { secret: secretOf('b') } });
    expect(live(world)).toEqual(['a default', 'b']);
    const edited = { e2e: { secret: secretOf('c'), isEnvVar: true }, other: { secret: secretOf('b') } };
    expect(await next(world, edited)).toEqual(['generate c', 'update c', 'revoke a']);
    expect(live(world)).toEqual(['b', 'c default']);
  });

  story('has another default before the one that was it goes', async () => {
    const world = await start();
    await next(world, { one: { secret: secretOf('a'), isEnvVar: true }, two: { secret: secretOf('b') } });
    expect(await next(world, { two: { secret: secretOf('b'), isEnvVar: true } })).toEqual([
      'update b',
      'revoke a',
    ]);
    expect(live(world)).toEqual(['b default']);
  });

  story('demotes by promoting, in one command', async () => {
    const world = await start([
      { secret: a, note: 'one' },
      { secret: b, note: 'two' },
    ]);
    const blocks = { one: { note: 'one', isEnvVar: false }, two: { secret: secretOf('b'), isEnvVar: true } };
    expect(await next(world, blocks)).toEqual(['update b']);
    expect(live(world)).toEqual(['a one', 'b two default']);
  });

  it('stops where one fails: the old secret stays until the new one works', async () => {
    const world = await start();
    await next(world, { e2e: { secret: secretOf('a') } });
    const planned = await world.plan(yaml({ e2e: { secret: secretOf('b'), isEnvVar: true } }));
    const end = intercept(world, async (request, send) => {
      if (Object.hasOwn((request.body ?? {}) as Body, 'update')) throw new Error('the line is dead');
      return send(request);
    });
    await world.apply(planned);
    end();
    expect(live(world)).toEqual(['a default', 'b']);
    await next(world, { e2e: { secret: secretOf('b'), isEnvVar: true } });
    expect(live(world)).toEqual(['b default']);
  });
});

describe('the default of a project', () => {
  oneRowIn(2)([
    ['goes', { two: { secret: secretOf('b') } }],
    ['is to be none', { one: { secret: secretOf('a'), isEnvVar: false }, two: { secret: secretOf('b') } }],
  ])('that %s needs another one: nothing is sent until somebody says which', async (_, blocks) => {
    const world = await start();
    await next(world, { one: { secret: secretOf('a') }, two: { secret: secretOf('b') } });
    const { plan } = await world.plan(yaml(blocks));
    expect(codes(plan)).toEqual(['bypass/default']);
    expect(plan.operations).toEqual([]);
  });

  story('can go as the last one', async () => {
    const world = await start();
    await next(world, { one: { secret: secretOf('a') } });
    await world.converge('projects: { web: {} }');
    expect(live(world)).toEqual([]);
  });
});

story('the default goes after the others where all go, whatever they are called', async () => {
  const world = await start();
  const blocks = { first: { secret: secretOf('a'), isEnvVar: true }, other: { secret: secretOf('b') } };
  await world.converge(yaml(blocks));
  expect(await next(world, {})).toEqual(['revoke b', 'revoke a']);
});

describe('a bypass that the platform makes', () => {
  it('that somebody revoked is made again, once', async () => {
    const world = await start([{ secret: c, note: 'theirs' }]);
    await next(world, { plain: { note: 'plain' } });
    const { protectionBypass } = world.twin.account.projects[0]!;
    for (const secret of Object.keys(protectionBypass!)) if (secret !== c) delete protectionBypass![secret];
    expect(await next(world, { plain: { note: 'plain' } })).toEqual(['generate one']);
    expect(live(world)).toHaveLength(2);
  });

  story('keeps its place', async () => {
    const world = await start([{ integrationId: 'oac_1', secret: c }]);
    expect(await next(world, { e2e: { note: 'E2E' }, plain: { note: 'plain' } })).toEqual([
      'generate one',
      'generate one',
    ]);
    const made = live(world);
    expect(await next(world, { e2e: { note: 'E2E' }, plain: { note: 'plain' } })).toEqual([]);
    expect(await next(world, { e2e: { note: 'End to end' }, plain: { note: 'plain' } })).toHaveLength(1);
    expect(live(world)).toHaveLength(made.length);
  });
});

describe.each([
  ['lost', undefined],
  ['another one', ledgerKeyFrom('another key, long enough too')],
])('with the ledger key %s', (_, key) => {
  const blocks = {
    mine: { secret: secretOf('a'), note: 'mine' },
    noted: { note: 'noted' },
    plain: { note: 'plain' },
  };
  const begin = async () => {
    const world = await start();
    await next(world, blocks);
    Object.assign(world, { key });
    return world;
  };

  it('nothing is sent again, and nothing is deleted', async () => {
    const world = await begin();
    const before = live(world);
    const { plan } = await world.plan(yaml(blocks), { unattended: true });
    expect([codes(plan), plan.operations.map(({ id }) => id)]).toEqual([[], []]);
    expect(plan.changes.filter(({ action }) => action === 'delete' || action === 'create')).toEqual([]);
    expect(live(world)).toEqual(before);
  });

  it('what is not declared any more stays, and so does what the ledger knows', async () => {
    const world = await begin();
    const { entries } = world.ledger;
    const planned = await world.plan(yaml({ mine: blocks.mine }));
    expect(planned.plan.operations).toEqual([]);
    await world.apply(planned);
    const at = 'projects/web/protectionBypass';
    for (const label of ['noted', 'plain'])
      expect(world.ledger.entries[`${at}/${label}`]).toEqual(entries[`${at}/${label}`]);
    // With a key the one that was found is known by it; without one nothing is forgotten.
    const [id] = world.ledger.entries[`${at}/mine`]!.ids;
    if (key) expect(id).toMatch(new RegExp(`^${key.id}[.]`));
    else expect(id).toBe(entries[`${at}/mine`]!.ids[0]);
    expect(planned.plan.changes.filter(({ reason }) => reason === 'replaced outside')).toEqual([]);
  });

  it('a plan without the secret itself compares nothing', async () => {
    const world = await begin();
    world.env = {};
    const { plan } = await world.plan(yaml(blocks), { unattended: true });
    expect(plan.operations.map(({ id }) => id)).toEqual([]);
  });
});

it('under another ledger key a bypass that nobody can tell is made again only where that is asked for', async () => {
  const world = await start();
  await next(world, { plain: { note: 'plain' } });
  Object.assign(world, { key: ledgerKeyFrom('another key, long enough too') });
  // By its note it would be found.
  for (const one of Object.values(world.twin.account.projects[0]!.protectionBypass!))
    Object.assign(one, { note: 'theirs' });
  const { plan } = await world.plan(yaml({ plain: { note: 'plain' } }));
  expect(codes(plan, 'warning')).toEqual(['secret/unverified']);
  expect(plan.diagnostics[0]!.hint).toContain("--send-unverified 'projects/web/protectionBypass/plain'");
  expect(await next(world, { plain: { note: 'plain' } }, { sendUnverified: ['**/plain'] })).toEqual([
    'generate one',
  ]);
  expect(await next(world, { plain: { note: 'plain' } })).toEqual([]);
  expect(live(world)).toHaveLength(2);
});

it('the secret is in no output, no plan, no ledger and no error', async () => {
  const world = await start();
  const style = styleFor({ color: false, width: 100 });
  const seen: string[] = [];
  const look = async (blocks: object) => {
    const planned = await world.plan(yaml(blocks));
    seen.push(JSON.stringify(planJson(planned.plan)), planText(planned.plan, { style, requests: true }));
    seen.push(inspect(planned.plan, { depth: 20 }));
    const { outcome, events } = await world.apply(planned);
    seen.push(inspect(outcome, { depth: 9 }), JSON.stringify(world.ledger));
    return events;
  };
  const made = { mine: { secret: secretOf('a'), isEnvVar: true }, two: { secret: secretOf('b') }, own: {} };
  await look(made);
  await look({ ...made, mine: { secret: secretOf('c'), isEnvVar: true, note: 'x' } });
  world.twin.account.projects[0]!.protectionBypass = {};
  await look(made);
  await look({});
  const secrets = [a, b, c, ...Object.keys(world.twin.account.projects[0]!.protectionBypass ?? {})];
  for (const secret of secrets) expect(seen.some((text) => text.includes(secret))).toBe(false);
  expect(seen.join('\n')).toContain('projects/web/protectionBypass/mine');
});

it('two labels with one secret are refused before anything is sent, by whichever name the secret is known', async () => {
  const world = await start();
  world.env = { A: a, B: a, C: c };
  const { plan } = await world.plan(yaml({ one: { secret: secretOf('a') }, two: { secret: secretOf('b') } }));
  expect(codes(plan)).toEqual(['plan/clash']);
  expect(plan.diagnostics[0]!.message).toContain('protectionBypass/two have the same secret');
  expect(JSON.stringify(plan)).not.toContain(a);
});

it('a note that is a secret tells a bypass from others, also in the answer that it was made with', async () => {
  const reads: number[] = [];
  for (const note of ['a note', secretOf('b')]) {
    const world = await start();
    world.env = { A: a, B: 'a note', C: c };
    const blocks = { one: { note } };
    expect(await next(world, blocks)).toEqual(['generate one']);
    reads.push(world.twin.requests.length);
    expect(live(world)).toEqual([expect.stringMatching(/^. a note default$/)]);
    world.ledger = { ...world.ledger, entries: {} };
    expect(await next(world, blocks)).toEqual([]);
  }
  // Nothing had to be looked up.
  expect(reads[1]).toBe(reads[0]);
});
