import { afterEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/model/plan.ts';
import type { Request, Send } from '../../src/model/request.ts';
import { isTried, oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { Firewall, rule } from './fixture.ts';

const story = oneStoryIn(4);

let firewall: Firewall;
afterEach(() => firewall.stop());

const before = {
  firewallEnabled: false,
  ips: [{ hostname: 'a', ip: '192.0.2.1', action: 'deny' }],
  rules: ['k1', 'k2', 'k3', 'k4'].map((name) => rule(name)),
};
const after = {
  firewallEnabled: true,
  botIdEnabled: true,
  managedRules: { owasp: { active: true } },
  crs: { sqli: { active: true, action: 'deny' } },
  ips: [{ hostname: 'a', ip: '192.0.2.2', action: 'deny' }],
  // Two updates, one of which has to be a new copy; a move; one comes, one goes.
  rules: [rule('k3'), rule('k1', { matches: 'x1' }), rule('k2', { matches: 'x2' }), rule('k5')],
};

const chainOf = (operations: Operation[], start: Operation): Operation[] => {
  const next = operations.filter(({ dependsOn }) => dependsOn.includes(start.id));
  return [start, ...next.flatMap((one) => chainOf(operations, one))];
};
const actionsOf = ({ requests }: Operation) =>
  requests.flatMap(({ body }) => (body as { action?: string } | undefined)?.action ?? []);

describe('the lane', () => {
  oneRowIn(3)([
    ['on comes last', { firewallEnabled: false }, { ...after, botIdEnabled: undefined }, 'last'],
    ['off comes first', { firewallEnabled: true }, { ...after, firewallEnabled: false }, 'first'],
    ['off comes first, before removals too', { ...after }, { firewallEnabled: false }, 'first'],
  ] as const)('is one chain; switching %s', async (_, old, next, place) => {
    firewall = await Firewall.start();
    await firewall.converge(old);
    const { plan } = await firewall.plan(next);
    const heads = plan.operations.filter(({ dependsOn }) => dependsOn.length === 0);
    expect(heads).toHaveLength(1);
    const chain = chainOf(plan.operations, heads[0]!);
    expect(chain).toHaveLength(plan.operations.length);
    expect(chain.length).toBeGreaterThan(3);
    const switches = chain.flatMap((one, index) =>
      actionsOf(one).includes('firewallEnabled') ? [index] : [],
    );
    expect(switches).toEqual([place === 'last' ? chain.length - 1 : 0]);
  });

  it('is one for each project', async () => {
    firewall = await Firewall.start();
    const blocks = { web: { firewall: after }, shop: { firewall: after } };
    const { plan } = await firewall.world.plan(`projects: ${JSON.stringify(blocks)}`);
    for (const { id, kind, dependsOn } of plan.operations.filter(({ kind }) => kind !== 'project')) {
      const project = /projects\/\w+/.exec(id)![0];
      for (const needed of dependsOn) expect(needed, kind).toContain(project);
    }
  });
});

/** Fails one request of an apply: before the platform hears of it, or after, when its answer is lost. */
const failing =
  (number: number, when: 'before' | 'after', seen: Request[]) =>
  (send: Send): Send =>
  async (request) => {
    seen.push(request);
    if (seen.length - 1 !== number) return send(request);
    if (when === 'after') await send(request);
    throw new Error('the line is dead');
  };

describe('a failure', () => {
  oneRowIn(2)(['before', 'after'] as const)(
    'at any request, %s it is done: the rest is left, and the next run brings what was asked for, once',
    async (when) => {
      firewall = await Firewall.start({ rules: [] });
      const others = [rule('u1'), rule('u2', { does: 'bypass' })];
      const [u1, u2] = others;
      const wanted = ['k3', 'k1', 'k2', 'k5'];
      let stops = 0;
      for (let number = 0; ; number++, stops++) {
        if (!isTried(number, 21)) continue;
        firewall.intercept((send) => send);
        firewall.reset([u1!, ...before.rules.slice(0, 2), u2!, ...before.rules.slice(2)]);
        firewall.active.ips = [];
        Object.assign(firewall.active, { botIdEnabled: false, crs: {}, managedRules: {} });
        await firewall.converge(before);

        const planned = await firewall.plan(after);
        const seen: Request[] = [];
        firewall.intercept(failing(number, when, seen));
        const { outcome } = await firewall.world.apply(planned);
        if (seen.length <= number) break;
        // A look afterwards, whether somebody else was there too: nothing depends on it.
        if (outcome.failed.length === 0) continue;
        expect(seen, 'nothing is sent after it').toHaveLength(number + 1);
        expect(firewall.active.firewallEnabled, 'not switched on before all is in place').toBe(
          when === 'after' && JSON.stringify(seen.at(-1)).includes('"firewallEnabled"'),
        );

        firewall.intercept((send) => send);
        await firewall.converge(after);
        expect(firewall.names().filter((name) => name.startsWith('k'))).toEqual(wanted);
        expect(firewall.names().filter((name) => name.startsWith('u'))).toEqual(['u1', 'u2']);
        expect(firewall.active).toMatchObject({ firewallEnabled: true, botIdEnabled: true });
        expect(firewall.active.ips).toMatchObject([{ ip: '192.0.2.2' }]);
      }
      expect(stops).toBeGreaterThan(12);
    },
  );

  story('in one project leaves other lanes alone', async () => {
    firewall = await Firewall.start();
    const blocks = { web: { firewall: after }, shop: { firewall: after, env: { A: '1' } } };
    const yaml = `projects: ${JSON.stringify(blocks)}`;
    const { id } = firewall.world.twin.account.projects[0]!;
    const planned = await firewall.world.plan(yaml);
    firewall.intercept((send) => async (request) => {
      const { action } = (request.body ?? {}) as { action?: string };
      if (request.params?.project === id && action === 'rules.insert') throw new Error('refused');
      return send(request);
    });
    const { outcome } = await firewall.world.apply(planned);
    expect(outcome.failed.map(({ address }) => address)).toEqual(['projects/web/firewall/rules/k3']);
    expect(outcome.skipped.map(({ address }) => address).sort()).toEqual([
      'projects/web/firewall',
      'projects/web/firewall/rules/k1',
      'projects/web/firewall/rules/k2',
      'projects/web/firewall/rules/k5',
    ]);
    expect(firewall.active).toMatchObject({ firewallEnabled: false, rules: [] });
    const shop = firewall.world.twin.account.projects[1]!;
    expect(shop.firewall.active).toMatchObject({ firewallEnabled: true, rules: { length: 4 } });
    expect(shop.env).toHaveLength(1);

    firewall.intercept((send) => send);
    await firewall.world.converge(yaml);
    expect(firewall.names()).toEqual(['k3', 'k1', 'k2', 'k5']);
  });
});
