import { afterEach, describe, expect } from 'vitest';
import type { Change } from '../../src/model/change.ts';
import { hasDrift } from '../../src/model/plan.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { plainStyle } from '../report/builders.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { Firewall, rule } from './fixture.ts';

const story = oneStoryIn(4);

let firewall: Firewall;
afterEach(() => firewall.stop());

type Live = Firewall['active'];
const block = (names: string) => ({ rules: names.split('').map((name) => rule(name)) });
const theirs = (name: string) => ({ id: `rule_${name}`, ...rule(name) });

/** Puts the live rules into this order. */
const reordered =
  (names: string) =>
  ({ rules }: Live) =>
    void rules.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));

/** The moves of a plan: which rule, from where, to where, and why. */
const movesIn = (changes: readonly Change[]) =>
  changes.flatMap(({ address, position }) =>
    position?.cause ? `${address.at(-1)} ${position.from} ${position.to} ${position.cause}` : [],
  );

describe('the order of a list', () => {
  oneRowIn(5)<[what: string, applied: string, outside: (live: Live) => void, now: string, moves: string[]]>([
    ['is as applied', 'abc', () => {}, 'abc', []],
    ['was changed outside', 'abc', reordered('bca'), 'abc', ['a 3 1 drift']],
    ['was changed in the configuration', 'abc', () => {}, 'cab', ['c 3 1 edit']],
    ['was changed to the same in both', 'abc', reordered('cab'), 'cab', []],
    [
      'was changed in both, each another item',
      'abcd',
      reordered('bacd'),
      'abdc',
      ['d 4 3 edit', 'a 2 1 drift'],
    ],
    ['lost an item outside', 'abc', (live) => void live.rules.splice(1, 1), 'abc', []],
    ['has a new item of others', 'abc', ({ rules }) => void rules.splice(1, 0, theirs('x')), 'abc', []],
    [
      'was changed around an item of others',
      'abc',
      ({ rules }) => void rules.unshift(rules.pop()!, theirs('x')),
      'abc',
      ['c 1 4 drift'],
    ],
  ])('%s', async (_, applied, outside, now, moves) => {
    firewall = await Firewall.start({});
    await firewall.converge(block(applied));
    outside(firewall.active);
    const { plan } = await firewall.plan(block(now));
    expect(movesIn(plan.changes).sort()).toEqual([...moves].sort());
    const isGone = plan.changes.some(({ outside }) => outside);
    expect(hasDrift(plan)).toBe(isGone || moves.some((move) => move.endsWith('drift')));
    await firewall.converge(block(now));
    expect(firewall.names().filter((name) => name !== 'x')).toEqual(now.split(''));
  });

  story('is not known before the first apply that finishes it, nor from a ledger without it', async () => {
    firewall = await Firewall.start({ rules: ['b', 'a'].map((name) => rule(name)) });
    const { plan } = await firewall.plan(block('ab'));
    expect([movesIn(plan.changes), hasDrift(plan)]).toEqual([['a 2 1 unknown'], false]);
    await firewall.converge(block('ab'));
    const { orders: _, ...older } = firewall.world.ledger;
    firewall.world.ledger = older;
    reordered('ba')(firewall.active);
    const { plan: later } = await firewall.plan(block('ab'));
    expect([movesIn(later.changes), hasDrift(later)]).toEqual([['a 2 1 unknown'], false]);
  });

  story(
    'is nobody else’s change after an apply that ended in the middle, even if the edit is taken back',
    async () => {
      firewall = await Firewall.start({});
      await firewall.converge(block('abcd'));
      const stopped = await firewall.plan(block('dcba'));
      let writes = 0;
      const { send } = firewall.world.connection;
      await firewall.world.apply(stopped, {
        send: (request, confirm) =>
          !request.endpoint.startsWith('GET') && ++writes > 1
            ? Promise.reject(new Error('no connection'))
            : send(request, confirm),
      });
      expect(firewall.names()).not.toEqual(['a', 'b', 'c', 'd']);
      expect(hasDrift((await firewall.plan(block('dcba'))).plan)).toBe(false);
      expect(hasDrift((await firewall.plan(block('abcd'))).plan)).toBe(false);
      await firewall.converge(block('abcd'));
      reordered('bacd')(firewall.active);
      expect(hasDrift((await firewall.plan(block('abcd'))).plan)).toBe(true);
    },
  );
});

story('positions count all live items, and name the one before, whoever has it', async () => {
  firewall = await Firewall.start({ rules: ['theirs', 'a', 'b'].map((name) => rule(name)) });
  await firewall.converge(block('ab'));
  const { plan } = await firewall.plan(block('xba'));
  const text = planText(plan, { style: plainStyle, requests: false });
  expect(text).toContain('# position 2 of 4, after theirs');
  expect(text).toContain('# moves to 3 of 4, after x (the same number, since other items come or go)');
  expect(planJson(plan).changes.flatMap(({ position }) => position ?? [])).toEqual([
    { from: 3, to: 3, of: 4, after: 'projects/web/firewall/rules/x', cause: 'edit' },
    { to: 2, of: 4, after: 'projects/web/firewall/rules/theirs' },
  ]);
});

story('a staged list, such as routes, has positions and drift as well', async () => {
  firewall = await Firewall.start({});
  const { world } = firewall;
  const routes = (names: string) => {
    const blocks = names.split('').map((name) => ({ name, route: { src: `/${name}`, dest: `/to-${name}` } }));
    return `projects: ${JSON.stringify({ web: { routes: blocks } })}`;
  };
  await world.converge(routes('abc'));
  const { items } = world.twin.account.projects[0]!.routes.at(-1)!;
  items.unshift(items.pop()!);
  const { plan } = await world.plan(routes('abc'));
  expect([movesIn(plan.changes), hasDrift(plan)]).toEqual([['c 1 3 drift'], true]);
  await world.converge(routes('abc'));
  const inserted = (await world.plan(routes('adbc'))).plan.changes.flatMap(({ position }) => position ?? []);
  expect(inserted).toEqual([{ to: 2, of: 4, after: 'projects/web/routes/a' }]);
});
