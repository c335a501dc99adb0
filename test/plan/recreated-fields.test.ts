import { expect, it } from 'vitest';
import { globalConfigItem } from '../../providers/hosting/kinds/config/global-config-item.ts';
import { recreatedFields } from '../../src/plan/predict-undo.ts';

it.each<[string, unknown, string[]]>([
  ['without a secret', { banner: 'Sale', note: 'a (secret) sale' }, []],
  ['with a secret inside', { banner: 'Sale', token: '(secret)' }, ['value']],
  ['with a named secret inside', ['(secret shop_token)'], ['value']],
])('a recorded value %s is never set to the mark of a secret', (_, value, lost) => {
  const change = { fields: [{ path: 'value', before: value }] } as never;
  const found = recreatedFields(change, { fields: { key: 'shop' } }, globalConfigItem);
  expect(found.lost.map(({ path }) => path)).toEqual(lost);
  expect(found.extra.map(([path]) => path)).toEqual(lost.length > 0 ? [] : ['value']);
});
