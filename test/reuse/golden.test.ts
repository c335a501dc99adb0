import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { render } from '../../src/config/render/render.ts';
import { openSources } from '../../src/config/sources/sources.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import type { Desired } from '../../src/model/resource.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { oneRowIn } from '../support/sweep.ts';

const kinds = kindsOf(hosting.kinds);
const golden = resolve('test/reuse/golden');
const style = styleFor({ color: false, unicode: true, width: 100 });

/** git tracks whatever is in the folder. */
const sourcesIn = (cwd: string) =>
  openSources({
    env: {},
    cwd,
    tracking: { workTreeOf: async () => cwd, tracked: async (_, files) => new Set(files) },
  });

const loaded = (cwd: string, text?: string) => {
  const file = join(cwd, 'stage.txt');
  return load({
    kinds,
    cwd,
    env: {},
    sources: sourcesIn(cwd),
    ...(text === undefined
      ? existsSync(file)
        ? { stage: readFileSync(file, 'utf8').trim() }
        : {}
      : { text }),
    ...(text !== undefined || !existsSync(join(cwd, 'a.yaml')) ? {} : { paths: ['a.yaml', 'b.yaml'] }),
  });
};

const withoutPlaces = ({ resources }: Desired) =>
  JSON.stringify([...resources.values()].map(({ at: _, ...resource }) => resource));

// `R` shows a rule of the language, `T` what is tricky: `expected.txt` is what render prints, or every problem as it is printed.
oneRowIn(5)(readdirSync(golden))('%s', async (name) => {
  const folder = join(golden, name);
  const configuration = await loaded(folder);
  const { diagnostics, notAllowed } = configuration;
  const problems = [...diagnostics, ...notAllowed];
  const text = hasErrors(problems) ? '' : render(configuration);
  const told = diagnosticsText(problems, { style });
  await expect(`${text}${told}\n`).toMatchFileSnapshot(join(folder, 'expected.txt'));
  if (text === '' || text.includes('(secret)')) return;
  // The result is read as if it had been written, and rendering it again changes nothing.
  const again = await loaded(folder, text);
  expect(again.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(withoutPlaces(again.desired)).toBe(withoutPlaces(configuration.desired));
  expect(render(again)).toBe(text);
});
