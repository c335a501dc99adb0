import { expect, it } from 'vitest';
import { guessStackName } from '../../src/config/read-header.ts';
import { Source } from '../../src/config/yaml/source.ts';

const named = (...texts: string[]) => guessStackName(texts.map((text, n) => new Source(`${n}.yaml`, text)));

it('is read though the file is no YAML', () => {
  expect(named('stack: shop # ours\nprojects: [\n')).toBe('shop');
  expect(named('projects: {\n', 'platform: { team: a }\r\nstack: "shop-eu.1"\r\n')).toBe('shop-eu.1');
});

it('is not guessed: a variable, another key, no name, two of them', () => {
  expect(named('stack: shop-${var.stage}\n')).toBeUndefined();
  expect(named('variables:\n  stack: shop\nx-stack: shop\n')).toBeUndefined();
  expect(named('stack: "shop\n')).toBeUndefined();
  expect(named('stack: [shop\n')).toBeUndefined();
  expect(named('stack: one\n', 'stack: two\n')).toBeUndefined();
});
