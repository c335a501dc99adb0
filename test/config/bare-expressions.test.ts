import { expect, test } from 'vitest';
import { formatYaml } from '../../src/config/format/format-yaml.ts';
import { quoteExpressions } from '../../src/config/yaml/check-syntax.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { configure, told } from './configure.ts';

const cases: [written: string, quoted: string][] = [
  ['a: { b: ${var.x} }', 'a: { b: "${var.x}" }'],
  ['a: [${var.x}, b-${var.y}.c, d]', 'a: ["${var.x}", "b-${var.y}.c", d]'],
  ['a: { b: https://${var.x}/p, c: 1 }', 'a: { b: "https://${var.x}/p", c: 1 }'],
  ['a: { b: "${var.x}", c: ${var.y} }', 'a: { b: "${var.x}", c: "${var.y}" }'],
  ['a: ${var.x}\nb: [c]', 'a: ${var.x}\nb: [c]'],
  ['a: { b: [${each.key}] }\nc: { d: ${e', 'a: { b: ["${each.key}"] }\nc: { d: ${e'],
];
test.each(cases)('%s', (written, quoted) => {
  expect(quoteExpressions(written)).toBe(quoted);
});

test('an expression in brackets without quotes is told as that, and fmt writes them', async () => {
  const yaml = 'sites: { web: { note: ${var.x} } }\n';
  const configuration = await configure(yaml);
  expect(told(configuration)).toEqual(['yaml/expression 1:24']);
  expect(formatYaml(new Source('a.yaml', yaml)).text).toBe('sites: { web: { note: "${var.x}" } }\n');
});

test('an expression in brackets without quotes hides the errors that it causes', async () => {
  const yaml = 'sites:\n  web: { note: ${var.x}, port: 1 }\n  b: { port: 1 }\n';
  expect(told(await configure(yaml))).toEqual(['yaml/expression 2:17']);
});
