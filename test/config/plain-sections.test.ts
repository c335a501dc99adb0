import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { hosting } from '../../providers/hosting/index.ts';
import type { WrittenConfiguration } from '../../src/config/configuration.ts';
import { load } from '../../src/config/load.ts';
import { render } from '../../src/config/render/render.ts';
import { childKinds, kindsOf } from '../../src/kind/define-kind.ts';
import { mixedStack } from '../bench/stacks.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { sampled } from '../support/sweep.ts';

const kinds = kindsOf(hosting.kinds);
const loaded = (text: string) => load({ kinds, cwd: '.', env: {}, text });

/** Sections that are maps: such a section may stand in a second document, too. */
const maps = childKinds(kinds, undefined).flatMap(({ key, yaml, section }) =>
  key.length > 0 && yaml.mapBy !== undefined ? [section] : [],
);

const seen = ({ desired: { fieldAt: _, ...desired }, diagnostics }: WrittenConfiguration) => ({
  ...desired,
  diagnostics,
});

/** Reads a text as it is, and with a second document that adds nothing, but has all layers laid. */
async function expectSame(text: string): Promise<WrittenConfiguration> {
  const [section] = maps.filter((name) => new RegExp(`^${name}:`, 'm').test(text));
  const plain = await loaded(text);
  const laid = await loaded(`${text}\n---\n${section}: {}\n`);
  expect(seen(plain)).toEqual(seen(laid));
  expect(render(plain)).toEqual(render(laid));
  return plain;
}

const examples = path.resolve(import.meta.dirname, '../../examples');
const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(path.join(examples, name), 'utf8'))
  .filter((text) => maps.some((name) => new RegExp(`^${name}:`, 'm').test(text)));

it('a configuration without layers comes to the same without being laid: the examples, a large one', async () => {
  expect(files.length).toBeGreaterThan(3);
  for (const text of files) await expectSame(text);
  const { desired } = await expectSame(mixedStack(100));
  expect(desired.resources.size).toBe(100);
});

it('and so does one with all that each kind takes', async () => {
  for (const kind of sampled([...kinds.values()], 20)) {
    const body = bodyOf(kind, casesOf(kind), 0);
    if (Object.keys(body).some((name) => maps.includes(name))) await expectSame(stringify(body));
  }
});

const head =
  'stack: demo\nplatform: { team: acme }\nsecrets: { KEY: { env: KEY } }\nvariables: { names: { default: [a, b] }, some: { default: { b: 1 } } }\n';
it.each([
  [
    'secrets, references and variables',
    'projects:\n  web: { env: { A: "${secret.KEY}", B: "x${projects.web.id}", C: { value: "${var.names.0}" } } }',
  ],
  [
    'a list from a variable, spread',
    'projects:\n  web: { env: { A: { value: x, target: ["...${var.names}"] } } }',
  ],
  [
    'lists under one name',
    'projects:\n  web:\n    env: { A: [{ value: x, target: [preview] }, { value: y, target: [production] }], B: [] }',
  ],
  [
    'a value that is not there',
    'projects:\n  web: { framework: "${var.some.a?}", env: { A: "${var.some.a?}" } }\n  api: "${var.some.a?}"',
  ],
  ['what is wrong', 'projects:\n  web: { framwork: 1, env: [], domains: { x: 1 } }\n  api:\n  "": 3'],
  [
    'what is unknown',
    'projects:\n  web: { env: { A: "${secret.NO}", B: "${projects.no.id}", C: "${what.is}" } }',
  ],
  ['nothing in it', 'projects: {}'],
  ['holding nothing', 'projects:'],
  ['of the wrong form', 'projects: [web]\ndomains: text'],
  ['unknown sections', 'projects: { web: {} }\nprojekts: {}'],
  ['names that are expressions', 'projects: { "${var.names.0}": {}, "${secret.KEY}": {} }'],
  ['names with signs of ours', 'projects: { $web: {}, "a/b": {}, "a*": {} }'],
  ['an anchor among the entries', 'projects: { x-base: &base { framework: nextjs }, web: { <<: *base } }'],
  [
    'records of one name',
    'domains:\n  example.com:\n    records:\n      - { type: A, name: www, value: 192.0.2.1 }\n      - { type: A, name: www, value: 192.0.2.2 }',
  ],
])('%s', async (_, text) => {
  const plain = await loaded(`${head}${text}\n`);
  const laid = await loaded(`${head}${text}\n---\nprojects: {}\n`);
  expect(seen(plain)).toEqual(seen(laid));
});
