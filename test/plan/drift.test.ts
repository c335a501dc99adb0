import { describe, expect } from 'vitest';
import { hasDrift } from '../../src/model/plan.ts';
import { newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const yaml = (framework = 'nextjs', more = '') =>
  `projects: { web: { framework: ${framework}, env: { A: { value: a, type: plain, target: [production] } } } }\n${more}`;
const project = (world: World) => world.twin.account.projects[0]!;

/** Whether there is drift once `outside` was done to what `yaml()` made, and the configuration reads `next`. */
async function drift(outside: (world: World) => void, next = yaml()): Promise<boolean> {
  const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
  await world.converge(yaml());
  outside(world);
  return hasDrift((await world.plan(next)).plan);
}

describe('drift is what was changed outside', () => {
  oneRowIn(4)<[string, (world: World) => void, string?]>([
    [
      'a field',
      (world) => {
        project(world).framework = 'astro';
      },
    ],
    [
      'a field that the configuration changes too',
      (world) => {
        project(world).framework = 'astro';
      },
      yaml('remix'),
    ],
    [
      'an object that was deleted',
      (world) => {
        project(world).env = [];
      },
    ],
    [
      'an object that was renamed',
      (world) => {
        project(world).name = 'other';
      },
    ],
  ])('%s', async (_, outside, next) => {
    expect(await drift(outside, next)).toBe(true);
  });

  oneRowIn(5)<[string, (world: World) => void, string?]>([
    ['nothing', () => {}],
    ['an edit', () => {}, yaml('remix')],
    ['something new, and something that goes', () => {}, yaml().replace('A:', 'B:')],
    [
      'a change outside to what the configuration wants now',
      (world) => {
        project(world).framework = 'remix';
      },
      yaml('remix'),
    ],
    [
      'a field that nobody declared',
      (world) => {
        project(world).buildCommand = 'make';
      },
    ],
  ])('and not: %s', async (_, outside, next) => {
    expect(await drift(outside, next)).toBe(false);
  });
});
