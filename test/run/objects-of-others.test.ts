import { describe, expect, it } from 'vitest';
import { newWorld } from '../support/scene.ts';

// Objects without a name of their own, created while another stack creates some in the same collection.

const hook = (label: string, path: string) =>
  `webhooks: { ${label}: { url: "https://hooks.example.com/${path}", events: [domain.created], $secretTo: discard } }`;
const rule = (label: string, model: string) =>
  `aiGatewayRules: { ${label}: { type: deny, match: { model: ${model} } } }`;

/** Applies `declared` after another stack has applied `other`, which the plan did not see. */
async function appliedBeside(declared: string, other: string) {
  const world = await newWorld();
  const planned = await world.plan(declared);
  await world.converge(other);
  const { outcome } = await world.apply(planned);
  return outcome;
}

describe.each([
  ['webhook', hook],
  ['rule of the gateway', rule],
])('a %s', (_, yaml) => {
  it('is created beside a new one that differs in the identifying fields', async () => {
    const { done, failed } = await appliedBeside(yaml('a', 'one'), yaml('x', 'two'));
    expect([done.length, failed]).toEqual([1, []]);
  });

  it('is not created beside a new one that is equal', async () => {
    const { failed } = await appliedBeside(yaml('a', 'one'), yaml('x', 'one'));
    expect(failed.map(({ error }) => (error as Error).message)).toEqual([
      expect.stringMatching(/^\S+ was created by somebody else after the plan was made; plan again$/),
    ]);
  });
});
