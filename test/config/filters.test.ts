import { expect, test } from 'vitest';
import { filters } from '../../src/config/expressions/resolve-expression.ts';
import { configure, told } from './configure.ts';

// They make names, and so identities: what stands here never changes.
const cases: [text: string, upper: string, lower: string, slug: string, snake: string][] = [
  ['', '', '', '', ''],
  ['at', 'AT', 'at', 'at', 'at'],
  ['AT', 'AT', 'at', 'at', 'at'],
  ['site-at', 'SITE-AT', 'site-at', 'site-at', 'site_at'],
  ['site_at', 'SITE_AT', 'site_at', 'site-at', 'site_at'],
  ['site.at', 'SITE.AT', 'site.at', 'site-at', 'site_at'],
  ['site at', 'SITE AT', 'site at', 'site-at', 'site_at'],
  ['  site  at ', '  SITE  AT ', '  site  at ', 'site-at', 'site_at'],
  ['Site/At', 'SITE/AT', 'site/at', 'site-at', 'site_at'],
  ['--a--', '--A--', '--a--', 'a', 'a'],
  ['__a__', '__A__', '__a__', 'a', 'a'],
  ['a--b__c', 'A--B__C', 'a--b__c', 'a-b-c', 'a_b_c'],
  ['siteAt', 'SITEAT', 'siteat', 'siteat', 'siteat'],
  ['SiteAT2', 'SITEAT2', 'siteat2', 'siteat2', 'siteat2'],
  ['v1.2.3', 'V1.2.3', 'v1.2.3', 'v1-2-3', 'v1_2_3'],
  ['010', '010', '010', '010', '010'],
  ['1.10', '1.10', '1.10', '1-10', '1_10'],
  ['www.acme.com', 'WWW.ACME.COM', 'www.acme.com', 'www-acme-com', 'www_acme_com'],
  ['Österreich', 'ÖSTERREICH', 'österreich', 'osterreich', 'osterreich'],
  ['Straße', 'STRASSE', 'straße', 'strasse', 'strasse'],
  ['Café', 'CAFÉ', 'café', 'cafe', 'cafe'],
  ['Cafe\u0301', 'CAFE\u0301', 'cafe\u0301', 'cafe', 'cafe'],
  ['São Paulo', 'SÃO PAULO', 'são paulo', 'sao-paulo', 'sao_paulo'],
  ['Łódź', 'ŁÓDŹ', 'łódź', 'lodz', 'lodz'],
  ['Ærø', 'ÆRØ', 'ærø', 'aero', 'aero'],
  ['Đà Nẵng', 'ĐÀ NẴNG', 'đà nẵng', 'da-nang', 'da_nang'],
  ['Þór', 'ÞÓR', 'þór', 'thor', 'thor'],
  ['cœur', 'CŒUR', 'cœur', 'coeur', 'coeur'],
  ['ﬁnal', 'FINAL', 'ﬁnal', 'final', 'final'],
  ['½', '½', '½', '1-2', '1_2'],
  ['²', '²', '²', '2', '2'],
  ['Tom & Jerry', 'TOM & JERRY', 'tom & jerry', 'tom-jerry', 'tom_jerry'],
  ["it's", "IT'S", "it's", 'it-s', 'it_s'],
  ['a+b=c', 'A+B=C', 'a+b=c', 'a-b-c', 'a_b_c'],
  ['50%', '50%', '50%', '50', '50'],
  ['@acme/web', '@ACME/WEB', '@acme/web', 'acme-web', 'acme_web'],
  ['москва', 'МОСКВА', 'москва', '', ''],
  ['東京', '東京', '東京', '', ''],
  ['web 🚀', 'WEB 🚀', 'web 🚀', 'web', 'web'],
  ['\u202Eabc', '\u202EABC', '\u202Eabc', 'abc', 'abc'],
  ['a\u200Bb', 'A\u200BB', 'a\u200Bb', 'a-b', 'a_b'],
  ['İstanbul', 'İSTANBUL', 'i\u0307stanbul', 'istanbul', 'istanbul'],
];

test.each(cases)('%j', (text, ...expected) => {
  expect(['upper', 'lower', 'slug', 'snake'].map((name) => filters[name]!(text))).toEqual(expected);
});

test('there are no others', () => {
  expect(Object.keys(filters).sort()).toEqual(['lower', 'slug', 'snake', 'upper']);
});

test('a filter that leaves nothing is an error: it would be a name', async () => {
  const yaml = 'variables: { v: { default: 東京 } }\nsites: { "${var.v | slug}": {} }';
  expect(told(await configure(yaml))).toEqual(['expression/filter 2:21']);
});
