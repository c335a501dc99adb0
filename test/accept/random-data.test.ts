import fc from 'fast-check';
import { expect } from 'vitest';
import { oneStoryIn, runs } from '../support/sweep.ts';
import type { World } from '../support/world.ts';
import { acceptIn, fileOf, inWorld } from './accepted-text.ts';
import { type DataScenario, dataStories, toScenario } from './random-data.ts';

const inPart = oneStoryIn(4);

/** Plays a story: applies it, changes the account, accepts, and looks at the files and the next plan. */
async function play(world: World, { yaml, data, changes }: DataScenario): Promise<void> {
  world.clear();
  world.tracked = Object.keys(data);
  const files = { ...fileOf(world, yaml), ...data };
  await world.converge(files);
  for (const { project, key, value } of changes) {
    const { env } = world.twin.account.projects.find(({ name }) => name === project)!;
    env.find((variable) => variable.key === key)!.value = value;
  }
  const result = await acceptIn(world, files);
  const { wrong, unplaced, leftOut, open, after, texts } = result;
  // A text that no file can hold, such as one with a NUL, is left out with the reason, and stays open.
  const left = new Set<string>(leftOut.map(({ address }) => address));
  const stillOpen = open.filter((address) => !left.has(address));
  expect({ wrong, unplaced, stillOpen }).toEqual({ wrong: [], unplaced: [], stillOpen: [] });
  if (left.size === 0) expect(after.operations).toEqual([]);
  const patched = (project: string, key: string) =>
    texts['trueup.yaml']!.includes(`$at: projects/${project}/env/${key}`);
  for (const { project, key, isInData } of changes) if (isInData) expect(patched(project, key)).toBe(false);
  const lines = (text: string) => text.split('\n');
  for (const [name, text] of Object.entries(data)) {
    const kept = lines(text).filter(
      (line) => !changes.some(({ project }) => line.includes(project.slice(5))),
    );
    if (name.endsWith('.csv')) expect(lines(texts[name]!)).toEqual(expect.arrayContaining(kept));
  }
}

inPart(
  'random data: what was changed outside is declared afterwards, nothing else is different, and data is used where it can be',
  () =>
    inWorld((world) =>
      fc.assert(
        fc.asyncProperty(dataStories.map(toScenario), (story) => play(world, story)),
        { numRuns: runs(400, 80) },
      ),
    ),
);
