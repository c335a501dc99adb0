import { expect } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { render } from '../../src/config/render/render.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import type { Desired } from '../../src/model/resource.ts';
import { companyOf } from '../support/company.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const kinds = kindsOf(hosting.kinds);
const loaded = (text: string) => load({ kinds, cwd: '/', env: {}, text });
const withoutPlaces = ({ resources }: Desired) =>
  JSON.stringify([...resources.values()].map(({ at: _, ...resource }) => resource));

story('a company of 60 sites in fewer than 130 lines is what it is written out', async () => {
  const yaml = companyOf(60);
  expect(yaml.split('\n').length).toBeLessThan(130);
  const short = await loaded(yaml);
  expect(short.diagnostics).toEqual([]);
  expect(short.desired.resources.size).toBeGreaterThan(5000);
  const text = render(short);
  const long = await loaded(text);
  expect(long.diagnostics).toEqual([]);
  // What a plan is made of, byte for byte: a plan is a function of it.
  expect(withoutPlaces(long.desired)).toBe(withoutPlaces(short.desired));
  expect(render(long)).toBe(text);
});
