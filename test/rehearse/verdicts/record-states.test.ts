/* Records what visitors meet while requests change the account of a twin. */
import { afterAll, beforeAll, expect } from 'vitest';
import { meaning } from '../../../providers/hosting/meaning/index.ts';
import type { Operation } from '../../../src/model/plan.ts';
import { type Request, readOnly } from '../../../src/model/request.ts';
import { judgeTransitions } from '../../../src/rehearse/verdicts/judge-transitions.ts';
import { recordStates, type StateRecording } from '../../../src/rehearse/verdicts/record-states.ts';
import { visitorsTexts } from '../../../src/report/visitors-text.ts';
import { ruleOf } from '../../meaning/firewall-lines.ts';
import { oneStoryIn } from '../../support/sweep.ts';
import { kinds, type Planned, World } from '../../support/world.ts';

const story = oneStoryIn(4);

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const yaml = (lines: readonly string[]) =>
  `projects: ${JSON.stringify({ web: { domains: { 'shop.example.com': {} }, firewall: { firewallEnabled: true, rules: lines.map(ruleOf) } } })}`;
const [admin, guest] = ['admin deny: path pre /admin', 'guest challenge: path pre /'];

/** Records the way of the operations, which `send` carries out. Returns what a report says about it. */
async function record(
  { configuration: { desired }, aliases }: Planned,
  operations: Operation[],
  carryOut: (send: StateRecording['send'], onEvent: StateRecording['onEvent']) => Promise<unknown>,
) {
  const { connection, ledger, key } = world;
  const { facts } = await connection.owner();
  const reader = { desired, ledger, kinds, facts, key, aliases, send: readOnly(connection.send) };
  const { send, onEvent, states } = await recordStates(operations, meaning, reader, connection.send);
  await carryOut(send, onEvent);
  return visitorsTexts(await judgeTransitions(states, { desired, kinds, meaning }));
}

story('finds nothing wrong with the requests of a plan', async () => {
  await world.converge(yaml([admin, guest]));
  const planned = await world.plan(yaml([guest, 'login redirect>/login: path pre /admin', admin]));
  const texts = await record(planned, planned.plan.operations, (send, onEvent) =>
    world.apply(planned, { send, onEvent }),
  );
  expect(texts).toEqual([
    'While it is applied, visitors get the answers from before or from after, and no others: 1 part changed, 1 state in between compared.',
  ]);
});

story('finds a third verdict between two requests of any other tool', async () => {
  await world.converge(yaml([admin]));
  const planned = await world.plan(yaml([admin]));
  const params = { project: world.twin.account.projects[0]!.id };
  const { id } = world.twin.account.projects[0]!.firewall.active!.rules[0]!;
  const endpoint = 'PATCH /v1/security/firewall/config?projectId={project}';
  const requests: Request[] = [
    { endpoint, params, body: { action: 'rules.remove', id, value: null } },
    {
      endpoint,
      params,
      body: { action: 'rules.insert', id: null, value: ruleOf('login redirect>/login: path pre /') },
    },
  ];
  const operation: Operation = {
    id: 'by hand',
    kind: 'firewallRule',
    parent: 'projects/web/firewall',
    changes: [],
    requests,
    dependsOn: [],
  };
  const texts = await record(planned, [operation], async (send, onEvent) => {
    onEvent({ type: 'started', operation });
    for (const request of requests) await send(request);
  });
  expect(texts).toEqual([
    'A visitor gets an answer that is neither the one from before nor the one from after, after request 1 of 2 (PATCH /v1/security/firewall/config?projectId={project}): GET https://shop.example.com/admin: before deny by projects/web/firewall/rules/admin, then pass, in the end redirect by projects/web/firewall/rules/login.',
  ]);
});

story('reads nothing for a plan that changes nothing that visitors meet', async () => {
  const planned = await world.plan('projects: { other: { framework: astro, env: { A: b } } }');
  const since = world.twin.requests.length;
  const operations = planned.plan.operations.filter(({ kind }) => kind !== 'project');
  expect(await record(planned, operations, async () => {})).toEqual([]);
  expect(world.writes(since)).toEqual([]);
});

story(
  'reads new projects once, after the apply, but hosts at once, and all objects of one request',
  async () => {
    await world.converge('projects: { web: { domains: { shop.example.com: {} } } }');
    const firewall = { firewallEnabled: true, rules: [admin, guest].map(ruleOf) };
    const routes = ['a', 'b'].map((name) => ({
      name,
      srcSyntax: 'path-to-regexp',
      route: { src: `/${name}`, dest: `https://to.example/${name}` },
    }));
    const planned = await world.plan(
      `projects: ${JSON.stringify({ web: {}, next: { firewall, routes, domains: { 'next.example.com': {} } } })}`,
    );
    const { desired } = planned.configuration;
    const { connection, ledger, key } = world;
    const { facts } = await connection.owner();
    const reader = {
      ...{ desired, ledger, kinds, facts, key },
      aliases: planned.aliases,
      send: readOnly(connection.send),
    };
    const { operations } = planned.plan;
    const { send, onEvent, states, finish } = await recordStates(
      operations,
      meaning,
      reader,
      connection.send,
    );
    await world.apply(planned, { send, onEvent });
    await finish();
    const requests = states.slice(1).map(({ request }) => request ?? '');
    expect(requests.filter((request) => request.includes('/domains'))).not.toEqual([]);
    expect(requests.filter((request) => !request.includes('/domains')).length).toBeLessThanOrEqual(1);
    expect([...states.at(-1)!.live.resources.keys()].sort()).toEqual([
      'projects/next',
      'projects/next/domains/next.example.com',
      'projects/next/firewall',
      'projects/next/firewall/rules/admin',
      'projects/next/firewall/rules/guest',
      'projects/next/routes/a',
      'projects/next/routes/b',
      'projects/web',
    ]);
  },
);
