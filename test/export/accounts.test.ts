import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { defaultSwitches, otherSwitches } from '../../providers/hosting/twin/index.ts';
import { noteCounts } from '../support/cost.ts';
import { all, oneStoryIn, runs, sampled } from '../support/sweep.ts';
import { exampleSecret, World } from '../support/world.ts';

import { allCases, expectNoWrite, expectNoWriteFor, takeCounts } from './no-write.ts';

const story = oneStoryIn(3);

noteCounts('export', takeCounts);

const part = all ? 3 : 36;
story(
  `an account with one in ${part} of everything, the platform behaving the other way wherever it is silent`,
  () =>
    expectNoWriteFor(
      allCases().filter((_, index) => index % part === 0),
      2,
      otherSwitches,
    ),
);

story('random accounts', async () => {
  const some = fc.subarray(allCases(), { minLength: 5, maxLength: 30 });
  const platform = fc.constantFrom(defaultSwitches, otherSwitches);
  await fc.assert(fc.asyncProperty(some, fc.nat(2), platform, expectNoWriteFor), {
    numRuns: runs(Number(process.env.TRUEUP_RUNS ?? 8)),
  });
});

describe('the account of the example', () => {
  const folder = path.resolve(import.meta.dirname, '../../examples');
  const yamlIn = (at: string) =>
    readdirSync(at).filter((file) => file.endsWith('.yaml') && !file.endsWith('.test.yaml'));
  /** Not folders of something else, nor of several stacks. */
  const isStack = (at: string) =>
    statSync(at).isDirectory() &&
    yamlIn(at).some((file) => /^stack:/m.test(readFileSync(path.join(at, file), 'utf8')));
  const names = readdirSync(folder).filter(
    (name) => (name.endsWith('.yaml') && !name.endsWith('.test.yaml')) || isStack(path.join(folder, name)),
  );
  // That they converge is tried with each of them.
  it.each(sampled(names, 1))('%s', async (name) => {
    const at = path.join(folder, name);
    const files = statSync(at).isDirectory()
      ? Object.fromEntries(yamlIn(at).map((file) => [file, readFileSync(path.join(at, file), 'utf8')]))
      : { [name]: readFileSync(at, 'utf8') };
    const seed = path.join(folder, `${name.replace(/\.yaml$/, '')}.seed.json`);
    const world = await World.start({
      seed: statSync(seed, { throwIfNoEntry: false }) ? JSON.parse(readFileSync(seed, 'utf8')) : {},
    });
    try {
      for (const content of Object.values(files))
        for (const [, name] of content.matchAll(/\$\{secret\.(\w+)\}/g))
          world.env[`TRUEUP_SECRET_${name}`] = exampleSecret(name!);
      await world.converge(files);
      await expectNoWrite(world);
    } finally {
      await world.stop();
    }
  });
});
