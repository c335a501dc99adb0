import { expect, it } from 'vitest';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { newWorld } from '../support/scene.ts';

const route = (description: string, more = '') =>
  `secrets: { note: { env: NOTE } }\nprojects: { web: { routes: [{ name: one, route: { src: /a${more} }${description} }] } }`;

it('a secret that was put into a field stays hidden once the field is not declared any more', async () => {
  const world = await newWorld();
  world.env.NOTE = 'canary-of-a-note';
  await world.converge(route(', description: "${secret.note}"'));
  await world.converge(route(''));
  expect(world.ledger.entries['projects/web/routes/one']!.hidden).toEqual(['description']);
  // It is still there, and sent again with the whole.
  const { plan } = await world.plan(route('', 'b'));
  const style = styleFor({ color: false, width: 120 });
  const shown = [planText(plan, { style, requests: true, verbose: true }), JSON.stringify(planJson(plan))];
  expect(shown.join()).toContain('description');
  expect(shown.join()).not.toContain('canary');
  // Declared in the open, it is like any other text.
  await world.converge(route(', description: open'));
  expect(world.ledger.entries['projects/web/routes/one']!.hidden).toBeUndefined();
});
