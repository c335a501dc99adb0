import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalRecord } from '../../providers/hosting/kinds/domains/dns-content.ts';
import { serviceParamsProblem } from '../../providers/hosting/kinds/domains/service-params.ts';
import { runs } from '../support/sweep.ts';

const normal = (params: string) =>
  (
    normalRecord('HTTPS', { https: { priority: 1, target: '.', params } }, 'example.com').https as {
      params: string;
    }
  ).params;

it.each([
  ['alpn="h3,h2" port=443', 'alpn=h3,h2 port=443'],
  ['  port=443   alpn=h3,h2 ', 'alpn=h3,h2 port=443'],
  ['PORT=443 Alpn=h2', 'alpn=h2 port=443'],
  ['key3=443 key1=h2', 'alpn=h2 port=443'],
  ['key667="a  b" no-default-alpn alpn=h2', 'alpn=h2 no-default-alpn key667="a  b"'],
  ['key9=x key667=a\\"b', 'key9=x key667=a\\"b'],
  ['no-default-alpn=""', 'no-default-alpn'],
  ['', ''],
])('%j means %j', (written, means) => expect(normal(written)).toBe(means));

it('other values, and another order within a value, stay different', () => {
  expect(normal('alpn=h2,h3')).not.toBe(normal('alpn=h3,h2'));
  expect(normal('key667="a b"')).not.toBe(normal('key667="a  b"'));
  expect(normal('port=443')).not.toBe(normal('port=8443'));
});

it.each([
  ['alpn="h2', 'must be `key=value`'],
  ['alpn= h3,h2 port=443', 'must be `key=value`'],
  ['alpn=h2 alpn=h3', '`alpn` appears twice'],
  ['key1=h2 alpn=h3', '`alpn` appears twice'],
  ['apln=h2', '`apln` is not a known service parameter'],
  ['key65536=1', '`key65536` is not a known service parameter'],
])('%j is a mistake', (params, message) => expect(serviceParamsProblem(params)?.message).toContain(message));

it('normal form is the same for every order, and its own normal form', () => {
  const params = fc.uniqueArray(
    fc.tuple(
      fc.constantFrom('alpn', 'port', 'ech', 'key700', 'ipv4hint'),
      fc.constantFrom('', '1', '"a b"', '"x"', 'y'),
    ),
    { selector: ([key]) => key },
  );
  fc.assert(
    fc.property(params, fc.constantFrom(' ', '  ', '\t'), (list, gap) => {
      const texts = list.map(([key, value]) => (value === '' ? key : `${key}=${value}`));
      expect(normal([...texts].reverse().join(gap))).toBe(normal(texts.join(' ')));
      expect(normal(normal(texts.join(' ')))).toBe(normal(texts.join(' ')));
    }),
    { numRuns: runs(5_000) },
  );
});
