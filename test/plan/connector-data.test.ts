import { expect, it } from 'vitest';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { newWorld } from '../support/scene.ts';

const connector = (data: string, more = '') => `
secrets: { bot: { env: BOT } }
connectors: { discord/bot: { name: Bot, type: discord, data: { ${data} }${more} } }`;

it('only what changed of the settings of a connector is sent, and none of its secrets is shown', async () => {
  const world = await newWorld();
  world.env.BOT = 'canary-by-name';
  const style = styleFor({ color: false, width: 120 });
  const shown: string[] = [];
  const step = async (yaml: string) => {
    const { plan } = await world.plan(yaml);
    shown.push(planText(plan, { style, requests: true, verbose: true }), JSON.stringify(planJson(plan)));
    await world.converge(yaml);
    return world.twin.requests.filter(({ method }) => method !== 'GET').at(-1)!.body;
  };
  const settings = 'clientId: a, clientSecret: canary-literal, botToken: "${secret.bot}", scopes: [one]';
  expect(await step(connector(settings))).toMatchObject({
    data: { clientId: 'a', clientSecret: 'canary-literal', botToken: 'canary-by-name', scopes: ['one'] },
  });
  expect(await step(connector(settings.replace('one', 'two')))).toEqual({ data: { scopes: ['two'] } });
  expect(await step(connector(settings.replace('literal', 'other')))).toEqual({
    data: { clientSecret: 'canary-other', scopes: ['one'] },
  });
  world.env.BOT = 'canary-by-another-name';
  expect(await step(connector(settings.replace('literal', 'other')))).toEqual({
    data: { botToken: 'canary-by-another-name' },
  });
  expect(shown.join('\n')).toContain('data.botToken');
  expect(shown.join('\n')).not.toContain('canary');
  expect(JSON.stringify(world.ledger)).not.toContain('canary');
});

it('what is said when a connector is made is not sent to one that is there', async () => {
  const data = { projectId: 'p', projectSecret: 's' };
  const seed = { connectors: [{ type: 'photon', uid: 'discord/bot', name: 'Bot', data }] };
  const world = await newWorld({ seed });
  const yaml =
    'connectors: { discord/bot: { name: Bot, type: photon, service: photon, data: { projectId: p, projectSecret: s } } }';
  const { plan } = await world.plan(yaml);
  expect(plan.operations).toEqual([]);
});
