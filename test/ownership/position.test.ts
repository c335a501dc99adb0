import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { givesOldOrNewVerdicts, rankVerdicts } from '../../src/shapes/order/transition.ts';
import { type Rule, rule } from '../firewall/fixture.ts';
import { actions } from '../support/scene.ts';
import { Stacks } from '../support/stacks.ts';
import { oneRowIn, oneStoryIn, runs } from '../support/sweep.ts';

const story = oneStoryIn(5);

/** A stack with these rules in the firewall of a site that another stack, or nobody, has made. */
const stack = (rules: Rule[], position?: unknown) =>
  `projects: { site: { $existing: true, firewall: ${JSON.stringify({ ...(position ? { $position: position } : {}), rules })} } }`;
const named = (...names: string[]) => names.map((name) => rule(name));

/** An account with a site whose firewall has these rules, which nobody manages. */
async function site(...foreign: string[]) {
  const rules = foreign.map((name) => ({ id: `rule_${name}`, ...rule(name) }));
  const stacks = await Stacks.start({ seed: { projects: [{ name: 'site', firewall: { rules } }] } } as never);
  const { firewall } = stacks.world.twin.account.projects[0]!;
  const names = () => firewall.active!.rules.map(({ name }) => name).join(' ');
  return { stacks, firewall, names };
}

const errorsOf = async (stacks: Stacks, name: string, body: string) =>
  (await stacks.plan(name, body)).plan.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message, hint }) => `${message} -> ${hint}`);

describe('$position', () => {
  oneRowIn(3)([
    ['first', 'first', 'c d u a b v'],
    ['last', 'last', 'u a b v c d'],
    ['before another stack', { before: 'web' }, 'u c d a b v'],
  ])('%s: only what is ours moves, and then nothing is left to do', async (_, position, order) => {
    const { stacks, names } = await site('u', 'a', 'b', 'v');
    await stacks.apply('web', stack(named('a', 'b')));
    await stacks.apply('growth', stack(named('c', 'd'), position));
    expect(names()).toBe(order);
    for (const [name, body] of [
      ['web', stack(named('a', 'b'))],
      ['growth', stack(named('c', 'd'), position)],
    ] as const)
      expect(actions((await stacks.plan(name, body)).plan)).toEqual([]);
  });

  story('moves what stands elsewhere already, and says so; taken away, nothing moves back', async () => {
    const { stacks, names } = await site('u');
    await stacks.apply('web', stack(named('a', 'b')));
    const moved = await stacks.apply('web', stack(named('a', 'b'), 'first'));
    expect(actions(moved.plan)).toEqual([
      'move projects/site/firewall/rules/a',
      'move projects/site/firewall/rules/b',
    ]);
    expect(names()).toBe('a b u');
    const { plan } = await stacks.apply('web', stack(named('a', 'b')));
    expect(plan.operations).toEqual([]);
    expect(names()).toBe('a b u');
    expect(actions((await stacks.plan('web', stack(named('a', 'b')))).plan)).toEqual([]);
  });

  it('what somebody puts in front afterwards is behind again after the next apply', async () => {
    const { stacks, firewall, names } = await site();
    await stacks.apply('web', stack(named('a'), 'first'));
    firewall.active!.rules.unshift({ id: 'rule_x', ...rule('x') });
    await stacks.apply('web', stack(named('a'), 'first'));
    expect(names()).toBe('a x');
  });

  oneRowIn(5)([
    ['first', 'first'],
    ['last', 'last'],
    ['first', { before: 'web' }],
    [{ before: 'growth' }, 'first'],
    [{ before: 'growth' }, { before: 'web' }],
  ])('two stacks that contradict each other, %j and %j, are an error of the second', async (one, other) => {
    const { stacks } = await site();
    if (typeof one === 'object') await stacks.apply('growth', stack(named('c')));
    await stacks.apply('web', stack(named('a'), one));
    expect(await errorsOf(stacks, 'growth', stack(named('c'), other))).toEqual([
      expect.stringMatching(
        /^projects\/site\/firewall: this stack has `\$position` .*, and the stack web .*: each would keep moving its items/,
      ),
    ]);
  });

  story('a circle of three is an error, too', async () => {
    const { stacks } = await site();
    for (const name of ['a', 'b', 'c']) await stacks.apply(name, stack(named(`${name}1`)));
    await stacks.apply('a', stack(named('a1'), { before: 'b' }));
    await stacks.apply('b', stack(named('b1'), { before: 'c' }));
    expect(await errorsOf(stacks, 'c', stack(named('c1'), { before: 'a' }))).toHaveLength(1);
  });

  it('goes by no ledger that is not there, or that the key in use has not signed', async () => {
    const { stacks } = await site();
    expect(await errorsOf(stacks, 'growth', stack(named('c'), { before: 'web' }))).toEqual([
      expect.stringContaining('no stack web of this account is in the store'),
    ]);
    await stacks.apply('web', stack(named('a')));
    stacks.strangers.add('web');
    expect(await errorsOf(stacks, 'growth', stack(named('c'), { before: 'web' }))).toEqual([
      expect.stringContaining('the ledger of the stack web is not signed by the current key'),
    ]);
    // Anybody may have written that ledger, with any values.
    stacks.ledgers.set('web', {
      ...stacks.ledgerOf('web'),
      entries: { x: { kind: 'firewallRule', ids: 'rule_a' } as never },
    });
    expect(await errorsOf(stacks, 'growth', stack(named('c'), 'first'))).toEqual([]);
  });

  story('stands only where an order decides, and takes three forms', async () => {
    const { stacks } = await site();
    expect(await errorsOf(stacks, 'growth', 'domains: { a.com: { $position: first } }')).toEqual([
      '`$position` is for blocks with an ordered list; a domain has none -> remove it',
    ]);
    for (const wrong of ['middle', { behind: 'web' }, { before: 'a b' }, { before: 'a', more: 1 }])
      expect(await errorsOf(stacks, 'growth', stack(named('c'), wrong))).toEqual([
        expect.stringContaining('must be `first`, `last` or `{ before: STACK }`'),
      ]);
  });

  story(
    'keeps the verdict of two stacks: that of one behind the other, in whatever order they are applied, and at each step',
    async () => {
      const some = (prefix: string) =>
        fc
          .array(
            fc.record({
              matches: fc.constantFrom('p', 'q', 'r'),
              does: fc.constantFrom('deny', 'bypass', 'challenge'),
            }),
            { minLength: 1, maxLength: 3 },
          )
          .map((all) => all.map((one, at) => rule(`${prefix}${at}`, one)));
      const pairs: [unknown, unknown, (web: string[], growth: string[], others: string[]) => string[][]][] = [
        ['first', undefined, (web, growth, others) => [web, [...growth, ...others]]],
        ['first', 'last', (web, growth, others) => [web, others, growth]],
        ['last', 'first', (web, growth, others) => [growth, others, web]],
        [undefined, { before: 'web' }, (web, growth) => [growth, web]],
        ['last', { before: 'web' }, (web, growth) => [growth, web]],
      ];
      await fc.assert(
        fc.asyncProperty(
          some('a'),
          some('b'),
          some('u'),
          fc.constantFrom(...pairs),
          fc.boolean(),
          async (web, growth, others, [webs, growths, apart], isTurned) => {
            const { stacks, firewall } = await site();
            firewall.active!.rules = others.map((one, at) => ({ id: `rule_u${at}`, ...one }));
            firewall.versions = [structuredClone(firewall.active!)];
            await stacks.apply('web', stack(web));
            const bodies: [string, string][] = [
              ['web', stack(web, webs)],
              ['growth', stack(growth, growths)],
            ];
            const order = isTurned ? bodies.toReversed() : bodies;
            for (const [name, body] of order) {
              const { version } = firewall.active!;
              await stacks.apply(name, body);
              const lists = firewall.versions
                .filter((one) => one.version >= version)
                .reverse()
                .map(({ rules }) =>
                  rankVerdicts(
                    rules.map((one) => ({
                      verdict: `${JSON.stringify(one.conditionGroup)} ${JSON.stringify(one.action)}`,
                    })),
                  ),
                );
              for (const list of lists)
                expect(givesOldOrNewVerdicts(list, lists[0]!, lists.at(-1)!)).toBe(true);
            }
            // Who came first may have to make room for who came later; then both are at rest.
            for (const [name, body] of order) await stacks.apply(name, body);
            for (const [name, body] of order)
              expect(actions((await stacks.plan(name, body)).plan)).toEqual([]);
            const live = firewall.active!.rules.map(({ name }) => name);
            const names = (rules: Rule[]) => rules.map(({ name }) => name);
            const kept = (of: string[]) => live.filter((name) => of.includes(name));
            for (const part of [web, growth, others]) expect(kept(names(part))).toEqual(names(part));
            const blocks = apart(names(web), names(growth), names(others));
            const last = blocks.map((block) => live.findLastIndex((name) => block.includes(name)));
            const begin = blocks.map((block) => live.findIndex((name) => block.includes(name)));
            for (let at = 1; at < blocks.length; at++) expect(begin[at]).toBeGreaterThan(last[at - 1]!);
          },
        ),
        { numRuns: runs(300, 60) },
      );
    },
  );
});
