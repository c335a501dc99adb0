import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { normalAddressGlob } from '../../src/kind/address-spelling.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { addressOf, escapeName, globOf } from '../../src/model/address.ts';
import { createAddressMatcher } from '../../src/model/glob.ts';
import { codePoint } from '../support/characters.ts';

const kinds = kindsOf(hosting.kinds);
const normal = (glob: string) => normalAddressGlob(glob, kinds);

it.each([
  ['domains/MÜNCHEN.example', 'domains/xn--mnchen-3ya.example'],
  ['domains/münchen.example./records/www/A', 'domains/xn--mnchen-3ya.example/records/www/A'],
  ['projects/Web/domains/WWW.Example.com.', 'projects/Web/domains/www.example.com'],
  ['projects/*/domains/**', 'projects/*/domains/**'],
  ['domains/*.EXAMPLE.com', 'domains/*.example.com'],
  ['domains/www.*', 'domains/www.*'],
  ['domains/{A.example,münchen.example}/**', 'domains/{a.example,xn--mnchen-3ya.example}/**'],
  ['{domains/A.example,projects/B}', '{domains/a.example,projects/B}'],
  ['projects/web/domains/%2A.EXAMPLE.com', 'projects/web/domains/%2A.example.com'],
  ['**/münchen.example', '**/{münchen.example,xn--mnchen-3ya.example}'],
  ['projects/web/env/API_URL', 'projects/web/env/API_URL'],
  ['projects/domains/protectionBypass/A', 'projects/domains/protectionBypass/A'],
  ['globalConfigs/shop/items/feature.Flag', 'globalConfigs/shop/items/feature.Flag'],
  ['projects/web/members/ada@acme.example', 'projects/web/members/ada%40acme.example'],
  ['projects/*/members/*@acme.example', 'projects/*/members/*%40acme.example'],
  ['accessGroups/{a,b}/members/ada@acme.example', 'accessGroups/{a,b}/members/ada%40acme.example'],
  ['projects/*/env/API_URL@production', 'projects/*/env/API_URL@production'],
  ['domains/a.example/records/@/A', 'domains/a.example/records/@/A'],
  ['**/ada@acme.example', '**/{ada@acme.example,ada%40acme.example}'],
  ['**', '**'],
])('%s', (glob, expected) => {
  expect(normal(glob)).toBe(expected);
  if (!expected.includes('{')) expect(normal(expected)).toBe(expected);
});

it('an address that is a glob for itself still is, whatever its names', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, minLength: 1, maxLength: 12 }), (name) => {
      for (const parent of ['projects/web', undefined]) {
        const address = addressOf(parent, parent ? 'env' : 'projects', [escapeName(name)]);
        expect(createAddressMatcher([normal(globOf(address))])(address)).toBe(true);
      }
    }),
  );
});
