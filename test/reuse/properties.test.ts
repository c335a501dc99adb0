import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { hosting } from '../../providers/hosting/index.ts';
import type { WrittenConfiguration } from '../../src/config/configuration.ts';
import { load } from '../../src/config/load.ts';
import { render } from '../../src/config/render/render.ts';
import { childKinds, kindsOf } from '../../src/kind/define-kind.ts';
import { allAllowed } from '../support/all-allowed.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const kinds = kindsOf(hosting.kinds);
const examples = path.resolve('examples');
const names = readdirSync(examples).filter((name) => /(?<!\.test)\.yaml$/.test(name));

const loaded = (text: string): Promise<WrittenConfiguration> =>
  load({ kinds, cwd: examples, env: {}, text, sources: allAllowed({}, examples) });

/** Several files, whose names decide about their order. */
async function loadedFrom(files: Record<string, string>): Promise<WrittenConfiguration> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'trueup-order-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  return load({ kinds, cwd, env: {}, paths: ['.'], sources: allAllowed({}, examples) });
}

const told = ({ diagnostics }: WrittenConfiguration) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);

/** Everything that is wanted, but for its place in the file. */
const wanted = ({ desired }: WrittenConfiguration) =>
  [...desired.resources.values()].map(({ at: _, ...resource }) => resource);

type Written = Record<string, Record<string, unknown>>;

/** The sections of a file, at the top, that are maps of blocks. */
function mapsIn(written: Written): [section: string, blocks: Record<string, unknown>][] {
  return childKinds(kinds, undefined).flatMap(({ section, yaml }) =>
    yaml.mapBy !== undefined && written[section] ? [[section, written[section]]] : [],
  );
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

oneRowIn(5)(names)('%s is the same however it is written', async (name) => {
  const text = readFileSync(path.join(examples, name), 'utf8');
  const before = await loaded(text);
  expect(told(before)).toEqual([]);
  const same = async (written: unknown) => {
    const now = await loaded(stringify(written, { aliasDuplicateObjects: false }));
    expect(told(now)).toEqual([]);
    expect(wanted(now)).toEqual(wanted(before));
  };
  const written = () => parse(text, { merge: true }) as Written;

  // As render prints it, unless a secret stands in it in the clear.
  const rendered = render(before);
  if (!rendered.includes('(secret)')) {
    const again = await loaded(rendered);
    expect(wanted(again)).toEqual(wanted(before));
    expect(render(again)).toBe(rendered);
  }

  // A patch of nothing changes nothing.
  const patched = written();
  const patches = mapsIn(patched).flatMap(([section, blocks]) =>
    Object.keys(blocks).map((key) => ({
      $at: `${section}/${key.replaceAll(/[@*/%]/g, encodeURIComponent)}`,
    })),
  );
  await same({ ...patched, patches });

  // A template that is used once is the block.
  const templated = written();
  const templates: Record<string, unknown> = {};
  for (const [, blocks] of mapsIn(templated))
    for (const [key, block] of Object.entries(blocks)) {
      if (!isMap(block)) continue;
      const template = `t${Object.keys(templates).length}`;
      templates[template] = block;
      blocks[key] = { $use: template };
    }
  await same({ ...templated, templates });

  // So is a template of sections.
  const { stack, platform, variables, secrets, $allow, ...rest } = written();
  const sections = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-')));
  const header = { stack, platform, variables, secrets, $allow };
  const plain = JSON.parse(JSON.stringify(header)) as object;
  await same({ ...plain, templates: { all: sections }, use: ['all'] });
});

story('the order of files matters for patches and ordered lists only', async () => {
  const written = parse(readFileSync(path.join(examples, 'everything.yaml'), 'utf8'), {
    merge: true,
  }) as Written;
  const sections = Object.keys(written);
  const half = (rest: number) =>
    stringify(
      Object.fromEntries(sections.filter((_, i) => i % 2 === rest).map((key) => [key, written[key]])),
      {
        aliasDuplicateObjects: false,
      },
    );
  const [one, other] = [half(0), half(1)];
  const orders = [
    await loadedFrom({ 'a.yaml': one, 'b.yaml': other }),
    await loadedFrom({ 'a.yaml': other, 'b.yaml': one }),
  ];
  const shown = orders.map((order) => wanted(order).map(({ address, fields }) => ({ address, fields })));
  expect(shown[0]!.length).toBeGreaterThan(80);
  expect(shown[0]).toEqual(shown[1]);

  const base = 'stack: x\nplatform: { personal: true }\nprojects: { web: {} }\n';
  const patch = (version: string) => `patches: [{ $at: projects/web, nodeVersion: ${version} }]\n`;
  const versionOf = async (a: string, b: string) => {
    const { desired } = await loadedFrom({ '0.yaml': base, 'a.yaml': patch(a), 'b.yaml': patch(b) });
    return desired.resources.get('projects/web')!.fields.nodeVersion;
  };
  expect(await versionOf('22.x', '24.x')).toBe('24.x');
  expect(await versionOf('24.x', '22.x')).toBe('22.x');
});
