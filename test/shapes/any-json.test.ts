import { describe, expect, it } from 'vitest';
import { exported } from '../export/exported.ts';
import { actions, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const items = (of: object) => `globalConfigs: { shop: { items: ${JSON.stringify(of)} } }`;
const falsy = [null, '', [], {}, false, 0] as const;
const data = [...falsy, 'null', '1', { $ref: '#/definitions/a' }, [[1], null], { a: { b: null, c: [] } }];

describe.each(data.map((value) => [JSON.stringify(value), value] as const))('an item with %s', (_, value) => {
  story('is created, changed to and from it, and found equal', async () => {
    const world = await newWorld();
    const own = () => world.twin.account.globalConfigs[0]!.items[0]!.value;
    for (const next of [value, 1, value, [true], value]) {
      await world.converge(items({ n: { value: next } }));
      expect(own()).toEqual(next);
    }
  });

  story('is adopted as it is', async () => {
    const world = await newWorld({ seed: { globalConfigs: [{ slug: 'shop', items: { n: value } }] } });
    const plan = await world.converge(items({ n: { value } }));
    expect(plan.operations).toEqual([]);
  });

  story('comes back from an export', async () => {
    const world = await newWorld({ seed: { globalConfigs: [{ slug: 'shop', items: { n: value } }] } });
    const { yaml } = await exported(world);
    const { plan, configuration } = await world.plan(yaml);
    expect(plan.operations).toEqual([]);
    const item = configuration.desired.resources.get('globalConfigs/shop/items/n')!;
    expect(item.fields.value).toEqual(value);
  });
});

oneRowIn(4)(falsy.filter((value) => typeof value !== 'object' || value === null))(
  'a bare %j is the value',
  async (value) => {
    const world = await newWorld();
    await world.converge(items({ n: value }));
    expect(world.twin.account.globalConfigs[0]!.items[0]!.value).toEqual(value);
  },
);

it('a required null does not stand for an empty entry elsewhere', async () => {
  const world = await newWorld();
  const { diagnostics } = await world.configure('projects: { web: , docs: { bulkRedirects: { /a: } } }');
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'config/missing `destination` is missing',
  ]);
});

describe('an item without a value', () => {
  it('is refused', async () => {
    const world = await newWorld();
    const { diagnostics } = await world.configure(items({ n: { description: 'x' } }));
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'config/missing `value` is missing',
    ]);
  });

  it('that is an object is told where the object goes', async () => {
    const world = await newWorld();
    const { diagnostics } = await world.configure(items({ o: { a: 1 } }));
    const hints = diagnostics.filter(({ code }) => code === 'config/unknown-key').map(({ hint }) => hint);
    expect(hints).toEqual(['if this is data, put it in the field: `value: { … }`']);
  });

  it('is not meant where there is one: then the key is misspelled', async () => {
    const world = await newWorld();
    const { diagnostics } = await world.configure(items({ o: { value: 1, descriptio: 'x' } }));
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['did you mean `description`?']);
  });
});

it('a value of null stays where only the description changes', async () => {
  const world = await newWorld({ seed: { globalConfigs: [{ slug: 'shop', items: { n: null } }] } });
  const plan = await world.converge(items({ n: { value: null, description: 'new' } }));
  expect(actions(plan)).toContain('adopt globalConfigs/shop/items/n');
  expect(world.twin.account.globalConfigs[0]!.items[0]).toMatchObject({ value: null, description: 'new' });
});

it('a schema with references of its own is sent and found as it is', async () => {
  const definition = {
    $ref: '#/definitions/all',
    definitions: { all: { type: 'object', properties: { a: { default: null } } } },
    default: null,
  };
  const world = await newWorld();
  await world.converge(`globalConfigs: { shop: { schema: ${JSON.stringify({ definition })} } }`);
  expect(world.twin.account.globalConfigs[0]!.schema).toEqual(definition);
  world.ledger = { ...world.ledger, entries: {} };
  const { yaml } = await exported(world);
  const { plan } = await world.plan(yaml);
  expect(plan.operations).toEqual([]);
  expect(actions(plan)).toContain('adopt globalConfigs/shop/schema');
});
