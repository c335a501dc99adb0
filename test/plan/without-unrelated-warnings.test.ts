import { expect, it } from 'vitest';
import { problem, warning } from '../../src/model/diagnostic.ts';
import type { Desired, Resource } from '../../src/model/resource.ts';
import { withoutUnrelatedWarnings } from '../../src/plan/filter-diagnostics.ts';
import { change, resource, secret } from '../report/builders.ts';

const uses = (address: string, name: string): [string, Resource] => [
  address,
  resource(address, { value: secret(name) }),
];
const desired: Desired = {
  stack: 'test',
  resources: new Map([uses('env/A@live', 'a'), uses('env/B@live', 'b'), uses('records/www/A', 'c')]),
  inputs: [],
  folders: [],
};
const diagnostics = [
  warning('about/all', ''),
  problem('about/b', 'an error', { address: 'env/B' }),
  ...['env/A', 'env/B', 'env/A@live', 'env/B@live', 'records/#0', 'env'].map((address) =>
    warning(`about/${address}`, '', { address }),
  ),
  ...['a', 'b', 'c', 'gone'].map((name) => warning(`secret/${name}`, '', { secret: { name } })),
];
const codes = (...args: Parameters<typeof withoutUnrelatedWarnings>) =>
  withoutUnrelatedWarnings(...args).map(({ code }) => code);

it('a plan of a part warns of that part only; errors stay', () => {
  const of = (address: string) =>
    codes(diagnostics, { changes: [change('noop', address)], isNarrowed: true }, desired);
  expect(of('env/A@live')).toEqual(['about/all', 'about/b', 'about/env/A', 'about/env/A@live', 'secret/a']);
  expect(of('records/www/A')).toEqual(['about/all', 'about/b', 'about/records/#0', 'secret/c']);
});

it('a whole plan warns of everything but secrets that nothing needs', () => {
  const all = diagnostics.map(({ code }) => code);
  expect(codes(diagnostics, { changes: [] }, desired)).toEqual(all.filter((code) => code !== 'secret/gone'));
});
